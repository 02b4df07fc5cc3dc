// Draws the pieces. Each tile or die keeps one element as long as it stays in its place, so that it
// keeps the focus and its movement is animated. The caller says which pieces can be picked.

import { gettext, ngettext, pgettext } from "../model/messages.js";
import { named } from "../model/moves.js";
import { byId, drawn, el, keyed, set, text, today } from "./dom.js";
import { Felt } from "./felt.js";
import { thing } from "./phrases.js";
import { settings } from "./settings.js";

const NAME_PX = 24;
const SLIDES_MS = 400;
const DOUBLE_MS = 400; // between the presses of a double press

/** Returns the accessible name of a piece and its state. */
function accessibleName(part) {
  const piece = named(part);
  const names = {
    down: gettext("{piece}, down", { piece }),
    hidden: gettext("{piece}, hidden", { piece }),
    held: gettext("{piece}, held", { piece }),
    "in hand": gettext("{piece}, in hand", { piece }),
  };
  return names[part.state] ?? piece;
}

/** Returns a drawing of one face of a die. */
export function face(sides, shown) {
  if (sides === 6) return drawn(`draw-pips-${shown || 0}`).firstElementChild;
  const gem = drawn(byId(`draw-gem-${sides}`) ? `draw-gem-${sides}` : "draw-gem-0");
  const number = gem.querySelector("text");
  if (shown.length > 2) number.setAttribute("class", "long");
  number.textContent = shown;
  return gem.firstElementChild;
}

export class Board {
  /** `press(key, isDouble)` is called when a piece is pressed. Without it, the board is only a picture. */
  constructor(press = null) {
    this.press = press;
    this.box = byId("board");
    const card = this.box.querySelector(".standings"); // of a game that has ended
    this.box.replaceChildren(drawn("draw-box"));
    if (card) this.box.querySelector(".baize").append(card);
    this.racks = this.box.querySelector(".racks");
    this.dice = this.box.querySelector(".dice");
    this.faded = this.box.querySelector(".faded");
    this.begins = this.box.querySelector(".begins");
    this.rollsLeft = this.box.querySelector(".rolls-left");
    this.sum = this.box.querySelector(".sum");
    this.sum.id = "sum";
    this.pot = this.box.querySelector(".pot");
    this.frame = this.box.parentElement;
    this.lid = this.frame.querySelector(".lid");
    this.open = this.open.bind(this);
    this.states = new Map();
    this.takesDice = false;
    this.falls = false; // true while tiles fall
    this.baize = this.box.querySelector(".baize");
    this.felt = new Felt(this.baize, this.frame);
    this.felt.moved = () => this.place();
    this.things = el("div", { class: "things" });
    this.baize.append(this.things);
    this.lying = null; // the phrases whose things lie there, once drawn
    this.dice.classList.add("laid");
    this.faded.classList.add("laid");
  }

  /**
   * Draws `pieces`. `open` are the keys that can be picked and `picked` those that are. `only` are the
   * keys of the only cover there is. `left` is what remains to cover after the picked pieces, `pot` the
   * number of chips in the pot, and `rollsLeft` the number of rolls left. Each is null if there is none.
   * `last` are the dice that still lie there if no others do, and `thrown` is the number of their throw in
   * its game. `begins` says whose turn begins, and `aim` what this player needs. `things` are the phrases
   * that lie on the felt.
   */
  draw(pieces, { open = new Set(), picked = [], only = [], left = null, pot = null, last = [], thrown = 0, begins = "", aim = "", rollsLeft = null, things = [] } = {}) {
    const tiles = pieces.filter((piece) => piece.kind === "tile");
    const dice = diceOf(pieces);
    const choosing = open.size > 0 || picked.length > 0;
    // Dice become buttons once one of them can be picked, and stay buttons.
    this.takesDice ||= dice.some((die) => open.has(die.key));
    this.box.classList.toggle("choosing", choosing);
    if (!this.falls) this.drawTiles(tiles, open, picked);
    text(this.begins.firstElementChild, begins);
    text(this.begins.lastElementChild, aim);
    const counted = ngettext("{number} roll left", "{number} rolls left", rollsLeft);
    text(this.rollsLeft, rollsLeft === null ? "" : counted);
    text(this.sum.firstElementChild, left === null ? "" : String(left));
    text(this.sum.lastElementChild, left === null ? "" : pgettext("board", "to cover"));
    this.pot.hidden = !pot;
    text(this.pot.lastElementChild, gettext("Pot: {number}", { number: pot }));
    this.drawDice(dice, open, picked);
    this.drawFaded(dice.some(({ face: shown }) => shown) ? [] : last);
    this.prepare(dice);
    this.drawThings(things);
    this.lie(dice, last, thrown);
    if (this.falls) return; // the tiles and the lid move until `land` is called
    if (pieces.some((piece) => this.states.get(piece.key) !== piece.state)) this.open();
    for (const { key } of tiles) set(this.item(key), "data-only", only.includes(key));
    this.states = new Map(pieces.map((piece) => [piece.key, piece.state]));
  }

  /** Gives the dice the size for their number, with room for their names if they have any. */
  prepare(dice) {
    const isNamed = !this.racks.childElementCount || new Set(dice.map(({ label }) => label)).size > 1;
    this.felt.prepare(dice.length, isNamed ? NAME_PX : 0);
  }

  /** Lets the dice lie on the felt: those with a face, or the `last` ones. */
  lie(dice, last, thrown) {
    const shown = dice.filter(({ face: has }) => has);
    const lain = shown.length ? shown : last.map((die, i) => ({ ...die, key: `last ${i}` }));
    this.felt.show(lain.map(laid), thrown);
    this.place();
  }

  /** Lays the things of phrases on the felt. A new one slides there from the side of its player. */
  drawThings(things) {
    const isFirst = this.lying === null;
    this.lying = things;
    keyed(this.things, things, ({ seat, phrase }) => `${seat} ${phrase}`, (what) => {
      const made = thing(what);
      if (isFirst) return made;
      const from = { transform: `translateX(${what.isOwn ? -100 : 100}cqw) rotate(${what.isOwn ? -50 : 50}deg)` };
      if (settings.motion) made.animate([from, {}], { duration: SLIDES_MS, easing: "cubic-bezier(0.15, 0.7, 0.3, 1)" });
      return made;
    }, () => {});
  }

  /** Moves the elements of the dice, and then the things beside them, to their places on the felt. */
  place() {
    this.placeDice();
    const items = [...this.things.children];
    this.felt.layThings(items.map((item, i) => ({ item, isOwn: this.lying[i].isOwn })));
  }

  placeDice() {
    const lain = [...this.felt.lain];
    const hasFace = (item) => item.firstElementChild.dataset.face;
    const items = [...this.dice.children].filter(hasFace);
    for (const item of this.dice.children) if (!hasFace(item)) item.style.translate = "";
    const all = items.length ? items : [...this.faded.children];
    for (const [i, item] of all.entries()) {
      if (!lain[i]?.place) continue;
      const { x, y } = this.felt.seen(lain[i]);
      item.style.translate = `${x.toFixed(1)}px ${y.toFixed(1)}px`;
    }
  }

  /** Whether dice tumble: with motion, and in the looks that have a canvas. */
  get tumbles() {
    return settings.motion && this.felt.isDrawn;
  }

  /** Picks up the dice that are not held, and shakes dice with these `sides`. */
  shake(sides, heading) {
    this.open();
    this.felt.prepare(this.felt.held.length + sides.length, this.felt.below);
    this.frame.classList.add("waiting");
    if (this.tumbles) {
      this.frame.classList.add("aloft");
      this.felt.shake(sides, heading);
    }
  }

  /** Ends the shaking: the dice lie again where they lay before. */
  drop() {
    this.felt.drop();
    this.frame.classList.remove("aloft", "waiting");
  }

  /**
   * Throws the dice among `pieces`, as the throw with this number of its game. Everything else
   * stays as it is drawn. Returns the hits that can be heard, the length in ms, and a promise that
   * resolves when the dice lie still.
   */
  throw(pieces, number, how) {
    this.open();
    const dice = diceOf(pieces);
    this.prepare(dice);
    for (const part of this.begins.children) text(part, "");
    this.drawThings([]);
    this.frame.classList.add("aloft", "waiting");
    return this.felt.throw(dice.map(laid), number, how);
  }

  /** Ends what moves: dice in the air and tiles lie still at once. */
  land() {
    this.falls = false;
    this.felt.land();
    this.frame.classList.remove("aloft", "waiting", "falls");
  }

  /** Lets tiles that go down among `pieces` fall, from left to right. Returns their elements. */
  fall(pieces) {
    const fallen = this.fallenAmong(pieces);
    this.falls = fallen.length > 0;
    this.frame.classList.toggle("falls", this.falls);
    for (const [place, { key }] of fallen.entries()) {
      const tile = this.item(key);
      tile.style.setProperty("--order", place);
      set(tile, "data-state", "falling");
      set(tile, "data-only", null);
      set(tile, "aria-pressed", tile.tagName === "BUTTON" ? "false" : null);
      this.states.set(key, "down");
    }
    return fallen.map(({ key }) => this.item(key));
  }

  /** Returns the tiles among `pieces` that are down and were up when last drawn. */
  fallenAmong(pieces) {
    const isFallen = ({ kind, key, state }) =>
      kind === "tile" && state === "down" && this.states.get(key) === "up";
    return pieces.filter(isFallen);
  }

  /** Whether dice have been picked up and are not thrown yet. */
  get isAsked() {
    return this.frame.classList.contains("waiting") && !this.felt.thrown;
  }

  /** Returns the element of a piece, or the felt if it has none. */
  elementOf(key) {
    const all = [...this.box.querySelectorAll("[data-key]")];
    return all.find(({ dataset }) => dataset.key === key || dataset.key.startsWith(`${key} `)) ?? this.baize;
  }

  /** Returns the element of a tile. */
  item(key) {
    return this.racks.querySelector(`[data-key="${CSS.escape(key)}"]`).firstElementChild;
  }

  /**
   * Closes the lid. Its plate shows `closer`, the player who shut the box and the throws that it took,
   * and today's date. The lid opens at the next press, or when the pieces change.
   */
  slam(closer = "") {
    if (this.lid.classList.contains("shut")) return;
    const [, turn, day] = this.lid.querySelector(".plaque").children;
    text(turn, closer);
    text(day, today());
    this.lid.className = "lid shut";
    const card = this.box.querySelector(".standings");
    if (card) this.lid.append(card);
    for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, this.open, true);
  }

  /** Lifts the lid, which was closed until all players had arrived, with these `things` on it. */
  unveil(...things) {
    if (!settings.motion) return;
    this.lid.append(el("div", { class: "calmgrid" }, ...things));
    this.lid.classList.add("calm", "opens");
    this.lid.onanimationend = ({ target }) => target === this.lid && this.bare();
  }

  /** Takes away the lid that opens, with the things on it. */
  bare() {
    this.lid.classList.remove("calm", "opens");
    this.lid.querySelector(".calmgrid")?.remove();
  }

  open() {
    for (const gesture of ["pointerdown", "keydown"]) removeEventListener(gesture, this.open, true);
    if (!this.lid.classList.contains("shut")) return;
    this.lid.className = "lid opens";
    const card = this.lid.querySelector(".standings");
    if (card) this.sum.after(card);
  }

  drawTiles(tiles, open, picked) {
    const rows = [1, 0].map((row) => tiles.filter((tile) => tile.row === row));
    const racks = rows
      .map((row, i) => ({ row, place: rows[0].length ? 2 - i : 0 }))
      .filter(({ row }) => row.length);
    if (!racks.length) {
      this.rest();
      return;
    }
    const most = Math.max(...rows.map((row) => row.length));
    const lines = (width) => racks.reduce((all, { row }) => all + Math.ceil(row.length / width), 0);
    const size = most > 12 ? " many" : most < 10 ? " few" : "";
    set(this.racks, "class", `racks${size} wl${lines(12)} nl${lines(6)}`);
    keyed(
      this.racks,
      racks,
      ({ place }) => `rack ${place}`,
      ({ place }) => drawn(`draw-rack-${place}`).firstElementChild,
      (rack, { row }) => {
        const list = rack.lastElementChild;
        set(list, "class", `tiles w${spread(row.length, 12)} n${spread(row.length, 6)}`);
        keyed(list, row, (tile) => tile.key, (tile) => this.makeTile(tile), (item, tile) => {
          const piece = item.firstElementChild;
          const [slot, flap] = piece.children;
          set(slot, "data-face", tile.face);
          text(flap, tile.face);
          this.update(piece, tile, open, picked);
        });
      },
    );
  }

  /** Empties the racks for a throw without tiles, such as the one that decides who begins. */
  rest() {
    if (!this.racks.querySelector("[data-key]")) return;
    const resting = drawn("draw-box").querySelector(".racks");
    this.racks.replaceWith(resting);
    this.racks = resting;
  }

  makeTile(tile) {
    const long = tile.face.length > 1 ? " long" : "";
    return el("li", {}, this.piece(`tile${long}`, tile, this.press, [drawn("draw-leaf")]));
  }

  drawDice(dice, open, picked) {
    this.dice.classList.toggle("many", dice.length > 6);
    const asButtons = this.press && this.takesDice;
    const lying = dice.filter(({ state }) => state !== "held").map(({ label }) => label);
    // If all dice have the same name, screen readers say it and the page does not print it under
    // each die.
    const common = lying.length > 1 && new Set(lying).size === 1 ? lying[0] : pgettext("die", "die");
    // A die in another place is a new element, since dice are thrown there and do not slide.
    keyed(
      this.dice,
      dice.map((die, place) => ({ ...die, place })),
      (die) => `${die.key} ${die.sides} ${Boolean(asButtons)} ${die.place}`,
      (die) => {
        const piece = this.piece(die.sides === 6 ? "die" : "die gem", die, asButtons, []);
        return el("li", {}, piece, el("span", { class: "name", "aria-hidden": "true" }));
      },
      (item, die) => {
        const piece = item.firstElementChild;
        if (piece.dataset.face !== die.face) {
          piece.dataset.face = die.face;
          piece.replaceChildren(face(die.sides, die.face));
        }
        const { label } = die;
        const isNotation = label === `d${die.sides}`;
        const says =
          die.state === "held" && isNotation ? gettext("{piece} held", { piece: label }) : label;
        text(item.lastElementChild, label === common && says === label ? "" : says);
        this.update(piece, die, open, picked);
      },
    );
  }

  drawFaded(last) {
    keyed(
      this.faded,
      last.map((die, place) => ({ ...die, place })),
      ({ sides, face: shown, place }) => `${place} ${sides} ${shown}`,
      ({ sides, face: shown }) =>
        el("span", { class: sides === 6 ? "die" : "die gem" }, face(sides, shown)),
      () => {},
    );
  }

  /** Returns a button for a piece, or a picture if the board is only shown. */
  piece(kind, piece, isButton, parts) {
    if (!isButton) return el("span", { class: `${kind} fixed`, role: "img" }, ...parts);
    let at = -DOUBLE_MS;
    const press = ({ detail, timeStamp }) => {
      const isDouble = detail > 0 && timeStamp - at < DOUBLE_MS; // not counted by `detail`, which is 1 on iPhones
      at = timeStamp;
      this.press(piece.key, isDouble);
    };
    return el("button", { type: "button", class: kind, onclick: press }, ...parts);
  }

  update(element, piece, open, picked) {
    set(element, "data-state", piece.state);
    set(element, "aria-label", accessibleName(piece));
    if (element.tagName !== "BUTTON") return;
    const isPicked = picked.includes(piece.key);
    const isOpen = isPicked || open.has(piece.key);
    set(element, "aria-pressed", String(isPicked));
    set(element, "aria-disabled", isOpen ? null : "true");
    // Pieces that cannot be picked are skipped by Tab, but keep the focus they have.
    set(element, "tabindex", isOpen ? null : "-1");
  }
}

const diceOf = (pieces) => pieces.filter(({ kind }) => kind === "die");

/** Returns what the felt needs to know of a die. */
const laid = ({ key, sides, face: shown, state }) => ({ key, sides, face: shown, isHeld: state === "held" });

/** Returns how many pieces to put in a row, so that rows of at most `most` are even. */
function spread(count, most) {
  return Math.ceil(count / Math.ceil(count / most));
}
