// Shows what an event moves, before the event is told: dice fly, tiles fall, and the lid shuts the
// box. Until then nothing on the page, and nothing that is said, gives the result away. With motion
// turned off, or in a hidden page, the event is told at once.

import { isShut, lastPieces } from "../model/moves.js";
import { duration } from "./dom.js";
import { LATCH_MS } from "./ending.js";
import { settings } from "./settings.js";
import * as sound from "./sound.js";

const STILL_STAGGER_MS = 70; // between the sounds of tiles that do not fall

export const isThrow = ({ kind }) => kind === "throw" || kind === "correct";

export class Showing {
  /** Calls `tell(events, isClosed)` when all lies still. `isClosed`: the lid has shut the box. */
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
   * Shows events. `how` is the way a throw flies, and `closer` the name on the plate of
   * the lid, if it shuts the box. Returns a promise that resolves when the events are told, or null if
   * they were told at once.
   */
  begin(events, how = {}, closer = "") {
    this.finish();
    const last = events.at(-1);
    const { table } = last.view;
    const isAlone = events.length === 1;
    const moves = settings.motion && !document.hidden && table;
    if (moves && isThrow(last) && this.board.tumbles) return this.fly(events, table, how);
    if (moves && isAlone && last.kind === "choose" && this.fall(table, closer)) return this.waitFor(events);
    if (table) this.playSounds(events, table);
    this.tell(events, false);
    return null;
  }

  /** Throws the dice of the last event. Returns a promise that resolves when they are told. */
  fly(events, table, how) {
    const { hits, rests } = this.board.throw(lastPieces(table), table.thrown_at, how);
    sound.playHits(hits, this.board.baize);
    rests.then(() => this.events === events && this.finish());
    return this.waitFor(events);
  }

  /** Holds events until `finish`. Returns a promise that resolves then. */
  waitFor(events) {
    this.events = events;
    return new Promise((done) => (this.done = done));
  }

  /** Lets the tiles of a choice fall, and then the lid if they shut the box. Returns whether any fall. */
  fall(table, closer) {
    const fallen = this.board.fall(lastPieces(table));
    if (!fallen.length) return false;
    const [tile, stagger] = [duration("tile"), duration("stagger")];
    fallen.forEach((leaf, place) => sound.clack(leaf, numberOf(leaf), place * stagger + tile));
    this.timer = setTimeout(() => {
      if (!isShut(table)) this.finish();
      else this.closeLid(closer);
    }, (fallen.length - 1) * stagger + tile + duration("hold"));
    return true;
  }

  /** Lets the lid shut the box, after its last tile. */
  closeLid(closer) {
    this.isClosed = true;
    this.board.lid.shut(closer);
    sound.slam();
    this.timer = setTimeout(() => this.finish(), LATCH_MS);
  }

  /** Plays the sounds of events that are not animated. */
  playSounds(events, table) {
    if (events.some(isThrow)) sound.settle(lastPieces(table).filter(({ kind, state }) => kind === "die" && state === "lying"));
    const fallen = this.board.goneDown(lastPieces(table));
    fallen.forEach(({ key, number }, place) => {
      sound.clack(this.board.elementOf(key), number, place * STILL_STAGGER_MS);
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
