// The throws of this screen. A press on the main button or on the felt picks the dice up, and they
// shake as long as it lasts. A tap throws from the right, or with rows from the player's side; a line
// drawn with the finger throws along it. For players who want that, dice are thrown without a press.

import { sidesThrown } from "../model/moves.js";
import { hasRows } from "../model/rows.js";
import { byId } from "../view/dom.js";
import { headingFrom } from "../view/plates.js";
import { settings } from "../view/settings.js";
import * as sound from "../view/sound.js";

const ITSELF_MS = 900; // before dice are thrown without a press, so that a choice can be taken back
const HOLD_MS = 250; // a shorter press is a tap
const FULL_MS = 1500; // a press as long as this throws with full strength
const LINE_PX = 24; // a shorter line has no direction
const LEAST_MS = 30;
const CLICK_MS = 150; // a click follows the end of its press sooner than that

export class Throwing {
  /** `page` is the TablePage. */
  constructor(page) {
    this.page = page;
    this.board = page.board;
    this.button = byId("go");
    this.hold = null; // the press that shakes the dice, until it throws them
    // How it throws: a `strength` from 0 to 1 and a `heading` in radians. Null for a tap.
    this.flick = null;
    this.swallows = false; // the click of a press on the button that drew a line or was abandoned
    this.timer = 0;
    for (const place of [this.button, this.board.baize]) {
      place.addEventListener("pointerdown", (event) => this.begin(event));
      place.addEventListener("pointermove", (event) => {
        const line = this.hold && this.lineOf(event);
        if (line) this.board.felt.aim(line.heading);
      });
      place.addEventListener("pointerup", (event) => this.end(event));
      place.addEventListener("pointercancel", () => this.abandon()); // the page is scrolled instead
    }
    const leave = ({ key }) => {
      if (key !== "Escape" || !this.hold) return;
      this.swallows = this.hold.on === this.button;
      this.abandon();
    };
    addEventListener("keydown", leave, true);
    this.button.addEventListener("contextmenu", (event) => this.hold && event.preventDefault());
    this.button.addEventListener("click", (event) => {
      if (!this.swallows || !event.detail) return;
      this.swallows = false;
      event.stopImmediatePropagation();
    });
  }

  /** Whether a press on the main button throws the dice. */
  get isDue() {
    const { view, main, showing, actions, realDice, sync } = this.page;
    const isStill = !showing.events && !this.board.isShaking && sync.events.isIdle;
    return isStill && !actions.busy && !realDice.corrects && Boolean(view.table) && main.do === "throw";
  }

  /** Picks the dice up by a press, if a throw is due. */
  begin(event) {
    this.swallows = false;
    const { currentTarget: on, pointerId: id, clientX: x, clientY: y, timeStamp: at } = event;
    const isOther = on !== this.button && event.target.closest("button");
    if (!event.isPrimary || event.button || isOther || !this.isDue) return;
    this.hold = { id, x, y, at, on };
    on.setPointerCapture(id);
    this.pickUp(sidesThrown(this.page.view.table));
  }

  /** Returns the `length` in pixels and the `heading` of the line of a press; null if it is short. */
  lineOf({ clientX, clientY }) {
    const [x, y] = [clientX - this.hold.x, clientY - this.hold.y];
    const length = Math.hypot(x, y);
    return length > LINE_PX ? { length, heading: Math.atan2(y > 0 ? y * 0.25 : y, x) } : null;
  }

  /** Throws the dice. On the button, a press without a line throws by the click that follows. */
  end(event) {
    const { hold, button } = this;
    if (!hold || event.pointerId !== hold.id) return;
    const line = this.lineOf(event);
    const time = event.timeStamp - hold.at;
    this.flick = time > HOLD_MS ? { strength: Math.min(1, time / FULL_MS) } : null;
    if (line) {
      const strength = Math.min(1, line.length / Math.max(LEAST_MS, time) / 2);
      this.flick = { heading: line.heading, strength };
    }
    if (line || hold.on !== button) {
      this.swallows = hold.on === button;
      this.hold = null;
      this.page.actions.act("throw");
    } else setTimeout(() => this.hold === hold && this.abandon(), CLICK_MS); // no click came
  }

  /** Puts the dice down without a throw. */
  abandon() {
    if (!this.hold) return;
    Object.assign(this, { hold: null, flick: null });
    this.putDown();
  }

  /** Ends the hold of a press that has become a click. */
  endHold() {
    if (!this.hold) this.flick = null;
    this.hold = null;
  }

  /** Returns the direction in which a player with a row throws, from their place. Else undefined. */
  headingOf(seat) {
    return hasRows(this.page.view.table) ? headingFrom(seat, this.board.baize) : undefined;
  }

  /** Returns how a throw flies. How it was made by hand at this screen counts once. */
  howOf({ kind, seat, view }) {
    const isOwn = kind === "throw" && this.page.you.seats.includes(seat) && !view.seats[seat].computer;
    const { flick } = this;
    this.flick = null;
    const heading = this.headingOf(seat);
    return isOwn ? { heading, strength: 0.6, ...flick } : { heading };
  }

  /** Picks up dice with these `sides` and shakes them, unless dice shake or fly already. */
  pickUp(sides) {
    clearTimeout(this.timer);
    if (this.board.isShaking || this.page.showing.isFlying) return;
    this.page.showNextTurn(); // the final board of a turn has other dice
    this.board.shake(sides, this.flick?.heading ?? this.headingOf(this.page.view.table.seat));
    if (this.board.tumbles) sound.pickUp();
  }

  /** Ends the shaking: the dice lie again where they lay before. */
  putDown() {
    this.board.drop();
    sound.rest();
  }

  /** Throws after a moment, if the player wants that and nothing else can be done. */
  throwByItself() {
    clearTimeout(this.timer);
    const { view, main } = this.page;
    if (!settings.throws || document.hidden || !view.table || main.do !== "throw") return;
    this.timer = setTimeout(() => (this.isDue ? this.page.commands.go() : this.throwByItself()), ITSELF_MS);
  }
}
