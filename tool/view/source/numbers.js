// Numbers as text, and round numbers.

/** Significant digits as far as `resolution`, the smallest difference that matters. */
export function digits(value, resolution = Math.abs(value) / 1000) {
  const size = Math.abs(value);
  if (!(size >= resolution / 1000) || size === 0) return "0";
  const count = Math.min(Math.max(Math.ceil(Math.log10(size / resolution) - 1e-9) + 1, 1), 12);
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(count - 1).split("e");
    return `${Number(mantissa)}e${Number(exponent)}`;
  }
  return String(Number(value.toPrecision(count)));
}

const PREFIXES = [
  [1e8, 1e6, "M"],
  [1e4, 1e3, "k"],
];

/** The unit in which numbers of some size are shown, and its factor: [1000, "kN"]. */
export function prefixed(unit, size) {
  const found = /^[NJW]/.test(unit) && PREFIXES.find(([least]) => size >= least);
  return found ? [found[1], found[2] + unit] : [1, unit];
}

/** The number 1, 2 or 5 times a power of ten that is next above a value. */
export function round(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((k) => k * power).find((number) => number >= value * (1 - 1e-9));
}

/** Round numbers in a range, about `count` of them. */
export function ticks(least, most, count) {
  const step = round((most - least) / count);
  const first = Math.ceil(least / step - 1e-9);
  const last = Math.floor(most / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}
