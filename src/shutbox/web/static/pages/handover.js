// The link that opens a player's games on another device, to copy or to share.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { byId, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { copied, handOn, shares } from "../view/share.js";

const link = byId("link");
const showMessage = (words) => text(byId("told"), words);

byId("copy").addEventListener("click", async () => {
  if (await copied(link.value)) showMessage(gettext("Link copied."));
  else byHand();
});

byId("hand-on").addEventListener("click", async () => {
  const came = await handOn({ text: gettext("My games of shutbox"), url: link.value });
  if (came === "copied") showMessage(gettext("Link copied."));
  else if (came === "failed") byHand();
});

function byHand() {
  link.focus();
  link.select();
  showMessage(gettext("The link is selected; copy it from there."));
}

byId("hand-on").hidden = !shares();
takeOver();
