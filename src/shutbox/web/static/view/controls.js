// The buttons below the box, and the result once the game is over. A button that goes away leaves
// the focus to the main button, which is always the same element.

import { capital, gettext } from "../model/messages.js";
import {
  digitsOf,
  isMine,
  mainMove,
  mayCorrect,
  mayTakeBack,
  otherMoves,
  awayMoves,
} from "../model/moves.js";
import { byId, el, keyed, set, text } from "./dom.js";
import { settings } from "./settings.js";

/**
 * `choose(text)` is called when an offer's own button is pressed, `goOn(what)` when it is one of
 * those to go on without whoever is away.
 */
export function drawMoves({ view, you, picked, choose, goOn }) {
  const { table } = view;
  const main = mainMove(view, you, picked);
  text(byId("go"), main.says);
  set(byId("go"), "aria-disabled", main.do ? null : "true");
  show(byId("undo"), mayTakeBack(view, you));
  show(byId("correct"), mayCorrect(view, you));
  show(byId("hint"), isMine(view, you) && view.settings.hints !== "off");
  const { buttons, list } = otherMoves(view, you, picked);
  const digits = settings.keys ? digitsOf(table, buttons.length ? table.offers : []) : new Map();
  const away = awayMoves(view, you).map((move) => ({ text: move.does, press: goOn, ...move }));
  const hadFocus = byId("offers").contains(document.activeElement);
  keyed(
    byId("offers"),
    [...away, ...buttons.map((offer) => ({ press: choose, ...offer }))],
    (offer) => offer.text,
    (offer) => el("button", { type: "button", onclick: () => offer.press(offer.text) }),
    (button, offer) => label(button, capital(offer.says), digits.get(offer.text)),
  );
  if (hadFocus && !byId("offers").contains(document.activeElement)) byId("go").focus();
  show(byId("many"), list.length > 0);
  keyed(
    byId("many-choice"),
    list,
    (offer) => offer.text,
    (offer) => el("option", { value: offer.text }),
    (option, offer) => text(option, capital(offer.says)),
  );
}

/** Writes on a button what it does, and the digit that does it, if there is one. */
function label(button, says, digit) {
  const isSo = button.firstChild?.data === says && button.lastElementChild?.textContent === digit;
  if (isSo) return;
  // The digit is told by the attribute, so the name stays what it says.
  const key = digit && el("kbd", { text: digit, "aria-hidden": "true" });
  button.replaceChildren(says, ...(key ? [key] : []));
  set(button, "aria-keyshortcuts", digit);
}

/** Who has won and what everybody has, in words, and what can be done with the game. */
export function drawResult({ room, table, phase }) {
  const isOver = phase === "over" || phase === "ended";
  const isShown = isOver && Boolean(table); // a table may be closed before its first game
  byId("result").hidden = !isShown;
  if (!isShown) return;
  const isShut = table.shut && table.pieces.some(({ kind }) => kind === "tile");
  const title = isShut ? gettext("The box is shut!") : gettext("The game is over");
  text(byId("result").querySelector("h2"), title);
  const answers = new Map(table.answers.map(({ key, says }) => [key, says]));
  const won = phase === "ended" ? gettext("The game was ended.") : answers.get("w");
  const totals = [answers.get("e") ?? table.score, answers.get("p")];
  text(byId("outcome"), [won, ...totals].filter(Boolean).join(" "));
  byId("record").href = `/r/${room}/record?game=${table.game}`;
  byId("steps").href = `/replay?room=${room}&game=${table.game}`;
}

function show(part, isShown) {
  if (!isShown && part.contains(document.activeElement)) byId("go").focus();
  part.hidden = !isShown;
}
