// Angles that are continuous over time. Channels have principal values: roll and yaw jump by a turn
// at half a turn, and all three angles of a body where its pitch passes 90 degrees, since roll,
// pitch, yaw and roll + pi, pi - pitch, yaw + pi are the same attitude.

const ANGLES = ["roll", "pitch", "yaw"];

/** An angle plus turns, as near to another one as can be. */
function nearest(angle, other) {
  return angle - 2 * Math.PI * Math.round((angle - other) / (2 * Math.PI));
}

/** Makes the values of channels of angles continuous; those of a body together if all three are there. */
export function makeContinuous(channels) {
  const named = new Map(channels.map((channel) => [channel.name, channel.values]));
  for (const [name, values] of named) {
    const [, body, angle] = name.match(/^(.*\.)(roll|pitch|yaw)$/) ?? [];
    if (body === undefined) continue;
    const all = ANGLES.map((other) => named.get(body + other));
    if (all.every(Boolean)) {
      if (angle === "roll") attitude(all);
    } else if (angle !== "pitch") {
      for (let k = 1; k < values.length; k++) values[k] = nearest(values[k], values[k - 1]);
    }
  }
}

/** The same for roll, pitch and yaw of a body. */
function attitude(all) {
  const far = (angles, k) => angles.reduce((sum, angle, a) => sum + (angle - all[a][k - 1]) ** 2, 0);
  for (let k = 1; k < all[0].length; k++) {
    const [roll, pitch, yaw] = all.map((values) => values[k]);
    const [given, other] = [
      [roll, pitch, yaw],
      [roll + Math.PI, Math.PI - pitch, yaw + Math.PI],
    ].map((angles) => angles.map((angle, a) => nearest(angle, all[a][k - 1])));
    const near = far(other, k) < far(given, k) ? other : given;
    near.forEach((angle, a) => (all[a][k] = angle));
  }
}
