// Lines and springs, coloured by tension, and points.

import { BufferAttribute, BufferGeometry, CanvasTexture, Points, PointsMaterial } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { tensionColour } from "./colours.js";
import { between } from "./run.js";

/** Width of lines and diameter of points on the screen, in pixels. */
const WIDTH = 3;
const DIAMETER = 9;

const POINT = "#3d4a57";

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

    this.points = run.strands.filter((strand) => strand.segments === 0);
    this.places = new BufferAttribute(new Float32Array(3 * this.points.length), 3);
    const discs = new Points(new BufferGeometry().setAttribute("position", this.places), discMaterial());
    discs.frustumCulled = false;
    discs.renderOrder = 1;
    if (this.points.length > 0) scene.add(discs);
  }

  /** Writes the nodes of a strand at a place in time. */
  node(strand, k, place, target, offset) {
    for (let axis = 0; axis < 3; axis++) target[offset + axis] = between(strand.nodes[3 * k + axis], place);
  }

  show(place) {
    this.points.forEach((point, k) => this.node(point, 0, place, this.places.array, 3 * k));
    this.places.needsUpdate = true;
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

/** Draws points as discs of a constant size on the screen. */
function discMaterial() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.arc(16, 16, 15, 0, 7);
  context.fill();
  const size = DIAMETER * Math.min(window.devicePixelRatio || 1, 2);
  return new PointsMaterial({ color: POINT, map: new CanvasTexture(canvas), size, sizeAttenuation: false, transparent: true });
}
