// The end of a match: a podium in the box with the winner and every player's total, best first.
// When the lid has fallen, the card is on the lid below its brass plate. Screen readers get the
// result in words. If the game was over when the page was opened, the server draws the card.

import { signed } from "../model/figures.js";
import { wonWords } from "../model/caption.js";
import { pgettext } from "../model/messages.js";
import { isOnlySeat } from "../model/moves.js";
import { byId, drawn, set, text } from "./dom.js";
import { drawFace } from "./plates.js";

/** Shows the card when a match is over, and removes it when it is not. */
export function drawStandings(view, you) {
  const { seats, table, phase } = view;
  const game = phase === "over" && seats.length > 1 ? `${table.game} ${table.version}` : "";
  const box = byId("board").parentElement;
  const old = box.querySelector(".standings");
  if (game) grow();
  if ((old?.dataset.about ?? "") === game) return;
  old?.remove();
  if (!game) return;
  const lines = table.ranking.map((number) => {
    return line({ ...seats[number], isOwn: isOnlySeat(you, number) }, table.plates[number], number);
  });
  const card = drawn("draw-standings").firstElementChild;
  card.classList.add("comes");
  set(card, "data-about", game);
  const wins = card.querySelector(".wins");
  text(wins, wonWords(view, you));
  wins.classList.toggle("long", wins.textContent.length > 20);
  const list = card.querySelector("ol");
  set(list, "class", lines.length > 6 ? "many" : lines.length > 4 ? "some" : "");
  list.append(...lines);
  byId("board").querySelector(".baize").append(card);
}

/** Sets `--up`, the pixels that the box grows upwards for the podium: to the top of the plates. */
function grow() {
  const [box, ...plates] = [byId("board").parentElement, ...byId("plates").children].map((part) => part.getBoundingClientRect().top);
  byId("stage").style.setProperty("--up", `${Math.max(0, box - Math.min(...plates))}px`);
}

addEventListener("resize", () => byId("board").parentElement.querySelector(".standings") && grow());

function line(seat, figure, number) {
  const item = drawn("draw-standing").firstElementChild;
  set(item, "class", `c${number % 6}${figure.won ? " won" : ""}`);
  drawFace(item.querySelector(".face"), seat.name, seat.face);
  text(item.querySelector("bdi"), seat.isOwn ? pgettext("said", "You") : seat.name);
  text(item.querySelector(".n"), String(figure.total ?? figure.points ?? "–"));
  text(item.querySelector("small"), figure.total === null ? figure.says : pgettext("plate", "total"));
  const chips = item.querySelector(".chips");
  chips.hidden = figure.chips_won === null;
  text(chips.lastElementChild, chips.hidden ? "" : signed(figure.chips_won).replace(/\D0$/, ""));
  return item;
}
