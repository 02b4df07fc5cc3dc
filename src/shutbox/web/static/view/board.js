// Draws the pieces. Each tile or die keeps one element as long as it stays in its place, so that it
// keeps the focus and its movement is animated. The caller says which pieces can be picked.

import { gettext, ngettext } from "../model/messages.js";
import { named } from "../model/moves.js";
import { byId, drawn, el, keyed, set, text } from "./dom.js";
import { settings } from "./settings.js";

const TUMBLES_MS = 350; // random faces are shown this long, then the one that was thrown
const TURNS_MS = 70;

/** Returns the accessible name of a piece and its state. */
export function accessibleName(part) {
  const piece = named(part);
  switch (part.state) {
    case "down":
      return gettext("{piece}, down", { piece });
    case "hidden":
      return gettext("{piece}, hidden", { piece });
    case "held":
      return gettext("{piece}, held", { piece });
    case "in hand":
      return gettext("{piece}, in hand", { piece });
    default:
      return piece;
  }
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
  /** `press(key)` is called when a piece is pressed. Without it, the board is only a picture. */
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
    this.rolled = null; // the dice of a throw that is still rolling
    this.inAir = new Set(); // the keys of the thrown dice, which all look alike until they lie still
  }

  /**
   * Draws `pieces`. `open` are the keys that can be picked and `picked` those that are. `only` are
   * the keys of the only cover there is. `left` is what remains to cover after the picked pieces,
   * and `pot` the number of chips in the pot; each is null if there is none. `last` are the dice to
   * show faded if no dice lie there. `begins` says whose turn begins. `rollsLeft` is the number of
   * rolls left, null if rolls are not counted. Returns how many tiles have gone down since the last
   * drawing.
   */
  draw(pieces, { open = new Set(), picked = [], only = [], left = null, pot = null, last = [], begins = "", rollsLeft = null, rolls } = {}) {
    const tiles = pieces.filter((piece) => piece.kind === "tile");
    const dice = this.rolled ?? diceOf(pieces);
    const choosing = open.size > 0 || picked.length > 0;
    // Dice become buttons once one of them can be picked, and stay buttons.
    this.takesDice ||= dice.some((die) => open.has(die.key));
    this.box.classList.toggle("choosing", choosing);
    this.drawTiles(tiles, open, picked);
    this.drawDice(dice, open, picked, rolls && settings.motion);
    this.drawFaded(dice.length ? [] : last);
    text(this.begins, this.rolled ? "" : begins);
    const counted = ngettext("{number} roll left", "{number} rolls left", rollsLeft);
    text(this.rollsLeft, rollsLeft === null ? "" : counted);
    text(this.sum.firstElementChild, left === null ? "" : String(left));
    text(this.sum.lastElementChild, left === null ? "" : gettext("to cover"));
    this.pot.hidden = !pot;
    text(this.pot.lastElementChild, gettext("pot {chips}", { chips: pot }));
    if (pieces.some((piece) => this.states.get(piece.key) !== piece.state)) this.open();
    const fallen = tiles.filter(
      (tile) => tile.state === "down" && this.states.get(tile.key) === "up",
    );
    for (const [place, { key }] of fallen.entries()) {
      this.item(key).style.setProperty("--order", place); // they fall from left to right
    }
    for (const { key } of tiles) set(this.item(key), "data-only", only.includes(key));
    this.states = new Map(pieces.map((piece) => [piece.key, piece.state]));
    return fallen.length;
  }

  /**
   * Rolls the dice among `pieces`. Everything else stays as it is drawn until `land` is called. The
   * promise resolves when the dice lie still.
   */
  roll(pieces) {
    this.open();
    this.shake(false); // the throw is known, although the stream may have brought it before the reply
    this.rolled = diceOf(pieces);
    const thrown = this.rolled.filter(({ key }) => this.states.get(key) !== "held");
    this.inAir = new Set(thrown.map(({ key }) => key));
    this.drawDice(this.rolled, new Set(), [], true);
    this.drawFaded([]);
    text(this.begins, "");
    const moves = [...this.dice.querySelectorAll(".rolls")].flatMap((die) => die.getAnimations());
    return Promise.allSettled(moves.map(({ finished }) => finished));
  }

  /** Ends the roll. Dice that still move lie still at once. */
  land() {
    this.rolled = null;
    this.inAir.clear();
    for (const die of this.dice.querySelectorAll(".rolls")) die.classList.remove("rolls");
  }

  /** Shakes the dice from the press until the answer arrives. */
  shake(shakes) {
    this.dice.classList.toggle("asked", shakes);
  }

  /** Returns the element of a tile. */
  item(key) {
    return this.racks.querySelector(`[data-key="${CSS.escape(key)}"]`).firstElementChild;
  }

  /**
   * Closes the lid. Its plate shows `name`, the player who shut the box. The lid opens at the next
   * press, or when the pieces change.
   */
  slam(name = "") {
    text(this.lid.querySelector(".plaque").lastElementChild, name);
    this.lid.className = "lid shut";
    const card = this.box.querySelector(".standings");
    if (card) this.lid.append(card);
    for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, this.open, true);
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
          for (const part of piece.children) text(part, tile.face);
          this.update(piece, tile, open, picked);
        });
      },
    );
  }

  /** Shows an empty rack while only dice decide something. */
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

  drawDice(dice, open, picked, rolls) {
    this.dice.classList.toggle("many", dice.length > 6);
    const asButtons = this.press && this.takesDice;
    const lying = dice.filter(({ state }) => state !== "held").map(({ label }) => label);
    // If all dice have the same name, screen readers say it and the page does not print it under
    // each die.
    const common = lying.length > 1 && new Set(lying).size === 1 ? lying[0] : gettext("die");
    // A die in another place is a new element, since dice are thrown there and do not slide.
    keyed(
      this.dice,
      dice.map((die, place) => ({ ...die, place })),
      (die) => `${die.key} ${die.sides} ${Boolean(asButtons)} ${die.place}`,
      (die) => {
        const piece = this.piece(die.sides === 6 ? "die" : "die gem", die, asButtons, []);
        piece.addEventListener("animationend", () => piece.classList.remove("rolls"));
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
        const flies = this.inAir.has(die.key);
        text(item.lastElementChild, flies || (label === common && says === label) ? "" : says);
        const falls = rolls && die.face !== "" && this.states.get(die.key) !== "held";
        if (falls) tumble(piece, die.sides);
        this.update(piece, die, open, picked);
        if (flies) set(piece, "data-state", "lying");
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
    const press = () => this.press(piece.key);
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

/** Returns how many pieces to put in a row, so that rows of at most `most` are even. */
function spread(count, most) {
  return Math.ceil(count / Math.ceil(count / most));
}

/** Restarts an animation. The browser must lay out the page without it in between. */
function restart(element, name) {
  element.classList.remove(name);
  void element.offsetWidth;
  element.classList.add(name);
}

/**
 * Rolls a die in, with a few random faces on the way. Its accessible name is the thrown face from
 * the start.
 */
function tumble(die, sides) {
  die.style.setProperty("--from", `${Math.round(Math.random() * 16 - 8)}rem`);
  die.style.setProperty("--turn", `${Math.round(Math.random() * 720 - 360)}deg`);
  restart(die, "rolls");
  const end = performance.now() + TUMBLES_MS;
  const turn = () => {
    const rests = performance.now() >= end;
    const shown = rests ? die.dataset.face : String(1 + Math.floor(Math.random() * sides));
    die.replaceChildren(face(sides, shown));
    if (!rests) setTimeout(turn, TURNS_MS);
  };
  turn();
}
