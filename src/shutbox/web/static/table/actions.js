// The viewer's actions: sends them to the server one at a time, and says why the server refused
// one. Without a network, the last choice or throw waits on this device, and is sent later.

import { gettext } from "../model/messages.js";
import { isMyTurn, choseOnlyDice, sidesThrown } from "../model/moves.js";
import { Refusal, get, post, randomText, untilAnswered } from "../net/api.js";
import { byId } from "../view/dom.js";
import { takeAnswer, say } from "../view/live_region.js";
import * as sound from "../view/sound.js";
import { CANNOT_BE_DONE, storedText, storeText, withName } from "../view/storage.js";
import { giveWord } from "./words.js";

const WAITING = "shutbox.waiting/"; // before the id of a room

/** Returns the questions that confirm actions, by action. */
const questions = (may) => ({
  end: may.give_up
    ? gettext("Give up this game? It ends without a result.")
    : gettext("End the game for everyone?"),
  leave: gettext("Leave this seat? You can come back on the same page."),
  renew: gettext("Make a new link? The old one will stop working."),
});

export class Actions {
  /** `page` is the TablePage. */
  constructor(page) {
    this.page = page;
    this.busy = false;
    this.shown = 0; // the number of the event on screen when the current action began
    this.next = null; // the action to run after the current one
    this.choosing = false; // a choice is being sent, perhaps followed by a throw
    this.isThrow = false; // the latest action throws dice
    this.number = 0; // of the event that it became
    this.typed = []; // functions that wait for it
  }

  /** The action that waits for a network on this device, as JSON; empty if there is none. */
  get waiting() {
    return storedText(WAITING + this.page.view.room) ?? "";
  }

  set waiting(action) {
    storeText(WAITING + this.page.view.room, action);
  }

  /** Whether a throw of this screen is being sent or shown. */
  get throws() {
    return this.isThrow && (this.busy || this.page.view.number < this.number);
  }

  /** Runs `does`, which was typed. If it `waits`, the dice in the air lie at once, and then it runs. */
  runTyped(does, waits) {
    if (!waits) return does();
    this.typed.push(does);
    this.page.showing.finish();
  }

  /** Runs what was typed, up to something that is sent. */
  takeTyped() {
    while (this.typed.length && !this.busy && !this.throws) this.typed.shift()();
  }

  /** Sends a "throw", "take-back" or "correct". `more` has further fields, such as `roll`. */
  act(what, more = {}) {
    const { table } = this.page.view;
    return this.runAlone(() => this.send(table, what, more));
  }

  /**
   * Sends a choice, or keeps it until this seat is due. If it only decides how many dice to throw,
   * throws them as well, so that one press is enough.
   */
  choose(choice) {
    const before = this.page.view;
    if (before.table.early) {
      this.page.kept = { choice, at: before.table.thrown_at };
      return this.page.refresh();
    }
    return this.runAlone(async () => {
      this.choosing = true;
      const offer = before.table.offers.find(({ text }) => text === choice);
      if (offer?.kind === "dice" && before.settings.dice !== "hand") {
        this.isThrow = true;
        this.page.throwing.pickUp(sidesThrown(before.table, offer.count));
      }
      try {
        const { view: after, coach } = await this.send(before.table, "choose", { choice });
        const throwsNext = isMyTurn(after, this.page.you) && choseOnlyDice(before, after);
        if (throwsNext && after.settings.dice !== "hand") {
          this.next = null; // a press in the meantime meant this throw
          this.shown = after.number;
          await this.send(after.table, "throw");
        }
        if (coach.length) say(coach, { lasts: true });
      } finally {
        this.choosing = false;
      }
    });
  }

  /** Sends an action on a table, and shows its reply. Resolves to it, or rejects with a Refusal. */
  async send(table, what, more = {}) {
    takeAnswer();
    const { game, version } = table;
    const whose = { "take-back": table.taker_back, correct: table.correctable };
    const seat = whose[what] ?? table.seat;
    const body = { action: randomText(), game, version, seat, do: what, ...more };
    this.isThrow ||= what === "throw";
    if (what === "throw" && !more.roll) this.page.throwing.pickUp(sidesThrown(table));
    await giveWord(this.page.view, this.page.you);
    const reply = await post(`${this.page.api}/act`, body).catch((error) => {
      this.page.throwing.putDown();
      if (error.status === 0 && ["throw", "choose"].includes(what)) throw this.keepWaiting(body);
      throw error;
    });
    this.takeReply(reply, body);
    return reply;
  }

  /** Takes the reply to an action. The typed dice have been thrown. */
  takeReply(reply, { do: what, seat }) {
    this.waiting = "";
    byId("roll").value = "";
    this.number = reply.number;
    this.page.sync.takeReply(reply, what, seat);
  }

  /** Stores an action that could not be sent, over an older one. Returns the Refusal to throw. */
  keepWaiting(body) {
    this.waiting = JSON.stringify(body);
    const words = gettext("There is no network. Your last choice waits here, and is sent when it is back.");
    return new Refusal(0, { error: { message: words } });
  }

  /** Sends the action that waits, if there is one. If the server refuses it, drops it and says so. */
  async sendWaiting() {
    if (!this.waiting || this.busy) return;
    const body = JSON.parse(this.waiting);
    await this.runAlone(async () => {
      try {
        this.takeReply(await post(`${this.page.api}/act`, body), body);
      } catch (error) {
        if (error.status === 0) return; // not yet
        this.waiting = "";
        const dropped = gettext("The table has moved on. The choice that waited here was dropped.");
        say([dropped], { lasts: true });
        if (error.code !== "out-of-date") throw error;
        this.page.sync.expect(error.body.number);
      }
    });
  }

  /**
   * Sends an action on a seat or on the room, after asking for confirmation if needed. `refused(error)`
   * says why what was typed is refused.
   */
  async toRoom(what, body = {}, refused = null) {
    const sure = questions(this.page.you.may)[what];
    if (sure && !confirm(sure)) return;
    await this.runAlone(async () => {
      const sent = post(`${this.page.api}/${what}`, body);
      const reply = await (what === "name" ? withName(body.name, sent) : sent).catch((error) => {
        if (!refused || error.status !== CANNOT_BE_DONE) throw error;
        refused(error);
      });
      if (reply) this.page.sync.takeReply(reply, what);
    });
  }

  /**
   * Runs one action at a time. A second action is dropped while the first one is being sent. If the
   * stream has already shown the result of the first, the second runs after it. If the answer takes
   * long, says so. Resolves to false if it is refused.
   */
  async runAlone(work) {
    const { number } = this.page.view;
    if (this.busy) {
      if (number > this.shown) this.next = work;
      return;
    }
    this.busy = true;
    this.isThrow = false;
    this.shown = number;
    let isDone = true;
    try {
      await untilAnswered(work(), say);
    } catch (error) {
      isDone = false;
      this.refuse(error);
    } finally {
      this.busy = false;
    }
    const { next } = this;
    this.next = null;
    if (next) await this.runAlone(next);
    this.takeTyped();
    return isDone;
  }

  /** Fetches a hint. Returns null if the server refuses it, and says why. */
  fetchHint() {
    return get(`${this.page.api}/hint`).catch((error) => {
      this.refuse(error);
      return null;
    });
  }

  /** Says why the server refused an action, and catches up if the table has moved on. */
  refuse(error) {
    if (!(error instanceof Refusal)) throw error;
    const newer = error.body.view?.number > this.page.sync.heard;
    // If another event came first, its own sentence explains the refusal.
    if (error.code !== "out-of-date" || !newer) say(sound.refuse(error.message.split("\n")));
    if (newer) this.page.sync.expect(error.body.view.number);
  }
}
