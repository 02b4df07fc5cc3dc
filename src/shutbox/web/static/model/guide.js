// What a guiding hand says on somebody's first game, worked out from where things stand: one short
// line, and what it points at. Nothing here touches the page.

import { gettext, listed, ngettext } from "./messages.js";
import { isMine, isQuestion, mainMove, mayAskHint, offersFor } from "./moves.js";

/** After so many throws a newcomer knows how it goes. */
export const MOST_THROWS = 3;

/** Whether a guide is of use here: to one person who plays alone, or against computers. */
export function isGuided({ seats, settings }, you) {
  const isAlone = you.seats.length === 1 && seats[you.seats[0]];
  const others = seats.filter((seat, number) => !you.seats.includes(number));
  return Boolean(isAlone) && settings.dice !== "hand" && others.every(({ computer }) => computer);
}

/** Whether the step that is due needs advice: there are several ways to cover, and hints. */
export const needsAdvice = (view, you) => mayAskHint(view, you) && coversOf(view, you).length > 1;

/**
 * The step that is due: its `name`, what it `says`, and the keys of the `tiles` it points at; where
 * it points at none, it points at the main action. `advised` are the texts of the choices to advise,
 * the best first; undefined while they are awaited. Null where this viewer has nothing to do.
 */
export function stepOf(view, you, picked, advised) {
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
  return toPick(view, you, picked, advised);
}

/** The offers that cover tiles and nothing else. */
function coversOf(view, you) {
  const tiles = new Set(view.table.pieces.filter(({ kind }) => kind === "tile").map((p) => p.key));
  const isCover = ({ takes }) => takes.length && takes.every((key) => tiles.has(key));
  return offersFor(view, you).filter(isCover);
}

/** The tiles to press: those of the best cover, or what is missing beside the picked ones. */
function toPick(view, you, picked, advised) {
  const { pieces, target } = view.table;
  const faces = new Map(pieces.map(({ key, face }) => [key, face]));
  const all = coversOf(view, you);
  const covers = all.filter(({ takes }) => picked.every((key) => takes.includes(key)));
  if (!covers.length || (all.length > 1 && !advised)) return null;
  const best = advised?.map((text) => covers.find((cover) => cover.text === text)).find(Boolean);
  const cover = best ?? (covers.length === 1 ? covers[0] : null);
  const takes = (cover ? [cover] : covers).flatMap((one) => one.takes);
  const rest = [...new Set(takes)].filter((key) => !picked.includes(key));
  const words = { target, tiles: cover && listed(rest.map((key) => faces.get(key))) };
  if (picked.length && cover) {
    return { name: "more", says: gettext("Now press {tiles}.", words), tiles: rest };
  }
  return { name: "cover", says: coverWords(words, all.length, rest.length), tiles: rest };
}

function coverWords(words, covers, count) {
  const { target, tiles } = words;
  if (covers === 1) {
    return ngettext("Only {tiles} fits: press it.", "Only {tiles} fit: press them.", count, words);
  }
  if (tiles) {
    return target
      ? gettext("Cover {target}: press {tiles}.", words)
      : gettext("Press {tiles}.", words);
  }
  return target
    ? gettext("Cover {target}: press tiles that add up to it.", words)
    : gettext("Press tiles that fit.");
}
