// The viewer's actions: sends them to the server one at a time, and says why the server refused
// one.

import { gettext } from "../model/messages.js";
import { isMine, onlyDice } from "../model/moves.js";
import { Refusal, post } from "./api.js";
import { slowWords } from "./request.js";

const SLOW_MS = 1500;

/**
 * Returns the question to confirm an action that cannot be taken back. Empty for every other
 * action.
 */
function asksBack(what) {
  switch (what) {
    case "end":
      return gettext("End the game for everybody?");
    case "leave":
      return gettext("Leave this seat? You can come back on the same page.");
    case "renew":
      return gettext("Make a new link? The old one will stop working.");
    default:
      return "";
  }
}

export class Actions {
  /**
   * `seen` holds the current view and takes the replies. `say(sentences)` speaks. `advise(lines)`
   * shows the coach's comments. `asks(isThrow)` is called when a request is sent, with true if the
   * server throws the dice, and with false when the answer is here. `sent()` is called when the
   * server has accepted the action.
   */
  constructor(seen, { say, advise, asks, sent }) {
    Object.assign(this, { seen, say, advise, asks, sent });
    this.busy = false;
    this.shown = 0; // the number of the event on screen when the current action began
    this.next = null; // the action to run after the current one
    this.choosing = false; // a choice is being sent, perhaps followed by a throw
  }

  /** Sends a throw, a take-back or a correction. */
  act(what, more = {}) {
    const { table } = this.seen.view;
    return this.once(() => this.send(table, what, more));
  }

  /**
   * Sends a choice. If it only decides how many dice to throw, throws them as well, so that one
   * press is enough.
   */
  choose(choice) {
    const before = this.seen.view;
    return this.once(async () => {
      this.choosing = true;
      try {
        const { view: after, coach } = await this.send(before.table, "choose", { choice });
        const throwsNext = isMine(after, this.seen.you) && onlyDice(before, after);
        if (throwsNext && after.settings.dice !== "hand") {
          this.next = null; // a press in the meantime meant this throw
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

  /** Sends an action on a seat or on the room, after asking for confirmation if needed. */
  async toRoom(what, body = {}) {
    const sure = asksBack(what);
    if (sure && !confirm(sure)) return;
    await this.once(async () => {
      this.seen.takeReply(await post(`${this.seen.api}/${what}`, body), what);
    });
  }

  /**
   * Runs one action at a time. A second action is dropped while the first one is being sent. If the
   * stream has already shown the result of the first, the second runs after it. If the answer takes
   * long, says so.
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
    // If another event came first, its own sentence explains the refusal.
    if (error.code !== "out-of-date" || !newer) this.say(error.message.split("\n"));
    if (newer) this.seen.expect(error.body.view.number);
  }
}
