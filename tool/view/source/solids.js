// Solids on bodies: what tool/src/view/solid.rs describes, as meshes in the axes of the body.

import {
  BoxGeometry,
  CylinderGeometry,
  EdgesGeometry,
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

const edges = new LineBasicMaterial({ color: 0x1d2733, transparent: true, opacity: 0.28 });

/** The mesh of a part; `size` is the size of the bodies together. */
export function solid(part, size) {
  const builder = BUILDERS[part.kind](part, size);
  const colour = part.kind === "joint" ? JOINT : part.body < 0 ? GROUND : BODIES[part.body % BODIES.length];
  const material = new MeshStandardMaterial({ color: part.colour ?? colour, roughness: 0.55 });
  builder.traverse((mesh) => {
    mesh.material = material;
    mesh.name = part.name;
    mesh.castShadow = true;
  });
  if (part.kind === "box" || part.kind === "cylinder") {
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
  const [start, end] = [new Vector3(...a), new Vector3(...b)];
  const mesh = new Mesh(new CylinderGeometry(radius, radius, start.distanceTo(end), 36));
  mesh.position.copy(start).add(end).multiplyScalar(0.5);
  // The axis of three's cylinder is y.
  mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), end.sub(start).normalize());
  return mesh;
}
