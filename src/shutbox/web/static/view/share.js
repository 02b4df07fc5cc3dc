// Sharing: with the device's share menu, or by copying.

import { site, todayAt } from "../model/addresses.js";
import { gettext, ngettext, pgettext, plain, separated } from "../model/messages.js";
import { loadLate, today } from "./dom.js";
import { say } from "./live_region.js";

const MOST_SCORES = 4; // on a postcard

/** Whether the device has a share menu. */
export const hasShareMenu = () => Boolean(navigator.share);

/** Copies a text. Returns whether it worked. Without https, browsers have only the older way. */
export async function copyText(text) {
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
export const copyByHandWords = () => gettext("Your browser did not copy it. Select the text and copy it by hand.");

/**
 * Shares `text` and `url`, with a `picture` if the share menu takes files; `title` says what it shows.
 * Returns "shared" or "copied", "left" if the user cancelled, or "failed" if the user must copy by hand.
 */
export async function handOn({ text: words, url, picture = null, title = "shutbox" }) {
  const text = plain(words);
  const what = { title, text, url };
  if (picture && navigator.canShare?.({ files: [picture] })) what.files = [picture];
  if (hasShareMenu() && (navigator.canShare?.(what) ?? true)) {
    try {
      await navigator.share(what);
      return "shared";
    } catch (error) {
      if (error.name === "AbortError") return "left";
    }
  }
  return (await copyText(`${text}\n${url}`)) ? "copied" : "failed";
}

/** Returns the picture of a postcard. Null if the device cannot share it, or it cannot be drawn. */
const pictureOf = async (card) => (hasShareMenu() ? loadLate().then((late) => late.pictureOf(card)).catch(() => null) : null);

/** Shares a finished try at a box of the day, with its picture. Returns what `handOn` does. */
export async function shareTry({ number, score, share, skills }) {
  const title = gettext("Today {number}, {score} left", { number, score });
  const detail = pgettext("number of a box", "#{number}", { number });
  const lines = [String(score), `${pgettext("result", "left")} · ${detail}`];
  const card = { title: pgettext("heading", "Today"), detail, lines, skills };
  return handOn({ title, text: share, url: new URL(todayAt, location.href).href, picture: await pictureOf(card) });
}

/** Shares the try at Today's box that has just ended. */
export async function handOnTry({ number, mine: { score }, share, skills }) {
  tell(await shareTry({ number, score, share, skills }), share);
}

/**
 * Shares every player's score in an ended game, with `result` in words and the link to watch. `throws` is
 * the number of throws of the last turn.
 */
export async function handOnResult(view, result, { seats: mine, links }, throws) {
  const { title, seats, table, settings } = view;
  const scoreOf = (number) => String(table.plates[number].total ?? table.plates[number].points ?? "–");
  // A single player's name is left out.
  const scores = table.ranking.map((number) =>
    seats.length > 1 ? gettext("{name} {score}", { name: seats[number].name, score: scoreOf(number) }) : scoreOf(number));
  const words = plain(
    gettext("{scores} in {title}. {result}", { scores: separated(scores), title, result }),
  );
  const isDay = settings.dice === "day"; // the receivers can still play this box
  const url = (!isDay && links.watch) || site();
  const card = cardOf(view, mine.length === 1 ? mine[0] : table.ranking[0] ?? 0, scoreOf, throws);
  tell(await handOn({ title: `${title}, ${card.lines.join(" ")}`, text: words, url, picture: await pictureOf(card) }), words);
}

/** Returns what stands on the postcard of a game, whose box is that of seat `own`. */
function cardOf({ title, length, seats, table }, own, scoreOf, throws) {
  const { state, stand, says } = table.plates[own];
  const shut = state === "shut" ? pgettext("result", "SHUT") : "";
  if (seats.length > 1) {
    const others = table.ranking.filter((number) => number !== own);
    const lines = [[own, ...others].slice(0, MOST_SCORES).map(scoreOf).join(" : ")];
    return { title, detail: length, lines, up: state === "done" ? stand : null, shut };
  }
  const count = ngettext("{number} throw", "{number} throws", throws);
  return { title, detail: today(), lines: shut ? [count, `· ${today()}`] : [scoreOf(own), says], shut };
}

function tell(came, words) {
  if (came === "copied") say([gettext("The result is copied.")]);
  if (came === "failed") say([words]); // shown on the page, so it can be copied
}
