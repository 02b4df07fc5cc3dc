// The dice on the felt: one canvas draws them while they shake, fly and lie there. Each die has an
// element at its resting place as well, for screen readers, touch, printing and the looks without
// canvas. Only the dice on the canvas move during a throw.

import { BESIDE, leastHeight, sideOf } from "../model/resting.js";
import { handPlace, planThrow, seedOf, shakenPoses, usualStrength } from "../model/throw.js";
import { freeSpot } from "../model/spots.js";
import { FLAT, UP } from "../model/turning.js";
import { Paint, drawDie, drawShadow } from "./dice.js";
import { el } from "./dom.js";
import { onChange } from "./settings.js";

const TEXT_PX = 12; // between dice and the text beside them
const MARGIN = 2; // of the canvas around the felt, in sides of a die, since dice come over the rim
const SEAT_PX = 40; // where the felt has more room at a side, a player sits there
const RIGHT = Math.PI; // the hand of a player who draws no line is on the right
const HAND_MS = 96; // in which it covers most of the way to another side
const BLEND_MS = 160; // from the shaking hand to the path of the throw
const FADES_MS = 120; // dice that do not fly fade in

export class Felt {
  /**
   * `felt` is the element of the felt, and `over` the box around it, which does not clip. Calls
   * `onPlaced` when the dice have found new places, since the felt has another size.
   */
  constructor(felt, over, onPlaced) {
    Object.assign(this, { felt, over, onPlaced });
    this.canvas = el("canvas", { class: "dice-canvas", "aria-hidden": "true" });
    over.append(this.canvas);
    this.context = this.canvas.getContext("2d");
    this.resting = []; // the dice that lie here: as `forFelt` has them, with `place` and `pose`
    this.number = 0; // of the throw in its game that brought those that are not held
    this.count = 2; // of the dice for which there is room
    this.below = 0; // the height of the names below the dice, in pixels
    this.poses = []; // what the canvas shows
    this.runs = 0; // counts throws and shakes, so that a newer one ends the older
    this.thrown = null; // the throw in the air, as `settle` takes it
    this.aimed = null; // the place `[x, y]` to which the shaking hand moves, while there is one
    this.rest = null; // resolves the promise of the throw in the air
    new ResizeObserver(() => this.fit()).observe(felt);
    new MutationObserver(() => this.fit()).observe(felt, { childList: true }); // its `card`
    for (const look of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
      matchMedia(look).addEventListener("change", () => this.paintAgain());
    }
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

  /** The width of the felt in sides of a die. `wide` and `high` are its size in pixels. */
  get width() {
    return this.wide / this.side;
  }

  /** The depth of the felt in sides of a die, which looks shorter than it is. */
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
    const side = sideOf(this.count, wide, high - this.lineHeight(), this.freeWidth(wide));
    const size = [wide, high, side, this.below, this.card?.clientWidth].join();
    if (size === this.size || this.thrown) return; // dice fly on, and fit once they lie
    this.drop();
    Object.assign(this, { wide, high, side, size });
    this.felt.style.setProperty("--cube", `${side}px`);
    this.sizeCanvas();
    this.paint ??= new Paint(this.felt);
    const dice = this.resting;
    this.resting = [];
    this.lay(dice, this.number);
    this.drawResting();
    this.onPlaced();
  }

  /** The card with the result of a player who is alone, beside the dice. Null if there is none. */
  get card() {
    return this.felt.querySelector(".racks:not(:empty) + .baize > .score-card");
  }

  /** Returns the height of the line above the dice in pixels, 0 without one. */
  lineHeight() {
    const line = Number.parseFloat(getComputedStyle(this.felt).paddingTop) - TEXT_PX;
    return line > TEXT_PX ? line : 0;
  }

  /** Returns the width of the felt, of `wide` pixels, beside the sum or the card. */
  freeWidth(wide) {
    const figure = this.card ?? this.felt.querySelector(".sum");
    if (!figure?.clientWidth) return wide;
    return figure.getBoundingClientRect().left - this.felt.getBoundingClientRect().left;
  }

  /** Gives the canvas its size, with a margin that does not make the page wider. */
  sizeCanvas() {
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    const [inner, outer] = [this.felt, this.over].map((part) => part.getBoundingClientRect());
    const [left, top] = [inner.left + this.felt.clientLeft, inner.top + this.felt.clientTop];
    this.margin = MARGIN * this.side;
    this.beside = Math.max(0, Math.min(this.margin, left));
    const right = Math.max(0, document.documentElement.clientWidth - left - this.wide);
    const width = this.beside + this.wide + Math.min(this.margin, right);
    const height = this.high + 2 * this.margin;
    const { style } = this.canvas;
    style.width = `${width}px`;
    style.height = `${height}px`;
    style.left = `${left - outer.left - this.over.clientLeft - this.beside}px`;
    style.top = `${top - outer.top - this.over.clientTop - this.margin}px`;
    this.canvas.width = Math.ceil(width * this.ratio);
    this.canvas.height = Math.ceil(height * this.ratio);
  }

  /** Takes the colours of the page. */
  paintAgain() {
    if (!this.side) return;
    this.paint = new Paint(this.felt);
    this.draw(this.poses);
  }

  /** Returns the rectangle of a part of the felt, in pixels from its upper left corner. */
  boxOf(part) {
    const { left, top } = this.felt.getBoundingClientRect();
    const [x, y] = [left + this.felt.clientLeft, top + this.felt.clientTop];
    const box = part.getBoundingClientRect();
    return { left: box.left - x, right: box.right - x, top: box.top - y, bottom: box.bottom - y };
  }

  /** Returns the rectangles on the felt that dice must not cover, in sides of a die. */
  obstacles() {
    const { wide, high, side } = this;
    const tall = side * FLAT;
    const figures = [...this.felt.querySelectorAll(".sum, .pot, .rolls-left"), this.card];
    const taken = figures.filter((part) => part?.clientWidth).map((part) => {
      const { left, right } = this.boxOf(part);
      // The numbers of a sum differ in width, and dice keep beside it.
      const isSum = part.matches(".sum, .score-card");
      const y = isSum ? 0 : high - part.offsetHeight - TEXT_PX;
      const isAtRight = isSum || left > wide / 2;
      return isAtRight ? { x: left, y, w: wide - left, h: high } : { x: 0, y, w: right, h: high };
    });
    const style = getComputedStyle(this.felt);
    const [right, bottom, left] = ["right", "bottom", "left"].map((edge) =>
      Number.parseFloat(style.getPropertyValue(`padding-${edge}`)),
    );
    const rises = Math.max(0, (UP + 0.5) * side - BESIDE * tall); // a die rises above its place
    const line = this.lineHeight();
    if (line) taken.push({ x: 0, y: 0, w: wide, h: line + rises });
    if (left > SEAT_PX) taken.push({ x: 0, y: 0, w: left, h: high });
    if (right > SEAT_PX) taken.push({ x: wide - right, y: 0, w: right, h: high });
    if (bottom > SEAT_PX) taken.push({ x: 0, y: high - bottom, w: wide, h: bottom });
    return taken.map(({ x, y, w, h }) => ({ x: x / side, y: y / tall, w: w / side, h: h / tall }));
  }

  /** Returns where a die at rest is seen on the felt, in pixels: its upper face, or its gem. */
  pixelsOf({ place, sides }) {
    const up = sides === 6 ? UP : UP / 2;
    return { x: place.x * this.side, y: (place.y * FLAT - up) * this.side };
  }

  /**
   * Lays things beside the dice and the figures: those of this player at the lower left, all others
   * at the upper right. Each has its `element`, hidden where no place is free, and `isOwn`.
   */
  layThings(things) {
    const { wide, high, side } = this;
    if (!side) return;
    const figures = [...this.felt.querySelectorAll(".sum, .pot, .rolls-left, .begins > *")];
    const taken = figures.filter((part) => part.textContent).map((part) => this.boxOf(part));
    for (const die of this.resting.filter(({ place }) => place)) {
      const { x, y } = this.pixelsOf(die);
      const [across, above] = [side * 0.8, side * 0.7];
      taken.push({ left: x - across, right: x + across, top: y - above, bottom: y + side });
    }
    const full = Math.min(120, Math.max(76, wide * 0.13), high * 0.6);
    for (const { element, isOwn } of things) {
      const wish = isOwn ? { x: wide * 0.1, y: high * 0.7 } : { x: wide * 0.76, y: high * 0.33 };
      const spot = freeSpot({ wide, high, sizes: [full, full * 0.8, full * 0.6], taken, wish });
      element.hidden = !spot;
      if (!spot) continue;
      const { x, y, size } = spot;
      taken.push({ left: x, right: x + size, top: y, bottom: y + size });
      element.style.translate = `${x}px ${y}px`;
      element.style.width = `${size}px`;
    }
  }

  /** Plans the throw of `dice` with this number of its game, past those that lie `still`. */
  plan(dice, number, still, how = {}) {
    const seed = seedOf(number, dice);
    return planThrow({
      dice,
      seed,
      width: this.width,
      depth: this.depth,
      clear: this.obstacles(),
      fixed: [...still.values()].map(({ place }) => place),
      below: this.below / this.side / FLAT,
      strength: usualStrength(seed),
      ...how,
    });
  }

  /** Makes room for `count` dice, or as many as before if 0, with names `below` pixels high. */
  prepare(count, below) {
    Object.assign(this, { count: count || this.count, below });
    this.fit();
  }

  /**
   * Lays dice on the felt as the throw with this number of its game left them, and returns them
   * with a `place` and a `pose`. Dice that lie there keep theirs. Until the felt is shown, none has
   * any.
   */
  lay(dice, number) {
    if (!this.side) { // the felt is not shown yet
      Object.assign(this, { number, resting: dice });
      return dice;
    }
    const still = this.stillOf(dice, number === this.number);
    const others = dice.filter((die) => !still.has(die));
    const flights = others.length ? this.plan(others, number, still).flights : [];
    return this.settle({ dice, number, still, flights });
  }

  /**
   * Returns a Map of the `dice` that lie there already, each with the die that is there: the same
   * one, held before and now. If they are `ofSameThrow`, it need not be held, or is any equal die.
   */
  stillOf(dice, ofSameThrow = false) {
    const still = new Map();
    const pool = [...this.resting];
    const equals = (die, other) => other.face === die.face && other.sides === die.sides;
    const keep = (die, test) => {
      if (still.has(die)) return;
      const index = pool.findIndex((other) => equals(die, other) && test(other));
      if (index >= 0) still.set(die, pool.splice(index, 1)[0]);
    };
    for (const die of dice) {
      keep(die, (other) => other.key === die.key && (ofSameThrow || (die.isHeld && other.isHeld)));
    }
    if (ofSameThrow) for (const die of dice) keep(die, () => true);
    return still;
  }

  /**
   * Takes dice as they lie after the throw with this number, and returns them: those in `still`
   * where they lay before, and the others where their `flights` end.
   */
  settle({ dice, number, still, flights }) {
    const ends = flights.map(({ place, pose }) => ({ place, pose: pose(Infinity) }));
    this.number = number;
    this.resting = dice.map((die) => {
      const { place, pose } = still.get(die) ?? ends.shift();
      return { ...die, place, pose };
    });
    return this.resting;
  }

  /** Lays dice and draws them, unless dice are in the air or in a hand. */
  show(dice, number) {
    const before = this.resting.map(({ pose }) => pose);
    const now = this.lay(dice, number).map(({ pose }) => pose);
    if (this.thrown || this.aimed || !this.side) return;
    const isSame = now.length === before.length && now.every((pose, i) => pose === before[i]);
    if (isSame && this.poses.length === now.length) return;
    this.draw(now);
    const isNew = now.some((pose) => !before.includes(pose));
    if (isNew) for (const part of this.parts) part.animate([{ opacity: 0 }, {}], FADES_MS);
  }

  /** Draws the dice as they lie. */
  drawResting() {
    this.draw(this.resting.map(({ pose }) => pose));
  }

  /** Draws dice with these poses, and first their shadows, which fall on the felt alone. */
  draw(poses) {
    this.poses = poses;
    const { context, ratio, side } = this;
    if (!side) return; // the felt is not shown yet
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(ratio, 0, 0, ratio, this.beside * ratio, this.margin * ratio);
    context.save();
    context.beginPath();
    context.rect(0, 0, this.wide, this.high);
    context.clip();
    for (const pose of poses) drawShadow(context, pose, side);
    context.restore();
    const fromBehind = poses.toSorted((a, b) => a.y - b.y || a.z - b.z);
    for (const pose of fromBehind) drawDie(context, pose, side, this.paint);
  }

  /** Calls `frame(ms)` for every repaint, with the time since the start, until a newer run. */
  run(frame) {
    this.runs += 1;
    const mine = this.runs;
    const began = performance.now();
    const next = (now) => {
      if (mine !== this.runs) return;
      frame(Math.max(0, now - began));
      if (mine === this.runs) requestAnimationFrame(next);
    };
    frame(0);
    requestAnimationFrame(next);
  }

  /** The dice that lie here and are held. */
  get held() {
    return this.resting.filter(({ isHeld }) => isHeld);
  }

  /** Shakes dice with these `sides` in the hand, until they are thrown or dropped. */
  shake(sides, heading = RIGHT) {
    const still = this.held.map(({ pose }) => pose);
    this.aimed = handPlace(heading, this.width, this.depth);
    const at = [...this.aimed];
    const poses = shakenPoses(sides, at);
    this.thrown = null;
    let before = 0;
    this.run((ms) => {
      // The hand goes to the side from which it will throw, as fast on every screen.
      const part = 1 - Math.exp((before - ms) / HAND_MS);
      at.forEach((value, k) => (at[k] = value + (this.aimed[k] - value) * part));
      before = ms;
      this.draw([...still, ...poses(ms)]);
    });
  }

  /** Moves the shaking hand, if there is one, to where a throw with this heading begins. */
  aim(heading) {
    if (this.aimed) this.aimed = handPlace(heading, this.width, this.depth);
  }

  /** Ends the shaking: the dice lie again where they lay before. */
  drop() {
    if (!this.aimed) return;
    this.aimed = null;
    this.runs += 1;
    this.drawResting();
  }

  /**
   * Throws the dice that were not held before. `how` can have a `heading` and a `strength`. Returns
   * the `hits` that can be heard, and a promise `rests` that resolves when the dice lie still.
   */
  throw(dice, number, how) {
    const still = this.stillOf(dice);
    const flying = dice.filter((die) => !still.has(die));
    const { flights, hits, length } = this.plan(flying, number, still, how);
    const lying = [...still.values()].map(({ pose }) => pose);
    const shaken = this.aimed ? this.poses.slice(-flying.length) : [];
    const start = flights.map(({ pose }) => pose(0));
    this.aimed = null;
    this.thrown = { dice, number, still, flights };
    this.run((ms) => {
      // The path begins where the dice were shaken, if as many were.
      const part = shaken.length === flying.length ? Math.max(0, 1 - ms / BLEND_MS) ** 2 : 0;
      const poses = flights.map(({ pose }, i) => {
        const now = pose(ms);
        for (const k of part ? ["x", "y", "z"] : []) now[k] += (shaken[i][k] - start[i][k]) * part;
        return now;
      });
      this.draw([...lying, ...poses]);
      if (ms >= length) this.land();
    });
    return { hits, rests: new Promise((done) => (this.rest = done)) };
  }

  /** Goes to the end of the throw in the air at once, if there is one. */
  land() {
    if (!this.thrown) return;
    this.runs += 1;
    this.settle(this.thrown);
    this.thrown = null;
    this.drawResting();
    this.fit();
    this.rest?.();
  }
}
