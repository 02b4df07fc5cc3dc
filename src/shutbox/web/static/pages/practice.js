// The practice page: the box of the table with one question after the other. An answer is sent as
// the form would be, and the parts of the page that change are taken from the reply. The tally of
// each game is stored in this browser and continues at the next visit.

import "../view/language.js";
import { Selection } from "../input/selection.js";
import { listen } from "../input/shortcuts.js";
import { gettext, pgettext } from "../model/messages.js";
import { digitsOf, isQuestion, leftToCover, mainMove, offersFor, otherMoves } from "../model/moves.js";
import { pressableKeys } from "../model/picking.js";
import { fetchPage } from "../net/pages.js";
import { Board } from "../view/board.js";
import * as caption from "../view/caption.js";
import { byId, focusMain, onSubmit, set, text } from "../view/dom.js";
import { announce, drop, onNotice, say } from "../view/live_region.js";
import { drawOffers } from "../view/offers.js";
import { settings, takeOver } from "../view/settings.js";
import { Showing } from "../view/showing.js";
import * as sound from "../view/sound.js";
import { storedJson, storedText, storeText } from "../view/storage.js";

const ARRIVAL_MS = 400; // screen readers ignore what a page says while it loads
const RISES_MS = 300; // until the tiles of a wrong answer rise again
const TWO_NOTES_S = 0.21;

const HELP = () => [
  gettext("Digits pick or answer, Enter goes on, a full stop asks again."),
  gettext("If a key does something else, turn on the focus mode of your screen reader."),
];
const YOU = { seats: [0], may: { come_back: [], throw_for: [] } };
const ALONE = { phase: "playing", settings: {}, seats: [{ name: "", state: "taken" }] };

/** Stores the tally. On a new visit, the stored one is sent with the next answer. */
function keep() {
  const { game, tally: field } = byId("table").elements;
  const key = `practice:${game.value}`;
  const sent = field.value ? JSON.parse(field.value).asked : 0;
  if (storedJson(key, {}).asked > sent) field.value = storedText(key);
  storeText(key, field.value);
}

class Practice {
  constructor() {
    this.you = YOU;
    this.number = 0; // counts what was shown, and so the throws
    this.board = new Board((...pressed) => this.selection.press(...pressed));
    this.showing = new Showing(this.board, ([{ view }]) => this.put(view.table.pieces));
    this.selection = new Selection(this);
    this.actions = { choose: (choice) => this.send({ choice }) };
    this.commands = {
      list: () => [
        ["escape", "", () => this.selection.clear()],
        [".", "", () => this.tell()],
        ["?", "", () => say(HELP())],
      ],
      enter: () => this.go(),
      digit: (typed) => this.told || this.selection.typeDigit(typed),
    };
    this.read();
  }

  /** The move of the main button. */
  get main() {
    if (this.told) return { do: "next", says: pgettext("button", "Next") };
    return mainMove(this.view, this.you, this.selection.keys);
  }

  /** Takes the question or the answer from the data in the page. */
  read() {
    const { says, ...table } = JSON.parse(byId("boot").textContent);
    this.told = says;
    this.view = { ...ALONE, table: { ...table, does: "choose", seat: 0, default: null } };
    this.selection.reset();
    this.number += says ? 0 : 1;
    keep();
    this.refresh();
  }

  go() {
    const { do: does, choice, why } = this.main;
    if (does === "next") this.send({});
    else if (does) this.actions.choose(choice);
    else say([why]);
  }

  /** Sends the form with an answer, or for the next question, and shows the reply. */
  async send(fields) {
    if (this.sends) return;
    this.sends = true;
    const body = new URLSearchParams(new FormData(byId("table")));
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    try {
      const reply = await fetchPage(byId("table").action, { method: "POST", body });
      this.take(new DOMParser().parseFromString(await reply.text(), "text/html"));
    } catch {
      say([gettext("The server does not answer.")]);
    }
    this.sends = false;
  }

  take(reply) {
    if (!reply.getElementById("boot")) {
      say([...reply.querySelectorAll("[role=alert] p")].map((line) => line.textContent.trim()).filter(Boolean));
      return;
    }
    this.showing.finish();
    byId("verd")?.remove();
    for (const id of ["fields", "chain", "because", "boot"]) byId(id).replaceWith(reply.getElementById(id));
    const verdict = reply.getElementById("verd");
    if (verdict) this.board.baize.append(verdict);
    caption.show(reply.getElementById("caption").textContent.trim());
    this.read();
    drop("answer"); // which a key has cut
    this.tell();
    if (this.told) this.reveal();
  }

  /** Says the answer with its reason, or leads to the question, so that it is read once. */
  tell() {
    const { told, view: { table } } = this;
    if (told) announce([told, byId("because").querySelector("p").textContent], "answer");
    else if (settings.aloud || document.activeElement === byId("facts")) announce(table.facts);
    if (told) return;
    text(byId("facts"), table.facts.join(" "));
    byId("facts").focus();
  }

  /** Lets the tiles of the answer fall; those of a wrong one rise again before the best fall. */
  async reveal() {
    const { table } = this.view;
    const { number } = this;
    const fell = async (keys) => {
      const pieces = table.pieces.map((piece) => (keys.includes(piece.key) ? { ...piece, state: "down" } : piece));
      await this.showing.begin([{ kind: "choose", view: { table: { pieces, shut: false } } }]);
    };
    focusMain();
    if (table.right) sound.play("win", { seconds: TWO_NOTES_S });
    else sound.tick(this.board.baize, 0, false);
    if (!table.right && settings.motion) {
      await fell(table.yours);
      await new Promise((rise) => setTimeout(rise, RISES_MS));
      if (number !== this.number || !this.told) return;
      this.put(table.pieces);
    }
    await fell(table.best);
    if (number === this.number && this.told) this.mark();
  }

  /** Marks the tiles of the best choice, and those that were chosen instead. */
  mark() {
    const { best, yours } = this.told ? this.view.table : { best: [], yours: [] };
    this.board.markChoices(best, yours, pgettext("mark", "you"));
  }

  /** Draws the box with these pieces. */
  put(pieces) {
    const { view, you, selection: { keys } } = this;
    this.board.draw(pieces, {
      pickable: pressableKeys(pieces, this.told ? [] : offersFor(view, you), keys),
      picked: keys,
      left: this.told ? null : leftToCover(view, you, keys),
      thrown: this.number,
    });
  }

  refresh() {
    const { view, you, main, told, selection: { keys } } = this;
    this.put(view.table.pieces);
    if (!told) this.mark();
    // Dice and tiles are told in sentences, and are read again only where they can be pressed.
    set(this.board.dice, "aria-hidden", this.board.takesDice ? null : "true");
    text(byId("go").firstElementChild, main.says);
    set(byId("go"), "aria-disabled", main.do ? null : "true");
    byId("go").hidden = !told && isQuestion(view, you, keys);
    const { buttons, list } = told ? { buttons: [], list: [] } : otherMoves(view, you, keys);
    const offers = [...buttons, ...list];
    const digits = settings.keys && offers.length ? digitsOf(view.table, view.table.offers) : new Map();
    drawOffers(offers.map((offer) => ({ ...offer, look: "main", press: () => this.actions.choose(offer.text) })), digits);
    this.board.box.inert = Boolean(told);
    if (told && document.activeElement === document.body) focusMain();
  }
}

/** Closes the list of boxes when something else is pressed, and by Escape. */
function closeBoxes({ type, key, target }) {
  const boxes = document.querySelector(".boxes[open]");
  if (!boxes || (type === "keydown" ? key !== "Escape" : boxes.contains(target))) return;
  boxes.open = false;
  if (type === "keydown") boxes.firstElementChild.focus();
}

for (const press of ["pointerdown", "keydown"]) addEventListener(press, closeBoxes);
onNotice(caption.notice);
takeOver();
if (byId("boot")) {
  caption.show(byId("caption").textContent.trim());
  const page = new Practice();
  byId("go").addEventListener("click", () => page.go());
  onSubmit(byId("table"), () => {});
  listen(page);
  setTimeout(() => page.tell(), ARRIVAL_MS);
  if (page.told) page.reveal();
}
