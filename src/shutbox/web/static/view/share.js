// Handing something on: by what the device shares with, or copied.

import { site } from "../model/addresses.js";
import { gettext, plain, separated } from "../model/messages.js";
import { say } from "./live_region.js";

/** Whether the device has something to share with. */
export const shares = () => Boolean(navigator.share);

/** Copies a text; whether it could. */
export async function copied(text) {
  const done = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  return (await done) ?? false;
}

/**
 * Hands on `text` and `url`: "shared" or "copied"; "left" where somebody thought better of it; and
 * "failed" where the user has to copy it by hand.
 */
export async function handOn({ text: words, url }) {
  const text = plain(words);
  const what = { title: "shutbox", text, url };
  if (shares() && (navigator.canShare?.(what) ?? true)) {
    try {
      await navigator.share(what);
      return "shared";
    } catch (error) {
      if (error.name === "AbortError") return "left";
    }
  }
  return (await copied(`${text}\n${url}`)) ? "copied" : "failed";
}

/** Hands on what everybody has in a game that is over, with `result` in words, and the link to watch. */
export async function handOnResult({ title, seats, table, settings }, result, { links }) {
  const scores = table.ranking.map((number) => {
    const { total, points } = table.plates[number];
    const score = String(total ?? points ?? "–");
    // Who has played alone needs no name.
    return seats.length > 1 ? gettext("{name} {score}", { name: seats[number].name, score }) : score;
  });
  const words = plain(
    gettext("{scores} in {title}. {result}", { scores: separated(scores), title, result }),
  );
  const isDay = settings.dice === "day"; // others have this box before them
  const came = await handOn({ text: words, url: (!isDay && links.watch) || site() });
  if (came === "copied") say([gettext("The result is copied.")]);
  if (came === "failed") say([words]); // it can be copied from where it stands
}
