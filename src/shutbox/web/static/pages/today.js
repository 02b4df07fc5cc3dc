// Today's box: the line to tell others is handed to what the device shares with, or copied.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { byId, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

async function share() {
  const line = byId("line");
  const said = { text: line.value, url: line.dataset.address };
  try {
    if (navigator.share && navigator.canShare?.(said)) {
      await navigator.share(said);
      return;
    }
    await navigator.clipboard.writeText(`${said.text}\n${said.url}`);
    told(gettext("Copied"));
  } catch (error) {
    if (error.name === "AbortError") return; // somebody thought better of sharing
    line.focus();
    line.select();
    told(gettext("Copy the line by hand."));
  }
}

/** Says it, and shows it on the button. */
function told(words) {
  text(byId("told"), words);
  text(byId("share"), words);
}

takeOver();
byId("share")?.addEventListener("click", share);
