// The link that brings a player's games to another device, to copy or share.

import "../view/language.js";
import { gettext, pgettext } from "../model/messages.js";
import { byId, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { copied, handOn, shares } from "../view/share.js";

const link = byId("link");
const share = byId("hand-on");
const done = pgettext("said", "Link copied.");
const showMessage = (words) => text(byId("told"), words);

byId("copy").addEventListener("click", async () => {
  if (await copied(link.value)) showMessage(done);
  else byHand();
});

share.addEventListener("click", async () => {
  const came = await handOn({ text: gettext("My games of shutbox"), url: link.value });
  if (came === "copied") showMessage(done);
  else if (came === "failed") byHand();
});

function byHand() {
  link.focus();
  link.select();
  showMessage(gettext("The text is selected; copy it from there."));
}

share.hidden = !shares();
takeOver();
