// What this player does not want to read or hear: phrases, and the names of muted players. A muted
// seat has its number instead of its name, in everything that the server sends. There a seat without a
// name is "Player 2" in every language; it is translated here.

import { gettext, pgettext } from "../model/messages.js";
import { settings } from "./settings.js";
import { storedText, storeText } from "./storage.js";

const NAME = "shutbox.muted";
const MOST = 50; // how many muted seats are remembered, without the oldest
/** The fields with texts for people, in which a name can occur. */
const TEXTS = new Set(["name", "says", "said", "brief", "ask", "ask_alone", "aim", "note", "columns", "score", "legal", "enter", "dice", "board", "lines"]);

const muted = () => (storedText(NAME) ?? "").split(" ").filter(Boolean);

/** Whether this player has muted a seat of a room. */
export const isMuted = (room, seat) => muted().includes(`${room}/${seat}`);

/** Mutes a seat, or unmutes it if it is muted. Reloads the page, since names are everywhere. */
export function mute(room, seat) {
  const id = `${room}/${seat}`;
  const others = muted().filter((other) => other !== id);
  const all = others.length === muted().length ? [...others, id] : others;
  storeText(NAME, all.slice(-MOST).join(" "));
  location.reload();
}

/** Whether a line is a phrase that this player does not want to hear. */
export const isHushed = ({ kind, seat }, room) => kind === "say" && (!settings.phrases || isMuted(room, seat));

/** Returns a message of the server with "Seat 2" and the like for the names of muted players. */
export function withoutMuted(message) {
  const { room, seats } = message.view ?? { seats: [] };
  let shown = message;
  for (const [number, { name, named, computer }] of seats.entries()) {
    if (computer) continue;
    const by = named ? isMuted(room, number) && gettext("Seat {number}", { number: number + 1 }) : seatNameOf(name, number);
    if (name && by && by !== name) shown = replaceIn(shown, wholly(name), by);
  }
  return shown;
}

/** Returns the name of a seat without one; unchanged if it is in the language of the page already. */
function seatNameOf(name, seat) {
  const [isStored, number] = /^Player( \d+)?$/.exec(name) ?? [];
  if (!isStored) return name;
  return number ? gettext("Player {number}", { number: seat + 1 }) : pgettext("seat", "Player");
}

/** Returns a pattern that finds a name, and not a part of another word. */
function wholly(name) {
  const letters = name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, "gu");
}

function replaceIn(value, pattern, by, isText = false) {
  if (typeof value === "string") return isText ? value.replace(pattern, by) : value;
  if (Array.isArray(value)) return value.map((part) => replaceIn(part, pattern, by, isText));
  if (value === null || typeof value !== "object") return value;
  const parts = Object.entries(value);
  return Object.fromEntries(parts.map(([key, part]) => [key, replaceIn(part, pattern, by, TEXTS.has(key))]));
}
