// Today's box: shares or copies the line with the result.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { byId, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { handOn } from "../view/share.js";

async function share() {
  const line = byId("line");
  const came = await handOn({ text: line.value, url: line.dataset.address });
  if (came === "copied") showMessage(gettext("Copied"));
  if (came !== "failed") return;
  line.focus();
  line.select();
  showMessage(gettext("Copy the line by hand."));
}

/** Says the words and shows them on the button. */
function showMessage(words) {
  text(byId("told"), words);
  text(byId("share"), words);
}

takeOver();
byId("share")?.addEventListener("click", share);
