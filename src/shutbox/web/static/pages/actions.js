// The viewer's actions: sends them to the server one at a time, and says why the server refused
// one. Without a network, the last choice or throw waits on this device, and is sent later.

import { gettext } from "../model/messages.js";
import { isMine, onlyDice, sidesThrown } from "../model/moves.js";
import { Refusal, actionId, post, untilAnswered } from "../net/api.js";

/** Returns the question that confirms an action. Empty if the action needs no confirmation. */
function asksBack(what, may) {
  switch (what) {
    case "end":
      if (may.give_up) return gettext("Give up this game? It ends without a result.");
      return gettext("End the game for everyone?");
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
   * `seen` is the `Sync` that holds the current view and takes the replies. `say(sentences)` speaks.
   * `advise(lines)` shows the coach's comments. `asks(sides)` is called with the sides of each die when
   * the server is asked to throw, and with null when an action fails. `sent()` is called when the server
   * has accepted the action. `withName(name, sent)` returns the reply to the request for a name.
   * `ready()` does what must come before an action. `waiting.text` is the stored action that waits, as
   * JSON, or "".
   */
  constructor(seen, { say, advise, asks, ready, sent, withName, waiting }) {
    Object.assign(this, { seen, say, advise, asks, ready, sent, withName, waiting });
    this.busy = false;
    this.shown = 0; // the number of the event on screen when the current action began
    this.next = null; // the action to run after the current one
    this.choosing = false; // a choice is being sent, perhaps followed by a throw
  }

  /** Sends a "throw", "take-back" or "correct". `more` has further fields, such as `roll`. */
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
      const offer = before.table.offers.find(({ text }) => text === choice);
      if (offer?.kind === "dice" && before.settings.dice !== "hand") {
        this.asks(sidesThrown(before.table, offer.count));
      }
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
    const body = { action: actionId(), game, version, seat, do: what, ...more };
    if (what === "throw" && !more.roll) this.asks(sidesThrown(table));
    await this.ready();
    const reply = await post(`${this.seen.api}/act`, body).catch((error) => {
      this.asks(null);
      if (error.status === 0 && ["throw", "choose"].includes(what)) throw this.keep(body);
      throw error;
    });
    this.waiting.text = "";
    this.sent();
    this.seen.takeReply(reply, what, seat);
    return reply;
  }

  /** Stores an action that could not be sent, in place of an older one. Returns the Refusal to throw. */
  keep(body) {
    this.waiting.text = JSON.stringify(body);
    const words = gettext("There is no network. Your last choice waits here, and is sent when it is back.");
    return new Refusal(0, { error: { message: words } });
  }

  /** Sends the action that waits, if there is one. If the server refuses it, drops it and says so. */
  async sendWaiting() {
    if (!this.waiting.text || this.busy) return;
    const body = JSON.parse(this.waiting.text);
    await this.once(async () => {
      try {
        const reply = await post(`${this.seen.api}/act`, body);
        this.waiting.text = "";
        this.sent();
        this.seen.takeReply(reply, body.do, body.seat);
      } catch (error) {
        if (error.status === 0) return; // not yet
        this.waiting.text = "";
        this.advise([gettext("The table has moved on. The choice that waited here was dropped.")]);
        if (error.code !== "out-of-date") throw error;
        this.seen.expect(error.body.number);
      }
    });
  }

  /** Sends an action on a seat or on the room, after asking for confirmation if needed. */
  async toRoom(what, body = {}) {
    const sure = asksBack(what, this.seen.you.may);
    if (sure && !confirm(sure)) return;
    await this.once(async () => {
      const sent = post(`${this.seen.api}/${what}`, body);
      this.seen.takeReply(await (what === "name" ? this.withName(body.name, sent) : sent), what);
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
    try {
      await untilAnswered(work(), this.say);
    } catch (error) {
      this.refuse(error);
    } finally {
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
