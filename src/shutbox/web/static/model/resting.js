// The places on the felt where dice come to rest: never on each other, at a wall, or under a
// figure. Lengths are in sides of a die. Nothing here touches the page.

import { clamp } from "./turning.js";

const APART = 1.5; // between the centres of two dice
const RIM = 0.78; // from a centre to a wall
const TOP = 1.04; // from a centre to the far wall, so that no die hides it
export const BESIDE = 0.75; // from a centre to a figure
const LEAST_PX = 44;
const MOST_TRIES = 120;

/**
 * Returns the side of a die in pixels, for `count` dice on a felt of `wide` by `high` pixels. `free` is
 * its width without the sum. On a very low felt, dice are as high as fits. Beside a sum, three or more
 * dice are small enough to lie apart.
 */
export function sideOf(count, wide, high, free = wide) {
  const side = Math.min(wide / (count > 4 ? 9 : 6.4), high / (count > 3 ? 3.4 : 2.6));
  const usual = clamp(side, Math.min(LEAST_PX, high / 1.45), 96);
  if (free === wide || count < 3) return Math.round(usual);
  const apart = [1, 2, 3].map((rows) => {
    const across = 2 * RIM + (Math.ceil(count / rows) - 1) * APART;
    return Math.min(free / across, high / (1.45 + (rows - 1) * APART));
  });
  return Math.floor(Math.min(usual, Math.max(...apart)));
}

/** Returns how high a felt `wide` pixels across must be for `count` dice of the least size, in pixels. */
export function leastHeight(count, wide, below) {
  const columns = Math.max(1, Math.floor((wide / LEAST_PX - 2 * RIM) / APART) + 1);
  const rows = Math.ceil(count / columns);
  return Math.ceil((TOP + RIM + below + (rows - 1) * (APART + below)) * LEAST_PX);
}

/**
 * Returns `count` places `{x, y}` on a felt of `width` by `depth`. The rectangles in `clear` stay free,
 * and so do the places in `fixed`, where dice lie already. Each die needs the height `below` for its name.
 */
export function restingPlaces(count, { width, depth, clear, fixed, below, random }) {
  const room = { width, depth, clear, below };
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const places = [];
    const reach = clamp(0.75 * count + 0.5 + attempt / 30, 1, width / 2 - RIM);
    for (let i = 0; i < 40 && places.length < count; i += 1) {
      const x = width / 2 + (random() + random() - 1) * reach;
      const y = TOP + random() * Math.max(0, depth - RIM - below - TOP);
      if (isFree({ x, y }, [...fixed, ...places], room, APART)) places.push({ x, y });
    }
    if (places.length === count) return places;
  }
  return inRows(count, fixed, room, random);
}

function isFree({ x, y }, others, { clear, below }, apart) {
  const covers = (r) =>
    x > r.x - BESIDE && x < r.x + r.w + BESIDE &&
    y > r.y - BESIDE - below && y < r.y + r.h + BESIDE;
  const touches = (other) =>
    below
      ? Math.abs(other.x - x) < apart && Math.abs(other.y - y) < apart + below
      : Math.hypot(other.x - x, other.y - y) < apart;
  return !clear.some(covers) && !others.some(touches);
}

/** Returns places in rows, as far apart as fits, for a felt with too little room for random places. */
function inRows(count, fixed, room, random) {
  const { width, depth, below } = room;
  const last = Math.max(TOP, depth - RIM - below);
  for (let apart = APART; apart > 0.5; apart -= 0.05) {
    const places = [];
    const columns = Math.max(1, Math.floor((width - 2 * RIM) / apart) + 1);
    const rows = Math.max(1, Math.floor((last - TOP) / (apart + below)) + 1);
    const margin = (width - (columns - 1) * apart) / 2;
    const shift = random() - 0.5; // rows do not begin at the same place at every throw
    for (let i = 0; i < columns * rows; i += 1) {
      const row = Math.floor(i / columns);
      const x = margin + (i % columns) * apart + shift * Math.max(0, margin - RIM);
      const y = TOP + (rows > 1 ? (row * (last - TOP)) / (rows - 1) : ((last - TOP) * random()) / 2);
      if (isFree({ x, y }, [...fixed, ...places], room, apart - 0.01)) places.push({ x, y });
    }
    if (places.length >= count) return nearestTo(width / 2, places, count);
  }
  return Array.from({ length: count }, (_, i) => ({ x: RIM + (i % 4) * APART, y: TOP }));
}

function nearestTo(middle, places, count) {
  const off = ({ x }) => Math.abs(x - middle);
  return [...places].sort((a, b) => off(a) - off(b)).slice(0, count);
}
