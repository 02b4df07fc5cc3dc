// The guide for a player's first game: one short line for the next step, and the tiles or the
// button to press. Nothing here touches the page.

import { gettext, listed } from "./messages.js";
import { isMyTurn, isQuestion, mainMove, mayAskHint, offersFor } from "./moves.js";

/** The guide stops after this many throws. */
export const MOST_THROWS = 3;

/** Whether the guide is useful: one person plays, alone or against computer players. */
export function isGuided({ seats, settings }, you) {
  const isAlone = you.seats.length === 1 && seats[you.seats[0]];
  const others = seats.filter((seat, number) => !you.seats.includes(number));
  return Boolean(isAlone) && settings.dice !== "hand" && others.every(({ computer }) => computer);
}

/** Whether the next step needs advice: hints are on and several covers fit. */
export const needsAdvice = (view, you) => mayAskHint(view, you) && coversOf(view, you).length > 1;

/**
 * Returns the next step: its `name`, its sentence in `says`, and the keys of the `tiles` to point
 * at. Without tiles, the guide points at the main button. `advised` lists the texts of the
 * recommended choices, best first. It is undefined while the hint is being fetched. Returns null if
 * this viewer has nothing to do, or has to wait for the hint.
 */
export function stepOf(view, you, picked, advised) {
  const { table } = view;
  if (!table || !isMyTurn(view, you)) return null;
  const main = mainMove(view, you, picked);
  if (main.do === "throw") return { name: "throw", says: gettext("Press here to throw."), tiles: [] };
  if (picked.length && main.do === "choose") {
    return { name: "put", says: gettext("Press here to cover."), tiles: [] };
  }
  if (isQuestion(view, you, picked)) return { name: "ask", says: table.ask_alone, tiles: [] };
  return stepToPick(view, you, picked, advised);
}

/** Returns the offers that cover tiles and do nothing else. */
function coversOf(view, you) {
  const tiles = new Set(view.table.pieces.filter(({ kind }) => kind === "tile").map((p) => p.key));
  const isCover = ({ takes }) => takes.length && takes.every((key) => tiles.has(key));
  return offersFor(view, you).filter(isCover);
}

/** Returns a step that points at the tiles of the best cover, or at those missing to it. */
function stepToPick(view, you, picked, advised) {
  const { pieces, target } = view.table;
  const faces = new Map(pieces.map(({ key, face }) => [key, face]));
  const all = coversOf(view, you);
  const covers = all.filter(({ takes }) => picked.every((key) => takes.includes(key)));
  if (!covers.length || (all.length > 1 && !advised)) return null;
  const best = advised?.map((text) => covers.find((cover) => cover.text === text)).find(Boolean);
  const cover = best ?? (covers.length === 1 ? covers[0] : null);
  const takes = (cover ? [cover] : covers).flatMap((offer) => offer.takes);
  const rest = [...new Set(takes)].filter((key) => !picked.includes(key));
  const numbers = rest.map((key) => faces.get(key));
  const words = { target, tiles: cover && listed(numbers) };
  if (picked.length && cover) {
    return { name: "more", says: gettext("Now press {tiles}.", words), tiles: rest };
  }
  const only = gettext("Only {tiles} works.", { tiles: numbers.join(" + ") });
  if (all.length === 1) return { name: "only", says: only, tiles: rest };
  return { name: "cover", says: coverWords(words), tiles: rest };
}

function coverWords(words) {
  const { target, tiles } = words;
  if (tiles) {
    return target
      ? gettext("Cover {target}: press {tiles}.", words)
      : gettext("Press {tiles}.", words);
  }
  return target
    ? gettext("Press tiles that add up to {target}.", words)
    : gettext("Press tiles that fit.");
}
