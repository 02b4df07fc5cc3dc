// Which short sound goes with what happened, each beside its words: somebody was stuck, it is one's own
// turn now, or somebody else's. Nothing here touches the page.

import { isMine, isShut } from "./moves.js";

/** "stuck", "mine" and "theirs", as they follow, for the last event between two views. */
export function cuesOf(before, after, you, { kind, seat }) {
  if (!before.table || !after.table) return [];
  const hasPassed = after.table.seat !== before.table.seat;
  const isOver = after.phase !== "playing" && before.phase === "playing";
  const isStuck = kind === "throw" && before.table.seat === seat && (hasPassed || isOver);
  const stuck = isStuck && !isShut(after.table) ? ["stuck"] : [];
  if (!hasPassed || isOver) return stuck;
  return [...stuck, isMine(after, you) ? "mine" : "theirs"];
}
