// Spoken sentences that the script adds to the server's: whose turn it is, the question and how to
// answer it, and which pieces are picked. Nothing here touches the page.

import { gettext, listed, separated } from "./messages.js";
import {
  digitsOf,
  hasLeft,
  hasWonHere,
  isAwaited,
  isMine,
  mainMove,
  mayEndFor,
  mayStandInFor,
  named,
  plays,
  sumWords,
} from "./moves.js";

/**
 * Returns the question and how to answer it, to say after an event. Viewers who wait hear which
 * seats are free. A newcomer also hears what to do about an absent player, and what Enter does
 * after the game. `before` is the previous view, null for a newcomer, and `last` the last event
 * that was described. In `by`, `keys` says that digits answer at once, `typing` that there is a
 * text field, and `length` how much to say.
 */
export function prompt(view, you, before, last = null, by = { keys: true }) {
  if (view.phase === "waiting") {
    const waits = waitsFor(view);
    return waits && (before === null || waits !== waitsFor(before)) ? [waits] : [];
  }
  const leavesNow = (seat) => hasLeft(view, seat) && (before === null || !hasLeft(before, seat));
  const words = before === null ? awaited(view, you) : [];
  const hasJustLeft = view.phase === "playing" && you.seats.some(leavesNow);
  if (hasJustLeft) words.push(gettext("You can come back."));
  if (isMine(view, you)) words.push(...asked(view, you, last, by));
  if (before === null) words.push(...playAgainWords(view, you));
  return words;
}

function asked(view, you, last, by) {
  const { table } = view;
  if (table.does === "throw") return [throwing(view)];
  const ask = last && isNamed(view, last) ? table.ask_alone : table.ask;
  return [ask, answering(table, by)].filter(Boolean);
}

/** Returns which dice to throw and how, with the player's name if there are several seats. */
function throwing({ seats, table, settings }) {
  const facts = { name: seats[table.seat].name, dice: table.throws };
  const isNamedHere = seats.length > 1;
  if (settings.dice !== "hand") {
    return isNamedHere
      ? gettext("{name}: Enter throws {dice}.", facts)
      : gettext("Enter throws {dice}.", facts);
  }
  return isNamedHere
    ? gettext("{name}: throw {dice} and type what they show.", facts)
    : gettext("Throw {dice} and type what they show.", facts);
}

/**
 * Returns how to answer the question: with Enter, with the digit of an answer, or with the numbers
 * of the pieces.
 */
function answering(table, { keys, typing, length }) {
  if (table.enter) return stopped(table.enter);
  const digits = [...digitsOf(table, table.offers).values()];
  if (!keys && !typing) return "";
  if (!digits.length) {
    if (length === "brief") return "";
    return typing
      ? gettext("Type their numbers, then Enter.")
      : gettext("Press their numbers, then Enter.");
  }
  const facts = { first: digits[0], last: digits.at(-1) };
  if (digits.length > 2) {
    return typing
      ? gettext("Type {first} to {last}, then Enter; l lists them.", facts)
      : gettext("Press {first} to {last}; l lists them.", facts);
  }
  return typing
    ? gettext("Type {first} or {last}, then Enter.", facts)
    : gettext("Press {first} or {last}.", facts);
}

/**
 * Returns what Enter does after the game. It must be pressed twice, since the first press may be
 * habit.
 */
export function playAgainWords(view, you) {
  if (view.phase !== "over") return [];
  const { do: does } = mainMove(view, you, []);
  if (does === "rematch") {
    return hasWonHere(view.table, you) && view.table.winners.length === 1
      ? [gettext("You win. Enter twice plays again.")]
      : [gettext("The game is over. Enter twice plays again.")];
  }
  if (does === "places") return [gettext("The game is over. Enter twice shows your place.")];
  return [];
}

/**
 * Whether the event's sentence has just named the current player. For a throw this is so only with
 * several seats.
 */
const isNamed = ({ seats, table }, { kind, seat }) =>
  seat === table.seat && (kind === "choose" || (kind === "throw" && seats.length > 1));

function waitsFor({ seats }) {
  const free = seats.filter(({ state }) => state === "free").map(({ name }) => name);
  return free.length ? gettext("Waiting for {names}.", { names: listed(free) }) : "";
}

/**
 * Returns what the viewer may do while the current player is away. Empty if that player is present.
 */
export function awaited(view, you) {
  if (!isAwaited(view, you)) return [];
  if (!mayEndFor(view, you)) return [gettext("You can wait, or let a computer player take over.")];
  if (!mayStandInFor(view, you)) return [gettext("You can wait, or end the game.")];
  return [gettext("You can wait, let a computer player take over, or end the game.")];
}

/** Turns the text of a button into a sentence. */
const stopped = (words) => gettext("{words}.", { words });

/** Returns which pieces are picked, for a player who picks by digits and does not see the board. */
export function pickedWords(view, you, picked) {
  const { pieces } = view.table;
  const labels = picked.map((key) => named(pieces.find((piece) => piece.key === key)));
  const main = mainMove(view, you, picked);
  const so = sumWords(view.table, picked);
  const ready = main.do ? gettext("Enter: {move}.", { move: main.says }) : "";
  return [picks(separated(labels), so), ready].filter(Boolean).join(" ");
}

function picks(pieces, sum) {
  if (!pieces) {
    return sum ? gettext("Nothing is picked; {sum}.", { sum }) : gettext("Nothing is picked.");
  }
  if (!sum) return gettext("Picked: {pieces}.", { pieces });
  return gettext("Picked: {pieces}; {sum}.", { pieces, sum });
}

/**
 * Returns whose turn begins, until the first dice of the turn are thrown. Empty at any other time.
 */
export function begins(view, you) {
  const { phase, table, seats } = view;
  const isNew = phase === "playing" && (table.left?.length || !table.thrown.length);
  if (!isNew || table.pieces.some(({ kind, face }) => kind === "die" && face)) return "";
  const name = `\u2068${seats[table.seat].name}\u2069`; // isolated, in case it is written from right to left
  if (!plays(view, you, table.seat)) return gettext("{name} to throw", { name });
  return you.seats.length > 1 ? gettext("Your turn, {name}", { name }) : gettext("Your turn");
}

/** Returns whose turn it is or who has won, for the title of the page. */
export function turnWords(view, you) {
  if (view.phase === "waiting") return gettext("Waiting for players");
  if (view.phase === "over" && view.seats.length > 1 && view.table.winners.length === 1) {
    const { name } = view.seats[view.table.winners[0]];
    return hasWonHere(view.table, you) ? gettext("You win") : gettext("{name} wins", { name });
  }
  if (view.phase !== "playing") return gettext("Over");
  if (isMine(view, you)) return gettext("Your turn");
  return gettext("The turn of {name}", { name: view.seats[view.table.seat].name });
}
