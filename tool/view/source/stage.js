// The scene in three dimensions: bodies with their solids, beams, strands, surroundings, light, camera.

import {
  Box3,
  DirectionalLight,
  Group,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Beams } from "./beams.js";
import { between } from "./run.js";
import { solid } from "./solids.js";
import { Strands } from "./strands.js";
import { addSurroundings } from "./surroundings.js";

/** Number of frames whose bodies and lines must be inside of the first picture. */
const FRAMED = 60;

/** Marks on a body are at most as large as on a model of this many times its size. */
const MARKED = 4;

/** Iterations for a centred picture. */
const CENTRINGS = 6;

/** From the model to the camera where z is up: from the front, a little from the right and above. */
const DIRECTION = new Vector3(0.45, -1, 0.42).normalize();

export class Stage {
  /** Throws if the browser has no WebGL. */
  constructor(run, canvas) {
    this.run = run;
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.up = new Vector3(...run.up);

    this.addBodies();
    this.strands = new Strands(run, this.scene);
    this.points = this.placesInTime();
    this.box = new Box3().setFromPoints(this.points);
    Object.assign(this, addSurroundings(this.scene, run, this.box, this.middleOfBodies()));
    this.addLights();

    this.camera = new PerspectiveCamera(32, 1, 0.1, 10);
    this.camera.up.copy(this.up);
    this.camera.position.copy(this.turned(DIRECTION));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("start", () => (this.isMoved = true));
  }

  /** A group for each body, and one for the ground, with their solids. */
  addBodies() {
    const { run } = this;
    this.ground = new Group();
    this.bodies = run.bodies.map(() => new Group());
    this.scene.add(this.ground, ...this.bodies);
    const group = ({ body }) => (body < 0 ? this.ground : this.bodies[body]);
    this.beams = new Beams(run, this.scene, (body) => group({ body }));
    // Marks, rods and plates are sized by the bodies as they stand at the start.
    const own = [this.ground, ...this.bodies].map(() => new Box3());
    this.showBodies(run.at(0));
    for (const part of run.parts) {
      const bounds = own[part.body + 1];
      if (part.kind === "rod") {
        for (const end of [part.a, part.b]) bounds.expandByPoint(new Vector3(...end));
      } else if (part.kind !== "joint") bounds.expandByObject(solid(part, 0));
    }
    const all = new Box3().setFromPoints(this.beams.places());
    [this.ground, ...this.bodies].forEach((body, k) => {
      body.updateMatrixWorld();
      for (const corner of cornersOf(own[k])) all.expandByPoint(body.localToWorld(corner));
    });
    const size = sizeOf(all) || 1;
    for (const part of run.parts) group(part).add(solid(part, Math.min(size, MARKED * sizeOf(own[part.body + 1]) || size)));
  }

  /** Corners of all bodies, and nodes of all strands, at times over the whole run. */
  placesInTime() {
    const { run } = this;
    const corners = this.bodies.map((body) => {
      body.position.set(0, 0, 0);
      body.quaternion.identity();
      body.updateMatrixWorld();
      return cornersOf(new Box3().setFromObject(body));
    });
    const points = cornersOf(new Box3().setFromObject(this.ground));
    for (let n = 0; n <= FRAMED; n++) {
      const place = run.at((n / FRAMED) * run.duration);
      this.showBodies(place);
      this.bodies.forEach((body, k) => {
        body.updateMatrixWorld();
        for (const corner of corners[k]) points.push(body.localToWorld(corner.clone()));
      });
      points.push(...this.beams.places());
      for (const strand of run.strands) {
        for (let node = 0; node <= strand.segments; node++) {
          const at = [0, 0, 0];
          this.strands.node(strand, node, place, at, 0);
          points.push(new Vector3(...at));
        }
      }
    }
    return points.length > 0 ? points : [new Vector3(-1, -1, -1), new Vector3(1, 1, 1)];
  }

  /** The middle of the bodies at the start, or of everything if there are none. */
  middleOfBodies() {
    const starts = this.run.poses.map((pose) => new Vector3(...[0, 1, 2].map((axis) => pose[axis][0])));
    return (starts.length > 0 ? new Box3().setFromPoints(starts) : this.box).getCenter(new Vector3());
  }

  /** Light from the sky, and from a sun above the camera's left shoulder. */
  addLights() {
    const centre = this.box.getCenter(new Vector3());
    const radius = sizeOf(this.box) / 2 || 1;
    const sky = new HemisphereLight(0xffffff, 0xb9b2a6, 1.9);
    sky.position.copy(this.up);
    const sun = new DirectionalLight(0xfffaf0, 2.1);
    sun.position.copy(centre).addScaledVector(this.turned(new Vector3(-0.5, -0.6, 1.1).normalize()), 4 * radius);
    sun.target.position.copy(centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 3;
    Object.assign(sun.shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius });
    Object.assign(sun.shadow.camera, { near: radius, far: 9 * radius });
    sun.shadow.normalBias = 0.01 * radius;
    this.scene.add(sky, sun, sun.target);
  }

  /** A direction for z up, turned to the vertical of the model. */
  turned(direction) {
    return direction.clone().applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up));
  }

  /** Places the camera so that the whole run is in the picture. */
  fit() {
    this.isMoved = false;
    this.frame(this.points, this.turned(DIRECTION));
  }

  /** Moves the camera to see points from a direction. */
  frame(points, direction) {
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const upward = new Vector3().crossVectors(direction, right);
    const axes = [right, upward, direction];
    const placed = points.map((point) => axes.map((axis) => point.dot(axis)));
    const middle = [0, 1, 2].map((k) => mean(extremes(placed.map((point) => point[k]))));
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    const limits = [tangent * this.camera.aspect, tangent];
    let distance = 0;
    for (let iteration = 0; iteration < CENTRINGS; iteration++) {
      distance = placed.reduce((most, point) => {
        const across = Math.max(...limits.map((limit, k) => Math.abs(point[k] - middle[k]) / limit));
        return Math.max(most, across + point[2] - middle[2]);
      }, 1e-9);
      // Near points are larger in the picture: the middle moves until both margins are equal.
      for (const k of [0, 1]) {
        const seen = placed.map((point) => (point[k] - middle[k]) / (1.01 * distance + middle[2] - point[2]));
        middle[k] += 0.7 * distance * mean(extremes(seen));
      }
    }
    this.controls.target.set(0, 0, 0);
    axes.forEach((axis, k) => this.controls.target.addScaledVector(axis, middle[k]));
    this.camera.position.copy(this.controls.target).addScaledVector(direction, 1.1 * distance);
    this.controls.update();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    // A page that is opened in the background may have no size yet.
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (!this.isMoved) this.fit();
  }

  showBodies(place) {
    const [from, to] = [new Quaternion(), new Quaternion()];
    this.bodies.forEach((body, k) => {
      const pose = this.run.poses[k];
      body.position.set(...[0, 1, 2].map((axis) => between(pose[axis], place)));
      const [w, x, y, z] = pose.slice(3);
      from.set(x[place.frame], y[place.frame], z[place.frame], w[place.frame]);
      to.set(x[place.next], y[place.next], z[place.next], w[place.next]);
      body.quaternion.slerpQuaternions(from, to, place.part);
    });
  }

  show(time) {
    const place = this.run.at(time);
    this.showBodies(place);
    this.beams.show();
    this.strands.show(place);
    this.surface?.show(time);
  }

  render() {
    // Near and far follow the distance, so that depths are exact at any zoom.
    const distance = this.camera.position.distanceTo(this.controls.target);
    const reach = 4 * sizeOf(this.box) + 1e-3;
    this.camera.near = distance / 200;
    this.camera.far = distance + reach + this.camera.position.distanceTo(this.box.getCenter(new Vector3()));
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
  }

  /** The name of the part at a place of the canvas, if there is one. */
  nameAt(x, y) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return ray.intersectObjects([this.ground, ...this.bodies, ...this.beams.meshes]).find((hit) => hit.object.name)?.object.name;
  }
}

/** The least and the largest of some numbers. */
function extremes(values) {
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
}

/** The diagonal of a box. */
function sizeOf(box) {
  return box.isEmpty() ? 0 : box.getSize(new Vector3()).length();
}

function mean([a, b]) {
  return (a + b) / 2;
}

function cornersOf({ min, max }) {
  if (min.x > max.x) return [];
  const corners = [];
  for (const x of [min.x, max.x]) {
    for (const y of [min.y, max.y]) {
      for (const z of [min.z, max.z]) corners.push(new Vector3(x, y, z));
    }
  }
  return corners;
}
