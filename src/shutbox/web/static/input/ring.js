// Single-switch mode: a ring moves by itself over what can be done now, the main button first, and
// one press anywhere does what it stands on. The ring is the focus, so screen readers say it. A list
// of choices runs on while a press is held.

import { set } from "../view/dom.js";

const APART = "header.top, .skip, #plates, #result, #seal-link, #tools > :not(#tool-hint)";
const OPEN = "#board [aria-pressed]:not([aria-disabled])";
const MAIN = "#go:not([aria-disabled]), #table:not(:has(.choosing)) #go";
const OFFERS = "#offers button, #hand button, #many select, #many button";
const ROUND = [MAIN, `${OPEN}[aria-pressed=false]`, OFFERS, `${OPEN}[aria-pressed=true]`, "#undo", "#hint", "#end-scan"];
const FIELDS = "input, select:not(#many-choice), textarea, dialog";
const [HELD_MS, RUNS_MS] = [600, 120]; // until a held press runs through a list, and a choice of it

const round = () =>
  ROUND.flatMap((parts) => [...document.querySelectorAll(parts)]).filter((part) => part.checkVisibility());

const showNext = (list) => (list.selectedIndex = (list.selectedIndex + 1) % list.length);

export class Ring {
  /** `page` is the TablePage, and `settings` those of its player. */
  constructor(page, settings) {
    Object.assign(this, { page, settings });
    for (const name of ["keydown", "keyup", "pointerdown", "pointerup", "mousedown", "click"]) {
      document.addEventListener(name, (event) => this.takePress(event), true);
    }
  }

  /** Makes inert what does not belong to the game. Begins a new round if other things can be done. */
  draw() {
    const { page: { view, main, selection }, settings: { scan, ring } } = this;
    for (const part of document.querySelectorAll(APART)) set(part, "inert", scan);
    const position = [scan, ring, view.table?.version, main.do, ...selection.keys].join();
    if (position !== this.position) this.move();
    this.position = position;
  }

  /** Moves the ring to the element with this number, unless the player types, and later to the next. */
  move(number = 0) {
    clearTimeout(this.timer);
    if (!this.settings.scan) return;
    const all = round();
    if (!document.activeElement?.closest(FIELDS)) all[number % all.length]?.focus({ focusVisible: true });
    this.timer = setTimeout(() => this.move(round().indexOf(document.activeElement) + 1), this.settings.ring);
  }

  /** Takes a press. Only its beginning counts: the key that goes down, or the click of a pointer. */
  takePress(event) {
    const { type, key, isTrusted, repeat, target } = event;
    const isOther = type.startsWith("key") ? ![" ", "Enter"].includes(key) : !isTrusted;
    if (isOther || !this.settings.scan || target.closest?.(`${FIELDS}, #end-scan`)) return;
    event.stopImmediatePropagation();
    if (type !== "pointerdown") event.preventDefault();
    const begins = (type === "keydown" && !repeat) || type === "pointerdown";
    if (begins || /up$/.test(type)) clearTimeout(this.running);
    if (begins) this.hasRun = false;
    if (begins && document.activeElement.matches("select")) this.run(document.activeElement, HELD_MS);
    if ((type === "keydown" && !repeat) || (type === "click" && !this.hasRun)) this.press();
  }

  /** Runs through a list while a press is held. */
  run(list, wait = RUNS_MS) {
    this.running = setTimeout(() => {
      this.hasRun = true;
      showNext(list);
      this.move(round().indexOf(list));
      this.run(list);
    }, wait);
  }

  /**
   * Does what the ring stands on: of a list, shows the next choice. Tiles that only one cover has are
   * picked with all others of it.
   */
  press() {
    const { selection } = this.page;
    const { length } = selection.keys;
    const all = round();
    const at = all.includes(document.activeElement) ? document.activeElement : all[0];
    const isList = at.matches("select");
    if (isList) showNext(at);
    else at.click();
    const left = selection.offers.filter(({ takes }) => selection.keys.every((key) => takes.includes(key)));
    if (selection.keys.length > length && left.length === 1) selection.pick(left[0].takes);
    this.move(isList ? all.indexOf(at) : 0);
  }
}
