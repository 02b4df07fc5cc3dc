// The drawn list of moves: a heading for each turn, then small dice, small tiles and the result.
// The sentence of each event is for screen readers. It is visible if there is nothing to draw.

import { byId, drawn, set, text } from "./dom.js";
import { drawFace } from "./plates.js";

const MOST_LINES = 400;

let before = null; // the last line drawn

/** Draws all lines that the server sent. `seats` are the seats of the view. */
export function fill(lines, { seats }) {
  const log = byId("log");
  before = null;
  log.firstElementChild.replaceChildren(...lines.flatMap((line) => partsOf(line, seats)));
  byId("tool-moves").hidden = !lines.length;
  log.scrollTop = log.scrollHeight;
}

/** Adds a line. */
export function append(line, { seats }) {
  const log = byId("log");
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 40;
  const list = log.firstElementChild;
  list.append(...partsOf(line, seats));
  byId("tool-moves").hidden = false;
  while (list.children.length > MOST_LINES) list.firstElementChild.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

/** Returns the elements of a line, with a heading if it begins a turn. */
function partsOf(line, seats) {
  const goesOn = before?.move && before.seat === line.seat && before.move.score === null;
  const begins = line.move && seats.length > 1 && !goesOn;
  before = line;
  return begins ? [heading(line.seat, seats[line.seat]), event(line)] : [event(line)];
}

function heading(place, { name, face }) {
  const part = drawn("draw-turn").firstElementChild;
  part.className = ["turn", `c${place % 6}`].join(" ");
  drawFace(part, name, face);
  text(part.querySelector("bdi"), name);
  return part;
}

function event({ says, move }) {
  const part = drawn("draw-event").firstElementChild;
  const [dice, tiles, score, words] = part.children;
  text(words, says.join(" "));
  if (!says.length) set(part, "aria-hidden", "true"); // a throw that is told with its cover
  if (!move?.thrown.length && !move?.covered.length) return part;
  part.classList.add("drawn");
  part.classList.toggle("covers", move.covered.length > 0);
  part.classList.toggle("ends", move.score !== null);
  words.classList.add("away");
  dice.append(...move.thrown.map(miniDie));
  tiles.append(...move.covered.map(miniTile));
  score.hidden = move.score === null;
  score.classList.toggle("shut", move.shut);
  text(score.firstElementChild, String(move.score ?? ""));
  return part;
}

function miniDie({ sides, face }) {
  if (sides === 6) return drawn(`draw-mini-${face}`);
  const die = drawn("draw-mini-7");
  text(die.querySelector("text"), face);
  return die;
}

function miniTile(number) {
  const tile = drawn("draw-mini-tile");
  text(tile.firstElementChild, number);
  return tile;
}
