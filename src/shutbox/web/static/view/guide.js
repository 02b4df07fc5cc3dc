// The guiding hand of a first game: a line below the main action that says the next step, and a
// mark on what to press. It lies over the caption, so nothing moves. After three throws, or once it
// is skipped, this device never shows it again.

import { isGuided, MOST_THROWS, needsAdvice, stepOf } from "../model/guide.js";
import { byId, focusMain, set, text } from "./dom.js";
import { keep, kept } from "./storage.js";

const NAME = "shutbox.guide";
const DONE = "done";

let guided = kept(NAME) ?? "0"; // how many throws were, or that it is done

export class Guide {
  /** `ask` asks for a hint; `advised` is called once its answer is there. */
  constructor({ ask, advised }) {
    this.ask = ask;
    this.advised = advised;
    this.place = ""; // the choice that was asked about last
    this.advice = []; // what is advised there, the best first; undefined until it comes
    this.step = null;
    this.said = new Set(); // the steps that were
    byId("guide-skip").addEventListener("click", () => {
      remember(DONE);
      this.show(null);
      focusMain();
    });
  }

  /** Counts the throws of this viewer's seat among events; with the end of a game the guide ends. */
  count(events, you) {
    if (guided === DONE) return;
    const own = events.filter(({ kind, seat }) => kind === "throw" && you.seats.includes(seat));
    if (own.length) remember(String(Number(guided) + own.length));
  }

  /** Shows the step that is due. */
  draw(view, you, picked) {
    const isOff = guided === DONE || !isGuided(view, you);
    if (!isOff && view.table) this.seek(view, you);
    const step = isOff ? null : stepOf(view, you, picked, this.advice);
    const isLearnt = step?.name === "throw" && Number(guided) >= MOST_THROWS;
    if (!isOff && (isLearnt || view.phase === "over" || view.phase === "ended")) remember(DONE);
    this.show(isLearnt ? null : step);
  }

  /** Asks for advice once for each choice that needs it; where none comes, it goes without. */
  async seek(view, you) {
    const place = `${view.table.game} ${view.table.version}`;
    if (place === this.place) return;
    this.place = place;
    this.advice = [];
    if (!needsAdvice(view, you)) return;
    this.advice = undefined;
    const { figures, choice } = await this.ask().catch(() => ({}));
    if (place !== this.place) return;
    this.advice = figures?.choices.map(({ text }) => text) ?? [choice].filter(Boolean);
    this.advised();
  }

  /**
   * What to say of the step that is shown, once: only which tiles to press. How to throw, and what is
   * asked, is said with the question; what is picked is said with its key.
   */
  words() {
    const now = `${guided} ${this.step?.name}`;
    if (!this.step?.tiles.length || this.said.has(now)) return [];
    this.said.add(now);
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
  keep(NAME, throws);
}
