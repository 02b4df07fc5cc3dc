// Shows events one after the other, with a rest after each, so that a burst of a computer player
// can be followed. Whatever a person does hurries: then all that waits is shown at once.

export class EventQueue {
  /** `show(events)` shows one event, or several at once; `rest(event)` is the pause after it. */
  constructor(show, rest) {
    Object.assign(this, { show, rest, queue: [], free: 0, timer: null });
  }

  get isIdle() {
    return this.queue.length === 0;
  }

  add(event) {
    this.queue.push(event);
    this.step();
  }

  /**
   * Shows all that waits, and what comes next without a rest, or only events up to this number;
   * whether there were any.
   */
  hurry(number = Infinity) {
    if (number === Infinity) {
      clearTimeout(this.timer);
      [this.timer, this.free] = [null, 0];
    }
    const last = this.queue.findLastIndex((event) => event.number <= number);
    const waited = this.queue.splice(0, last + 1);
    if (waited.length) this.show(waited);
    return waited.length > 0;
  }

  step() {
    if (this.timer !== null || this.isIdle) return;
    const wait = this.free - performance.now();
    if (wait > 0 && !document.hidden) {
      this.timer = setTimeout(() => {
        this.timer = null;
        this.step();
      }, wait);
      return;
    }
    const event = this.queue.shift();
    this.free = performance.now() + this.rest(event);
    this.show([event]);
    this.step();
  }
}
