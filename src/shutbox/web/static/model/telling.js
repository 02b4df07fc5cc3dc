// How much is told of an event: what happened, also how it stands as far as that has changed, or
// what lies there and the score as well. The server tells the first two, of a record all three.

const PLAYED = ["throw", "choose", "take-back", "correct"];

/** What is told of an event at a `length`: "brief", "normal" or "full". */
export function toldOf({ says, brief, full, kind, view }, length) {
  if (length === "brief") return brief ?? says;
  if (length === "full" && full) return full;
  if (length === "normal" || !PLAYED.includes(kind) || !view?.table) return says;
  const { board, score } = view.table;
  return [...says, ...[board, score].filter((one) => !says.includes(one))];
}
