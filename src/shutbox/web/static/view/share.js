// Handing something on: by what the device shares with, or copied.

import { site } from "../model/addresses.js";
import { gettext } from "../model/messages.js";
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
export async function handOn({ text, url }) {
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

/** Hands on the result of a game in a line of words. */
export async function handOnResult(title, result) {
  const words = gettext("{title} on shutbox. {result}", { title, result });
  const came = await handOn({ text: words, url: site() });
  if (came === "copied") say([gettext("The result is copied.")]);
  if (came === "failed") say([words]); // it can be copied from where it stands
}
