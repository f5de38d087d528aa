// Water, seabed, and a grid where there is neither; all fade with the distance from the model.

import {
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  RingGeometry,
  ShadowMaterial,
  CircleGeometry,
  Vector3,
  Color,
} from "three";
import { round } from "./numbers.js";

const WATER = 0x3f8fc9;
const SAND = 0xe8dcc0;
const GRID = 0x8b98a5;

/** Adds what surrounds the model; returns the size of a cell of the grid. */
export function addSurroundings(scene, run, box) {
  const up = new Vector3(...run.up);
  const centre = box.getCenter(new Vector3());
  const radius = 1.6 * box.getSize(new Vector3()).length() || 1;
  const cell = round(radius / 16);
  // Planes are built across z, then turned to stand across the vertical at some height.
  const level = (height, ...objects) => {
    const plane = new Group();
    plane.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
    plane.position.copy(centre).addScaledVector(up, height - centre.dot(up));
    plane.add(...objects);
    scene.add(plane);
  };
  if (run.hasWater) level(0, fadingDisc(radius, WATER, 0.24));
  if (run.depth !== null) level(-run.depth, fadingDisc(radius, SAND, 0.85), fadingGrid(radius, cell, centre));
  if (!run.hasWater && run.depth === null) {
    const shadow = new Mesh(new CircleGeometry(radius, 48), new ShadowMaterial({ opacity: 0.16, depthWrite: false }));
    shadow.receiveShadow = true;
    level(lowest(box, up) - 0.02 * radius, shadow, fadingGrid(radius, cell));
  } else if (run.depth === null) {
    level(0, fadingGrid(radius, cell));
  }
  return cell;
}

/** The lowest place of a box. */
function lowest(box, up) {
  const pick = (axis) => (up[axis] > 0 ? box.min[axis] : box.max[axis]);
  return new Vector3(pick("x"), pick("y"), pick("z")).dot(up);
}

const fade = (distance, radius) => Math.max(0, 1 - (distance / radius) ** 2);

function fadingDisc(radius, colour, alpha) {
  const geometry = new RingGeometry(0, radius, 96, 24);
  const material = new MeshBasicMaterial({ side: DoubleSide });
  return new Mesh(...faded(geometry, material, radius, colour, alpha));
}

/** Lines of a grid, cut at each cell so that they can fade. */
function fadingGrid(radius, cell) {
  const count = Math.floor(radius / cell);
  const points = [];
  for (let k = -count; k <= count; k++) {
    for (let n = -count; n < count; n++) {
      const [a, b, c] = [k * cell, n * cell, (n + 1) * cell];
      points.push(a, b, 0, a, c, 0, b, a, 0, c, a, 0);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  return new LineSegments(...faded(geometry, new LineBasicMaterial(), radius, GRID, 0.55));
}

/** Gives a geometry one colour that vanishes at the radius. */
function faded(geometry, material, radius, colour, alpha) {
  const { r, g, b } = new Color(colour);
  const places = geometry.attributes.position;
  const colours = [];
  for (let k = 0; k < places.count; k++) {
    colours.push(r, g, b, alpha * fade(Math.hypot(places.getX(k), places.getY(k)), radius));
  }
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 4));
  material.setValues({ vertexColors: true, transparent: true, depthWrite: false });
  return [geometry, material];
}
