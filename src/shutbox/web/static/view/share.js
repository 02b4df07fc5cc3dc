// Sharing: with the device's share menu, or by copying.

import { site } from "../model/addresses.js";
import { gettext, plain, separated } from "../model/messages.js";
import { say } from "./live_region.js";

/** Whether the device has a share menu. */
export const shares = () => Boolean(navigator.share);

/** Copies a text. Returns whether it worked. */
export async function copied(text) {
  const done = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  return (await done) ?? false;
}

/**
 * Shares `text` and `url`. Returns "shared" or "copied", "left" if the user cancelled, or "failed"
 * if the user must copy by hand.
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

/** Shares every player's score in an ended game, with `result` in words and the link to watch. */
export async function handOnResult({ title, seats, table, settings }, result, { links }) {
  const scores = table.ranking.map((number) => {
    const { total, points } = table.plates[number];
    const score = String(total ?? points ?? "–");
    // A single player's name is left out.
    return seats.length > 1 ? gettext("{name} {score}", { name: seats[number].name, score }) : score;
  });
  const words = plain(
    gettext("{scores} in {title}. {result}", { scores: separated(scores), title, result }),
  );
  const isDay = settings.dice === "day"; // the receivers can still play this box
  const came = await handOn({ text: words, url: (!isDay && links.watch) || site() });
  if (came === "copied") say([gettext("The result is copied.")]);
  if (came === "failed") say([words]); // shown on the page, so it can be copied
}
