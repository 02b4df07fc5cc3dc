// Number formats of the page. Every figure has one decimal, so that the printed figures add up.
// Nothing here touches the page.

import { pgettext } from "./messages.js";

const MINUS = "\u2212"; // screen readers skip a hyphen

/** Returns a number with one decimal. A half is rounded away from 0, as on the server. */
export const decimal = (number) => number.toFixed(1).replace("-", MINUS).replace(".", pgettext("decimal sign", "."));

/** Returns a change with its sign and one decimal. A change that rounds to 0 has no sign. */
export function signed(number) {
  const size = decimal(Math.abs(number));
  if (Math.abs(number) < 0.05) return size;
  return `${number > 0 ? "+" : MINUS}${size}`;
}

/**
 * Returns the bars of a distribution, given as pairs of a score and its chance. Each has its position
 * `at` from 0 to 1, its `height` relative to the highest bar, and `isHere` for this game's score.
 */
export function barsOf(distribution, score) {
  const scores = distribution.map(([value]) => value);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const most = Math.max(...distribution.map(([, chance]) => chance));
  return distribution.map(([value, chance]) => ({
    at: (value - low) / (high - low || 1),
    height: chance / most,
    isHere: value === score,
  }));
}
