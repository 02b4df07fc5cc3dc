// The lid of the box. It falls when the box is shut, and the next press opens it. Tiles that are up
// at the end of a game hold it. Over a box that waits for players it is closed, and `unveil` lifts it.

import { el, text, today } from "./dom.js";
import { settings } from "./settings.js";

const GESTURES = ["pointerdown", "keydown"]; // that open a shut lid

export class Lid {
  /** `frame` is the element of the box. The card of an ended game lies behind `sum` in its felt. */
  constructor(frame, sum) {
    Object.assign(this, { frame, sum });
    this.element = frame.querySelector(".lid");
    this.open = this.open.bind(this); // it listens to presses while the lid is shut
  }

  /**
   * Closes the lid, with the card of the ended game on it. Its plate shows `closer`, the player who
   * shut the box and the throws that it took, and today's date.
   */
  shut(closer = "") {
    if (this.element.classList.contains("shut")) return;
    const [, turn, day] = this.element.querySelector(".plaque").children; // below the word
    text(turn, closer);
    text(day, today());
    this.element.className = "lid shut";
    this.element.append(...this.frame.querySelectorAll(".standings"));
    for (const gesture of GESTURES) addEventListener(gesture, this.open, true);
  }

  /** Opens the lid that `shut` closed, if it is closed. Its card lies on the felt again. */
  open() {
    for (const gesture of GESTURES) removeEventListener(gesture, this.open, true);
    if (!this.element.classList.contains("shut")) return;
    this.element.className = "lid opens";
    this.sum.after(...this.element.querySelectorAll(".standings"));
  }

  /** Shows the lid held by the tiles that are up, or frees it. */
  hold(isHeld) {
    this.frame.classList.toggle("caught", isHeld);
  }

  /** Lifts the lid, which was closed until all players had arrived, with these `things` on it. */
  unveil(...things) {
    if (!settings.motion) return;
    this.element.append(el("div", { class: "calmgrid" }, ...things));
    this.element.classList.add("calm", "opens");
    this.element.onanimationend = ({ target }) => target === this.element && this.remove();
  }

  /** Takes away the lid that `unveil` lifts, with the things on it. */
  remove() {
    this.element.classList.remove("calm", "opens");
    this.element.querySelector(".calmgrid")?.remove();
  }
}
