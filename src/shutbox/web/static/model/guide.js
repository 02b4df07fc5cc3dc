// What a guiding hand says on somebody's first game, worked out from where things stand: one short
// line, and what it points at. Nothing here touches the page.

import { gettext, listed, ngettext } from "./messages.js";
import { isMine, isQuestion, mainMove, offersFor } from "./moves.js";

/** After so many throws a newcomer knows how it goes. */
export const MOST_THROWS = 3;

/** Whether a guide is of use here: to one person who plays alone, or against computers. */
export function isGuided({ seats, settings }, you) {
  const isAlone = you.seats.length === 1 && seats[you.seats[0]];
  const others = seats.filter((seat, number) => !you.seats.includes(number));
  return Boolean(isAlone) && settings.dice !== "hand" && others.every(({ computer }) => computer);
}

/**
 * The step that is due: its `name`, what it `says`, and the keys of the `tiles` it points at; where
 * it points at none, it points at the main action. Null where this viewer has nothing to do.
 */
export function stepOf(view, you, picked) {
  const { table } = view;
  if (!table || !isMine(view, you)) return null;
  const main = mainMove(view, you, picked);
  const says = gettext("{words}.", { words: main.says });
  if (main.do === "throw") return { name: "throw", says, tiles: [] };
  if (picked.length && main.do === "choose") {
    const words = ngettext("Now put it down.", "Now put them down.", picked.length);
    return { name: "put", says: words, tiles: [] };
  }
  if (isQuestion(view, you, picked)) return { name: "ask", says: table.ask_alone, tiles: [] };
  return toPick(view, you, picked);
}

/** The tiles to press: those of one or two covers, or what is missing beside the picked ones. */
function toPick(view, you, picked) {
  const { pieces, target } = view.table;
  const tiles = new Map(pieces.filter(({ kind }) => kind === "tile").map((p) => [p.key, p.face]));
  const faces = (keys) => listed(keys.map((key) => tiles.get(key)));
  const dice = pieces.filter(({ kind, state }) => kind === "die" && state === "lying");
  const thrown = dice.map(({ face }) => face).sort().join();
  const isThrown = ({ takes }) => takes.map((key) => tiles.get(key)).sort().join() === thrown;
  // The fewest tiles first, and of as many those that show what the dice show.
  const covers = offersFor(view, you)
    .filter(({ takes }) => takes.length && takes.every((key) => tiles.has(key)))
    .filter(({ takes }) => picked.every((key) => takes.includes(key)))
    .sort((a, b) => a.takes.length - b.takes.length || isThrown(b) - isThrown(a));
  if (!covers.length) return null;
  if (picked.length) {
    const rest = covers[0].takes.filter((key) => !picked.includes(key));
    return { name: "more", says: gettext("Now press {tiles}.", { tiles: faces(rest) }), tiles: rest };
  }
  const [first, second] = covers.map(({ takes }) => takes);
  const words = { target, first: faces(first), second: second && faces(second) };
  const shown = second ? [...new Set([...first, ...second])] : first;
  return { name: "cover", says: coverWords(words, first.length), tiles: shown };
}

function coverWords(words, count) {
  const { target, second } = words;
  if (!second) {
    return ngettext("Only {first} fits: press it.", "Only {first} fit: press one.", count, words);
  }
  return target
    ? gettext("Cover {target}: press {first}, or {second}.", words)
    : gettext("Press {first}, or {second}.", words);
}
