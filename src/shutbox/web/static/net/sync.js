// The current view, kept up to date by numbered events. An event can arrive twice: on the stream,
// and as the reply to the viewer's own action. The first is shown and the second is dropped.

import { get } from "./api.js";
import { EventQueue } from "./event_queue.js";
import { Socket } from "./socket.js";

const BEHIND_MS = 1500;
const PATIENCE_MS = 125_000;

export class Sync {
  /**
   * `page` is the TablePage. It holds the `view`, what `you` may do, and how many are `watching`.
   * Its `show(events)` shows events, and `showView(view)` a view without the events before it. Both
   * store the view. `log.fill(lines, view)` fills the list of moves, `veil(message)` hides what this
   * viewer does not want to see, and `seal(view, you)` does what sealed dice wait for.
   */
  constructor(page) {
    const { view, you } = page;
    this.page = page;
    this.heard = view.number; // the latest event received, whether shown or still waiting
    this.quiet = 0; // how many events changed the view without being shown
    this.patience = null; // the timer of `wait`
    this.events = new EventQueue(page);
    this.socket = new Socket(view.room, this);
    this.wait();
    page.seal(view, you);
  }

  /** Takes a message of the stream: an event, a picture of the table, or a count of viewers. */
  receive(sent) {
    const message = this.page.veil(sent);
    this.count(message.watching ?? message.view.watching);
    if (message.type === "watching") return;
    this.page.seal(message.view, this.page.you); // at once: other players wait for it
    if (message.type === "picture") {
      if (message.number <= this.heard && message.number === this.page.view.number) return;
      this.takePicture(message.view, message.log);
      this.ask();
    } else if (message.number > this.heard) {
      this.heard = message.number;
      if (message.happened.kind === "dice") this.takeQuietly(message.view);
      else this.events.add({ number: message.number, view: message.view, ...message.happened });
      if (message.you_changed) this.ask();
    }
    this.wait();
  }

  /** Takes the view of an event about sealed dice, which is not told, with the last that waits. */
  takeQuietly(view) {
    const last = this.events.queue.at(-1) ?? this.page;
    const [old, now] = [last.view.table, view.table];
    if (old?.version !== now?.version || old?.game !== now?.game) return;
    last.view = view;
    this.quiet += 1;
    this.page.refresh();
  }

  /** Takes the number of viewers. */
  count(watching) {
    if (watching === this.page.watching) return;
    this.page.watching = watching;
    this.page.refresh();
  }

  /**
   * Schedules a request for the viewer's permissions. A player who does nothing for a long time may
   * be replaced, and no event announces that.
   */
  wait() {
    clearTimeout(this.patience);
    const { seats, host } = this.page.you;
    if (seats.length || host) this.patience = setTimeout(() => this.ask(), PATIENCE_MS);
  }

  /**
   * Takes the reply to the viewer's own action. Shows it at once if no event before it is missing
   * and its view does not include later events.
   */
  takeReply(reply, kind, seat = null) {
    const { number, view, you, said, move, brief, own } = this.page.veil(reply);
    this.page.you = you;
    if (said && number === this.heard + 1 && view.number === number) {
      this.heard = number;
      this.events.add({ number, view, kind, seat, says: said, brief, own, move, isOwn: true });
    } else if (number > this.heard) {
      this.expect(number); // another event came first, or the reply has no sentences
    }
    this.events.hurry(number);
    this.page.refresh();
  }

  /** Expects the events up to this number. If the stream is closed or late, asks the server. */
  expect(number) {
    setTimeout(() => this.heard < number && this.ask(), this.socket.isOpen ? BEHIND_MS : 0);
  }

  /** Takes a picture of the table, after all events that wait. An older one is only listed. */
  takePicture(view, log) {
    this.events.hurry();
    this.page.log.fill(log, view);
    this.heard = Math.max(this.heard, view.number);
    if (view.number >= this.page.view.number) this.page.showView(view);
  }

  /** Fetches the viewer's permissions and the current view. */
  async ask() {
    try {
      const { view, you, log } = this.page.veil(await get(this.page.api));
      this.page.you = you;
      this.page.seal(view, you);
      if (view.number > this.heard) {
        this.count(view.watching);
        this.takePicture(view, log);
      } else {
        this.page.refresh();
      }
    } catch (error) {
      this.page.actions.refuse(error);
    }
  }
}
