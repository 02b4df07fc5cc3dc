// The guide for a first game: a line below the main button with the next step, and a mark on what
// to press. It covers the caption, so nothing moves. It stops after three throws or when it is
// skipped, and this device never shows it again.

import { isGuided, MOST_THROWS, needsAdvice, stepOf } from "../model/guide.js";
import { byId, focusMain, set, text } from "./dom.js";
import { storedText, storeText } from "./storage.js";

const NAME = "shutbox.guide";
const DONE = "done";

let guided = storedText(NAME) ?? "0"; // the number of throws so far, or `DONE`

export class Guide {
  /** `get(path)` requests JSON. `advised` is called when a hint has arrived. */
  constructor(get, advised) {
    Object.assign(this, { get, advised });
    this.place = ""; // the position of the last hint request
    this.advice = []; // the recommended choices there, best first; undefined while the hint is fetched
    this.step = null;
    this.announced = new Set(); // the steps said before
    byId("guide-skip").addEventListener("click", () => {
      remember(DONE);
      this.show(null);
      focusMain();
    });
  }

  /** Counts the throws of this viewer's seats among events. */
  count(events, you) {
    if (guided === DONE) return;
    const own = events.filter(({ kind, seat }) => kind === "throw" && you.seats.includes(seat));
    if (own.length) remember(String(Number(guided) + own.length));
  }

  /** Shows the next step. The guide ends with the game. */
  draw(view, you, picked) {
    const isOff = guided === DONE || !isGuided(view, you);
    if (!isOff && view.table) this.seek(view, you);
    const step = isOff ? null : stepOf(view, you, picked, this.advice);
    const isLearnt = step?.name === "throw" && Number(guided) >= MOST_THROWS;
    if (!isOff && (isLearnt || view.phase === "over" || view.phase === "ended")) remember(DONE);
    this.show(isLearnt ? null : step);
  }

  /** Fetches a hint once for each choice that needs one. Without it, the guide goes on. */
  async seek(view, you) {
    const place = `${view.table.game} ${view.table.version}`;
    if (place === this.place) return;
    this.place = place;
    this.advice = [];
    if (!needsAdvice(view, you)) return;
    this.advice = undefined;
    const { figures, choice } = await this.get(`/api/rooms/${view.room}/hint`).catch(() => ({}));
    if (place !== this.place) return;
    this.advice = figures?.choices.map(({ text }) => text) ?? [choice].filter(Boolean);
    this.advised();
  }

  /**
   * Returns what to say about the current step, once: only which tiles to press. The question
   * itself covers how to throw, and a picked tile is announced when it is pressed.
   */
  words() {
    const now = `${guided} ${this.step?.name}`;
    const isTold = this.step?.name === "only"; // by the question
    if (!this.step?.tiles.length || isTold || this.announced.has(now)) return [];
    this.announced.add(now);
    return [this.step.says];
  }

  show(step) {
    this.step = step;
    byId("guide").hidden = !step;
    const points = step?.tiles.length ? "tiles" : "main";
    set(byId("stage"), "data-guide", step ? points : null);
    for (const tile of byId("board").querySelectorAll(".tiles > li")) {
      set(tile, "data-guided", Boolean(step?.tiles.includes(tile.dataset.key)));
    }
    if (step) text(byId("guide").querySelector("p"), step.says);
  }
}

function remember(throws) {
  guided = throws;
  storeText(NAME, throws);
}
