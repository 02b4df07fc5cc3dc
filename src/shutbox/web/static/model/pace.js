// How long an event is looked at before the next one is shown, how long the end of a turn is looked at
// before the board of the next, and whether the turns of computers can be skipped. Nothing here touches the page.

import { isMine } from "./moves.js";

const REST_MS = { throw: 700, correct: 700 };
const OTHER_REST_MS = 500;
const ENDS_MS = 600; // more, where a turn ends with it
const SLOWER = 3;

const isComputers = ({ seats }, seat) => Boolean(seats[seat]?.computer);

/** The milliseconds to look at an event; `settings` say whether anything moves, and the pace. */
export function restOf({ kind, seat, view }, { motion, pace }) {
  const rest = (REST_MS[kind] ?? OTHER_REST_MS) + (view.table?.left?.length ? ENDS_MS : 0);
  if (!isComputers(view, seat)) return motion ? rest : 0;
  if (pace === "slow") return SLOWER * rest;
  return motion && pace === "normal" ? rest : 0;
}

/** The milliseconds to look at the board of a turn that has ended, once its last dice lie there. */
export const lookOf = (event, settings) => restOf(event, settings) / 2;

/** Whether this viewer waits for computers, whose turns go by at leisure. */
export function mayHurry(view, you, { motion, pace }) {
  if (!you.seats.length || view.phase !== "playing" || isMine(view, you)) return false;
  const isSlow = pace === "slow" || (motion && pace === "normal");
  return isSlow && isComputers(view, view.table.seat);
}
