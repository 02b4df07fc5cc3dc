// Matches in which everybody has a row: the box of a player is their own. Nothing here touches the page.

import { pgettext } from "./messages.js";

/** Whether the players have rows of their own. */
export const hasRows = (table) => Boolean(table?.plates?.some(({ row }) => row));

/**
 * Returns a message of the server with this viewer's own row in the box, in place of that of the player
 * due. If a throw for all waits for this row, too, it has the offers for it, and is `early`.
 */
export function withOwnRow(message, you) {
  const { view } = message;
  const { seats } = message.you ?? you;
  const plate = seats.length === 1 ? view?.table?.plates[seats[0]] : null;
  if (!plate?.row) return message;
  const { pieces, left } = view.table;
  const { seat = message.said && seats[0] } = message.happened ?? {}; // a reply is to an action of the viewer
  const table = {
    ...view.table,
    pieces: withTiles(pieces, plate.row),
    board: plate.board,
    left: seat === seats[0] ? left : withTiles(left, plate.row),
    early: plate.offers.length > 0,
  };
  if (table.early) Object.assign(table, { offers: plate.offers, default: plate.offers[1] ? null : plate.offers[0].text });
  return { ...message, view: { ...view, table } };
}

/** Returns pieces with the tiles of a row: up are those with the keys in `row`. */
const withTiles = (pieces, row) =>
  pieces.map((piece) => (piece.kind === "tile" ? { ...piece, state: row.includes(piece.key) ? "up" : "down" } : piece));

/**
 * Whether a round of rows has just ended: all tiles are up again, nobody is out, and the dice that ended it
 * still lie.
 */
export function endsRound(table) {
  if (!hasRows(table) || !table.left?.length) return false;
  const tiles = table.pieces.filter(({ kind }) => kind === "tile");
  return table.plates.every((plate) => plate.row.length === tiles.length && !standOutState(plate));
}

/**
 * Returns the state of a row that a throw cannot cover: `out` or `passed`. If that ends the round, the view
 * after it is of the next one; but then all others who are in have passed before, too.
 */
export function stuckState(before, table, seat) {
  const state = standOutState(table.plates[seat]);
  if (state || !endsRound(table)) return state;
  return before.plates.some((plate) => plate.state === "passed") ? "passed" : "out";
}

/**
 * Returns the view after the event that ended a round of rows, with the rows as it left them: the row of
 * its player is shut, or out. For any other event, returns its view.
 */
export function lastOfRound(before, { view, seat, move }, you) {
  if (!endsRound(view.table) || !hasRows(before.table)) return view;
  const { plates, round } = before.table;
  const state = move?.shut ? "shut" : stuckState(before.table, view.table, seat);
  const words = { shut: pgettext("plate", "shut"), out: pgettext("plate", "out"), passed: pgettext("plate", "passes") };
  const closes = { state, says: words[state], ...(move?.shut && { row: [], last: plates[seat].row, points: 0 }) };
  const ended = plates.map((plate, n) => {
    const { total, leads } = view.table.plates[n]; // which count the round
    return { ...plate, ...(n === seat && closes), total, leads };
  });
  const own = you.seats.length === 1 ? ended[you.seats[0]] : ended[seat];
  return { ...view, table: { ...view.table, round, plates: ended, left: withTiles(view.table.left, own.row) } };
}

/** Returns the state of a row that stands out: `shut`, `out` of the round, or `passed`. Null for others. */
export const standOutState = ({ row, state }) => (row && ["shut", "out", "passed"].includes(state) ? state : null);

/** Whether the dice on the felt are a throw for all that somebody has yet to cover. */
export const isForAll = ({ does, plates }) =>
  does === "choose" && plates.some(({ offers, last }) => offers?.length || last?.length);

/**
 * Whether an event is the cover of a throw for all by one of several others, of whom the viewer is told the
 * names only. `before` is the view before it.
 */
export function isOneOfMany({ kind, seat, view, move }, before, you) {
  if (kind !== "choose" || move?.shut || before.seats.length < 3) return false;
  const { plates, seat: due } = view.table;
  if (you.seats.some((own) => own === seat || own === due)) return false;
  const isForOthers = plates.some(({ offers, last }, n) => n !== seat && (offers?.length || last?.length));
  return isForOthers && plates.every((plate, n) => standOutState(plate) === standOutState(before.table.plates[n]));
}

/**
 * Returns the mark of a seat in a throw for all: a `tick` if it has covered, or `dots` while it thinks.
 * Null if there is none. `hasPicked` says whether the viewer has picked a cover, to be sent later.
 */
export function markOf(number, { does, seat, plates }, hasPicked) {
  if (!isForAll({ does, plates })) return null;
  if (hasPicked || plates[number].last.length) return "tick";
  return number === seat || plates[number].offers.length ? "dots" : null;
}

/** Returns the place of a seat round the felt: at the bottom the viewer's own. Null if there is no square. */
export function placeOf(seat, { seats, table }, you) {
  const { length } = seats;
  if (!hasRows(table) || you.seats.length !== 1 || length < 2 || length > 4) return null;
  const after = (seat - you.seats[0] + length) % length;
  return ["b", length === 2 ? "t" : "l", "t", "r"][after];
}

/** Returns the faces of the tiles with these keys. */
export const facesOf = (keys, { pieces }) => pieces.filter(({ key }) => keys.includes(key)).map(({ face }) => face);
