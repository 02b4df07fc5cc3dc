// Sharing: with the device's share menu, or by copying.

import { site } from "../model/addresses.js";
import { gettext, pgettext, plain, separated } from "../model/messages.js";
import { say } from "./live_region.js";
import { pictureOf } from "./share_picture.js";

const MOST_LINES = 6; // of a picture

/** Whether the device has a share menu. */
export const shares = () => Boolean(navigator.share);

/** Copies a text. Returns whether it worked. Without https, browsers have only the older way. */
export async function copied(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const put = (event) => {
    event.preventDefault();
    event.clipboardData.setData("text/plain", text);
  };
  document.addEventListener("copy", put);
  const done = document.execCommand("copy");
  document.removeEventListener("copy", put);
  return done;
}

/** Returns what to do if the browser did not copy a text. */
export const byHand = () => gettext("Your browser did not copy it. Select the text and copy it by hand.");

/**
 * Shares `text` and `url`, with a `picture` if the share menu takes files. Returns "shared" or "copied",
 * "left" if the user cancelled, or "failed" if the user must copy by hand.
 */
export async function handOn({ text: words, url, picture = null }) {
  const text = plain(words);
  const what = { title: "shutbox", text, url };
  if (picture && navigator.canShare?.({ files: [picture] })) what.files = [picture];
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

/** Shares a finished try at Today's box: the score and a square for each throw, but no dice. */
export async function handOnTry({ number, mine, share, skills }) {
  const title = pgettext("title", "Today #{number}", { number });
  const lines = [pgettext("result", "{score} left", { score: mine.score })];
  const picture = shares() ? await pictureOf({ title, lines, skills }) : null;
  tell(await handOn({ text: share, url: new URL("/today", location.href).href, picture }), share);
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
  const picture = shares() ? await pictureOf({ title, lines: scores.map(plain).slice(0, MOST_LINES) }) : null;
  const came = await handOn({ text: words, url: (!isDay && links.watch) || site(), picture });
  tell(came, words);
}

function tell(came, words) {
  if (came === "copied") say([gettext("The result is copied.")]);
  if (came === "failed") say([words]); // shown on the page, so it can be copied
}
