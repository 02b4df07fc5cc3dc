// How long an event is looked at before the next one is shown, and whether the turns of computers can
// be skipped. Nothing here touches the page.

import { isMine } from "./moves.js";

const REST_MS = { throw: 700, correct: 700 };
const OTHER_REST_MS = 500;
const SLOWER = 3;

const isComputers = ({ seats }, seat) => Boolean(seats[seat]?.computer);

/** The milliseconds to look at an event; `settings` say whether anything moves, and the pace. */
export function restOf({ kind, seat, view }, { motion, pace }) {
  const rest = REST_MS[kind] ?? OTHER_REST_MS;
  if (!isComputers(view, seat)) return motion ? rest : 0;
  if (pace === "slow") return SLOWER * rest;
  return motion && pace === "normal" ? rest : 0;
}

/** Whether this viewer waits for computers, whose turns go by at leisure. */
export function mayHurry(view, you, { motion, pace }) {
  if (!you.seats.length || view.phase !== "playing" || isMine(view, you)) return false;
  const isSlow = pace === "slow" || (motion && pace === "normal");
  return isSlow && isComputers(view, view.table.seat);
}
