// The short sounds that accompany the spoken text: a player was stuck, your turn began, or another
// player's turn began. Nothing here touches the page.

import { isMine, isShut } from "./moves.js";

/**
 * Returns the sounds for the event between two views, in the order of playing: "stuck", then "mine" or
 * "theirs". Empty unless the turn has passed to another seat and the game goes on.
 */
export function cuesOf(before, after, you, { kind, seat }) {
  if (!before.table || !after.table) return [];
  const hasPassed = after.table.seat !== before.table.seat;
  const isOver = after.phase !== "playing" && before.phase === "playing";
  const isStuck = kind === "throw" && before.table.seat === seat && hasPassed;
  const stuck = isStuck && !isShut(after.table) ? ["stuck"] : [];
  if (!hasPassed || isOver) return []; // the end of a game has sounds of its own
  return [...stuck, isMine(after, you) ? "mine" : "theirs"];
}
