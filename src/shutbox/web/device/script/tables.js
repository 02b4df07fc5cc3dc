// Copies of tables, from which pages are drawn before the engine is ready, and the cards of tables
// to continue. The events themselves are stored elsewhere.

import { storedText } from "../view/storage.js";

const MOST = 20;
const TABLE = "shutbox.table/";
const CARDS = "shutbox.cards";

export const language = document.documentElement.lang;
export const pageOf = (room) => `table.html?room=${room}`;
export const cards = () => JSON.parse(storedText(CARDS) || "[]");

/** Returns the copy of a table, or null if there is none in the language of this page. */
export function bootOf(room) {
  const boot = received.get(room) ?? storedText(TABLE + room);
  return boot && JSON.parse(boot).language === language ? boot : null;
}

/** The tables that this page has received. */
const received = new Map();

export function keepTable({ room, boot, card }) {
  received.set(room, boot);
  const others = cards().filter((one) => one.room !== room);
  const all = (card ? [card, ...others] : others).slice(0, MOST);
  try {
    // If the new copy does not fit, an older one must not stay: it would be valid but outdated.
    localStorage.removeItem(TABLE + room);
    localStorage.setItem(TABLE + room, boot);
    localStorage.setItem(CARDS, JSON.stringify(all));
    forget(new Set([room, ...all.map((one) => one.room)]));
  } catch {
    // The stored events can rebuild it.
  }
}

/** Forgets a table that is no longer stored. Returns whether this page had a copy. */
export function forgetTable(room) {
  const wasKnown = bootOf(room) !== null;
  received.delete(room);
  const others = cards().filter((one) => one.room !== room);
  try {
    localStorage.removeItem(TABLE + room);
    localStorage.setItem(CARDS, JSON.stringify(others));
  } catch {
    // There are no copies.
  }
  return wasKnown;
}

/** Deletes the copies of finished tables, except the last one. */
function forget(known) {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(TABLE) && !known.has(name.slice(TABLE.length))) localStorage.removeItem(name);
  }
}
