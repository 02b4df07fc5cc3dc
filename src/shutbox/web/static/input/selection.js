// What is picked here, by presses and by digits, and what is said of it.

import { capital, digitsOf, isMine, mainMove, named, offersFor } from "../model/moves.js";
import { digit, meant, standsFor, toggled } from "../model/picking.js";
import { pickedWords } from "../model/sentences.js";
import { say } from "../view/live_region.js";

export class Selection {
  /** `seen` is where things stand; `draw()` shows what is picked; `choose(text)` takes an offer. */
  constructor(seen, { draw, choose }) {
    Object.assign(this, { seen, draw, choose });
    this.reset();
  }

  /** Forgets all, where the table has moved on. */
  reset() {
    this.keys = [];
    this.digits = "";
  }

  get offers() {
    return offersFor(this.seen.view, this.seen.you);
  }

  get pieces() {
    return this.seen.view.table.pieces;
  }

  get words() {
    return pickedWords(this.seen.view, this.seen.you, this.keys);
  }

  press(pressed) {
    const { view, you } = this.seen;
    const key = standsFor(this.pieces, this.offers, this.keys, pressed);
    const now = toggled(this.offers, this.keys, key);
    if (now) {
      this.keys = now;
      this.digits = "";
      this.draw();
      say([this.words], { passing: true });
    } else if (!isMine(view, you)) {
      say([mainMove(view, you, this.keys).why || "Throw first."]);
    } else {
      const piece = this.pieces.find((other) => other.key === key);
      const why = this.keys.length ? "does not go with what is picked" : "cannot be picked now";
      say([`${capital(named(piece))} ${why}.`], { passing: true });
    }
  }

  /** A digit picks a piece, or answers a question that is answered without picking. */
  type(typed) {
    const { offers, seen } = this;
    const answers = offers.length ? digitsOf(seen.view.table, offers) : new Map();
    if (!offers.length) {
      const main = mainMove(seen.view, seen.you, this.keys);
      say([main.why || `${main.says} first.`]);
    } else if (answers.size) {
      const chosen = offers.find(({ text }) => answers.get(text) === typed);
      if (chosen) this.choose(chosen.text);
      else say([`${typed} cannot be chosen now.`], { passing: true });
    } else {
      this.pickBy(typed);
    }
  }

  pickBy(typed) {
    const found = digit(this.pieces, this.offers, this.keys, this.digits, typed);
    const { keys, waiting, unknown } = found;
    this.pickAll(keys);
    this.digits = waiting;
    const words = [];
    if (keys.length) words.push(this.words);
    if (waiting) words.push(`${waiting}; Space takes it, or another digit goes on.`);
    if (unknown) words.push(`${unknown} cannot be picked now.`);
    say(words, { passing: true });
  }

  /** Takes the digits that wait as they stand. */
  settle() {
    const number = this.digits;
    const key = meant(this.pieces, this.offers, this.keys, number);
    this.digits = "";
    this.pickAll(key ? [key] : []);
    say([key ? this.words : `${number} cannot be picked now.`], { passing: true });
  }

  pickAll(keys) {
    for (const key of keys) this.keys = toggled(this.offers, this.keys, key) || this.keys;
    this.draw();
  }

  clear() {
    this.reset();
    this.draw();
    say(["Nothing is picked."], { passing: true });
  }
}
