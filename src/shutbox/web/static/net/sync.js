// What comes in, and where things stand. Every event has a number, and comes by the stream and as
// the reply to one's own action; whichever is first is shown, the other one is dropped.

import { gettext } from "../model/messages.js";
import { get } from "./api.js";
import { EventQueue } from "./event_queue.js";
import { Socket } from "./socket.js";

const BEHIND_MS = 1500;
const PATIENCE_MS = 125_000;

export class Sync {
  /**
   * `boot` is what the page came with. `rest(event)` is the pause after an event; `show(events)`
   * shows some, `stand(view)` shows where things stand without what led there, and `draw()` what
   * else has changed; `speech` says sentences and fills the log;
   * `refused(error)` tells why the server told nothing. Who shows a view makes it the `view`
   * here.
   */
  constructor({ view, you }, { rest, show, stand, draw, speech, refused }) {
    Object.assign(this, { view, you, stand, draw, speech, refused });
    this.api = `/api/rooms/${view.room}`;
    this.watching = view.watching; // the newest count: events that wait to be shown have older ones
    this.heard = view.number; // the newest event that is here, shown or waiting to be shown
    this.patience = null;
    this.events = new EventQueue(show, rest);
    this.socket = new Socket(view.room, {
      since: () => this.heard,
      hears: (message) => this.hear(message),
      away: (isAway) => {
        const lost = gettext("Connection lost, coming back…");
        speech.say([isAway ? lost : gettext("The connection is back.")]);
      },
      refused: () => this.ask(),
    });
    this.wait();
  }

  hear(message) {
    this.count(message.watching ?? message.view.watching);
    if (message.type === "watching") return;
    if (message.type === "picture") {
      if (message.number <= this.heard && message.number === this.view.number) return;
      this.speech.fill(message.log, message.view);
      this.takePicture(message.view);
      this.ask();
    } else if (message.number > this.heard) {
      this.heard = message.number;
      this.events.add({ number: message.number, view: message.view, ...message.happened });
      if (message.you_changed) this.ask();
    }
    this.wait();
  }

  count(watching) {
    if (watching === this.watching) return;
    this.watching = watching;
    this.draw();
  }

  /** A player who is due and does nothing for long may be stood in for; no event tells that. */
  wait() {
    clearTimeout(this.patience);
    const { seats, host } = this.you;
    if (seats.length || host) this.patience = setTimeout(() => this.ask(), PATIENCE_MS);
  }

  /**
   * The reply to one's own action: shown at once if nothing is missing before it, and if what it
   * shows is not what came about later.
   */
  takeReply({ number, view, you, said, move, brief }, kind, seat = null) {
    this.you = you;
    if (said && number === this.heard + 1 && view.number === number) {
      this.heard = number;
      this.events.add({ number, view, kind, seat, says: said, brief, move, isOwn: true });
    } else if (number > this.heard) {
      this.expect(number); // something came in between, or the reply has no words
    }
    this.events.hurry(number);
    this.draw();
  }

  /** The stream brings what led to this event, in order; unless it is down. */
  expect(number) {
    setTimeout(() => this.heard < number && this.ask(), this.socket.isOpen ? BEHIND_MS : 0);
  }

  takePicture(view) {
    this.events.hurry();
    this.heard = Math.max(this.heard, view.number);
    if (view.number >= this.view.number) this.stand(view);
  }

  /** Asks the server who is looking, and where things stand. */
  async ask() {
    try {
      const { view, you, log } = await get(this.api);
      this.you = you;
      if (view.number > this.heard) {
        this.speech.fill(log, view);
        this.count(view.watching);
        this.takePicture(view);
      } else {
        this.draw();
      }
    } catch (error) {
      this.refused(error);
    }
  }
}
