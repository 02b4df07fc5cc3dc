// A friend takes the last chair: two knocks on the lid, the friend's face on its wood, and the box
// opens. Nothing is lit until the first question.

import { pgettext } from "../model/messages.js";
import { hereWords } from "../model/sentences.js";
import { byId, el, text } from "./dom.js";
import { settings } from "./settings.js";
import * as sound from "./sound.js";

const GREETS_MS = 2240;
const MOST_LETTERS = 20; // of a sentence in large letters

export class Welcome {
  /** `board` has the lid. `ends` is called once the box is open. */
  constructor(board, ends) {
    Object.assign(this, { board, ends, timer: 0, done: null });
    this.guests = []; // the seats that are being greeted
  }

  /** Whether players are being greeted. */
  get isOn() {
    return this.guests.length > 0;
  }

  /** Greets the `guests`, whose plates are drawn. Returns a promise that ends with it. */
  begin(view) {
    const { guests } = this;
    byId("stage").classList.add("opening");
    const faces = () => guests.map((seat) => faceOf(seat));
    const says = hereWords(view, guests);
    const words = el("span", { text: says });
    this.felt = el("p", { class: says.length > MOST_LETTERS ? "welcome long" : "welcome", "aria-hidden": "true" }, el("span", {}, ...faces()), words);
    this.board.baize.append(this.felt);
    const knocks = el("span", { class: "knocker" }, el("i"), el("i"), ...faces().slice(-1));
    this.board.lid.unveil(nameplate(view), byId("qr-card")?.hidden === false ? byId("qr-card") : null, knocks);
    sound.openLid(settings.motion);
    this.timer = setTimeout(() => this.finish(), GREETS_MS);
    return new Promise((done) => (this.done = done));
  }

  /** Ends the greeting: the box is open. Returns whether there was one. */
  finish() {
    if (!this.isOn) return false;
    clearTimeout(this.timer);
    this.guests = [];
    this.felt.remove();
    this.board.lid.remove();
    byId("stage").classList.remove("opening");
    this.ends();
    this.done();
    return true;
  }

  /** Writes on the plates who has come. */
  draw() {
    for (const [seat, plate] of [...byId("plates").children].entries()) {
      plate.classList.toggle("arrived", this.guests.includes(seat));
      if (!this.isOn) continue;
      plate.removeAttribute("aria-current");
      const has = this.guests.includes(seat) ? pgettext("seat", "has just sat down") : pgettext("seat", "ready");
      text(plate.querySelector(".about-seat"), has);
    }
  }
}

const faceOf = (seat) => {
  const plate = byId("plates").children[seat];
  return el("span", { class: plate.className.match(/c\d/)[0] }, plate.querySelector(".face").cloneNode(true));
};

/** Returns the brass plate of a closed box. */
export const nameplate = ({ title, length }) =>
  el("div", { class: "nameplate" }, el("strong", { text: title }), el("p", { text: length }));
