// Directions and rotations in space, and random numbers that depend on a seed alone. The side of a
// die is 1; x points right, y towards the player, and z up from the felt. A rotation is the list of
// the three directions in which the x, y and z of a die point. Nothing here touches the page.

export const QUARTER = Math.PI / 2;

const ELEVATION = (65 * Math.PI) / 180; // how steeply the player looks down

/** A unit of height, and a unit of depth, as seen on the screen. */
export const UP = Math.cos(ELEVATION);
export const FLAT = Math.sin(ELEVATION);

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Returns the vector with the same direction and length 1. */
export function unitVector(vector) {
  const length = Math.hypot(...vector);
  return vector.map((part) => part / length);
}

/** Returns a function whose results, from 0 to 1, depend on `seed` alone. */
export function randomGenerator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns the rotation by `angle` around the x, y or z axis, which is 0, 1 or 2. */
export function rotationBy(axis, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  if (axis === 0) return [[1, 0, 0], [0, c, s], [0, -s, c]];
  if (axis === 1) return [[c, 0, -s], [0, 1, 0], [s, 0, c]];
  return [[c, s, 0], [-s, c, 0], [0, 0, 1]];
}

/** Returns the vector after a rotation. */
export const rotated = (rotation, [x, y, z]) =>
  [0, 1, 2].map((i) => rotation[0][i] * x + rotation[1][i] * y + rotation[2][i] * z);

/** Returns the rotation `b` followed by `a`. */
export const combine = (a, b) => b.map((axis) => rotated(a, axis));

const UPWARDS = { 1: [0, 0], 6: [0, 2], 2: [0, 1], 5: [0, -1], 3: [1, -1], 4: [1, 1] };

/** Returns the rotation that brings `face` to the top, followed by quarter turns around z. */
export function rotationShowing(face, quarters) {
  const [axis, angle] = UPWARDS[face];
  return combine(rotationBy(2, quarters * QUARTER), rotationBy(axis, angle * QUARTER));
}
