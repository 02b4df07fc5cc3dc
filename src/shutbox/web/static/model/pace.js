// How long the page shows an event before the next one, how long it shows the final board of a
// turn, and whether computer turns can be skipped. Nothing here touches the page.

import { isMine } from "./moves.js";
import { hasRows } from "./rows.js";

const REST_MS = { throw: 700, correct: 700 };
const OTHER_REST_MS = 500;
const LYING_MS = 300; // the pause after dice or tiles have moved
const ENDS_MS = 600; // added if the event ends a turn
const SLOWER = 3;

const isComputers = ({ seats }, seat) => Boolean(seats[seat]?.computer);

/**
 * Returns how many milliseconds to show an event once everything lies still. `motion` says whether
 * anything is animated, and `pace` is the speed of computer turns.
 */
export function restOf({ kind, seat, view }, { motion, pace }) {
  const ends = view.table?.left?.length && !hasRows(view.table) ? ENDS_MS : 0; // a turn of one throw is quick
  if (isComputers(view, seat)) {
    if (pace === "slow") return SLOWER * ((REST_MS[kind] ?? OTHER_REST_MS) + ends);
    if (pace !== "normal") return 0;
  }
  return motion ? LYING_MS + ends : 0;
}

/**
 * Returns how many milliseconds to show the final board of a turn, after its last dice have come to
 * rest.
 */
export const finalBoardTime = (event, settings) => restOf(event, settings) / 2;

/** Whether this viewer is waiting for computer players whose turns are slowed down. */
export function mayHurry(view, you, { motion, pace }) {
  if (!you.seats.length || view.phase !== "playing" || isMine(view, you)) return false;
  const isSlow = pace === "slow" || (motion && pace === "normal");
  return isSlow && isComputers(view, view.table.seat);
}
