// How much to say about an event: only what happened ("brief"); also the standing if it changed
// ("normal"); or the whole board and the score as well ("full"). For a live game, the server sends
// the first two versions. For a record it sends all three.

const PLAYED = ["throw", "choose", "take-back", "correct"];

/** Returns the sentences for an event at a `length` of "brief", "normal" or "full". */
export function linesOf({ says, brief, full, kind, view }, length) {
  if (length === "brief") return brief ?? says;
  if (length === "full" && full) return full;
  if (length === "normal" || !PLAYED.includes(kind) || !view?.table) return says;
  const { board, score } = view.table;
  return [...says, ...[board, score].filter((one) => !says.includes(one))];
}
