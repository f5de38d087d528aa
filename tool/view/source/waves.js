// The elevation of the water: linear waves, as docs/water.md has them.

/** Above this k h the water is infinitely deep. */
const DEEP = 18.5;

/** The root k of the dispersion relation w^2 = g k tanh(k h); h = null stands for infinite depth. */
export function wavenumber(frequency, gravity, depth) {
  const deep = frequency ** 2 / gravity;
  const a = deep * depth;
  if (depth === null || a > DEEP) return deep;
  // From Eckart's root, which is at most 5 % off; Newton's method squares the error.
  let y = a / Math.sqrt(Math.tanh(a));
  for (let n = 0; n < 4; n++) {
    const t = Math.tanh(y);
    y -= (y * t - a) / (t + y * (1 - t * t));
  }
  return y / depth;
}

/** The factor by which waves have grown from nothing at time 0. */
export function growth(time, ramp) {
  const s = ramp > 0 ? Math.min(Math.max(time / ramp, 0), 1) : 1;
  return s * s * (3 - 2 * s);
}

/** The elevation a cos(k x - w t + phase), summed over all components, at fixed places [[x, y], ...]. */
export class Elevation {
  /** `components` has amplitude, angular frequency, heading and phase of each. */
  constructor({ components, gravity, ramp }, depth, places) {
    this.ramp = ramp;
    this.components = components;
    // a cos(b - w t) = (a cos b) cos(w t) + (a sin b) sin(w t): both factors of time are common to all places.
    this.table = new Float32Array(2 * places.length * components.length);
    let at = 0;
    for (const [x, y] of places) {
      for (const [amplitude, frequency, heading, phase] of components) {
        const along = x * Math.cos(heading) + y * Math.sin(heading);
        const argument = wavenumber(frequency, gravity, depth) * along + phase;
        this.table[at++] = amplitude * Math.cos(argument);
        this.table[at++] = amplitude * Math.sin(argument);
      }
    }
  }

  /** The elevations at a time, in the order of the places. */
  at(time) {
    const factors = this.components.flatMap(([, frequency]) => [Math.cos(frequency * time), Math.sin(frequency * time)]);
    const grown = growth(time, this.ramp);
    const width = factors.length;
    return Float32Array.from({ length: this.table.length / width }, (_, place) => {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += this.table[place * width + k] * factors[k];
      return grown * sum;
    });
  }
}
