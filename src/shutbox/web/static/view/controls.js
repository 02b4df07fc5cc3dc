// The main action on the rim of the box with the buttons beside it, and what can be done once the
// game is over. A button that goes away leaves the focus to the main action.

import { capital, gettext } from "../model/messages.js";
import {
  digitsOf,
  isQuestion,
  isShut,
  mainMove,
  mayAskHint,
  mayCorrect,
  mayTakeBack,
  otherMoves,
  awayMoves,
} from "../model/moves.js";
import { byId, el, focusMain, keyed, set, text } from "./dom.js";
import { settings } from "./settings.js";

/**
 * `choose(text)` is called when an offer's own button is pressed, `goOn(what)` when it is one of
 * those to go on without whoever is away.
 */
export function drawMoves({ view, you, picked, choose, goOn }) {
  const { table } = view;
  const main = mainMove(view, you, picked);
  const hadFocus = byId("rim").contains(document.activeElement);
  text(byId("go"), main.says);
  set(byId("go"), "aria-disabled", main.do ? null : "true");
  byId("go").hidden = isQuestion(view, you, picked);
  const isOver = view.phase !== "playing";
  byId("undo").hidden = !you.seats.length || isOver;
  set(byId("undo"), "aria-disabled", mayTakeBack(view, you) ? null : "true");
  byId("tool-hint").hidden = !you.seats.length || view.settings.hints === "off" || isOver;
  set(byId("hint"), "aria-disabled", mayAskHint(view, you) ? null : "true");
  show(byId("correct"), mayCorrect(view, you));
  const { buttons, list } = otherMoves(view, you, picked);
  const digits = settings.keys ? digitsOf(table, buttons.length ? table.offers : []) : new Map();
  const away = awayMoves(view, you).map((move) => ({ text: move.does, press: goOn, ...move }));
  keyed(
    byId("offers"),
    [...away, ...buttons.map((offer) => ({ press: choose, isOffer: true, ...offer }))],
    (offer) => offer.text,
    (offer) => {
      const look = offer.isOffer ? "main" : "dent";
      return el("button", { type: "button", class: look, onclick: () => offer.press(offer.text) });
    },
    (button, offer) => label(button, capital(offer.says), digits.get(offer.text)),
  );
  if (hadFocus && !document.activeElement?.checkVisibility()) focusMain();
  if (hadFocus && document.activeElement === document.body) focusMain();
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

/** What can be done with a game that is over; who has won, and what everybody has, in words. */
export function drawResult({ room, seats, table, phase }, you) {
  const isOver = phase === "over" || phase === "ended";
  const isShown = isOver && Boolean(table); // a table may be closed before its first game
  for (const id of ["result", "review", "share"]) byId(id).hidden = !isShown;
  byId("stage").classList.toggle("over", isShown);
  if (!isShown) return;
  const isWon = seats.length === 1 || table.winners.some((seat) => you.seats.includes(seat));
  const title = isShut(table) && isWon ? gettext("The box is shut!") : gettext("The game is over");
  text(byId("result-title"), title);
  const answers = new Map(table.answers.map(({ key, says }) => [key, says]));
  const won = phase === "ended" ? gettext("The game was ended.") : answers.get("w");
  const totals = [answers.get("e") ?? table.score, answers.get("p")];
  text(byId("outcome"), [won, ...totals].filter(Boolean).join(" "));
  byId("record").href = `/r/${room}/record?game=${table.game}`;
  byId("review").href = `/r/${room}/review?game=${table.game}`;
  byId("steps").href = `/replay?room=${room}&game=${table.game}`;
}

function show(part, isShown) {
  if (!isShown && part.contains(document.activeElement)) focusMain();
  part.hidden = !isShown;
}
