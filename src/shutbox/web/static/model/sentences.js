// What is said about the view, apart from what the server says: whose turn it is, what is asked,
// what is picked, and which events are kept without being said. Nothing here touches the page.

import { gettext, listed, separated } from "./messages.js";
import {
  hasLeft,
  isAwaited,
  isMine,
  mainMove,
  mayEndFor,
  mayStandInFor,
  named,
  onlyDice,
  sumWords,
} from "./moves.js";

const MOST_SAID = 6; // events at once

/** Whether several computer players play: then much happens that nobody here has done. */
const isCrowd = (view) => view.seats.filter(({ computer }) => computer).length > 1;

/**
 * Whether an event is kept in the log and not said: where several computer players play, of each
 * turn only the end is said, and of many events at once only the last.
 */
export function isAside({ seat, kind, isOwn, view: after }, events) {
  if (events.length > MOST_SAID) return after !== events.at(-1).view;
  const goesOn = after.phase === "playing" && after.table?.seat === seat;
  if (isOwn) return false;
  return isCrowd(after) && Boolean(after.seats[seat]?.computer) && goesOn && kind !== "begin";
}

/** Whether another event of several computer players is about to come. */
export const isInBurst = (view) =>
  isCrowd(view) && view.phase === "playing" && Boolean(view.seats[view.table.seat]?.computer);

/**
 * What the sentences that tell how a match stands are about, where several computer players play:
 * of those that wait to be said only the newest is of use.
 */
export function subjects(view) {
  const answers = isCrowd(view) ? (view.table?.answers ?? []) : [];
  return new Map(answers.map(({ key, says }) => [says, key]));
}

/**
 * The question, said after what came about: to the player who is due and to those who wait.
 * `before` is where things stood, null for a newcomer; `last` is the event that was told last.
 */
export function prompt(view, you, before, last = null) {
  if (view.phase === "waiting") {
    const waits = waitsFor(view);
    return waits && (before === null || waits !== waitsFor(before)) ? [waits] : [];
  }
  const leavesNow = (seat) => hasLeft(view, seat) && (before === null || !hasLeft(before, seat));
  const words = before === null ? awaited(view, you) : [];
  const hasJustLeft = view.phase === "playing" && you.seats.some(leavesNow);
  if (hasJustLeft) words.push(gettext("You may come back."));
  if (isMine(view, you)) words.push(...asked(view, you, before, last));
  return words;
}

function asked(view, you, before, last) {
  const { table } = view;
  if (table.does === "choose") {
    const ask = last && isNamed(view, last) ? table.ask_alone : table.ask;
    return [ask, table.enter && stopped(table.enter)].filter(Boolean);
  }
  // That the dice are still to be thrown is not seen by everybody.
  const isSettled = before !== null && onlyDice(before, view);
  const turnIsNew = before?.table?.seat !== table.seat || before.phase !== "playing";
  const isSaid = isSettled || before === null || (turnIsNew && view.seats.length > 1);
  return isSaid ? [stopped(mainMove(view, you, []).says)] : [];
}

/** Whether what was told of an event has just named who is due; of a throw only among several. */
const isNamed = ({ seats, table }, { kind, seat }) =>
  seat === table.seat && (kind === "choose" || (kind === "throw" && seats.length > 1));

function waitsFor({ seats }) {
  const free = seats.filter(({ state }) => state === "free").map(({ name }) => name);
  return free.length ? gettext("Waiting for {names}.", { names: listed(free) }) : "";
}

/** What may be done where the player who is due is away; nothing where nobody is. */
export function awaited(view, you) {
  if (!isAwaited(view, you)) return [];
  if (!mayEndFor(view, you)) return [gettext("You may wait or let a computer player go on.")];
  if (!mayStandInFor(view, you)) return [gettext("You may wait or end the game.")];
  return [gettext("You may wait, let a computer player go on, or end the game.")];
}

/** What a button says, as a sentence. */
const stopped = (words) => gettext("{words}.", { words });

/** What is picked, for a player who picks by digits and does not see it. */
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

/** Whose turn it is, for the title of the page. */
export function turnWords(view, you) {
  if (view.phase === "waiting") return gettext("Waiting for players");
  if (view.phase !== "playing") return gettext("Over");
  if (isMine(view, you)) return gettext("Your turn");
  return gettext("The turn of {name}", { name: view.seats[view.table.seat].name });
}
