// The pieces picked by presses and digits, and what is said about them.

import { capital, gettext } from "../model/messages.js";
import { digitsOf, isMine, mainMove, named, offersFor } from "../model/moves.js";
import { atOnce, digit, meant, standsFor, toggled } from "../model/picking.js";
import { pickedWords } from "../model/sentences.js";
import { say } from "../view/live_region.js";
import { settings } from "../view/settings.js";

export class Selection {
  /**
   * `seen` holds the current view. `draw()` shows the picked pieces. `choose(text)` chooses an
   * offer.
   */
  constructor(seen, { draw, choose }) {
    Object.assign(this, { seen, draw, choose });
    this.reset();
  }

  /** Forgets everything, after the table has changed. */
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
    const total = settings.total ? view.table.target : null;
    const whole = atOnce(this.pieces, this.offers, this.keys, pressed, total);
    if (whole) {
      this.choose(whole.text);
      return;
    }
    const key = standsFor(this.pieces, this.offers, this.keys, pressed);
    const now = toggled(this.offers, this.keys, key);
    if (now) {
      this.keys = now;
      this.digits = "";
      this.draw();
      say([this.words], { passing: true, seen: true });
    } else if (!isMine(view, you)) {
      say([mainMove(view, you, this.keys).why || gettext("Throw first.")]);
    } else {
      const piece = this.pieces.find((other) => other.key === key);
      const name = capital(named(piece));
      const why = this.keys.length
        ? gettext("{name} does not fit with what you have picked.", { name })
        : gettext("You cannot pick {name} now.", { name });
      say([why], { passing: true });
    }
  }

  /** Handles a typed digit: it picks a piece, or answers a question that needs no picking. */
  type(typed) {
    const { offers, seen } = this;
    const answers = offers.length ? digitsOf(seen.view.table, offers) : new Map();
    if (!offers.length) {
      const main = mainMove(seen.view, seen.you, this.keys);
      say([main.why || gettext("{move} first.", { move: main.says })]);
    } else if (answers.size) {
      const chosen = offers.find(({ text }) => answers.get(text) === typed);
      if (chosen) this.choose(chosen.text);
      else say([gettext("You cannot choose {digit} now.", { digit: typed })], { passing: true });
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
    if (waiting) {
      const number = waiting;
      words.push(gettext("{number}; Space takes it, or another digit goes on.", { number }));
    }
    if (unknown) words.push(gettext("You cannot pick {name} now.", { name: unknown }));
    say(words, { passing: true, seen: !waiting && !unknown });
  }

  /** Takes the waiting digits as a complete number. */
  settle() {
    const number = this.digits;
    const key = meant(this.pieces, this.offers, this.keys, number);
    this.digits = "";
    this.pickAll(key ? [key] : []);
    const why = gettext("You cannot pick {name} now.", { name: number });
    say([key ? this.words : why], { passing: true, seen: Boolean(key) });
  }

  /** Picks exactly these pieces, in place of the current ones. */
  pick(keys) {
    this.reset();
    this.pickAll(keys);
    say([this.words], { passing: true });
  }

  pickAll(keys) {
    for (const key of keys) this.keys = toggled(this.offers, this.keys, key) || this.keys;
    this.draw();
  }

  clear() {
    this.reset();
    this.draw();
    say([gettext("Nothing is picked.")], { passing: true, seen: true });
  }
}
