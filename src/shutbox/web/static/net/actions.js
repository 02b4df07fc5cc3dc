// Sends what is done here, one thing at a time, and says why something was refused.

import { gettext } from "../model/messages.js";
import { isMine, onlyDice } from "../model/moves.js";
import { Refusal, post } from "./api.js";
import { slowWords } from "./request.js";

const SLOW_MS = 1500;

/** What is asked before something that cannot be taken back with a press; empty for all else. */
function asksBack(what) {
  switch (what) {
    case "end":
      return gettext("End the game for everybody?");
    case "leave":
      return gettext("Leave this seat? You may come back by the same page.");
    case "renew":
      return gettext("Make a new link? The old one will stop working.");
    default:
      return "";
  }
}

export class Actions {
  /**
   * `seen` is where things stand, and takes the replies. `say(sentences)` speaks, `advise(lines)`
   * shows what the coach says, `asks(isThrow)` is called when something is on its way, and again
   * with false once it is answered, and `sent()` once something typed has been taken.
   */
  constructor(seen, { say, advise, asks, sent }) {
    Object.assign(this, { seen, say, advise, asks, sent });
    this.busy = false;
    this.shown = 0; // the event that was shown when the last thing was begun
    this.next = null; // what is done after it
    this.choosing = false; // a choice is on its way, and the throw after it
  }

  /** A throw, or something taken back or corrected. */
  act(what, more = {}) {
    const { table } = this.seen.view;
    return this.once(() => this.send(table, what, more));
  }

  /** A choice. Where it only says how many dice, they are thrown as well: one press throws. */
  choose(choice) {
    const before = this.seen.view;
    return this.once(async () => {
      this.choosing = true;
      try {
        const { view: after, coach } = await this.send(before.table, "choose", { choice });
        const throwsNext = isMine(after, this.seen.you) && onlyDice(before, after);
        if (throwsNext && after.settings.dice !== "hand") {
          this.next = null; // whoever pressed meanwhile meant this throw
          this.shown = after.number;
          await this.send(after.table, "throw");
        }
        if (coach.length) this.advise(coach);
      } finally {
        this.choosing = false;
      }
    });
  }

  async send(table, what, more = {}) {
    const { game, version } = table;
    const whose = { "take-back": table.taker_back, correct: table.correctable };
    const seat = whose[what] ?? table.seat;
    const body = { game, version, seat, do: what, ...more };
    this.asks(what === "throw" && !more.roll);
    const reply = await post(`${this.seen.api}/act`, body).finally(() => this.asks(false));
    this.sent();
    this.seen.takeReply(reply, what, seat);
    return reply;
  }

  /** Something that is done to a seat, or to the room. */
  async toRoom(what, body = {}) {
    const sure = asksBack(what);
    if (sure && !confirm(sure)) return;
    await this.once(async () => {
      this.seen.takeReply(await post(`${this.seen.api}/${what}`, body), what);
    });
  }

  /**
   * One thing at a time: a second press while the first is on its way does nothing, unless the
   * stream has shown already what came of the first; then it comes after it. Where that takes long,
   * it is said.
   */
  async once(work) {
    const { number } = this.seen.view;
    if (this.busy) {
      if (number > this.shown) this.next = work;
      return;
    }
    this.busy = true;
    this.shown = number;
    const slow = setTimeout(() => {
      this.say([slowWords()]);
    }, SLOW_MS);
    try {
      await work();
    } catch (error) {
      this.refuse(error);
    } finally {
      clearTimeout(slow);
      this.busy = false;
    }
    const { next } = this;
    this.next = null;
    if (next) await this.once(next);
  }

  refuse(error) {
    if (!(error instanceof Refusal)) throw error;
    const newer = error.body.view?.number > this.seen.heard;
    // Where the table has moved on, what has happened there tells why.
    if (error.code !== "out-of-date" || !newer) this.say(error.message.split("\n"));
    if (newer) this.seen.expect(error.body.view.number);
  }
}
