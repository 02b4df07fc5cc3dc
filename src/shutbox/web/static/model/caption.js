// The caption below the box: one short line with the last event and the next step. The spoken
// version is longer and comes from another module. Nothing here touches the page.

import { gettext, listed, pgettext, separated } from "./messages.js";
import {
  hasWonHere, isMyTurn, isOnlySeat, isShut, lastPieces, mainMove, sentence,
} from "./moves.js";
import { facesOf, hasRows, isOneOfMany, stuckState } from "./rows.js";
import { beginWords, coveredWords, decidesStart, isolatedName } from "./sentences.js";

/**
 * Returns the caption for a view. `before` is the view shown previously and `last` is the event
 * between the two. Both are null if they are not known.
 */
export function captionOf(view, you, before = null, last = null) {
  const { phase, table } = view;
  if (phase === "waiting") return mainMove(view, you, []).says;
  if (phase === "ended") return gettext("The game was ended.");
  if (phase === "over") return endWords(view, you);
  if (isAsked(view, you, last)) return table.ask_alone;
  const happened = last && before?.table ? eventWords(view, you, before, last) : "";
  return [happened, nextWords(view, you, happened)].filter(Boolean).join(" ");
}

/**
 * Returns who won a match. If the winner is the only player at this screen, says "you". The server
 * uses the same rules. A heading, so it has no full stop.
 */
export function wonWords({ table, seats }, you) {
  const { winners, plates, margin } = table;
  const isOwn = hasWonHere(table, you);
  const others = winners.filter((seat) => !isOwn || !you.seats.includes(seat));
  const names = listed(others.map((seat) => isolatedName(seats[seat])));
  if (winners.length > 1) {
    return isOwn
      ? gettext("You and {names} share the win", { names })
      : gettext("{names} share the win", { names });
  }
  if (plates[winners[0]]?.state === "shut" && hasRows(table)) {
    return isOwn
      ? gettext("You shut your row and win")
      : gettext("{name} shuts the row and wins", { name: names });
  }
  if (plates[winners[0]]?.state === "shut") {
    return isOwn
      ? gettext("You shut the box and win")
      : gettext("{name} shuts the box and wins", { name: names });
  }
  return isOwn ? winWords(margin) : winsWords(names, margin);
}

const winWords = (number) =>
  number ? gettext("You win by {number}", { number }) : pgettext("said", "You win");

const winsWords = (name, number) =>
  number ? gettext("{name} wins by {number}", { name, number }) : gettext("{name} wins", { name });

function endWords(view, you) {
  const { table, seats } = view;
  if (seats.length > 1) return sentence(wonWords(view, you));
  if (isShut(table)) return you.seats.length ? gettext("You shut the box.") : gettext("The box is shut.");
  const number = thrownPips(table) && total(table);
  return number && !canMake(table, number)
    ? gettext("No way to make {number}.", { number })
    : gettext("Your result is {points}.", { points: table.plates[0].points });
}

/** Returns what every player has at the end of a match, best first, and its meaning. */
export function scoreWords({ seats, table }, you) {
  const scores = table.ranking.map((seat) => {
    const { total, points, says } = table.plates[seat];
    const name = isOnlySeat(you, seat) ? pgettext("said", "You") : isolatedName(seats[seat]);
    const unit = total === null ? says : pgettext("plate", "total");
    return gettext("{name}: {number} {unit}", { name, number: total ?? points ?? "–", unit });
  });
  return sentence(separated(scores));
}

/** Whether some tiles that are up add up to a number, even if a rule forbids them, or no tile is up. */
function canMake({ pieces }, number) {
  const up = pieces.filter(({ kind, state }) => kind === "tile" && state === "up");
  let sums = [0];
  for (const tile of up) sums = [...new Set([...sums, ...sums.map((sum) => sum + tile.number)])];
  return !up.length || sums.includes(number);
}

/** Returns what an event did, if it is a throw or a cover. Else empty. */
function eventWords(view, you, before, event) {
  const { table } = view;
  const { kind, seat } = event;
  if (isOneOfMany({ ...event, view }, before, you)) {
    const others = view.seats.filter((_, n) => table.plates[n].last.length && !you.seats.includes(n));
    return coveredWords(others.map(isolatedName));
  }
  const isOwn = isOnlySeat(you, seat);
  const name = view.seats[seat] ? isolatedName(view.seats[seat]) : "";
  if (kind === "throw" || kind === "correct") return throwWords(before.table, table, seat, isOwn, name);
  return kind === "choose" ? coverWords(before.table, table, event, isOwn, name) : "";
}

/** Returns what a throw showed, or that the player is stuck on it. Empty if its dice do not lie here. */
function throwWords(before, table, seat, isOwn, name) {
  const facts = { name, pips: thrownPips(table) };
  if (!facts.pips) return "";
  // No player can be stuck after a throw without tiles, such as the throw that decides who
  // begins.
  const hadTiles = before.pieces.some((piece) => piece.kind === "tile");
  const isStuck = hadTiles && (table.seat !== seat || table.round !== before.round);
  if (!isStuck) return isOwn ? gettext("You threw {pips}.", facts) : gettext("{name} threw {pips}.", facts);
  const state = stuckState(before, table, seat);
  if (state === "passed") {
    return isOwn ? gettext("You threw {pips} and pass.", facts) : gettext("{name} threw {pips} and passes.", facts);
  }
  facts.number = state ? before.plates[seat].points : total(table);
  if (state) {
    return isOwn
      ? gettext("You threw {pips}. Out with {number}.", facts)
      : gettext("{name} threw {pips}. Out with {number}.", facts);
  }
  return isOwn
    ? gettext("You are stuck on {number}.", facts)
    : gettext("{name} is stuck on {number}.", facts);
}

/** Returns what a choice covered. Empty if it covered nothing. */
function coverWords(before, table, { seat, move }, isOwn, name) {
  const own = table.plates[seat]?.last ?? []; // in a row of one's own, which may not be the one in the box
  const facts = { name, tiles: facesOf(own, table).join(" + ") || coveredTiles(before, table) };
  if (move?.shut && hasRows(table)) {
    return isOwn ? gettext("You shut your row.") : gettext("{name} shuts the row.", facts);
  }
  if (!facts.tiles) return "";
  if (isShut(table)) return isOwn ? gettext("You shut the box.") : gettext("{name} shut the box.", facts);
  return isOwn ? gettext("You covered {tiles}.", facts) : gettext("{name} covered {tiles}.", facts);
}

/** Whether a throw led to a question with buttons. Then only the question is shown. */
function isAsked(view, you, last) {
  const { does, target } = view.table;
  return last?.kind === "throw" && does === "choose" && !target && isMyTurn(view, you);
}

function nextWords(view, you, happened) {
  const { table } = view;
  if (!isMyTurn(view, you)) {
    // The main button names the player whose turn it is.
    const facts = { name: isolatedName(view.seats[table.seat]), pips: thrownPips(table) };
    const isSeen = !happened && table.does === "choose" && facts.pips;
    return isSeen ? gettext("{name} threw {pips}.", facts) : "";
  }
  if (table.does === "choose") {
    return table.target ? "" : table.ask_alone; // the button shows the number to cover
  }
  if (decidesStart(view) && !table.thrown.length && you.seats.length === 1) {
    const others = view.seats.filter((seat, number) => number !== table.seat);
    return gettext("Your throw first. Next: {names}.", { names: listed(others.map(isolatedName)) });
  }
  if (beginWords(view, you)) return ""; // the baize shows it
  if (view.seats.length === 1 || you.seats.length === 1) return happened ? "" : pgettext("said", "Your turn.");
  return gettext("{name}, your turn.", { name: isolatedName(view.seats[table.seat]) });
}

/** Returns the last throw as `3 + 5`, with dice put aside since. Empty if none of it lies here. */
function thrownPips(table) {
  const lies = lastPieces(table).some(({ kind, state, face }) => kind === "die" && state === "lying" && face);
  return lies ? table.thrown.map(({ face }) => face).join(" + ") : "";
}

/** Returns the sum of the last throw. */
const total = (table) => table.thrown.reduce((sum, { face }) => sum + Number(face), 0);

/** Returns the tiles that went down between two tables, as `1 + 7`. */
function coveredTiles(before, table) {
  const stood = new Set(before.pieces.filter(({ state }) => state !== "down").map(({ key }) => key));
  const now = lastPieces(table).filter(({ kind, state, key }) => kind === "tile" && state === "down" && stood.has(key));
  return now.map(({ face }) => face).join(" + ");
}
