// The short line below the box, made from facts: what has just happened, and what comes next. What
// is spoken is longer, and stands elsewhere. Nothing here touches the page.

import { gettext, listed, ngettext } from "./messages.js";
import { hasWonHere, isMine, isShut, lying, mainMove } from "./moves.js";
import { begins } from "./sentences.js";

/**
 * The line at a view; `before` is the view that was shown before it, and `last` the event that led
 * from there: null where neither is known.
 */
export function captionOf(view, you, before = null, last = null) {
  const { phase, table } = view;
  if (phase === "waiting") return mainMove(view, you, []).says;
  if (phase === "ended") return gettext("The game was ended.");
  if (phase === "over") return over(view, you);
  if (isAsked(view, you, last)) return table.ask_alone;
  const happened = last && before?.table ? done(view, you, before, last) : "";
  return [happened, next(view, you, happened)].filter(Boolean).join(" ");
}

/** Who has won a match; `you` to a winner who has this screen alone. The server says the same. */
function won({ table, seats }, you) {
  const { winners, plates } = table;
  const isOwn = hasWonHere(table, you);
  const others = winners.filter((seat) => !isOwn || !you.seats.includes(seat));
  const names = listed(others.map((seat) => named(seats[seat])));
  if (winners.length > 1) {
    return isOwn
      ? gettext("You and {names} share the win.", { names })
      : gettext("{names} share the win.", { names });
  }
  if (plates[winners[0]]?.state === "shut") {
    return isOwn
      ? gettext("You shut the box and win.")
      : gettext("{name} shuts the box and wins.", { name: names });
  }
  return isOwn ? gettext("You win.") : gettext("{name} wins.", { name: names });
}

function over(view, you) {
  const { table, seats } = view;
  if (seats.length > 1) return won(view, you);
  if (isShut(table)) return gettext("The box is shut.");
  const standing = table.pieces.filter(({ kind, state }) => kind === "tile" && state === "up");
  const tiles = listed(standing.map(({ face }) => face));
  const pips = thrown(table);
  if (pips && tiles) {
    return ngettext(
      "{pips}: {tiles} holds the lid.",
      "{pips}: {tiles} hold the lid.",
      standing.length,
      { pips, tiles },
    );
  }
  return gettext("The result is {points}.", { points: table.plates[0].points });
}

function done(view, you, before, { kind, seat }) {
  const { table } = view;
  const isOwn = you.seats.length === 1 && you.seats[0] === seat;
  const name = view.seats[seat] ? named(view.seats[seat]) : "";
  const facts = { name, pips: thrown(table), tiles: fallen(before.table, table) };
  if (kind === "throw" || kind === "correct") {
    if (!facts.pips) return "";
    // A throw of dice alone, such as the one for who begins, leaves nobody stuck.
    const hadTiles = before.table.pieces.some((piece) => piece.kind === "tile");
    const isStuck = hadTiles && (table.seat !== seat || table.round !== before.table.round);
    if (isStuck) return gettext("{name} threw {pips}: stuck.", facts);
    return isOwn ? gettext("You threw {pips}.", facts) : gettext("{name} threw {pips}.", facts);
  }
  if (kind === "choose" && facts.tiles) {
    if (isShut(table)) return gettext("{name} shut the box.", facts);
    return isOwn ? gettext("You covered {tiles}.", facts) : gettext("{name} covered {tiles}.", facts);
  }
  return "";
}

/** Whether a throw is followed by a question with buttons: the question alone, since the dice are seen. */
function isAsked(view, you, last) {
  const { does, target } = view.table;
  return last?.kind === "throw" && does === "choose" && !target && isMine(view, you);
}

function next(view, you, happened) {
  const { table } = view;
  if (!isMine(view, you)) {
    // The main button says for whom the game waits.
    const facts = { name: named(view.seats[table.seat]), pips: thrown(table) };
    const isSeen = !happened && table.does === "choose" && facts.pips;
    return isSeen ? gettext("{name} threw {pips}.", facts) : "";
  }
  if (table.does === "choose") {
    const { target } = table;
    return target ? gettext("Cover {target}.", { target }) : table.ask_alone;
  }
  if (begins(view, you)) return ""; // the baize says it
  if (view.seats.length === 1 || you.seats.length === 1) return happened ? "" : gettext("Your turn.");
  return gettext("{name}, your turn.", { name: named(view.seats[table.seat]) });
}

/** A name as one piece: one written from right to left does not turn what stands beside it. */
const named = ({ name }) => `\u2068${name}\u2069`;

/** The last throw, where its dice lie there, also those that have been put aside since: `3 + 5`. */
function thrown(table) {
  const lies = lying(table).some(({ kind, state, face }) => kind === "die" && state === "lying" && face);
  return lies ? table.thrown.map(({ face }) => face).join(" + ") : "";
}

/** The tiles that have fallen from one table to the next: `1 + 7`. */
function fallen(before, table) {
  const stood = new Set(before.pieces.filter(({ state }) => state !== "down").map(({ key }) => key));
  const now = lying(table).filter(({ kind, state, key }) => kind === "tile" && state === "down" && stood.has(key));
  return now.map(({ face }) => face).join(" + ");
}
