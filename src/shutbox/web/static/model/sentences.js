// Spoken sentences that the script adds to the server's: whose turn it is, the question and how to
// answer it, and which pieces are picked. Nothing here touches the page.

import { capital, gettext, listed, ngettext, pgettext, separated } from "./messages.js";
import {
  digitsOf, freeSeats, hasLeft, hasWonHere, isMyTurn, isOnlySeat, leftToCover, mainMove,
  mayActForAbsent, mayEndFor, mayStandInFor, pieceName, plays, sentence,
} from "./moves.js";

/**
 * Returns the question and how to answer it, to say after an event. Viewers who wait hear which
 * seats are free. A newcomer also hears what to do about an absent player, and what Enter does
 * after the game. `before` is the previous view, null for a newcomer. In `by`, `keys` says that digits
 * answer at once, and `typing` that there is a text field. `isRead` says that the main button, which names
 * the dice to throw, is read before this.
 */
export function prompt(view, you, before, by = { keys: true }, isRead = false) {
  if (view.phase === "waiting") {
    const waits = freeSeatWords(view);
    return waits && (before === null || waits !== freeSeatWords(before)) ? [waits] : [];
  }
  const leavesNow = (seat) => hasLeft(view, seat) && (before === null || !hasLeft(before, seat));
  const words = before === null ? awayWords(view, you) : [];
  const hasJustLeft = view.phase === "playing" && you.seats.some(leavesNow);
  if (hasJustLeft) words.push(gettext("You can come back."));
  if (isMyTurn(view, you)) words.push(...questionWords(view, you, before, by, isRead));
  if (before === null) words.push(...playAgainWords(view, you));
  return words;
}

/** Returns the envelope in twelve words. For dice that are not sealed, returns what kind they are. */
export function envelopeWords({ seal, settings }) {
  if (!seal) return [diceWords({ seal, settings })];
  const words = seal.words.map((word, place) => `${place + 1} ${word}`).join(", ");
  return [gettext("The envelope of these dice is twelve words:"), gettext("{words}.", { words })];
}

/** Returns what kind of dice a table has, in a sentence. */
export function diceWords({ seal, settings }) {
  if (seal) return gettext("The dice are sealed.");
  if (settings.dice === "challenge") return gettext("These dice are known.");
  return gettext("The dice of this game are not sealed.");
}

function questionWords(view, you, before, by, isRead) {
  const { table } = view;
  const aim = decidesStart(view) ? aimOf(view, you) : ""; // an event has said all others
  if (table.does === "throw") return [aim, howToThrow(view, you, isRead)].filter(Boolean);
  const isNamed = isOnlySeat(you, table.seat) || before?.table?.seat === table.seat; // by the event
  return [isNamed ? table.ask_alone : table.ask, howToAnswer(table, by)].filter(Boolean);
}

/** Returns which dice to throw and how, with the player's name if several play at this screen. */
function howToThrow(view, you, isRead) {
  const { seats, table, settings } = view;
  const enter = isRead ? pgettext("said", "Enter throws.") : enterThrowWords(table);
  const words = settings.dice === "hand" ? handThrowWords(table) : enter;
  const { name } = seats[table.seat];
  return isOnlySeat(you, table.seat) ? words : gettext("{name}: {words}", { name, words });
}

/** Returns which dice the Enter key throws. */
export function enterThrowWords({ throws_number: number, throws_word: count }) {
  return number
    ? ngettext("Enter throws one die.", "Enter throws {count} dice.", number, { count })
    : gettext("Enter throws {count}.", { count });
}

function handThrowWords({ throws_number: number, throws_word: count }) {
  return number
    ? ngettext("Throw one die and type what it shows.", "Throw {count} dice and type what they show.", number, { count })
    : gettext("Throw {count} and type what they show.", { count });
}

/** Returns how to answer the question, with Enter or with a digit; empty if tiles answer it. */
function howToAnswer(table, { keys, typing }) {
  if (table.enter) return sentence(table.enter);
  const [first, ...others] = digitsOf(table, table.offers).values();
  if (!first || !(keys || typing)) return "";
  const facts = { first, last: others.at(-1) ?? first };
  return others.length > 1
    ? gettext("{first} to {last}; l lists them.", facts)
    : gettext("{first} or {last}.", facts);
}

/** Returns what Enter does after the game, if pressed twice: the first may be habit; and `v`. Or []. */
export function playAgainWords(view, you) {
  if (view.phase !== "over") return [];
  const { do: does } = mainMove(view, you, []);
  if (does === "rematch") return [gettext("Enter twice plays again, v reviews it.")];
  return does === "places" ? [gettext("Enter twice shows all days, v reviews it.")] : [];
}

function freeSeatWords(view) {
  const free = freeSeats(view).map(({ name }) => name);
  return free.length ? gettext("Still to join: {names}.", { names: listed(free) }) : "";
}

/** Returns what to do about a current player who is away. Empty if the player is present. */
export function awayWords(view, you) {
  if (!mayActForAbsent(view, you)) return [];
  if (!mayEndFor(view, you)) return [gettext("You can wait, or let a computer player take over.")];
  if (!mayStandInFor(view, you)) return [gettext("You can wait, or end the game.")];
  return [gettext("You can wait, let a computer player take over, or end the game.")];
}

/** Returns which pieces are picked, for a player who picks by digits and does not see the board. */
export function pickedWords(view, you, picked) {
  const { pieces } = view.table;
  const labels = picked.map((key) => pieceName(pieces.find((piece) => piece.key === key)));
  const picks = picked.length
    ? gettext("Picked: {pieces}.", { pieces: separated(labels) })
    : gettext("Nothing is picked.");
  const main = mainMove(view, you, picked);
  const ready = main.do ? gettext("Enter: {move}.", { move: main.says }) : "";
  const isCounted = leftToCover(view, you, picked) !== null;
  const next = ready || (isCounted ? sentence(main.says) : "");
  return [picks, next].filter(Boolean).join(" ");
}

/** Returns why a piece cannot be added to the picked ones. */
export function refusedWords(view, you, picked, refused) {
  return capital(refusal(leftToCover(view, you, picked), picked, refused));
}

/** Returns the same, not capitalised: in some languages an article stands before the piece. */
function refusal(left, picked, refused) {
  const piece = pieceName(refused);
  if (refused.state === "down") return gettext("{piece} is down.", { piece });
  if (left !== null && refused.number > left) {
    return picked.length
      ? gettext("{piece} is too high: {number} more to cover.", { piece, number: left })
      : gettext("{piece} is too high: you threw {number}.", { piece, number: left });
  }
  if (picked.length) return gettext("{piece} does not go with what you have picked.", { piece });
  return left === null
    ? gettext("{piece} does not fit now.", { piece })
    : gettext("{piece} does not help to make {number}.", { piece, number: left });
}

/** Returns whose turn begins, until its first dice are thrown. Empty at any other time. */
export function beginWords(view, you) {
  const { phase, table, seats } = view;
  const isNew = phase === "playing" && (table.left?.length || !table.thrown.length || goesFirst(view));
  if (!isNew || table.pieces.some(({ kind, face }) => kind === "die" && face)) return "";
  if (decidesStart(view)) return pgettext("question", "Who begins?");
  const name = isolatedName(seats[table.seat]);
  const isAlone = you.seats.length === 1;
  if (!plays(view, you, table.seat)) {
    return goesFirst(view) ? gettext("{name} goes first", { name }) : gettext("{name} to throw", { name });
  }
  if (goesFirst(view)) return isAlone ? gettext("You go first") : gettext("You go first, {name}", { name });
  const isNamed = !isAlone || (seats.length > 1 && seats[table.seat].named);
  return isNamed ? gettext("Your turn, {name}", { name }) : pgettext("said", "Your turn");
}

/** Isolates a name, so that a right-to-left name does not reorder the text around it. */
export const isolatedName = ({ name }) => `\u2068${name}\u2069`;

/** Whether a throw has just decided who begins. */
const goesFirst = ({ table }) => table.plates.some(({ state }) => state === "first");

/** Returns what the player at this screen needs in the turn that begins; empty at any other time. */
export function aimOf(view, you) {
  if (!beginWords(view, you)) return "";
  if (decidesStart(view)) return gettext("Highest goes first.");
  return isMyTurn(view, you) ? view.table.aim : "";
}

/** Whether the players throw to see who begins, and some have not thrown. */
export const decidesStart = ({ phase, table }) =>
  phase === "playing" && table.plates.length > 1 && table.plates.every(({ state }) => ["to-come", "threw"].includes(state));

/** Returns the text of the plate on the lid: the player of an event, and the throws of the turn. */
export function closerWords({ view: { seats }, seat, move }, you) {
  const isAlone = seats.length === 1;
  const { named = false, name = "", computer = "" } = seats[seat] ?? {};
  const called = isAlone && !named && !computer ? "" : name;
  const player = !isAlone && isOnlySeat(you, seat) ? pgettext("said", "You") : called;
  const number = move?.throws;
  const throws = number && ngettext("{number} throw", "{number} throws", number);
  return [player, throws].filter(Boolean).join(" · ");
}

/** Returns that the players with these names have covered a throw for all. */
export const coveredWords = (names) =>
  ngettext("{names} has covered.", "{names} have covered.", names.length, { names: listed(names) });

/** Returns that the players in the seats `guests` are here. */
export function hereWords({ seats }, guests) {
  const names = listed(guests.map((seat) => isolatedName(seats[seat])));
  return ngettext("{names} is here", "{names} are here", guests.length, { names });
}

/**
 * Returns the results of the other players in their latest turns, and then who leads, each in a
 * sentence, such as "Nell: 16." If lines were `skipped`, says so in their place.
 */
export function sumWords({ seats, table }, you, skipped = 0) {
  const plates = table?.plates ?? [];
  const results = plates.flatMap(({ state, points, total }, seat) => {
    const facts = { name: seats[seat].name, number: ["done", "shut"].includes(state) ? points : total };
    return you.seats.includes(seat) || facts.number === null ? [] : [pgettext("result", "{name}: {number}", facts)];
  });
  if (skipped) {
    const all = results.length ? [sentence(separated(results))] : [];
    return [ngettext("Skipped {number} line.", "Skipped {number} lines.", skipped), ...all, gettext("y for all.")];
  }
  const leading = seats.filter((_, seat) => plates[seat]?.leads);
  if (leading.length !== 1) return results.map(sentence);
  const isOwn = isOnlySeat(you, plates.findIndex(({ leads }) => leads));
  return [...results.map(sentence), isOwn ? pgettext("said", "You lead.") : gettext("{name} leads.", leading[0])];
}

/**
 * Returns whose turn it is or who has won, for the title of the page. It stays the same during a turn: a
 * screen reader that falls behind with what changes on a page drops lines.
 */
export function turnWords(view, you) {
  if (view.phase === "waiting") return gettext("Waiting for players");
  if (view.phase === "over" && view.seats.length > 1 && view.table.winners.length === 1) {
    const { name } = view.seats[view.table.winners[0]];
    return hasWonHere(view.table, you) ? pgettext("said", "You win") : gettext("{name} wins", { name });
  }
  if (view.phase !== "playing") return pgettext("page title", "Over");
  if (isMyTurn(view, you)) return pgettext("said", "Your turn");
  return gettext("{name} to play", view.seats[view.table.seat]);
}
