// Lines and springs, coloured by tension.

import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { tensionColour } from "./colours.js";
import { between } from "./run.js";

/** Width on the screen, in pixels. */
const WIDTH = 3;

export class Strands {
  constructor(run, scene) {
    this.run = run;
    const count = run.strands.reduce((sum, strand) => sum + strand.segments, 0);
    this.positions = new Float32Array(6 * count);
    this.colours = new Float32Array(6 * count);
    this.geometry = new LineSegmentsGeometry();
    this.geometry.setPositions(this.positions);
    this.geometry.setColors(this.colours);
    // Transparent and last, so that water does not pale the colours of what is below it.
    const material = new LineMaterial({ vertexColors: true, linewidth: WIDTH, transparent: true });
    const lines = new LineSegments2(this.geometry, material);
    lines.renderOrder = 1;
    // Its bounds change with every frame.
    lines.frustumCulled = false;
    if (count > 0) scene.add(lines);
  }

  /** Writes the nodes of a strand at a place in time. */
  node(strand, k, place, target, offset) {
    for (let axis = 0; axis < 3; axis++) target[offset + axis] = between(strand.nodes[3 * k + axis], place);
  }

  show(place) {
    const [least, most] = this.run.tensionRange;
    let offset = 0;
    for (const strand of this.run.strands) {
      strand.tensions.forEach((tension, k) => {
        this.node(strand, k, place, this.positions, offset);
        this.node(strand, k + 1, place, this.positions, offset + 3);
        const part = most > least ? (between(tension, place) - least) / (most - least) : 0;
        tensionColour(part, this.colours, offset);
        tensionColour(part, this.colours, offset + 3);
        offset += 6;
      });
    }
    if (offset === 0) return;
    for (const [name, values] of [["instanceStart", this.positions], ["instanceColorStart", this.colours]]) {
      const buffer = this.geometry.attributes[name].data;
      buffer.array.set(values);
      buffer.needsUpdate = true;
    }
  }
}
