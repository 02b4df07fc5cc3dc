// The warm line below an ended game: one sentence to the only player at this screen, the first of
// these that is true. What it compares with is stored on this device.

import { gettext } from "../model/messages.js";
import { storedJson, storedText, storedTexts, storeText } from "./storage.js";

const BEST = "best "; // before the title of a game
const FIRST = "shutbox.first";
const TONIGHT = "tonight "; // before the title of a game
const EVENING_MS = 6 * 3_600_000; // a pause that ends an evening, as on the server

/** Returns the line about a `verdict`, or an empty text. Notes the result for later games. */
export function warmLine({ room, seats, title, table }, you, verdict) {
  if (you.seats.length !== 1) return "";
  const [seat] = you.seats;
  const { state, total, points } = table.plates[seat];
  const game = `${room} ${table.game}`;
  const isFirst = state === "shut" && isFirstShut(game);
  const isBest = isBestTonight(title, game, total ?? points, verdict.low_is_good);
  if (isFirst) return gettext("Your first shut box on this device.");
  const { name, named } = seats[seat];
  if (isBest && !named) return gettext("Your best result tonight.");
  if (isBest) return gettext("Your best result tonight, {name}.", { name: `\u2068${name}\u2069` });
  const own = verdict.seats.find((player) => player.seat === seat);
  const others = verdict.seats.filter((player) => player !== own);
  if (!own || seats.length < 2) return "";
  if (!table.winners.includes(seat) && others.every((player) => lost(player) > lost(own))) {
    return gettext("You played the better game. The dice did not notice.");
  }
  if (lost(own) < 0.05) return gettext("You made no mistakes at all.");
  return table.margin === 1 ? gettext("That was close: one point.") : "";
}

const lost = ({ mistakes }) => Math.abs(mistakes);

/**
 * Whether this is the first shut box on this device. Stores `game`, which names the game at its table, so
 * that a reload gives the same answer.
 */
function isFirstShut(game) {
  const known = storedText(FIRST) ?? (storedTexts(BEST).includes("0") ? "" : game);
  storeText(FIRST, known);
  return known === game;
}

/** Stores a result of this evening. Returns whether it beats all its other ones, which are two or more. */
function isBestTonight(title, game, score, isLow) {
  const known = storedJson(TONIGHT + title, null);
  const scores = Date.now() - known?.at < EVENING_MS ? known.scores : {};
  scores[game] = score;
  storeText(TONIGHT + title, JSON.stringify({ at: Date.now(), scores }));
  const others = Object.entries(scores).filter(([key]) => key !== game);
  return others.length > 1 && others.every(([, other]) => (isLow ? score < other : score > other));
}

/** Stores a score if it is the best of a game on this device. Returns whether it beats an older one. */
export function isBest(game, score, isLow) {
  const known = storedText(BEST + game);
  const isBetter = known === null || (isLow ? score < Number(known) : score > Number(known));
  if (isBetter) storeText(BEST + game, String(score));
  return isBetter && known !== null;
}
