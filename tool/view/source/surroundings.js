// Water with its waves, seabed, and a grid where there is neither; all fade with the distance from
// the model.

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
import { Elevation, wavenumber } from "./waves.js";

const WATER = 0x3f8fc9;
/** Flanks of waves that face the light, and those that do not; the light comes from (-x, -y), as the sun in Stage. */
const FLANKS = [new Color(0x1c5f99), new Color(0x8accf0)];
const LIGHT = [-0.64, -0.77];
const WATER_ALPHA = 0.5;

const SAND = 0xe8dcc0;
const GRID = 0x8b98a5;

/** Cells of the moving surface per wave length of the largest component, and from its centre to its edge. */
const PER_LENGTH = 10;
const RINGS = 40;

/** Part of the radius of the moving surface from which the waves fade. */
const CALM = 0.75;

/**
 * Adds what surrounds the model, waves around `middle`; returns the size of a cell of the grid and the surface, which
 * has a method show(time), or null if it is still.
 */
export function addSurroundings(scene, run, box, middle) {
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
  let surface = null;
  if (run.waves !== null) {
    surface = new Surface(run, middle, centre, radius);
    scene.add(...surface.meshes);
  } else if (run.hasWater) level(0, fadingDisc(radius, WATER, 0.24));
  if (run.depth !== null) level(-run.depth, fadingDisc(radius, SAND, 0.85), fadingGrid(radius, cell, centre));
  if (!run.hasWater && run.depth === null) {
    const shadow = new Mesh(new CircleGeometry(radius, 48), new ShadowMaterial({ opacity: 0.16, depthWrite: false }));
    shadow.receiveShadow = true;
    level(lowest(box, up) - 0.02 * radius, shadow, fadingGrid(radius, cell));
  } else if (run.depth === null) {
    level(0, fadingGrid(radius, cell));
  }
  return { cell, surface };
}

/** The surface of water in waves: a disc of z over x and y that moves, and still water around it. */
class Surface {
  constructor(run, middle, centre, radius) {
    const components = [...run.waves.components].sort((a, b) => b[0] - a[0]);
    const length = (2 * Math.PI) / wavenumber(components[0][1], run.waves.gravity, run.depth);
    const cell = Math.min(length / PER_LENGTH, radius / RINGS);
    const reach = Math.min(RINGS * cell, radius);
    this.start = run.start;

    // Wedges as wide as rings at two thirds of the reach
    const moving = new RingGeometry(0, reach, Math.min(4 * RINGS, 160), RINGS);
    moving.translate(middle.x, middle.y, 0);
    this.places = moving.attributes.position;
    const plane = Array.from({ length: this.places.count }, (_, k) => [this.places.getX(k), this.places.getY(k)]);
    this.elevation = new Elevation(run.waves, run.depth, plane);
    this.calm = plane.map(([x, y]) => {
      const part = Math.hypot(x - middle.x, y - middle.y) / reach;
      return part < CALM ? 1 : 1 - ((part - CALM) / (1 - CALM)) ** 2;
    });
    // Slopes of this size get the full colours, so that low waves are seen as well.
    const slope = ([amplitude, frequency]) => amplitude * wavenumber(frequency, run.waves.gravity, run.depth);
    this.slope = 1.5 * Math.hypot(...components.map(slope));
    const still = new RingGeometry(reach, 1.001 * radius + reach, 96, 12);
    still.translate(middle.x, middle.y, 0);
    const material = () => new MeshBasicMaterial({ side: DoubleSide });
    const between = FLANKS[0].clone().lerp(FLANKS[1], 0.5);
    this.meshes = [moving, still].map((geometry) => new Mesh(...faded(geometry, material(), radius, between, WATER_ALPHA, centre)));
    // Its bounds change with every frame.
    this.meshes[0].frustumCulled = false;
  }

  /** Moves the water to a time from the start of the run. */
  show(time) {
    const heights = this.elevation.at(this.start + time);
    heights.forEach((height, k) => this.places.setZ(k, height * this.calm[k]));
    this.places.needsUpdate = true;
    const { geometry } = this.meshes[0];
    geometry.computeVertexNormals();
    const { normal, color } = geometry.attributes;
    const shade = new Color();
    for (let k = 0; k < this.places.count; k++) {
      const facing = (LIGHT[0] * normal.getX(k) + LIGHT[1] * normal.getY(k)) / this.slope;
      shade.lerpColors(...FLANKS, 0.5 + 0.5 * Math.min(Math.max(facing, -1), 1));
      color.setXYZ(k, shade.r, shade.g, shade.b);
    }
    color.needsUpdate = true;
  }
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

/** Gives a geometry one colour that vanishes at a radius about a centre. */
function faded(geometry, material, radius, colour, alpha, centre = { x: 0, y: 0 }) {
  const { r, g, b } = new Color(colour);
  const places = geometry.attributes.position;
  const colours = [];
  for (let k = 0; k < places.count; k++) {
    const distance = Math.hypot(places.getX(k) - centre.x, places.getY(k) - centre.y);
    colours.push(r, g, b, alpha * fade(distance, radius));
  }
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 4));
  material.setValues({ vertexColors: true, transparent: true, depthWrite: false });
  return [geometry, material];
}
