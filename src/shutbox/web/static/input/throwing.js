// The throws of this screen: the dice that are picked up from the press until they fly, how the
// hand threw them, and throws without a press for players who want that.

import { mainMove, sidesThrown } from "../model/moves.js";
import { byId } from "../view/dom.js";
import { settings } from "../view/settings.js";
import * as sound from "../view/sound.js";
import { throwByHand } from "./hand.js";

const ITSELF_MS = 900; // before dice are thrown without a press, so that a choice can be taken back

export class Throwing {
  /** `page` is the TablePage. */
  constructor(page) {
    this.page = page;
    this.board = page.board;
    this.flick = null; // how the player has thrown by hand, until the dice fly
    this.timer = 0;
    this.hand = throwByHand({
      button: byId("go"),
      felt: this.board.baize,
      mayThrow: () => this.isDue,
      picksUp: () => this.pickUp(sidesThrown(page.view.table)),
      aims: (heading) => this.board.felt.aim(heading),
      drops: () => this.putDown(),
      throws: (how) => {
        this.flick = how;
        page.actions.act("throw");
      },
    });
  }

  /** Whether a press on the main button throws the dice. */
  get isDue() {
    const { view, you, showing, actions, realDice, sync } = this.page;
    const isStill = !showing.events && !this.board.isAsked && sync.events.isIdle;
    const isFree = isStill && !actions.busy && !realDice.corrects;
    return isFree && Boolean(view.table) && mainMove(view, you, []).do === "throw";
  }

  /** Stores how the press on the main button throws, if it was held. */
  take() {
    this.flick = this.hand.howOf();
  }

  /** Returns how a throw was made by hand at this screen, once. Null for any other event. */
  howOf({ kind, seat, view }) {
    const isOwn = kind === "throw" && this.page.you.seats.includes(seat) && !view.seats[seat].computer;
    const { flick } = this;
    this.flick = null;
    return isOwn ? { strength: 0.6, ...flick } : null;
  }

  /** Picks up dice with these `sides` and shakes them, unless dice shake or fly already. */
  pickUp(sides) {
    clearTimeout(this.timer);
    if (this.board.isAsked || this.page.showing.isFlying) return;
    this.page.showNextTurn(); // its board has the place for the dice
    this.board.shake(sides, this.flick?.heading);
    if (this.board.tumbles) sound.pickUp();
  }

  /** Ends the shaking: the dice lie again where they lay before. */
  putDown() {
    this.board.drop();
    sound.rest();
  }

  /** Throws after a moment, if the player wants that and nothing else can be done. */
  byItself() {
    clearTimeout(this.timer);
    const { view, you } = this.page;
    const throws = view.table && mainMove(view, you, []).do === "throw";
    if (!settings.throws || document.hidden || !throws) return;
    this.timer = setTimeout(() => (this.isDue ? this.page.commands.go() : this.byItself()), ITSELF_MS);
  }
}
