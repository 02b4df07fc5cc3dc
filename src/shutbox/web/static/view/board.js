// Draws the pieces. Each tile or die keeps one element as long as it stays in its place, so that it
// keeps the focus and its movement is animated. The caller says which pieces can be picked.

import { gettext, ngettext, pgettext } from "../model/messages.js";
import { pieceName } from "../model/moves.js";
import { gemTemplate } from "./dice.js";
import { byId, drawn, el, keyed, set, text } from "./dom.js";
import { Felt } from "./felt.js";
import { Lid } from "./lid.js";
import { drawThing } from "./phrases.js";
import { settings } from "./settings.js";

const NAME_PX = 24;
const SLIDES_MS = 400;
const DOUBLE_MS = 400; // between the presses of a double press

/** Returns the accessible name of a piece and its state. */
function accessibleName(part) {
  const piece = pieceName(part);
  const names = {
    down: gettext("{piece}, down", { piece }),
    hidden: gettext("{piece}, hidden", { piece }),
    held: gettext("{piece}, held", { piece }),
    "in hand": gettext("{piece}, in hand", { piece }),
  };
  return names[part.state] ?? piece;
}

/** Returns a drawing of one face of a die; of a die that has not been thrown, `face` is "". */
export function drawDieFace(sides, face) {
  if (sides === 6) return drawn(`draw-pips-${face || 0}`).firstElementChild;
  const gem = drawn(gemTemplate(sides));
  const number = gem.querySelector("text");
  if (face.length > 2) number.setAttribute("class", "long");
  number.textContent = face;
  return gem.firstElementChild;
}

export class Board {
  /** Calls `press(key, isDouble)` when a piece is pressed. Without it, the board is a picture. */
  constructor(press = null) {
    this.press = press;
    this.box = byId("board");
    this.frame = this.box.parentElement;
    const cards = this.box.querySelectorAll(".standings"); // of a game that has ended, if any
    this.box.replaceChildren(drawn("draw-box"));
    // The parts by the names of their classes: `this.racks` and the others.
    for (const name of ["racks", "baize", "dice", "faded", "begins", "pot", "sum"]) {
      this[name] = this.box.querySelector(`.${name}`);
    }
    this.rollsLeft = this.box.querySelector(".rolls-left");
    this.sum.id = "sum";
    this.sum.after(...cards);
    this.thingList = el("div", { class: "things" });
    this.baize.append(this.thingList);
    for (const list of [this.dice, this.faded]) list.classList.add("laid");
    this.lid = new Lid(this.frame, this.sum);
    this.states = new Map(); // of the pieces, by their keys, as they were last drawn
    this.takesDice = false; // true once dice can be picked
    this.isWaiting = false; // true while dice are in a hand or in the air
    this.tilesFall = false;
    this.things = null; // what lies there for phrases, as `layThings` takes it, once drawn
    this.felt = new Felt(this.baize, this.frame, () => this.place());
  }

  /** Draws `pieces`, and what else lies in the box. */
  draw(pieces, {
    pickable = new Set(), // the keys of the pieces that can be picked
    picked = [], // the keys of those that are
    only = [], // the keys of the only cover there is
    left = null, // what remains to cover after the picked pieces, if there is anything to cover
    isForAll = false, // whether all players cover this throw
    pot = null, // the number of chips in the pot, if there is one
    rollsLeft = null, // the number of rolls left, if it is limited
    begins = "", // whose turn begins
    aim = "", // what this player needs
    last = [], // the dice that still lie there if no others do
    thrown = 0, // the number in its game of the throw of the dice that lie there
    things = [], // the phrases that lie on the felt
  } = {}) {
    const tiles = pieces.filter(({ kind }) => kind === "tile");
    const dice = diceOf(pieces);
    // Dice become buttons once one of them can be picked, and stay buttons.
    this.takesDice ||= dice.some(({ key }) => pickable.has(key));
    this.box.classList.toggle("choosing", pickable.size > 0 || picked.length > 0);
    if (!this.tilesFall) this.drawTiles(tiles, pickable, picked);
    this.drawFigures({ left, isForAll, pot, rollsLeft, begins, aim });
    this.drawDice(dice, pickable, picked);
    const areThrown = dice.some(({ face }) => face);
    const faded = areThrown ? [] : last.map((die, i) => ({ ...die, key: `last ${i}` }));
    this.drawFaded(faded);
    this.prepareFelt(dice);
    this.drawThings(things);
    const shown = [...withElements(dice, this.dice), ...withElements(faded, this.faded)];
    for (const { face, element } of shown) if (!face) element.style.translate = "";
    this.felt.show(shown.filter(({ face }) => face).map(forFelt), thrown);
    this.place();
    if (this.tilesFall) return; // the tiles and the lid move until `land` is called
    if (pieces.some(({ key, state }) => this.states.get(key) !== state)) this.lid.open();
    for (const { key } of tiles) set(this.elementOf(key), "data-only", only.includes(key));
    this.states = new Map(pieces.map(({ key, state }) => [key, state]));
  }

  /** Writes what lies on the felt besides dice. The parameters are those of `draw`. */
  drawFigures({ left, isForAll, pot, rollsLeft, begins, aim }) {
    const write = ({ firstElementChild, lastElementChild }, large, small) => {
      text(firstElementChild, large);
      text(lastElementChild, small);
    };
    write(this.begins, begins, aim);
    const unit = isForAll ? pgettext("board", "for all") : pgettext("board", "to cover");
    write(this.sum, left === null ? "" : String(left), left === null ? "" : unit);
    const rolls = ngettext("{number} roll left", "{number} rolls left", rollsLeft ?? 0);
    text(this.rollsLeft, rollsLeft === null ? "" : rolls);
    this.pot.hidden = !pot;
    text(this.pot.lastElementChild, gettext("Pot: {number}", { number: pot }));
  }

  /** Gives the dice the size for their number, with room for their names if they have any. */
  prepareFelt(dice) {
    const labels = new Set(dice.map(({ label }) => label));
    const isNamed = !this.racks.childElementCount || labels.size > 1;
    this.felt.prepare(dice.length, isNamed ? NAME_PX : 0);
  }

  /** Lays the things of phrases on the felt. A new one slides there from the side of its player. */
  drawThings(things) {
    const slides = this.things !== null && settings.motion;
    const make = (thing) => {
      const picture = drawThing(thing);
      const [way, angle] = thing.isOwn ? [-100, -50] : [100, 50];
      const from = { transform: `translateX(${way}cqw) rotate(${angle}deg)` };
      const easing = "cubic-bezier(0.15, 0.7, 0.3, 1)";
      if (slides) picture.animate([from, {}], { duration: SLIDES_MS, easing });
      return picture;
    };
    keyed(this.thingList, things, ({ seat, phrase }) => `${seat} ${phrase}`, make, () => {});
    this.things = withElements(things, this.thingList);
  }

  /** Moves the elements of the dice, and then the things beside them, to their places. */
  place() {
    for (const die of this.felt.resting.filter(({ place, element }) => place && element)) {
      const { x, y } = this.felt.pixelsOf(die);
      die.element.style.translate = `${x.toFixed(1)}px ${y.toFixed(1)}px`;
    }
    this.felt.layThings(this.things ?? []);
  }

  /** Whether dice tumble: with motion, and in the looks that have a canvas. */
  get tumbles() {
    return settings.motion && this.felt.isDrawn;
  }

  /** Whether dice have been picked up and are not thrown yet. */
  get isShaking() {
    return this.isWaiting && !this.felt.thrown;
  }

  /** Marks the box while it waits for dice, and while they tumble. */
  markDice(isWaiting, isAloft) {
    this.isWaiting = isWaiting;
    this.frame.classList.toggle("waiting", isWaiting);
    this.frame.classList.toggle("aloft", isAloft);
  }

  /** Picks up the dice that are not held, and shakes dice with these `sides`. */
  shake(sides, heading) {
    this.lid.open();
    this.felt.prepare(this.felt.held.length + sides.length, this.felt.below);
    this.markDice(true, this.tumbles);
    if (this.tumbles) this.felt.shake(sides, heading);
  }

  /** Ends the shaking: the dice lie again where they lay before. */
  drop() {
    this.felt.drop();
    this.markDice(false, false);
  }

  /**
   * Throws the dice among `pieces`, as the throw with this number of its game. Everything else
   * stays as it is drawn. Returns the `hits` and the promise `rests` of `Felt.throw`.
   */
  throw(pieces, number, how) {
    this.lid.open();
    const dice = diceOf(pieces);
    this.prepareFelt(dice);
    for (const part of this.begins.children) text(part, "");
    this.drawThings([]);
    this.markDice(true, true);
    return this.felt.throw(dice.map(forFelt), number, how);
  }

  /** Ends what moves: dice in the air and tiles lie still at once. */
  land() {
    this.tilesFall = false;
    this.frame.classList.remove("falls");
    this.felt.land();
    this.markDice(false, false);
  }

  /** Lets the tiles that have gone down fall, from left to right. Returns their elements. */
  fall(pieces) {
    const elements = this.goneDown(pieces).map(({ key }) => this.elementOf(key));
    this.tilesFall = elements.length > 0;
    this.frame.classList.toggle("falls", this.tilesFall);
    for (const [order, tile] of elements.entries()) {
      tile.style.setProperty("--order", order);
      set(tile, "data-state", "falling");
      set(tile, "data-only", null);
      set(tile, "aria-pressed", tile.tagName === "BUTTON" ? "false" : null);
      this.states.set(tile.dataset.piece, "down");
    }
    return elements;
  }

  /** Returns the tiles among `pieces` that are down and were up when last drawn. */
  goneDown(pieces) {
    const isDown = ({ kind, state }) => kind === "tile" && state === "down";
    return pieces.filter((piece) => isDown(piece) && this.states.get(piece.key) === "up");
  }

  /** Returns the element of a piece, or the felt if it has none. */
  elementOf(key) {
    return this.box.querySelector(`[data-piece="${CSS.escape(key)}"]`) ?? this.baize;
  }

  /** Marks the tiles of the `best` choice, and with a tag those that were only in `yours`. */
  markChoices(best, yours, tag) {
    for (const tile of this.racks.querySelectorAll("[data-piece]")) {
      const { piece } = tile.dataset;
      set(tile, "data-best", best.includes(piece));
      set(tile, "data-yours", yours.includes(piece) && !best.includes(piece) && tag);
    }
  }

  /**
   * Draws the rows of tiles. The classes say how many there are, and how many lines (`l`) and tiles
   * in a line a wide (`w`) and a narrow page (`n`) have.
   */
  drawTiles(tiles, pickable, picked) {
    const [behind, front] = [1, 0].map((number) => tiles.filter(({ row }) => row === number));
    const racks = [ // the one behind is above the one in front; an only one has no caption
      { number: 2, row: behind },
      { number: behind.length ? 1 : 0, row: front },
    ].filter(({ row }) => row.length);
    if (!racks.length) {
      this.emptyRacks();
      return;
    }
    const most = Math.max(behind.length, front.length);
    const lines = (width) => racks.reduce((all, { row }) => all + Math.ceil(row.length / width), 0);
    const size = most > 12 ? " many" : most < 10 ? " few" : "";
    set(this.racks, "class", `racks${size} wl${lines(12)} nl${lines(6)}`);
    keyed(
      this.racks,
      racks,
      ({ number }) => `rack ${number}`,
      ({ number }) => drawn(`draw-rack-${number}`).firstElementChild,
      (rack, { row }) => {
        const list = rack.lastElementChild;
        set(list, "class", `tiles w${spread(row.length, 12)} n${spread(row.length, 6)}`);
        keyed(list, row, ({ key }) => key, (tile) => this.makeTile(tile), (item, tile) => {
          const piece = item.firstElementChild;
          const [slot, flap] = piece.children;
          set(slot, "data-face", tile.face);
          text(flap, tile.face);
          this.updatePiece(piece, tile, pickable, picked);
        });
      },
    );
  }

  /** Empties the racks for a throw without tiles, such as the one that decides who begins. */
  emptyRacks() {
    if (!this.racks.querySelector("[data-key]")) return;
    const empty = drawn("draw-box").querySelector(".racks");
    this.racks.replaceWith(empty);
    this.racks = empty;
  }

  /** Returns the element of a tile in its rack. */
  makeTile(tile) {
    const long = tile.face.length > 1 ? " long" : "";
    return el("li", {}, this.makePiece(`tile${long}`, tile, Boolean(this.press), drawn("draw-leaf")));
  }

  /** Draws the dice. One in another place is a new element, since dice do not slide there. */
  drawDice(dice, pickable, picked) {
    this.dice.classList.toggle("many", dice.length > 6);
    const asButtons = Boolean(this.press) && this.takesDice;
    const labels = dice.filter(({ state }) => state !== "held").map(({ label }) => label);
    // If all dice have the same name, screen readers say it and the page does not print it under
    // each die.
    const isCommon = labels.length > 1 && new Set(labels).size === 1;
    const common = isCommon ? labels[0] : pgettext("die", "die");
    keyed(
      this.dice,
      dice.map((die, index) => ({ ...die, index })),
      ({ key, sides, index }) => `${key} ${sides} ${asButtons} ${index}`,
      (die) => {
        const piece = this.makePiece(die.sides === 6 ? "die" : "die gem", die, asButtons);
        return el("li", {}, piece, el("span", { class: "name", "aria-hidden": "true" }));
      },
      (item, die) => {
        const [piece, name] = item.children;
        if (piece.dataset.face !== die.face) {
          piece.dataset.face = die.face;
          piece.replaceChildren(drawDieFace(die.sides, die.face));
        }
        const { label, sides, state } = die;
        const isHeldNotation = state === "held" && label === `d${sides}`;
        const own = label === common ? "" : label;
        text(name, isHeldNotation ? gettext("{piece} held", { piece: label }) : own);
        this.updatePiece(piece, die, pickable, picked);
      },
    );
  }

  /** Draws the dice of the last throw, which cannot be picked. */
  drawFaded(last) {
    keyed(
      this.faded,
      last.map((die, index) => ({ ...die, index })),
      ({ sides, face, index }) => `${index} ${sides} ${face}`,
      ({ sides, face }) =>
        el("span", { class: sides === 6 ? "die" : "die gem" }, drawDieFace(sides, face)),
      () => {},
    );
  }

  /** Returns a button for a piece, or a picture that cannot be pressed. */
  makePiece(className, { key }, isButton, ...parts) {
    const props = { class: isButton ? className : `${className} fixed`, "data-piece": key };
    if (!isButton) return el("span", { ...props, role: "img" }, ...parts);
    let lastPress = -DOUBLE_MS;
    const onclick = ({ detail, timeStamp }) => {
      // The time tells a double press: `detail`, which counts presses, is always 1 on iPhones.
      const isDouble = detail > 0 && timeStamp - lastPress < DOUBLE_MS;
      lastPress = timeStamp;
      this.press(key, isDouble);
    };
    return el("button", { ...props, type: "button", onclick }, ...parts);
  }

  /** Shows the state of a piece, and of a button also whether it is picked or can be. */
  updatePiece(element, piece, pickable, picked) {
    set(element, "data-state", piece.state);
    set(element, "aria-label", accessibleName(piece));
    if (element.tagName !== "BUTTON") return;
    const isPicked = picked.includes(piece.key);
    const canBePressed = isPicked || pickable.has(piece.key);
    set(element, "aria-pressed", String(isPicked));
    set(element, "aria-disabled", canBePressed ? null : "true");
    // Pieces that cannot be picked are skipped by Tab, but keep the focus they have.
    set(element, "tabindex", canBePressed ? null : "-1");
  }
}

const diceOf = (pieces) => pieces.filter(({ kind }) => kind === "die");

/** Returns what the felt needs to know of a die. It has an `element` once it is drawn. */
const forFelt = ({ key, sides, face, state, element }) =>
  ({ key, sides, face, isHeld: state === "held", element });

/** Returns items with the elements that `keyed` has drawn for them in a list, each as `element`. */
const withElements = (items, list) =>
  items.map((item, i) => ({ ...item, element: list.children[i] }));

/** Returns how many pieces to put in a row, so that rows of at most `most` are even. */
function spread(count, most) {
  return Math.ceil(count / Math.ceil(count / most));
}
