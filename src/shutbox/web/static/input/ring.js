// Single-switch mode: a ring moves by itself over what can be done now, beginning with the main
// button, and one press anywhere does what it stands on. The ring is the focus, so screen readers
// say it.

import { byId, set } from "../view/dom.js";

const APART = "header.top, .skip, #plates, #result, #seal-link, #tools > :not(#tool-hint)";
const LAST = ["#undo", "#hint", "#end-scan"];
const PRESSES = ["keydown", "keyup", "pointerdown", "pointerup", "mousedown", "click"];
const LIST = "many-choice"; // the list of choices that are too many for buttons
const FIELDS = `input, select:not(#${LIST}), textarea, dialog`;

export class Ring {
  /** `page` is the TablePage, and `settings` those of its player. */
  constructor(page, settings) {
    Object.assign(this, { page, settings, round: [], timer: 0 });
    for (const name of PRESSES) document.addEventListener(name, (event) => this.hear(event), true);
  }

  /** Makes inert what does not belong to the game, and begins a new round if other things can be done. */
  draw() {
    const { scan, ring } = this.settings;
    for (const part of document.querySelectorAll(APART)) set(part, "inert", scan);
    const { view: { table }, main, selection: { keys } } = this.page;
    const about = [scan, ring, table?.version, main.do, ...keys].join();
    const isNew = about !== this.about;
    Object.assign(this, { about, round: scan ? this.found() : [] });
    if (isNew) this.begin();
  }

  /** Returns the elements of a round: pieces that are picked come late, to be put back. */
  found() {
    const all = (parts) => [...document.querySelectorAll(parts)].filter((one) => one.checkVisibility());
    const pieces = all("#board [aria-pressed]").filter((one) => one.ariaDisabled !== "true");
    const isPicked = (piece) => piece.ariaPressed === "true";
    const offers = all("#offers button, #hand button, #many select, #many button");
    const free = [...pieces.filter((piece) => !isPicked(piece)), ...offers];
    const main = this.page.main.do || !free.length ? all("#go") : [];
    return [...main, ...free, ...pieces.filter(isPicked), ...LAST.flatMap(all)];
  }

  begin() {
    clearInterval(this.timer);
    this.runs = false; // true while the ring moves inside the list
    if (!this.round.length) return;
    this.timer = setInterval(() => this.step(), Number(this.settings.ring));
    if (!this.isTyping) this.round[0].focus();
  }

  get isTyping() {
    return Boolean(document.activeElement?.closest(FIELDS));
  }

  /** Moves the ring to the next element, or to the first if the focus is elsewhere. */
  step() {
    if (document.hidden || this.isTyping) return;
    const at = document.activeElement;
    const round = this.round.filter((one) => one.checkVisibility());
    if (this.runs) at.selectedIndex = (at.selectedIndex + 1) % at.length;
    else round[(round.indexOf(at) + 1) % round.length]?.focus();
  }

  /** Takes a press. Only its beginning counts: the key that goes down, or the click of a pointer. */
  hear(event) {
    const { type, key, isTrusted, repeat, target } = event;
    const isKey = type.startsWith("key");
    if (!this.settings.scan || !isTrusted || target.closest?.(`${FIELDS}, #end-scan`) || this.isTyping) return;
    if (isKey && (![" ", "Enter"].includes(key) || event.ctrlKey || event.altKey || event.metaKey)) return;
    event.stopImmediatePropagation();
    if (type !== "pointerdown") event.preventDefault();
    if ((type === "keydown" && !repeat) || type === "click") this.press();
  }

  /**
   * Does what the ring stands on: the list begins or ends to run. Tiles that only one cover has are
   * picked with all others of it.
   */
  press() {
    const { page: { selection }, round } = this;
    const { length } = selection.keys;
    const at = document.activeElement;
    if (at.id === LIST) {
      this.runs = !this.runs;
      return;
    }
    (round.includes(at) ? at : round[0])?.click();
    const left = selection.offers.filter(({ takes }) => selection.keys.every((key) => takes.includes(key)));
    if (selection.keys.length > length && left.length === 1) selection.pick(left[0].takes);
    this.begin();
  }
}
