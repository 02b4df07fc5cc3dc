// Real dice: a field for the thrown faces with a button for each face, for a throw and for a
// correction.

import { gettext } from "../model/messages.js";
import { sentence, throwWords } from "../model/moves.js";
import { drawDieFace } from "./board.js";
import { byId, el, keyed, reveal, text } from "./dom.js";
import { say } from "./live_region.js";

/** The most sides of a die for which each face gets a button. */
const MOST_FACES = 20;

export class RealDice {
  constructor() {
    this.field = byId("roll");
    this.form = byId("hand");
    this.corrects = false;
  }

  get isOpen() {
    return !this.form.hidden;
  }

  /** Shows the field while dice must be typed. `throws` is true for a throw. */
  draw(table, throws) {
    const shown = throws || this.corrects;
    reveal(this.form, shown);
    if (!shown) this.field.value = "";
    if (!shown) return;
    const question = this.corrects
      ? gettext("What do the dice really show?")
      : [sentence(throwWords(table)), gettext("What do the dice show?")].join(" ");
    text(byId("roll-label"), question);
    byId("roll-go").hidden = !this.corrects;
    byId("roll-cancel").hidden = !this.corrects;
    const isTyped = ({ kind, state }) => kind === "die" && (this.corrects || state !== "held");
    const sides = new Set(table.pieces.filter(isTyped).map((die) => die.sides));
    const [most] = sides.size === 1 ? sides : [0];
    keyed(
      byId("faces"),
      Array.from({ length: most <= MOST_FACES ? most : 0 }, (_, i) => i + 1),
      (number) => `${number} of ${most}`,
      (number) => this.button(number, most),
      () => {},
    );
  }

  button(number, sides) {
    const props = { type: "button", "aria-label": number, onclick: () => this.add(number) };
    const shown = sides === 6 ? drawDieFace(6, String(number)) : String(number);
    return el("button", { ...props, class: sides === 6 ? "die" : null }, shown);
  }

  /** Adds one die to the field. */
  add(number) {
    this.field.value = `${this.field.value} ${number}`.trim();
    say([this.field.value], { passing: true, seen: true });
  }

  /** Starts or cancels a correction. */
  correct(corrects) {
    this.corrects = corrects;
    this.field.value = "";
  }

  /** Returns what was typed. If nothing was, focuses the field and returns null. */
  take() {
    const roll = this.field.value.trim();
    if (roll) return roll;
    say([gettext("Type what the dice show.")]);
    this.field.focus();
    return null;
  }
}
