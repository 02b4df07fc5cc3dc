// The pieces picked by presses and digits, and what is said about them.

import { gettext, pgettext } from "../model/messages.js";
import { digitsOf, isMine, mainMove, offersFor } from "../model/moves.js";
import { atOnce, digit, exact, meant, standsFor, toggled } from "../model/picking.js";
import { pickedWords, refusedWords } from "../model/sentences.js";
import { say } from "../view/live_region.js";
import { settings } from "../view/settings.js";
import * as sound from "../view/sound.js";

const throwFirst = () => pgettext("said", "Throw first.");

export class Selection {
  /** `page` is the TablePage. */
  constructor(page) {
    this.page = page;
    this.reset();
  }

  /** Unpicks all pieces and drops the waiting digits, without drawing. */
  reset() {
    this.keys = [];
    this.digits = "";
  }

  get offers() {
    return offersFor(this.page.view, this.page.you);
  }

  get pieces() {
    return this.page.view.table.pieces;
  }

  get words() {
    return pickedWords(this.page.view, this.page.you, this.keys);
  }

  /** Picks or unpicks a piece. The second press of a double press makes the cover that the first completed. */
  press(pressed, isDouble = false) {
    const { view, you } = this.page;
    const total = settings.total ? view.table.target : null;
    const completed = isDouble && this.keys.includes(pressed) && exact(this.offers, this.keys)[0];
    const whole = completed || atOnce(this.pieces, this.offers, this.keys, pressed, total);
    if (whole) {
      this.page.actions.choose(whole.text);
      return;
    }
    const key = standsFor(this.pieces, this.offers, this.keys, pressed);
    const now = toggled(this.offers, this.keys, key);
    if (now) {
      this.keys = now;
      this.digits = "";
      this.tick(pressed, now.includes(key));
      this.page.draw();
      say([this.words], { passing: true, seen: true });
    } else if (!isMine(view, you)) {
      say([sound.refused(mainMove(view, you, this.keys).why || throwFirst())]);
    } else {
      say([this.refusal(this.pieces.find((other) => other.key === key))], { passing: true });
    }
  }

  /**
   * Handles a typed digit: it picks a piece, or answers a question that needs no picking. If it
   * `isEarly`, the question was not known yet, and only picks count: they can be put back.
   */
  type(typed, isEarly = false) {
    const { offers, page } = this;
    const answers = offers.length ? digitsOf(page.view.table, offers) : new Map();
    if (!offers.length) {
      const main = mainMove(page.view, page.you, this.keys);
      say([sound.refused(main.why || throwFirst())]);
    } else if (answers.size) {
      const chosen = offers.find(({ text }) => answers.get(text) === typed);
      if (isEarly) return;
      if (chosen) this.page.actions.choose(chosen.text);
      else say([sound.refused(gettext("There is no answer {digit}.", { digit: typed }))], { passing: true });
    } else {
      this.pickBy(typed);
    }
  }

  pickBy(typed) {
    const { keys, waiting, unknown } = digit(this.pieces, this.offers, this.keys, this.digits, typed);
    this.pickAll(keys);
    this.digits = waiting;
    const words = [];
    if (keys.length) words.push(this.words);
    if (waiting) {
      const number = waiting;
      words.push(gettext("{number}: press Space to take it, or type another digit.", { number }));
    }
    if (unknown) words.push(this.refused(unknown));
    say(words, { passing: true, seen: !waiting && !unknown });
  }

  /** Returns why a piece cannot be picked. */
  refusal(piece) {
    return sound.refused(refusedWords(this.page.view, this.page.you, this.keys, piece));
  }

  /** Returns why a typed number picks nothing. */
  refused(number) {
    const piece = this.pieces.find(({ face }) => face === number);
    return piece ? this.refusal(piece) : sound.refused(gettext("There is no {number} here.", { number }));
  }

  /** Takes the waiting digits as a complete number. */
  settle() {
    const number = this.digits;
    const key = meant(this.pieces, this.offers, this.keys, number);
    this.digits = "";
    this.pickAll(key ? [key] : []);
    say([key ? this.words : this.refused(number)], { passing: true, seen: Boolean(key) });
  }

  /** Picks exactly these pieces, in place of the current ones. */
  pick(keys) {
    this.reset();
    this.pickAll(keys);
    say([this.words], { passing: true });
  }

  pickAll(keys) {
    for (const key of keys) this.keys = toggled(this.offers, this.keys, key) || this.keys;
    if (keys.length) this.tick(keys.at(-1), true);
    this.page.draw();
  }

  /** Plays the sound of a piece that is picked, or put back. */
  tick(key, isPicked) {
    const { number } = this.pieces.find((piece) => piece.key === key);
    sound.tick(this.page.board.elementOf(key), number, isPicked);
  }

  clear() {
    this.reset();
    this.page.draw();
    say([gettext("Nothing is picked.")], { passing: true, seen: true });
  }
}
