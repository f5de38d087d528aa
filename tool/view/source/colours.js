// Colours of bodies, of curves, and of tensions.

import { Color, SRGBColorSpace } from "three";

export const BODIES = ["#e0a526", "#4a8fc4", "#67a867", "#c9614a", "#8d76c0", "#4fa3a0", "#b58a5c", "#7f8c99"];

export const CURVES = ["#1f77b4", "#d62728", "#2c8c2c", "#8a56b8", "#d9730d", "#0f97a8", "#8c564b", "#5a5a5a"];

/** From slack to taut; all of them are dark enough on a light ground. */
const TENSIONS = ["#2b4a8c", "#1f8aa6", "#3f9e5a", "#e0a010", "#c8321e"];

const channels = (colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16) / 255);
const STOPS = TENSIONS.map(channels);

export const TENSION_GRADIENT = `linear-gradient(90deg, ${TENSIONS.join(", ")})`;

const scratch = new Color();

/** Writes the colour of a part of the range of tensions, as three's linear numbers, into an array. */
export function tensionColour(part, target, offset) {
  const place = Math.min(Math.max(part, 0), 1) * (STOPS.length - 1);
  const stop = Math.min(Math.floor(place), STOPS.length - 2);
  const mixed = STOPS[stop].map((channel, k) => channel + (STOPS[stop + 1][k] - channel) * (place - stop));
  scratch.setRGB(...mixed, SRGBColorSpace).toArray(target, offset);
}
