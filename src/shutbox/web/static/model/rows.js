// Matches in which everybody has a row: the box of a player is their own. Nothing here touches the page.

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
  const lies = (piece) => (piece.kind === "tile" ? { ...piece, state: plate.row.includes(piece.key) ? "up" : "down" } : piece);
  const { pieces, left } = view.table;
  const table = { ...view.table, pieces: pieces.map(lies), left: left.map(lies), early: plate.offers.length > 0 };
  if (table.early) Object.assign(table, { offers: plate.offers, default: plate.offers[1] ? null : plate.offers[0].text });
  return { ...message, view: { ...view, table } };
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
