// The end of a game, in steps: the lid after the last tile or the last dice, a pause, and then the
// result and the next actions. If the box is shut, the lid falls and its brass plate names the
// player. If tiles still stand, they catch the lid. Rows have none. A press skips to the end. With
// motion turned off, everything appears at once.

import { pgettext } from "../model/messages.js";
import { isShut } from "../model/moves.js";
import { hasRows } from "../model/rows.js";
import { byId, duration, text } from "./dom.js";
import { settings } from "./settings.js";
import * as sound from "./sound.js";

export const LATCH_MS = 560; // from the lid that begins to fall until it has come to rest

export class Ending {
  /** `board` has the lid. */
  constructor(board) {
    this.board = board;
    this.timers = [];
  }

  /** Shows a game that had ended before the page was opened: tiles that are up hold the lid. */
  showEnded(view) {
    this.clear();
    this.catchLid(view);
  }

  /**
   * Starts the end of a game, or of a turn that shut the box. If the lid `isClosed` already, its
   * latch has just fallen. `name` is the player who shut the box. `ends` is called when everything
   * is shown.
   */
  begin(view, { name, isClosed, ends }) {
    this.clear();
    const shuts = isShut(view.table);
    const falls = () => {
      if (hasRows(view.table)) sound.endRows(view.table.shut);
      else if (shuts) {
        this.board.lid.shut(name);
        if (!isClosed) sound.slam();
      } else {
        this.catchLid(view);
        sound.catchLid();
      }
    };
    if (!settings.motion) {
      falls();
      this.schedule(duration("end"), ends);
      return;
    }
    if (view.phase === "over") byId("stage").classList.add("ending");
    const before = isClosed ? 0 : duration("hold");
    if (before) this.schedule(before, falls);
    this.schedule(before + (isClosed ? 0 : LATCH_MS) + duration("end"), () => {
      this.finish();
      ends();
    });
  }

  /** Does something after `pause` ms, unless the end is skipped or cleared before. */
  schedule(pause, does) {
    const timer = setTimeout(() => {
      this.timers = this.timers.filter((other) => other.timer !== timer);
      does();
    }, pause);
    this.timers.push({ does, timer });
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

  /** Shows the result and the next actions. */
  finish() {
    byId("stage").classList.remove("ending");
  }

  /** Removes everything that shows an ended game. */
  clear() {
    for (const { timer } of this.timers) clearTimeout(timer);
    this.timers = [];
    this.finish();
    this.board.lid.hold(false);
    byId("left").hidden = true;
  }

  /** Shows the lid held by tiles that are up, and if that is the score, the points left. */
  catchLid({ phase, table }) {
    const stands = table?.pieces.some(({ kind, state }) => kind === "tile" && state === "up");
    if (phase !== "over" || isShut(table) || hasRows(table) || !stands) return;
    this.board.lid.hold(true);
    byId("left").hidden = table.remaining === null;
    text(byId("left").firstElementChild, String(table.remaining ?? ""));
    text(byId("left").lastElementChild, pgettext("result", "left"));
  }
}
