// What this player does not want to read or hear: phrases, and the names of muted players. A muted
// seat has its number instead of its name, in everything that the server sends.

import { gettext } from "../model/messages.js";
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
  const others = muted().filter((one) => one !== id);
  const all = others.length === muted().length ? [...others, id] : others;
  storeText(NAME, all.slice(-MOST).join(" "));
  location.reload();
}

/** Whether a line is a phrase that this player does not want to hear. */
export const isHushed = ({ kind, seat }, room) => kind === "say" && (!settings.phrases || isMuted(room, seat));

/** Returns a message of the server with "Seat 2" and the like in place of the names of muted players. */
export function veiled(message) {
  const { room, seats } = message.view ?? { seats: [] };
  let found = message;
  for (const [number, { name, named, computer }] of seats.entries()) {
    if (named && !computer && isMuted(room, number)) found = replaced(found, wholly(name), gettext("Seat {number}", { number: number + 1 }));
  }
  return found;
}

/** Returns a pattern that finds a name, and not a part of another word. */
function wholly(name) {
  const letters = name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, "gu");
}

function replaced(value, pattern, by, isText = false) {
  if (typeof value === "string") return isText ? value.replace(pattern, by) : value;
  if (Array.isArray(value)) return value.map((part) => replaced(part, pattern, by, isText));
  if (value === null || typeof value !== "object") return value;
  const parts = Object.entries(value);
  return Object.fromEntries(parts.map(([key, part]) => [key, replaced(part, pattern, by, TEXTS.has(key))]));
}
