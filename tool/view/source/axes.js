// The directions of the inertial axes, in a corner of the scene.

import { Vector3 } from "three";

const AXES = [
  ["x", new Vector3(1, 0, 0), "#c8321e"],
  ["y", new Vector3(0, 1, 0), "#2c8c2c"],
  ["z", new Vector3(0, 0, 1), "#1f6fb2"],
];

/** Draws the axes as the camera sees them. */
export function showAxes(svg, camera) {
  const seen = AXES.map(([name, axis, colour]) => {
    return { name, colour, at: axis.clone().applyQuaternion(camera.quaternion.clone().invert()) };
  });
  // Axes that point to the camera are drawn last.
  seen.sort((a, b) => a.at.z - b.at.z);
  svg.innerHTML = seen
    .map(({ name, colour, at }) => {
      const [x, y] = [30 * at.x, -30 * at.y];
      return (
        `<line x2="${x}" y2="${y}" stroke="${colour}" stroke-width="3" stroke-linecap="round"/>` +
        `<text x="${1.38 * x}" y="${1.38 * y}" fill="${colour}" text-anchor="middle" dominant-baseline="central">${name}</text>`
      );
    })
    .join("");
}
