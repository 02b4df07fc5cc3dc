// The plates above the box: the players and their figures, to see at a glance. The spoken list of
// players is in the drawer with their links.

import { gettext, ngettext, pgettext } from "../model/messages.js";
import { isOnlySeat } from "../model/moves.js";
import { facesOf, isForAll, markOf, placeOf, standOutState } from "../model/rows.js";
import { decidesStart } from "../model/sentences.js";
import { byId, drawn, el, keyed, set, text } from "./dom.js";

/**
 * Draws the plates of a view. The server draws the first ones. While the final board of a turn is
 * shown, the plate of its `last` seat stays lit. `hasPicked` says whether the viewer has covered early.
 */
export function drawPlates(view, you, { last, hasPicked }) {
  const { seats, table, phase } = view;
  const list = byId("plates");
  const size = seats.length === 1 ? " solo" : seats.length === 2 ? " pair" : "";
  const forAll = table && isForAll(table) ? " for-all" : "";
  set(list, "class", `plates${seats.length > 4 ? " many" : size}${forAll}`);
  byId("stage").classList.toggle("facing", seats.some((seat, number) => placeOf(number, view, you)));
  keyed(
    list,
    seats.map((seat, number) => ({ ...seat, number, figure: table?.plates[number] })),
    ({ number }) => String(number),
    () => el("li", {}, drawn("draw-plate")),
    (plate, { number, figure, ...seat }) => {
      const honour = figure?.state === "first" ? "first" : figure?.won ? "won" : figure?.leads ? "leads" : "";
      set(plate, "class", ["plate", `c${number % 6}`, honour].join(" ").trim());
      const name = drawSeat(plate, view, you, seat, number);
      const isLit = last === undefined ? seat.due : number === last;
      set(plate, "aria-current", isLit && phase === "playing" ? "true" : null);
      set(plate, "data-at", placeOf(number, view, you));
      const mark = forAll ? markOf(number, table, hasPicked && you.seats.includes(number)) : null;
      set(plate, "data-mark", mark);
      drawFigure(plate, figure, seats.length > 1);
      drawRow(plate.querySelector(".lane"), name, table, figure);
    },
  );
}

/** Draws who sits in a seat, or that it is free. Returns the name on its plate. */
function drawSeat(plate, { phase, seats }, you, seat, number) {
  const isOwn = you.seats.includes(number);
  const isFree = phase === "waiting" && seat.state === "free";
  const called = seat.name || gettext("Seat {number}", { number: number + 1 });
  const name = isFree && !seat.named ? gettext("A free chair") : called;
  const isInviting = phase === "waiting" && you.links.join && isOwn;
  const role = isInviting ? pgettext("seat", "inviting") : answerOf(seat);
  plate.classList.toggle("chair", isFree);
  text(plate.querySelector(".about-seat"), isFree ? gettext("for your friend") : role);
  const isYou = seats.length > 1 && isOnlySeat(you, number);
  text(plate.querySelector(".own"), isYou ? pgettext("seat", "you") : "");
  drawFace(plate.querySelector(".face"), name, seat.face);
  text(plate.querySelector("bdi"), name);
  return name;
}

/** Draws the figures of a player; without a `figure`, there is no game yet. */
function drawFigure(plate, figure, hasOthers) {
  text(plate.querySelector(".name .away"), hasOthers ? leads(figure) : "");
  drawPieces(plate.querySelector(".threw"), figure?.dice ?? [], smallDie); // to decide who begins
  drawPieces(plate.querySelector(".stand"), figure?.stand ?? [], smallTile); // after the turn
  const total = figure?.total ?? null;
  text(plate.querySelector(".total"), total === null ? "" : gettext("total {total}", { total }));
  plate.querySelector(".chips").hidden = (figure?.chips ?? null) === null;
  text(plate.querySelector(".chips .n"), String(figure?.chips ?? ""));
  set(plate, "data-stands", figure ? standOutState(figure) : null);
  const counts = figure && figure.state !== "to-come"; // a turn to come has nothing to show
  text(plate.querySelector(".now .n"), counts ? String(figure.points ?? "–") : "");
  text(plate.querySelector("small"), counts ? figure.says : "");
}

document.documentElement.style.setProperty("--shut", JSON.stringify(pgettext("result", "SHUT"))); // on a shut row

/** Draws the row of a player, if there is one, as one picture with its name. */
function drawRow(place, name, table, figure) {
  place.hidden = !figure?.row;
  if (place.hidden) return;
  const tiles = table.pieces.filter(({ kind }) => kind === "tile");
  set(place, "aria-label", gettext("{name}, up: {tiles}", { name, tiles: facesOf(figure.row, table).join(gettext(", ")) || "–" }));
  const state = ({ key }) => (figure.row.includes(key) ? "up" : figure.last.includes(key) ? "last" : "dn");
  keyed(place, tiles, ({ key }) => key, () => el("i"), (tile, piece) => {
    text(tile, piece.face);
    set(tile, "class", state(piece));
  });
}

/** Returns the direction, in radians, from the face of a seat to the middle of the felt. */
export function headingFrom(seat, felt) {
  const face = byId("plates").children[seat].querySelector(".face");
  const [from, to] = [face, felt].map((part) => part.getBoundingClientRect());
  return Math.atan2(to.y + to.height / 2 - from.y - from.height / 2, to.x + to.width / 2 - from.x - from.width / 2);
}

/** Returns a player's answer after a game, or an empty text. */
function answerOf({ again }) {
  if (again === null) return "";
  return again ? pgettext("seat", "wants more") : pgettext("seat", "no more");
}

/** Draws small pieces in their place, each with `draw(face)`, unless they are there already. */
function drawPieces(place, faces, draw) {
  if (place.dataset.faces === faces.join()) return;
  place.dataset.faces = faces.join();
  place.replaceChildren(...faces.map(draw));
}

const smallTile = (face) => el("i", { text: face });
const smallDie = (pips) =>
  pips > 6
    ? el("span", { class: "die gem", text: pips })
    : el("span", { class: "die" }, drawn(`draw-pips-${pips}`).firstElementChild);

/** Draws the face of a computer player, or the initial of any other name. */
export function drawFace(place, name, face) {
  const [first] = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  text(place.querySelector(".initial"), first ?? "");
  place.querySelector(".initial").hidden = face !== "";
  place.querySelector(".character").toggleAttribute("hidden", face === "");
  set(place.querySelector("use"), "href", face ? `#face-${face}` : null);
}

/** Returns what the crown and the brass plate mean, for screen readers. */
function leads(figure) {
  if (figure?.won) return pgettext("plate", ", has won");
  return figure?.leads ? pgettext("plate", ", leads") : "";
}

/** Returns the games won by two players this evening, in words; empty after the first game. */
export function seriesWords(seats, you) {
  const series = seriesOf(seats, you);
  return series ? gettext("Tonight {first} : {second}", series) : "";
}

/** Returns these games, the viewer's own `first`; null after the first game. */
function seriesOf(seats, you) {
  const wins = seats.map((seat) => seat.wins);
  if (seats.length !== 2 || wins[0] + wins[1] < 2) return null;
  const [first, second] = isOnlySeat(you, 1) ? [wins[1], wins[0]] : wins;
  return { first, second };
}

/**
 * Returns a number and what it is, for the rail: the score to beat; after the end, the games won
 * this evening, or else the chips that the viewer has won. Both are empty if there is none.
 */
function tagOf(seats, { beat, beat_says, plates }, phase, you) {
  if (phase === "playing") return beat === null ? ["", ""] : [String(beat), beat_says];
  if (phase !== "over") return ["", ""];
  const series = seriesOf(seats, you);
  if (series) return [gettext("{first} : {second}", series), pgettext("tag", "tonight")];
  const won = you.seats.length === 1 ? plates[you.seats[0]].chips_won : null;
  // Translators: a label beside a number, such as +3.
  return won > 0 ? [`+${won}`, ngettext("chip", "chips", won)] : ["", ""];
}

/** Draws the rail: the round, and the score to beat. */
export function drawRail({ seats, settings, table, phase, length }, you, isOpen) {
  const { round, rounds } = table;
  const of = gettext("Round {round} of {rounds}", { round, rounds });
  const words = rounds ? of : gettext("{length}, round {round}", { length, round });
  const says = isOpen && decidesStart({ phase, table }) ? pgettext("question", "Who begins?") : round ? words : length;
  if (!settings.day) text(byId("round"), says);
  const [score, unit] = tagOf(seats, table, phase, you);
  byId("tag").hidden = !score;
  text(byId("tag").firstElementChild, score);
  text(byId("tag").lastElementChild, unit);
  text(byId("score"), table.score);
  const beats = table.answers.find(({ key }) => key === "n")?.says ?? "";
  text(byId("beat"), phase === "playing" ? beats : "");
}
