// Solids on bodies: what tool/src/view/solid.rs describes, as meshes in the axes of the body.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  DoubleSide,
  EdgesGeometry,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import { BODIES } from "./colours.js";

const GROUND = "#8b949e";
const JOINT = "#2f3b48";

/** Edges sharper than this, in degrees, are drawn. */
const SHARP = 40;

const EDGED = ["box", "cylinder", "mesh"];

const edges = new LineBasicMaterial({ color: 0x1d2733, transparent: true, opacity: 0.28 });

/** The mesh of a part; `size` is the size of the bodies together. */
export function solid(part, size) {
  const builder = BUILDERS[part.kind](part, size);
  const colour = part.kind === "joint" ? JOINT : part.body < 0 ? GROUND : BODIES[part.body % BODIES.length];
  const material = new MeshStandardMaterial({ color: part.colour ?? colour, roughness: 0.55, side: part.kind === "mesh" ? DoubleSide : FrontSide });
  builder.traverse((mesh) => {
    mesh.material = material;
    mesh.name = part.name;
    mesh.castShadow = true;
  });
  if (EDGED.includes(part.kind)) {
    builder.add(new LineSegments(new EdgesGeometry(builder.geometry, SHARP), edges));
  }
  return builder;
}

const BUILDERS = {
  // A box without volume has at least the thickness of a plate.
  box({ frame, size: lengths }, size) {
    const mesh = new Mesh(new BoxGeometry(...lengths.map((length) => Math.max(length, 0.012 * size))));
    return placed(mesh, frame);
  },
  cylinder: ({ a, b, diameter }) => between(a, b, diameter / 2),
  capsule({ a, b, diameter }) {
    const length = new Vector3(...a).distanceTo(new Vector3(...b));
    return along(a, b, new CapsuleGeometry(diameter / 2, length, 12, 36));
  },
  sphere({ position, diameter }) {
    const mesh = new Mesh(new SphereGeometry(diameter / 2, 48, 32));
    mesh.position.set(...position);
    return mesh;
  },
  // Corners are float32, triangle by triangle.
  mesh({ frame, corners }) {
    const bytes = Uint8Array.from(atob(corners), (letter) => letter.charCodeAt(0));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(bytes.buffer), 3));
    geometry.computeVertexNormals();
    return placed(new Mesh(geometry), frame);
  },
  rod: ({ a, b }, size) => between(a, b, 0.006 * size),
  // A ball, and a pin along the axis.
  joint({ frame, hasAxis }, size) {
    const group = new Group();
    group.add(new Mesh(new SphereGeometry(0.018 * size, 20, 14)));
    if (hasAxis) group.add(between([0, 0, -0.05 * size], [0, 0, 0.05 * size], 0.007 * size));
    return placed(group, frame);
  },
};

function placed(object, [x, y, z, qw, qx, qy, qz]) {
  object.position.set(x, y, z);
  object.quaternion.set(qx, qy, qz, qw);
  return object;
}

/** A cylinder between two points. */
function between(a, b, radius) {
  const length = new Vector3(...a).distanceTo(new Vector3(...b));
  return along(a, b, new CylinderGeometry(radius, radius, length, 36));
}

/** A mesh whose y axis lies from one point to another, with its centre between them. */
function along(a, b, geometry) {
  const [start, end] = [new Vector3(...a), new Vector3(...b)];
  const mesh = new Mesh(geometry);
  mesh.position.copy(start).add(end).multiplyScalar(0.5);
  mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), end.sub(start).normalize());
  return mesh;
}
