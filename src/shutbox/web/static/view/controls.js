// The main button on the rim of the box, the buttons beside it, and the actions after the game. If
// a focused button disappears, the main button gets the focus.

import { recordOf, reviewOf } from "../model/addresses.js";
import { captionOf, scoreWords } from "../model/caption.js";
import { capital, gettext, plain } from "../model/messages.js";
import {
  awayMoves, digitsOf, isQuestion, isShut, mayAskHint, mayCorrect, mayTakeBack, offersFor,
  otherMoves,
} from "../model/moves.js";
import { mayHurry } from "../model/pace.js";
import { makeRoom } from "./drawers.js";
import { byId, el, focusMain, keyed, reveal, set, text } from "./dom.js";
import { drawOffers } from "./offers.js";
import { settings } from "./settings.js";
import { drawStandings } from "./standings.js";

// The script replaces the plain forms.
document.querySelectorAll("form[action$='/act']").forEach((form) => {
  form.addEventListener("submit", (event) => event.preventDefault());
});

/** Draws the buttons of a TablePage: the main button, and those of other offers and of `awayMoves`. */
export function drawMoves({ view, you, main, isLost, selection: { keys: picked }, actions, commands }) {
  const { table } = view;
  const hadFocus = byId("rim").contains(document.activeElement);
  text(byId("go").firstElementChild, main.says);
  const hurries = !main.do && mayHurry(view, you, settings);
  set(byId("go"), "data-hurry", hurries);
  text(byId("go").lastElementChild, hurries ? gettext("Skip to my turn") : "");
  set(byId("go"), "aria-disabled", main.do || hurries ? null : "true");
  byId("go").hidden = main.do !== "again" && isQuestion(view, you, picked);
  // The main button takes the place of the offer it makes, if that was the second one.
  byId("rim").classList.toggle("second", offersFor(view, you)[1]?.text === main.choice);
  byId("go").classList.toggle("rests", Boolean(main.rests) && !hurries);
  const isOut = gettext("The server cannot be reached");
  text(byId("offline").querySelector("h2"), navigator.onLine ? isOut : gettext("You are offline"));
  reveal(byId("offline"), isLost);
  reveal(byId("undo"), mayTakeBack(view, you));
  reveal(byId("tool-hint"), mayAskHint(view, you));
  reveal(byId("correct"), mayCorrect(view, you));
  const { buttons, list } = otherMoves(view, you, picked);
  const digits = settings.keys ? digitsOf(table, buttons.length ? table.offers : []) : new Map();
  const away = awayMoves(view, you).map(({ does, says }) => ({
    text: does, says, look: "dent", press: () => commands.toRoom(does),
  }));
  const chosen = buttons.map((offer) => ({
    ...offer, look: "main", press: () => actions.choose(offer.text),
  }));
  drawOffers([...away, ...chosen], digits);
  if (hadFocus && !document.activeElement?.checkVisibility()) focusMain();
  if (hadFocus && document.activeElement === document.body) focusMain();
  reveal(byId("many"), list.length > 0);
  keyed(
    byId("many-choice"),
    list,
    (offer) => offer.text,
    (offer) => el("option", { value: offer.text }),
    (option, offer) => text(option, capital(offer.says)),
  );
}

/** Draws the result: who has won, every player's total, and the links for a game that has ended. */
export function drawResult(view, you) {
  const { room, seats, table, phase } = view;
  const isOver = phase === "over" || phase === "ended";
  const isShown = isOver && Boolean(table); // a room can be closed before its first game
  for (const id of ["result", "share"]) byId(id).hidden = !isShown;
  byId("review").hidden = !isShown;
  byId("stage").classList.toggle("over", isShown);
  byId("save").hidden = false;
  byId("save").href = recordOf(room, table?.game ?? 1);
  makeRoom(isShown);
  drawStandings(view, you);
  if (!isShown) return;
  const isAlone = seats.length === 1;
  const isWon = table.winners.some((seat) => you.seats.includes(seat) && table.plates[seat].state === "shut");
  const title = isWon || (isAlone && isShut(table)) ? gettext("The box is shut") : gettext("The game is over");
  text(byId("result-title"), title);
  const told = phase === "ended" || isAlone ? table.score : scoreWords(view, you);
  text(byId("outcome"), plain(`${captionOf(view, you)} ${told}`));
  byId("review").href = reviewOf(room, table.game);
}
