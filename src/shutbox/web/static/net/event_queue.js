// A queue that shows events one at a time, with a pause after each, so that people can follow a
// computer player. An event that takes time, such as a throw, is shown to its end before the next
// one. When a player acts, all waiting events are shown at once.

export class EventQueue {
  /**
   * `page.show(events)` shows one event, or several at once. It returns a promise that resolves when
   * what they move lies still, or null if nothing moves. `page.pauseAfter(event)` returns the pause
   * after an event in milliseconds.
   */
  constructor(page) {
    this.page = page;
    this.queue = []; // the events that wait
    this.free = 0; // the time when the next one can be shown; Infinity while something moves
    this.timer = null; // until then
    this.shown = 0; // counts what was shown
  }

  /** Whether no event waits. */
  get isIdle() {
    return this.queue.length === 0;
  }

  /** Adds an event, and shows it at once if nothing is shown before it. */
  add(event) {
    this.queue.push(event);
    this.step();
  }

  /**
   * Shows all waiting events at once, up to this number if one is given. Without a number, the next
   * event is not delayed either. Returns whether any event was waiting.
   */
  hurry(number = Infinity) {
    if (number === Infinity) {
      clearTimeout(this.timer);
      [this.timer, this.free] = [null, 0];
    }
    const last = this.queue.findLastIndex((event) => event.number <= number);
    const waited = this.queue.splice(0, last + 1);
    if (waited.length) this.begin(waited);
    this.step();
    return waited.length > 0;
  }

  /** Shows events. The next one waits until they lie still, and then for the pause. */
  begin(events) {
    const mine = (this.shown += 1);
    const moving = this.page.show(events);
    if (!moving) {
      // The animation before was cut short, and its promise is ignored.
      if (this.free === Infinity) this.free = this.timeAfter(events);
      return;
    }
    this.free = Infinity;
    moving.then(() => {
      if (mine !== this.shown) return;
      this.free = this.timeAfter(events);
      this.step();
    });
  }

  /** Returns the time when the pause after these events is over. */
  timeAfter(events) {
    return performance.now() + this.page.pauseAfter(events.at(-1));
  }

  /** Shows the next event if it is time, or else waits until then. */
  step() {
    if (this.timer !== null || this.isIdle || this.free === Infinity) return;
    const wait = this.free - performance.now();
    if (wait > 0 && !document.hidden) {
      this.timer = setTimeout(() => {
        this.timer = null;
        this.step();
      }, wait);
      return;
    }
    const event = this.queue.shift();
    this.free = this.timeAfter([event]);
    this.begin([event]);
    this.step();
  }
}
