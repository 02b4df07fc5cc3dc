// What pages are drawn from before the engine is there: each table as it was told last, and the
// cards of those to go on with. It is no more than a copy: the events are kept elsewhere.

import { kept } from "../view/storage.js";

const MOST = 20;
const TABLE = "shutbox.table/";
const CARDS = "shutbox.cards";

export const pageOf = (room) => `table.html?room=${room}`;
export const cards = () => JSON.parse(kept(CARDS) || "[]");
export const bootOf = (room) => told.get(room) ?? kept(TABLE + room);

/** What this page was told itself. */
const told = new Map();

export function keepTable({ room, boot, card }) {
  told.set(room, boot);
  const others = cards().filter((one) => one.room !== room);
  const all = (card ? [card, ...others] : others).slice(0, MOST);
  try {
    // Without room for the new, what is older shows nothing wrong, but may mislead.
    localStorage.removeItem(TABLE + room);
    localStorage.setItem(TABLE + room, boot);
    localStorage.setItem(CARDS, JSON.stringify(all));
    forget(new Set([room, ...all.map((one) => one.room)]));
  } catch {
    // The events are kept elsewhere, and tell it again.
  }
}

/** Forgets a table that is kept no more; whether it was told here. */
export function forgetTable(room) {
  const isTold = Boolean(bootOf(room));
  told.delete(room);
  const others = cards().filter((one) => one.room !== room);
  try {
    localStorage.removeItem(TABLE + room);
    localStorage.setItem(CARDS, JSON.stringify(others));
  } catch {
    // There are no copies here.
  }
  return isTold;
}

/** Tables that are over go, but the last one. */
function forget(known) {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(TABLE) && !known.has(name.slice(TABLE.length))) localStorage.removeItem(name);
  }
}
