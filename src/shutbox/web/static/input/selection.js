// The pieces picked by presses and digits, and what is said about them.

import { gettext, pgettext } from "../model/messages.js";
import { digitsOf, isMyTurn, mainMove, offersFor } from "../model/moves.js";
import { offerAtOnce, readDigit, exactOffers, keyOfNumber, keyToPick, pickedAfter } from "../model/picking.js";
import { pickedWords, refusedWords } from "../model/sentences.js";
import { say } from "../view/live_region.js";
import { settings } from "../view/settings.js";
import * as sound from "../view/sound.js";

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
    this.focused = null; // the element that had the focus when a digit picked
  }

  get offers() {
    return offersFor(this.page.view, this.page.you);
  }

  get pieces() {
    return this.page.view.table.pieces;
  }

  /** What is picked and what is left to cover, in a sentence. */
  get words() {
    return pickedWords(this.page.view, this.page.you, this.keys);
  }

  /** Picks or unpicks a piece. A double press makes the cover that its first press completed. */
  press(pressed, isDouble = false) {
    const { view, you } = this.page;
    const total = settings.total ? view.table.target : null;
    const completed = isDouble && this.keys.includes(pressed) && exactOffers(this.offers, this.keys)[0];
    const whole = completed || offerAtOnce(this.pieces, this.offers, this.keys, pressed, total);
    if (whole) {
      this.page.actions.choose(whole.text);
      return;
    }
    const key = keyToPick(this.pieces, this.offers, this.keys, pressed);
    const now = pickedAfter(this.offers, this.keys, key);
    if (now) {
      this.keys = now;
      this.digits = "";
      this.tick(pressed, now.includes(key));
      this.page.refresh();
      say([this.words], { passing: true, seen: true });
    } else if (!isMyTurn(view, you)) {
      this.refusePress();
    } else {
      say([this.refusal(this.pieces.find((other) => other.key === key))], { passing: true });
    }
  }

  /**
   * Handles a typed digit: it picks a piece, or answers a question that needs no picking. If it
   * `isEarly`, the question was not known yet, and only picks count: they can be put back.
   */
  typeDigit(typed, isEarly = false) {
    const { offers, page } = this;
    const answers = offers.length ? digitsOf(page.view.table, offers) : new Map();
    if (!offers.length) {
      this.refusePress();
    } else if (answers.size) {
      const chosen = offers.find(({ text }) => answers.get(text) === typed);
      if (isEarly) return;
      if (chosen) this.page.actions.choose(chosen.text);
      else say([sound.refuse(gettext("There is no answer {digit}.", { digit: typed }))], { passing: true });
    } else {
      this.pickByDigit(typed);
    }
  }

  /** Picks the piece with a number that ends with this digit, or waits for another one. */
  pickByDigit(typed) {
    const { keys, waiting, unknown } = readDigit(this.pieces, this.offers, this.keys, this.digits, typed);
    this.pickAll(keys);
    this.digits = waiting;
    this.focused = document.activeElement;
    const words = [];
    if (keys.length) words.push(this.words);
    if (waiting) {
      const number = waiting;
      words.push(gettext("{number}: press Space to take it, or type another digit.", { number }));
    }
    if (unknown) words.push(this.refusalOfNumber(unknown));
    say(words, { passing: true, seen: !waiting && !unknown });
  }

  /** Says why nothing can be picked now. */
  refusePress() {
    const { why } = mainMove(this.page.view, this.page.you, this.keys);
    say([sound.refuse(why || pgettext("said", "Throw first."))]);
  }

  /** Returns why a piece cannot be picked. */
  refusal(piece) {
    return sound.refuse(refusedWords(this.page.view, this.page.you, this.keys, piece));
  }

  /** Returns why a typed number picks nothing. */
  refusalOfNumber(number) {
    const piece = this.pieces.find(({ face }) => face === number);
    return piece ? this.refusal(piece) : sound.refuse(gettext("There is no {number} here.", { number }));
  }

  /** Takes the waiting digits as a complete number. */
  takeWaiting() {
    const number = this.digits;
    const key = keyOfNumber(this.pieces, this.offers, this.keys, number);
    this.digits = "";
    this.pickAll(key ? [key] : []);
    say([key ? this.words : this.refusalOfNumber(number)], { passing: true, seen: Boolean(key) });
  }

  /** Picks exactly these pieces, in place of the current ones. */
  pick(keys) {
    this.reset();
    this.pickAll(keys);
    say([this.words], { passing: true });
  }

  /** Picks these pieces in addition, as far as an offer takes them, and draws the page. */
  pickAll(keys) {
    for (const key of keys) this.keys = pickedAfter(this.offers, this.keys, key) || this.keys;
    if (keys.length) this.tick(keys.at(-1), true);
    this.page.refresh();
  }

  /** Plays the sound of a piece that is picked, or put back. */
  tick(key, isPicked) {
    const { number } = this.pieces.find((piece) => piece.key === key);
    sound.tick(this.page.board.elementOf(key), number, isPicked);
  }

  /** Unpicks all pieces and says so. */
  clear() {
    this.reset();
    this.page.refresh();
    say([gettext("Nothing is picked.")], { passing: true, seen: true });
  }
}
