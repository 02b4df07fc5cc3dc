// Figures as they are printed: one decimal, so that what stands there adds up. Nothing here touches
// the page.

import { gettext } from "./messages.js";

const MINUS = "\u2212"; // a hyphen is not spoken

/** A number with one decimal; a half is rounded away from 0, as the server does. */
export const decimal = (number) => number.toFixed(1).replace("-", MINUS);

/** A change with its sign; none of zero. */
export function signed(number) {
  const size = decimal(Math.abs(number));
  if (size === "0.0") return size;
  return `${number > 0 ? "+" : MINUS}${size}`;
}

/** A number and its sign of percent stay on one line. */
const unbroken = (words) => words.replace(" %", "\u00a0%");

/** A number of percent. */
export const inPercent = (number) => unbroken(gettext("{number} %", { number }));

/** The bars of a distribution: where each stands, from 0 to 1, and how high it is. */
export function barsOf(distribution, score) {
  const scores = distribution.map(([one]) => one);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const most = Math.max(...distribution.map(([, chance]) => chance));
  return distribution.map(([one, chance]) => ({
    at: (one - low) / (high - low || 1),
    height: chance / most,
    isHere: one === score,
  }));
}
