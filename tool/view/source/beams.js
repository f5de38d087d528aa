// Beams: tubes with elliptic sections that bend with their nodes.

import { BufferAttribute, BufferGeometry, DoubleSide, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { BODIES } from "./colours.js";

/** Sections from one node to the next, and corners of a section. */
const SECTIONS = 6;
const CORNERS = 20;

/** The beams of a run; `groupOf` gives the group of a body, or of the ground for -1. */
export class Beams {
  constructor(run, scene, groupOf) {
    this.beams = run.beams.map(({ name, nodes }, index) => {
      const rings = SECTIONS * (nodes.length - 1) + 1;
      const geometry = new BufferGeometry();
      // After the rings, the centres of both ends.
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * (CORNERS * rings + 2)), 3));
      geometry.setIndex(triangles(rings));
      const colour = BODIES[(run.bodies.length + index) % BODIES.length];
      const mesh = new Mesh(geometry, new MeshStandardMaterial({ color: colour, roughness: 0.55, side: DoubleSide }));
      // Its bounds change with every frame.
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      mesh.name = name;
      scene.add(mesh);
      const places = nodes.map((node) => ({ ...node, group: groupOf(node.body), frame: matrix(node.frame) }));
      return { mesh, nodes: places };
    });
  }

  get meshes() {
    return this.beams.map(({ mesh }) => mesh);
  }

  /** The places of all nodes, as bodies are now. */
  places() {
    return this.beams.flatMap(({ nodes }) => nodes.map((node) => now(node).place));
  }

  /** Bends the tubes as bodies are now. */
  show() {
    for (const { mesh, nodes } of this.beams) {
      const frames = nodes.map(now);
      const { geometry } = mesh;
      const corners = geometry.attributes.position;
      const [place, axes] = [new Vector3(), new Quaternion()];
      let ring = 0;
      for (let k = 0; k + 1 < frames.length; k++) {
        const last = k + 2 === frames.length;
        for (let n = 0; n < SECTIONS + last; n++) {
          const part = n / SECTIONS;
          between(frames[k], frames[k + 1], part, place, axes);
          const half = [0, 1].map((axis) => nodes[k].halfAxes[axis] * (1 - part) + nodes[k + 1].halfAxes[axis] * part);
          writeSection(corners, CORNERS * ring++, place, axes, half);
        }
      }
      frames[0].place.toArray(corners.array, 3 * CORNERS * ring);
      frames.at(-1).place.toArray(corners.array, 3 * (CORNERS * ring + 1));
      corners.needsUpdate = true;
      geometry.computeVertexNormals();
      // Computed again when the pointer is near.
      geometry.boundingSphere = null;
    }
  }
}

/** The place and the axes of a node. */
function now({ group, frame }) {
  group.updateMatrixWorld();
  const [place, axes] = [new Vector3(), new Quaternion()];
  new Matrix4().multiplyMatrices(group.matrixWorld, frame).decompose(place, axes, new Vector3());
  return { place, axes };
}

/** The cubic that leaves both nodes along their first axes; axes turn evenly. */
function between(a, b, t, place, axes) {
  const length = a.place.distanceTo(b.place);
  const [from, to] = [a, b].map((end) => new Vector3(length, 0, 0).applyQuaternion(end.axes));
  place
    .copy(a.place)
    .multiplyScalar((1 + 2 * t) * (1 - t) ** 2)
    .addScaledVector(b.place, t ** 2 * (3 - 2 * t))
    .addScaledVector(from, t * (1 - t) ** 2)
    .addScaledVector(to, t ** 2 * (t - 1));
  axes.slerpQuaternions(a.axes, b.axes, t);
}

function writeSection(corners, first, place, axes, [second, third]) {
  const corner = new Vector3();
  for (let k = 0; k < CORNERS; k++) {
    const angle = (2 * Math.PI * k) / CORNERS;
    corner.set(0, second * Math.cos(angle), third * Math.sin(angle)).applyQuaternion(axes).add(place);
    corner.toArray(corners.array, 3 * (first + k));
  }
}

/** The corners of the triangles of a tube with closed ends. */
function triangles(rings) {
  const corners = [];
  const last = CORNERS * (rings - 1);
  for (let k = 0; k < CORNERS; k++) {
    const next = (k + 1) % CORNERS;
    for (let ring = 0; ring < last; ring += CORNERS) {
      corners.push(ring + k, ring + CORNERS + k, ring + next, ring + next, ring + CORNERS + k, ring + CORNERS + next);
    }
    corners.push(CORNERS * rings, k, next, CORNERS * rings + 1, last + next, last + k);
  }
  return corners;
}

function matrix([x, y, z, qw, qx, qy, qz]) {
  return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1));
}
