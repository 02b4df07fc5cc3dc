// How long the page shows an event before the next one, how long it shows the final board of a
// turn, and whether computer turns can be skipped. Nothing here touches the page.

import { isMyTurn } from "./moves.js";
import { endsRound, hasRows } from "./rows.js";

const PAUSE_MS = { throw: 700, correct: 700 };
const OTHER_PAUSE_MS = 500;
const LYING_MS = 300; // the pause after dice or tiles have moved
const ENDS_MS = 600; // added if the event ends a turn
const ROUND_MS = 2400; // added if it ends a round of rows
const SLOWER = 3;

const isComputers = ({ seats }, seat) => Boolean(seats[seat]?.computer);

/**
 * Returns how many milliseconds to show an event once everything lies still. `motion` says whether
 * anything is animated, and `pace` is the speed of computer turns.
 */
export function pauseAfter({ kind, seat, view }, { motion, pace }) {
  // A turn in a row is one throw, and quick.
  const ends = view.table?.left?.length && !hasRows(view.table) ? ENDS_MS : 0;
  if (isComputers(view, seat)) {
    if (pace === "slow") return SLOWER * ((PAUSE_MS[kind] ?? OTHER_PAUSE_MS) + ends);
    if (pace !== "normal") return 0;
  }
  return (motion ? LYING_MS + ends : 0) + (endsRound(view.table) ? ROUND_MS : 0);
}

/** Returns how many ms to show the final board of a turn, once its last dice lie still. */
export const finalBoardTime = (event, settings) => pauseAfter(event, settings) / 2;

/** Whether this viewer is waiting for computer players whose turns are slowed down. */
export function mayHurry(view, you, { motion, pace }) {
  if (!you.seats.length || view.phase !== "playing" || isMyTurn(view, you)) return false;
  const isSlow = pace === "slow" || (motion && pace === "normal");
  return isSlow && isComputers(view, view.table.seat);
}
