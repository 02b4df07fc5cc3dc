// A throw, planned from its end backwards: the server gives the faces, and each die is turned back
// from the place where it rests to the hand. The height of a die is where the turned cube touches
// the felt, plus its bounce, so no corner sinks in. Lengths are in sides of a die, and times in ms.
// Nothing here touches the page.

import { restingPlaces } from "./resting.js";
import { QUARTER, clamp, rotationShowing, randomGenerator, combine, rotationBy } from "./turning.js";

/** The radius of the edges and corners of a die, and half of its side without them. */
export const ROUND = 0.17;
export const CORE = 0.5 - ROUND;
/** How far inside the rim the hand shakes. */
const HAND = 0.8;

const WALL = 0.62; // from the centre of a flying die to the wall that it meets
const ENOUGH = 1.22; // between the centres of two flying dice
const MOST_PLANS = 60;
const PLANS_A_PLACE = 20;
const FLAT_FROM = 0.93; // of the time: the die only rocks from here on
const SPEEDS = [1, 0.7, 0.42]; // to the first, second and third bounce
const ROLLS = 1; // quarter turns on the felt before it rests

/** Returns how high the centre of a die lies when it touches the felt. */
export const restHeight = (rotation) =>
  CORE * rotation.reduce((sum, [, , z]) => sum + Math.abs(z), 0) + ROUND;

/** Returns the seed of a throw, from its number in the game and the faces of its dice. */
export function seedOf(number, dice) {
  return dice.reduce((mixed, { face }) => Math.imul(mixed ^ Number(face), 0x01000193) + 7, number + 1);
}

/** Returns the strength, from 0 to 1, of a throw that is not made by hand at this screen. */
export const usualStrength = (seed) => 0.4 + 0.4 * randomGenerator(seed ^ 0x5eed)();

/**
 * Plans a throw of `dice`, each with its `sides` and `face`, on a felt of `width` by `depth`. `heading` is
 * the direction in which they fly, in radians, and `strength` is 0 to 1. `clear`, `fixed` and `below` are
 * those of `restingPlaces`. Unless dice would meet on their way, the places depend only on the seed, the
 * number of dice and the felt, so every screen shows the same end. Takes the first plan in which no two
 * dice touch, or else the one with the most room. Returns `flights`, with the `place` and `pose(ms)` of
 * each die; the `hits` that can be heard, in order of time; and the `length` in ms.
 */
export function planThrow({ dice, seed, width, depth, heading = Math.PI, strength = 0.6, clear = [], fixed = [], below = 0 }) {
  const random = randomGenerator(seed);
  const length = 700 + 400 * strength;
  const main = Math.abs(Math.cos(heading)) > Math.abs(Math.sin(heading)) ? "x" : "y";
  const isForward = main === "x" ? Math.cos(heading) > 0 : Math.sin(heading) > 0;
  const many = dice.length > 3;
  let order = [];
  let best = null;
  for (let attempt = 0; attempt < MOST_PLANS && !(best?.room >= ENOUGH); attempt += 1) {
    if (attempt % PLANS_A_PLACE === 0 && !(best?.room >= 1)) {
      const places = restingPlaces(dice.length, { width, depth, clear, fixed, below, random });
      // Dice leave the hand in the order in which they come to rest.
      order = dice.map((die, i) => ({ die, i, place: places[i] }));
      order.sort((a, b) => (isForward ? b.place[main] - a.place[main] : a.place[main] - b.place[main]));
    }
    const last = Math.floor(random() * dice.length); // it rests when the time is up
    const flights = [];
    for (const [rank, { die, i, place }] of order.entries()) {
      flights[i] = planFlight(die, place, {
        width, depth, heading, strength, length, random, loose: many ? 0.25 : 1,
        front: order[0].place[main], mayStrike: rank < (many ? 1 : 2), isLast: rank === last,
      });
    }
    const room = roomBetween(flights, fixed, length, best?.room ?? 0);
    if (!best || room > best.room) best = { flights, room };
  }
  const hits = best.flights.flatMap((each) => each.hits).sort((a, b) => a.at - b.at);
  return { ...best, hits, length: Math.max(0, ...best.flights.map(({ rests }) => rests)) };
}

/** Returns the least distance between two dice in flight. Stops as soon as it is not above `least`. */
function roomBetween(flights, fixed, length, least) {
  let room = 9;
  for (let ms = 90; ms <= length && room > least; ms += 20) {
    const poses = flights.map((each) => each.pose(ms));
    for (const [i, a] of poses.entries()) {
      for (const b of poses.slice(0, i)) room = Math.min(room, Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z));
      for (const b of fixed) room = Math.min(room, Math.hypot(a.x - b.x, a.y - b.y, a.z - 0.5));
    }
  }
  return room;
}

const spread = (random, low, high) => low + (high - low) * random();

/**
 * Returns the flight of one die that ends at `place`, as `planThrow` returns it, with its `hits` and
 * the time when it `rests`. In the functions of a flight, `u` is a part of its time, from 0 to 1.
 */
function planFlight(die, place, how) {
  const { width, strength, length, random, loose, isLast } = how;
  const late = spread(random, 0, 45 * loose);
  const time = (length - late) * (isLast ? 1 : spread(random, 1 - 0.13 * loose, 1));
  const bounces = [[0.17, 0.22], [0.47, 0.53], [0.68, 0.72]].map((part) => spread(random, ...part));
  const { at, struck, last } = planPath(place, bounces, how);
  const rotationAt = planRotation(die, bounces, { struck, last }, random);
  const heightOf = planHeight(bounces, rotationAt, strength);
  const pose = (ms) => {
    const u = clamp((ms - late) / time, 0, 1);
    const [x, y] = at(u).point;
    const rotation = rotationAt(u);
    return { x, y, z: heightOf(u, rotation), rotation, sides: die.sides };
  };
  const hit = (u, on, force) => ({ at: Math.round(late + u * time), on, force, x: at(u).point[0] / width });
  const loud = 0.55 + 0.45 * strength;
  const forces = [1, 0.6, 0.34, 0.3];
  const hits = [...bounces, FLAT_FROM].map((u, i) => hit(u, "felt", forces[i] * loud));
  if (struck) hits.push(hit(struck, "wood", 0.5 + 0.5 * strength));
  return { pose, hits, place, rests: Math.round(late + time) };
}

/**
 * Returns the path of a flight over the felt. `at(u)` returns the `point` `[x, y]`, and whether it
 * `isMirrored` by the wall that the die has met; `struck` is when it meets the wall, 0 if it does not;
 * and `last` is the direction in which it comes to rest.
 */
function planPath(place, [b1, b2, b3], { width, depth, heading, strength, random, loose, front, mayStrike }) {
  const along = heading + spread(random, -0.12, 0.12) * loose;
  const go = [Math.cos(along), Math.sin(along)];
  const size = [width, depth];
  // A path that meets a wall is straight in a room that is mirrored there.
  const main = Math.abs(go[0]) > Math.abs(go[1]) ? 0 : 1;
  const across = 1 - main;
  const wall = go[main] > 0 ? size[main] - WALL : WALL;
  const end = [place.x, place.y];
  const gap = Math.abs(end[main] - wall);
  const strikes = mayStrike && gap > ROLLS + 0.35 && gap < 4.5 && random() < 0.2 + strength;
  const last = [...go];
  if (strikes) {
    end[main] = 2 * wall - end[main];
    last[main] *= -1;
  }
  const behind = Math.abs(place[main ? "y" : "x"] - front);
  const entry = go[main] > 0 ? HAND - behind : size[main] - HAND + behind;
  const path = Math.max((end[main] - entry) / go[main], 2.4);
  // The speed falls at every bounce; the last part is a roll over one edge.
  const air = SPEEDS[0] * b1 + SPEEDS[1] * (b2 - b1) + SPEEDS[2] * (b3 - b2);
  const unitSpeed = (path - ROLLS) / air;
  const gone = (u) => {
    if (u >= FLAT_FROM) return path;
    if (u >= b3) return path - ROLLS + ROLLS * rollAt((u - b3) / (FLAT_FROM - b3));
    const parts = [Math.min(u, b1), clamp(u - b1, 0, b2 - b1), Math.max(u - b2, 0)];
    return unitSpeed * parts.reduce((sum, part, i) => sum + part * SPEEDS[i], 0);
  };
  const at = (u) => {
    const left = path - gone(u);
    const point = [end[0] - go[0] * left, end[1] - go[1] * left];
    const isMirrored = strikes && (point[main] - wall) * go[main] > 0;
    if (isMirrored) point[main] = 2 * wall - point[main];
    if (u > b1) point[across] = clamp(point[across], WALL, size[across] - WALL); // it may graze the long walls
    return { point, isMirrored };
  };
  let struck = 0;
  for (let u = 0; strikes && u < b3 && !struck; u += 0.005) if (at(u).isMirrored) struck = u;
  return { at, struck, last };
}

/** Returns how far a die has rolled over its edge, from 0 to 1, at a part of the time for it. */
function rollAt(part) {
  const slow = part < 0.5 ? (1 - (1 - 2 * part) ** 1.7) / 2 : (1 + (2 * part - 1) ** 1.7) / 2;
  return 0.45 * part + 0.55 * slow;
}

/** Returns the rotation of a die as a function of `u`. Angles go backwards from the die that lies flat. */
function planRotation({ sides, face }, [b1, b2, b3], { struck, last }, random) {
  const either = () => (random() < 0.5 ? -1 : 1);
  const degrees = [[620, 900], [430, 640], [360, 480]].map((part) => spread(random, ...part));
  const rates = degrees.map((rate) => (rate * Math.PI) / 180 / 0.9);
  const spun = (u) => {
    const parts = [Math.max(b1 - u, 0), clamp(b2 - u, 0, b2 - b1), clamp(b3 - u, 0, b3 - b2)];
    return parts.reduce((sum, part, i) => sum + part * rates[i], 0);
  };
  const rolled = (u) => {
    if (u >= FLAT_FROM) {
      const rest = (u - FLAT_FROM) / (1 - FLAT_FROM);
      return 0.09 * Math.sin(Math.PI * Math.min(rest * 1.25, 1)) * (1 - rest);
    }
    if (u >= b3) return -ROLLS * QUARTER * (1 - rollAt((u - b3) / (FLAT_FROM - b3)));
    const before = spun(struck);
    return -ROLLS * QUARTER - (u < struck ? before - (spun(u) - before) * 0.8 : spun(u));
  };
  const [lean, whirl] = [[2.5, 4.5], [0.9, 2.2]].map((part) => either() * spread(random, ...part));
  const leaned = (u) => (u >= b3 ? 0 : lean * ((b3 - u) / b3) ** 1.2);
  const yaw = Math.atan2(last[0], -last[1]) + spread(random, -0.3, 0.3);
  const top = rotationShowing(sides === 6 ? face : 1, Math.floor(random() * 4));
  const whirled = (u) => whirl * (1 - Math.min(u / FLAT_FROM, 1)) ** 2;
  if (sides !== 6) return (u) => rotationBy(2, 4 * whirled(u)); // a flat gem turns around the upright axis only
  return (u) => {
    const rolling = combine(rotationBy(2, yaw + whirled(u)), rotationBy(0, rolled(u)));
    return combine(rolling, combine(rotationBy(1, leaned(u)), top));
  };
}

/** Returns the height of the centre of a die as a function of `u` and of its rotation then. */
function planHeight([b1, b2, b3], rotationAt, strength) {
  const high = [1.5 + 0.9 * strength, 0.75 + 0.75 * strength, 0.2 + 0.2 * strength];
  const touch = [b1, b2, b3].map((u) => restHeight(rotationAt(u)));
  return (u, rotation) => {
    const low = restHeight(rotation);
    if (u >= b3) return low;
    const [from, until, i] = u < b1 ? [0, b1, 0] : u < b2 ? [b1, b2, 1] : [b2, b3, 2];
    const part = (u - from) / (until - from);
    if (i === 0) return Math.max(low, high[0] + (touch[0] - high[0]) * part ** 1.8);
    const ground = touch[i - 1] + (touch[i] - touch[i - 1]) * part;
    return Math.max(low, ground + high[i] * 4 * part * (1 - part));
  };
}

/**
 * Returns a function of the time in ms that returns the poses of dice with these `sides` in a shaking
 * hand. `at` is the place `[x, y]` of the hand, which the caller may change.
 */
export function shakenPoses(sides, at) {
  const count = sides.length;
  const random = randomGenerator(count + 7);
  const hand = sides.map((faces, i) => ({ phase: random() * 9, speed: 0.8 + random() * 0.4, i, sides: faces }));
  const wide = count > 1 ? 0.62 + 0.09 * Math.min(count, 8) : 0;
  return (ms) =>
    hand.map(({ phase, speed, i, sides: faces }) => {
      const t = (ms / 1000) * speed * 19 + phase;
      const tumbling = combine(rotationBy(0, Math.sin(t * 0.7) * 1.7 + phase), rotationBy(1, t * 0.36));
      const rotation = faces === 6 ? combine(rotationBy(2, t * 0.31 + phase), tumbling) : rotationBy(2, Math.sin(t * 0.5));
      const ring = (i / count) * 2 * Math.PI + Math.sin(t * 0.21);
      return {
        x: at[0] + Math.cos(ring) * wide + 0.12 * Math.sin(t),
        y: at[1] + Math.sin(ring) * wide * 0.7 + 0.1 * Math.sin(t * 1.3),
        z: 1.25 + 0.22 * Math.abs(Math.sin(t * 0.9)) * Math.min(1, ms / 120),
        rotation, sides: faces,
      };
    });
}

/** Returns the place `[x, y]` of a hand that throws in the direction `heading`. */
export function handPlace(heading, width, depth) {
  const side = (part, size) => (part < -0.71 ? size - HAND : part > 0.71 ? HAND : size / 2);
  return [side(Math.cos(heading), width), side(Math.sin(heading), depth)];
}
