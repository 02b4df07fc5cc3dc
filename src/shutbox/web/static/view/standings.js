// The end of a match: a podium in the box with the winner and every player's total, best first.
// When the lid has fallen, the card is on the lid below its brass plate. Screen readers get the
// result in words. If the game was over when the page was opened, the server draws the card.

import { signed } from "../model/figures.js";
import { wonWords } from "../model/caption.js";
import { pgettext } from "../model/messages.js";
import { byId, drawn, set, text } from "./dom.js";
import { drawFace } from "./plates.js";

/** Shows the card when a match is over, and removes it when it is not. */
export function drawStandings(view, you) {
  const { seats, table, phase } = view;
  const about = phase === "over" && seats.length > 1 ? `${table.game} ${table.version}` : "";
  const box = byId("board").parentElement;
  const old = box.querySelector(".standings");
  if (about) grow();
  if ((old?.dataset.about ?? "") === about) return;
  old?.remove();
  if (!about) return;
  const lines = table.ranking.map((number) => {
    const isOwn = you.seats.join() === String(number);
    return line({ ...seats[number], isOwn }, table.plates[number], number);
  });
  const card = drawn("draw-standings").firstElementChild;
  card.classList.add("comes");
  set(card, "data-about", about);
  text(card.querySelector(".wins"), wonWords(view, you));
  const list = card.querySelector("ol");
  set(list, "class", lines.length > 6 ? "many" : lines.length > 3 ? "some" : "");
  list.append(...lines);
  byId("board").querySelector(".baize").append(card);
}

/** Sets `--up`, the pixels that the box grows upwards for the podium: to the top of the plates. */
function grow() {
  const [box, plates] = [byId("board").parentElement, byId("plates")].map((one) => one.getBoundingClientRect());
  byId("stage").style.setProperty("--up", `${box.top - plates.top}px`);
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
  text(chips.lastElementChild, chips.hidden ? "" : signed(figure.chips_won).replace(/\.0$/, ""));
  return item;
}
