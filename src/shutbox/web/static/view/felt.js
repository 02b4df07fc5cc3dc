// The dice on the felt: one canvas draws them while they shake, fly and lie there. Each die also has
// an element at its resting place, for screen readers, touch, printing and the looks without
// canvas. Only the dice on the canvas move during a throw.

import { BESIDE, leastHeight, sideOf } from "../model/resting.js";
import { handFor, planThrow, seedOf, shaking, usualStrength } from "../model/throw.js";
import { freeSpot } from "../model/spots.js";
import { FLAT, UP } from "../model/turning.js";
import { Paint, drawDie, drawShadow } from "./dice.js";
import { el } from "./dom.js";
import { onChange } from "./settings.js";

const MARGIN = 2; // of the canvas around the felt, in sides of a die, since dice come over the rim
const SEAT = 40; // pixels: where the felt has more room at a side, a player sits there
const RIGHT = Math.PI; // the hand of a player who draws no line is on the right
const BLEND_MS = 160; // from the shaking hand to the path of the throw
const FADES_MS = 120; // dice that do not fly fade in
const ENDS_MS = 99_999; // every throw has ended by then

export class Felt {
  /** `felt` is the element of the felt. `over` is the box around it, which does not clip. */
  constructor(felt, over) {
    Object.assign(this, { felt, over });
    this.canvas = el("canvas", { class: "dice-canvas", "aria-hidden": "true" });
    over.append(this.canvas);
    this.context = this.canvas.getContext("2d");
    this.lain = []; // the dice that lie here: `key`, `sides`, `face`, `isHeld`, `place` and `pose`
    this.seed = 0; // the number of the throw that brought those that are not held
    this.count = 2;
    this.below = 0; // the height of the names below the dice, in pixels
    this.poses = []; // what the canvas shows
    this.moves = 0; // counts throws and shakes, so that a newer one ends the older
    this.thrown = null; // the throw in the air
    this.ends = null;
    new ResizeObserver(() => this.fit()).observe(felt);
    new MutationObserver(() => this.fit()).observe(felt, { childList: true }); // the card of the end
    const looks = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"].map((query) => matchMedia(query));
    for (const look of looks) look.addEventListener("change", () => this.paintAgain());
    onChange(() => this.paintAgain());
  }

  /** The elements that show the dice. */
  get parts() {
    return [this.canvas, ...this.felt.querySelectorAll(".dice.laid")];
  }

  /** Whether the canvas is shown. The looks without it do not let dice tumble. */
  get isDrawn() {
    return getComputedStyle(this.canvas).display !== "none";
  }

  get width() {
    return this.wide / this.side;
  }

  get depth() {
    return this.high / this.side / FLAT;
  }

  /** Takes the size of the felt. If it or the size of the dice is new, the dice find new places. */
  fit() {
    const wide = this.felt.clientWidth;
    if (!wide) return;
    this.felt.style.minHeight = ""; // more dice than fit make the felt higher
    const least = this.count > 6 ? leastHeight(this.count, wide, this.below / 44) : 0;
    if (least > this.felt.clientHeight) this.felt.style.minHeight = `${least}px`;
    const high = this.felt.clientHeight;
    const side = sideOf(this.count, wide, high, this.free(wide));
    const size = [wide, high, side, this.below, this.card?.clientWidth].join();
    if (size === this.size || this.thrown) return; // dice fly on, and fit once they lie
    this.drop();
    Object.assign(this, { wide, high, side, size });
    this.felt.style.setProperty("--cube", `${side}px`);
    this.spread();
    this.paint ??= new Paint(this.felt);
    const dice = this.lain;
    this.lain = [];
    this.lay(dice, this.seed);
    this.draw(this.lain.map(({ pose }) => pose));
    this.moved?.();
  }

  /** The card with the result of a player who is alone, beside the dice. */
  get card() {
    return this.felt.querySelector(".racks:not(:empty) + .baize > .score-card");
  }

  /** Returns the width of the felt beside the sum or the card, in pixels. */
  free(wide) {
    const figure = this.card ?? this.felt.querySelector(".sum");
    if (!figure?.clientWidth) return wide;
    return figure.getBoundingClientRect().left - this.felt.getBoundingClientRect().left;
  }

  /** Gives the canvas its size, with a margin that does not make the page wider. */
  spread() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const [inner, outer] = [this.felt, this.over].map((one) => one.getBoundingClientRect());
    const [left, top] = [inner.left + this.felt.clientLeft, inner.top + this.felt.clientTop];
    this.margin = MARGIN * this.side;
    this.beside = Math.max(0, Math.min(this.margin, left));
    const right = Math.max(0, document.documentElement.clientWidth - left - this.wide);
    const size = [this.wide + this.beside + Math.min(this.margin, right), this.high + 2 * this.margin];
    const { style } = this.canvas;
    [style.width, style.height] = size.map((px) => `${px}px`);
    style.left = `${left - outer.left - this.over.clientLeft - this.beside}px`;
    style.top = `${top - outer.top - this.over.clientTop - this.margin}px`;
    [this.canvas.width, this.canvas.height] = size.map((px) => Math.ceil(px * ratio));
    this.ratio = ratio;
  }

  /** Takes the colours of the page. */
  paintAgain() {
    if (!this.side) return;
    this.paint = new Paint(this.felt);
    this.draw(this.poses);
  }

  /** Returns the figures on the felt that dice must not cover, in sides of a die. */
  get clear() {
    const origin = this.felt.getBoundingClientRect();
    const style = getComputedStyle(this.felt);
    const [above, beside, below, before] = ["top", "right", "bottom", "left"].map((side) =>
      Number.parseFloat(style.getPropertyValue(`padding-${side}`)),
    );
    const top = above - 12; // of a line of text
    const parts = [...this.felt.querySelectorAll(".sum, .pot, .rolls-left"), this.card].filter((one) => one?.clientWidth);
    const found = parts.map((one) => {
      const { left, width } = one.getBoundingClientRect();
      const x = left - origin.left - this.felt.clientLeft;
      const isSum = one.matches(".sum, .score-card"); // its numbers differ in width, and dice keep beside it
      if (isSum) return { x, y: 0, w: this.wide - x, h: this.high };
      const y = this.high - one.offsetHeight - 12;
      return x > this.wide / 2 ? { x, y, w: this.wide - x, h: this.high } : { x: 0, y, w: x + width, h: this.high };
    });
    const tall = this.side * FLAT;
    const rises = (UP + 0.5) * this.side - BESIDE * tall; // a die rises above its place
    if (top > 12) found.push({ x: 0, y: 0, w: this.wide, h: top + Math.max(0, rises) });
    if (before > SEAT) found.push({ x: 0, y: 0, w: before, h: this.high });
    if (beside > SEAT) found.push({ x: this.wide - beside, y: 0, w: beside, h: this.high });
    if (below > SEAT) found.push({ x: 0, y: this.high - below, w: this.wide, h: below });
    return found.map(({ x, y, w, h }) => ({ x: x / this.side, y: y / tall, w: w / this.side, h: h / tall }));
  }

  /** Returns where a die at rest is seen on the felt, in pixels: its upper face, or its gem. */
  seen({ place, sides }) {
    const up = sides === 6 ? UP : UP / 2;
    return { x: place.x * this.side, y: (place.y * FLAT - up) * this.side };
  }

  /**
   * Lays things beside the dice and the figures: those of this player at the lower left, all others at the
   * upper right. A thing without a free place is not shown.
   */
  layThings(things) {
    const { wide, high, lain, side } = this;
    if (!side) return;
    const origin = this.felt.getBoundingClientRect();
    const [left, top] = [origin.left + this.felt.clientLeft, origin.top + this.felt.clientTop];
    const figures = [...this.felt.querySelectorAll(".sum, .pot, .rolls-left, .begins > *")].filter((part) => part.textContent);
    const taken = figures.map((part) => part.getBoundingClientRect()).map((box) => (
      { left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top }
    ));
    for (const die of lain.filter(({ place }) => place)) {
      const { x, y } = this.seen(die);
      taken.push({ left: x - side * 0.8, right: x + side * 0.8, top: y - side * 0.7, bottom: y + side });
    }
    const full = Math.min(120, Math.max(76, wide * 0.13), high * 0.6);
    for (const { item, isOwn } of things) {
      const wish = isOwn ? { x: wide * 0.1, y: high * 0.7 } : { x: wide * 0.76, y: high * 0.33 };
      const spot = freeSpot({ wide, high, sizes: [full, full * 0.8, full * 0.6], taken, wish });
      item.hidden = !spot;
      if (!spot) continue;
      const { x, y, size } = spot;
      taken.push({ left: x, right: x + size, top: y, bottom: y + size });
      item.style.translate = `${x}px ${y}px`;
      item.style.width = `${size}px`;
    }
  }

  plan(dice, seed, fixed, how = {}) {
    const { width, depth, clear } = this;
    const below = this.below / this.side / FLAT;
    const strength = usualStrength(seed);
    return planThrow({ dice, seed, width, depth, clear, fixed, below, strength, heading: RIGHT, ...how });
  }

  /** Prepares the felt for `count` dice, with names below them that are `below` pixels high. */
  prepare(count, below) {
    Object.assign(this, { count: count || this.count, below });
    this.fit();
  }

  /**
   * Lays dice on the felt as the throw with this number of its game left them, and returns them
   * with a `place` and a `pose`. Dice that lie there keep theirs. Until the felt is shown, none has any.
   */
  lay(dice, number) {
    if (!this.side) { // the felt is not shown yet
      Object.assign(this, { seed: number, lain: dice });
      return dice;
    }
    const pool = [...this.lain];
    const isSame = number === this.seed;
    const take = (test) => {
      const found = pool.findIndex(test);
      return found < 0 ? null : pool.splice(found, 1)[0];
    };
    const equals = (die) => (other) => other.face === die.face && other.sides === die.sides;
    const stays = new Map();
    for (const die of dice) {
      const before = take((other) => other.key === die.key && equals(die)(other) && (isSame || (die.isHeld && other.isHeld)));
      if (before) stays.set(die, before);
    }
    for (const die of isSame ? dice : []) {
      const before = stays.has(die) ? null : take(equals(die));
      if (before) stays.set(die, before);
    }
    const fixed = [...stays.values()].map(({ place }) => place);
    const others = dice.filter((die) => !stays.has(die));
    const flights = others.length ? this.plan(others, seedOf(number, others), fixed).flights : [];
    return this.settle({ dice, number, still: stays, flights });
  }

  /**
   * Takes dice as they lie after the throw with this number, and returns them: those in `still` where they
   * lay before, and the others where their `flights` end.
   */
  settle({ dice, number, still, flights }) {
    const ends = flights.map(restOf);
    this.seed = number;
    this.lain = dice.map((die) => {
      const { place, pose } = still.get(die) ?? ends.shift();
      return { ...die, place, pose };
    });
    return this.lain;
  }

  /** Lays dice and draws them, unless dice are in the air or in a hand. */
  show(dice, number) {
    const before = this.lain;
    const lain = this.lay(dice, number);
    const isSame = lain.length === before.length && lain.every(({ pose }, i) => pose === before[i].pose);
    if (!this.isMoving && this.side && !(isSame && this.poses.length === lain.length)) {
      this.draw(lain.map(({ pose }) => pose));
      const isNew = lain.some(({ pose }) => !before.some((other) => other.pose === pose));
      if (isNew) for (const part of this.parts) part.animate([{ opacity: 0 }, {}], FADES_MS);
    }
    return lain;
  }

  get isMoving() {
    return Boolean(this.thrown || this.aimed);
  }

  draw(poses) {
    this.poses = poses;
    const { context, ratio, side } = this;
    if (!side) return; // the felt is not shown yet
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(ratio, 0, 0, ratio, this.beside * ratio, this.margin * ratio);
    context.save(); // only the felt takes shadows
    context.beginPath();
    context.rect(0, 0, this.wide, this.high);
    context.clip();
    for (const pose of poses) drawShadow(context, pose, side);
    context.restore();
    for (const pose of [...poses].sort((a, b) => a.y - b.y || a.z - b.z)) drawDie(context, pose, side, this.paint);
  }

  /** Calls `frame(ms)` for every repaint, with the time since the start, until something newer is shown. */
  run(frame) {
    const mine = (this.moves += 1);
    const began = performance.now();
    const next = (now) => {
      if (mine !== this.moves) return;
      frame(Math.max(0, now - began));
      if (mine === this.moves) requestAnimationFrame(next);
    };
    frame(0);
    requestAnimationFrame(next);
  }

  get held() {
    return this.lain.filter(({ isHeld }) => isHeld);
  }

  /** Shakes dice with these `sides` in the hand, until they are thrown or dropped. */
  shake(sides, heading = RIGHT) {
    const still = this.held.map(({ pose }) => pose);
    this.aimed = handFor(heading, this.width, this.depth);
    const at = [...this.aimed];
    const poses = shaking(sides, at);
    this.thrown = null;
    this.run((ms) => {
      // The hand goes to the side from which it will throw.
      at.forEach((value, k) => (at[k] = value + (this.aimed[k] - value) * 0.16));
      this.draw([...still, ...poses(ms)]);
    });
  }

  /** Moves the shaking hand to where a throw with this heading begins, while a line is being drawn. */
  aim(heading) {
    if (this.aimed) this.aimed = handFor(heading, this.width, this.depth);
  }

  /** Ends the shaking: the dice lie again where they lay before. */
  drop() {
    if (!this.aimed) return;
    this.aimed = null;
    this.moves += 1;
    this.draw(this.lain.map(({ pose }) => pose));
  }

  /**
   * Throws the dice that were not held before. `how` can have a `heading` and a `strength`. It is null
   * for a throw from elsewhere. Returns the `hits` that can be heard, the `length` in ms, and a promise
   * `rests` that resolves when the dice lie still.
   */
  throw(dice, number, how) {
    const wasHeld = (die) => die.isHeld && this.held.find((other) => other.key === die.key && other.face === die.face);
    const still = new Map(dice.map((die) => [die, wasHeld(die)]).filter(([, before]) => before));
    const fixed = [...still.values()].map(({ place }) => place);
    const flying = dice.filter((die) => !still.has(die));
    const plan = this.plan(flying, seedOf(number, flying), fixed, how ?? {});
    const lying = [...still.values()].map(({ pose }) => pose);
    const hand = this.aimed ? this.poses.slice(-flying.length) : null;
    const start = plan.flights.map(({ pose }) => pose(0));
    this.aimed = null;
    this.thrown = { dice, number, still, flights: plan.flights };
    this.run((ms) => {
      const part = hand?.length === flying.length ? Math.max(0, 1 - ms / BLEND_MS) ** 2 : 0;
      const poses = plan.flights.map(({ pose }, i) => {
        const now = pose(ms);
        for (const k of part ? ["x", "y", "z"] : []) now[k] += (hand[i][k] - start[i][k]) * part;
        return now;
      });
      this.draw([...lying, ...poses]);
      if (ms >= plan.length) this.land();
    });
    return { hits: plan.hits, length: plan.length, rests: new Promise((done) => (this.ends = done)) };
  }

  /** Goes to the end of the throw at once. Returns whether dice were in the air. */
  land() {
    if (!this.thrown) return false;
    this.moves += 1;
    const lain = this.settle(this.thrown);
    this.thrown = null;
    this.draw(lain.map(({ pose }) => pose));
    this.fit();
    this.ends?.();
    return true;
  }
}

const restOf = ({ place, pose }) => ({ place, pose: pose(ENDS_MS) });
