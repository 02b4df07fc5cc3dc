// The end of a game, in steps: the last tile goes down, a pause, the lid, another pause, and then
// the next actions. If the box is shut, the lid falls and its brass plate names the player. If
// tiles still stand, they catch the lid. A press skips to the end. With motion turned off,
// everything appears at once.

import { gettext } from "../model/messages.js";
import { isShut } from "../model/moves.js";
import { byId, text } from "./dom.js";
import { settings } from "./settings.js";

/** Returns a duration from base.css in milliseconds. */
const ms = (name) =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`));

export class Ending {
  /** `board` draws the lid. */
  constructor(board) {
    this.board = board;
    this.timers = [];
  }

  /** Shows a game that had ended before the page was opened: tiles that are up hold the lid. */
  stand(view) {
    this.clear();
    this.caught(view);
  }

  /**
   * Starts the end of a game, or of a turn that shut the box. The `fallen` tiles go down first.
   * `lands` is called when the lid comes down, and `ends` when everything is shown.
   */
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

  /**
   * Skips the animation at the end of a game. Returns whether there was one, so that the press has
   * been used. After a turn within a match, only stops the timers, so that the game goes on at
   * once.
   */
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

  /** Removes everything that shows an ended game. */
  clear() {
    for (const { timer } of this.timers) clearTimeout(timer);
    this.timers = [];
    this.finish();
    this.board.frame.classList.remove("caught");
    byId("left").hidden = true;
  }

  /**
   * Shows the lid held by the tiles that are up. Its plate shows the remaining points, if the
   * winner's score is what remains.
   */
  caught({ phase, table }) {
    const stands = table?.pieces.some(({ kind, state }) => kind === "tile" && state === "up");
    if (phase !== "over" || isShut(table) || !stands) return;
    this.board.frame.classList.add("caught");
    byId("left").hidden = table.remaining === null;
    text(byId("left").firstElementChild, String(table.remaining ?? ""));
    text(byId("left").lastElementChild, gettext("left"));
  }
}
