// What is said about the view, apart from what the server says: whose turn it is, what is asked,
// what is picked, and which events are kept without being said. Nothing here touches the page.

import {
  capital,
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
export function isAside({ seat, kind, view: after }, events) {
  if (events.length > MOST_SAID) return after !== events.at(-1).view;
  const goesOn = after.phase === "playing" && after.table?.seat === seat;
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
 * The question, said after what came about: to whoever is due, and to whoever waits. `before` is
 * where things stood, null for whoever has just come; `said` is what was said of what came about.
 */
export function prompt(view, you, before, said = []) {
  if (view.phase === "waiting") {
    const waits = waitsFor(view);
    return waits && (before === null || waits !== waitsFor(before)) ? [waits] : [];
  }
  const leavesNow = (seat) => hasLeft(view, seat) && (before === null || !hasLeft(before, seat));
  const words = before === null ? awaited(view, you) : [];
  if (view.phase === "playing" && you.seats.some(leavesNow)) words.push("You may come back.");
  if (isMine(view, you)) words.push(...asked(view, you, before, said));
  return words;
}

function asked(view, you, before, said) {
  const { table } = view;
  if (table.does === "choose") {
    const ask = withoutName(table.ask, view.seats[table.seat].name, said);
    return [ask, table.enter && `${table.enter}.`].filter(Boolean);
  }
  // That the dice are still to be thrown is not seen by everybody.
  const isSettled = before !== null && onlyDice(before, view);
  const turnIsNew = before?.table?.seat !== table.seat || before.phase !== "playing";
  const isSaid = isSettled || before === null || (turnIsNew && view.seats.length > 1);
  return isSaid ? [`${mainMove(view, you, []).says}.`] : [];
}

/** A question that need not name again who was named just before it. */
function withoutName(ask, name, said) {
  const isNamed = said.some((sentence) => sentence.startsWith(`${name}: `));
  return isNamed && ask.startsWith(`${name}: `) ? capital(ask.slice(name.length + 2)) : ask;
}

function waitsFor({ seats }) {
  const free = seats.filter(({ state }) => state === "free").map(({ name }) => name);
  return free.length ? `Waiting for ${listed(free, " and")}.` : "";
}

/** What may be done where whoever is due is away; nothing where nobody is. */
export function awaited(view, you) {
  if (!isAwaited(view, you)) return [];
  const ways = ["wait"];
  if (mayStandInFor(view, you)) ways.push("let a computer player go on");
  if (mayEndFor(view, you)) ways.push("end the game");
  return [`You may ${listed(ways, ways.length > 2 ? ", or" : " or")}.`];
}

function listed(words, last) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")}${last} ${words.at(-1)}`;
}

/** What is picked, for whoever picks by digits and does not see it. */
export function pickedWords(view, you, picked) {
  const { pieces } = view.table;
  const labels = picked.map((key) => named(pieces.find((piece) => piece.key === key)));
  const main = mainMove(view, you, picked);
  const so = sumWords(view.table, picked);
  const ready = main.do ? `Enter: ${main.says}.` : "";
  const all = labels.length ? `Picked: ${labels.join(", ")}` : "Nothing is picked";
  return `${all}${so ? `; ${so}` : ""}. ${ready}`.trim();
}

/** Whose turn it is, for the title of the page. */
export function turnWords(view, you) {
  if (view.phase === "waiting") return "Waiting for players";
  if (view.phase !== "playing") return "Over";
  return isMine(view, you) ? "Your turn" : `The turn of ${view.seats[view.table.seat]?.name}`;
}
