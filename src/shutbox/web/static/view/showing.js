// Shows what an event moves, before the event is told: dice fly, tiles fall, and the lid shuts the
// box. Until then nothing on the page, and nothing that is said, gives the result away. With motion
// turned off, or in a hidden page, the event is told at once.

import { isShut, lying } from "../model/moves.js";
import { duration } from "./dom.js";
import { LATCH_MS } from "./ending.js";
import { settings } from "./settings.js";
import * as sound from "./sound.js";

const STILL_STAGGER_MS = 70; // between the sounds of tiles that do not fall

export const isThrow = ({ kind }) => kind === "throw" || kind === "correct";

export class Showing {
  /**
   * `board` draws. `tell(events, isClosed)` tells events whose movement is over; `isClosed` says
   * whether the lid has shut the box.
   */
  constructor(board, tell) {
    Object.assign(this, { board, tell });
    this.events = null; // the events that are shown, of which the last one moves something
    this.isClosed = false;
    this.timer = 0;
    this.done = null;
  }

  /** Whether dice are in the air. */
  get isFlying() {
    return Boolean(this.events && isThrow(this.events.at(-1)));
  }

  /** Whether tiles or the lid are falling. */
  get isFalling() {
    return Boolean(this.events) && !this.isFlying;
  }

  /**
   * Shows events. `how` is the throw of a player at this screen, and `closer` the name on the plate of
   * the lid, if it shuts the box. Returns a promise that resolves when the events are told, or null if
   * they were told at once.
   */
  begin(events, how = null, closer = "") {
    this.finish();
    const last = events.at(-1);
    const { table } = last.view;
    const isAlone = events.length === 1;
    const moves = settings.motion && !document.hidden && table;
    if (moves && isThrow(last) && this.board.tumbles) return this.fly(events, table, how);
    if (moves && isAlone && last.kind === "choose" && this.fall(events, table, closer)) return this.wait(events);
    if (table) this.sounds(events, table);
    this.tell(events, false);
    return null;
  }

  fly(events, table, how) {
    const { hits, rests } = this.board.throw(lying(table), table.thrown_at, how);
    sound.knocks(hits, this.board.baize);
    rests.then(() => this.events === events && this.finish());
    return this.wait(events);
  }

  wait(events) {
    this.events = events;
    return new Promise((done) => (this.done = done));
  }

  /** Lets the tiles of a choice fall, and then the lid if they shut the box. Returns whether any fall. */
  fall(events, table, closer) {
    const fallen = this.board.fall(lying(table));
    if (!fallen.length) return false;
    const [tile, stagger] = [duration("tile"), duration("stagger")];
    fallen.forEach((one, place) => sound.clack(one, numberOf(one), place * stagger + tile));
    this.timer = setTimeout(() => {
      if (!isShut(table)) this.finish();
      else this.close(closer);
    }, (fallen.length - 1) * stagger + tile + duration("hold"));
    return true;
  }

  close(closer) {
    this.isClosed = true;
    this.board.slam(closer);
    sound.slam();
    this.timer = setTimeout(() => this.finish(), LATCH_MS);
  }

  /** Plays the sounds of events that are not animated. */
  sounds(events, table) {
    if (events.some(isThrow)) sound.settle(lying(table).filter(({ kind, state }) => kind === "die" && state === "lying"));
    const fallen = this.board.fallenAmong(lying(table));
    fallen.forEach(({ key, number }, place) => {
      sound.clack(this.board.item(key), number, place * STILL_STAGGER_MS);
    });
    if (events.at(-1).kind === "take-back") sound.tick(this.board.baize, 0, false);
  }

  /** Ends the animation and tells its events. Returns whether dice were in the air. */
  finish() {
    const { events, isClosed, isFlying, done } = this;
    if (!events) return false;
    clearTimeout(this.timer);
    Object.assign(this, { events: null, isClosed: false, done: null });
    this.board.land();
    this.tell(events, isClosed);
    done();
    return isFlying;
  }
}

const numberOf = (tile) => Number(tile.textContent.slice(0, tile.textContent.length / 2));
