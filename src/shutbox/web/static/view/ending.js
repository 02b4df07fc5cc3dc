// The end of a game is a moment: the last tile lies, a hold, then the lid. Where the box is shut, it
// falls and its plate of brass tells by whom; where tiles still stand, they catch it. Then another
// hold, and what can be done next. A press skips to the end of it; without motion all is there at
// once.

import { gettext } from "../model/messages.js";
import { isShut } from "../model/moves.js";
import { byId, text } from "./dom.js";
import { settings } from "./settings.js";

/** A time of the style sheets in milliseconds, as base.css has it. */
const ms = (name) =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`));

export class Ending {
  /** `board` has the lid. */
  constructor(board) {
    this.board = board;
    this.timers = [];
  }

  /** How a game stands that was over before anybody looked: tiles that stand hold the lid. */
  stand(view) {
    this.clear();
    this.caught(view);
  }

  /** Begins the end of a turn after which the box is shut, or of a game; `fallen` tiles fall first; `ends` follows. */
  begin(view, fallen, { name, lands, ends }) {
    this.clear();
    const { table, phase } = view;
    const isOver = phase === "over";
    const last = ms("hold") + (fallen ? ms("tile") + (fallen - 1) * ms("stagger") : 0);
    const falls = () => {
      if (isShut(table)) this.board.slam(name);
      else this.caught(view);
      lands();
    };
    if (!settings.motion) {
      falls();
      this.after(ms("end"), ends);
      return;
    }
    if (isOver) byId("stage").classList.add("ending");
    this.after(last, falls);
    this.after(last + ms("lid") + ms("end"), () => {
      this.finish();
      ends();
    });
  }

  after(pause, does) {
    const step = { does, timer: setTimeout(() => this.take(step), pause) };
    this.timers.push(step);
  }

  take(step) {
    this.timers = this.timers.filter((other) => other !== step);
    step.does();
  }

  /** All of it at once; whether the game is over and the press was for that. Who plays on is not held up. */
  skip() {
    const isEnding = byId("stage").classList.contains("ending");
    const left = isEnding ? this.timers : [];
    for (const { timer } of this.timers) clearTimeout(timer);
    this.timers = [];
    for (const { does } of left) does();
    return isEnding;
  }

  finish() {
    byId("stage").classList.remove("ending");
  }

  /** Nothing is over any more. */
  clear() {
    for (const { timer } of this.timers) clearTimeout(timer);
    this.timers = [];
    this.finish();
    this.board.frame.classList.remove("caught");
    byId("left").hidden = true;
  }

  /** The tiles that stand hold the lid, and its plate tells what is left, where that is a winner's score. */
  caught({ phase, table }) {
    const stands = table?.pieces.some(({ kind, state }) => kind === "tile" && state === "up");
    if (phase !== "over" || isShut(table) || !stands) return;
    this.board.frame.classList.add("caught");
    byId("left").hidden = table.remaining === null;
    text(byId("left").firstElementChild, String(table.remaining ?? ""));
    text(byId("left").lastElementChild, gettext("left"));
  }
}
