// The link that brings a player's games to another device, to copy or share.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { byId, text } from "../view/dom.js";
import { copyLink } from "../view/invite.js";
import { takeOver } from "../view/settings.js";
import { handOn, hasShareMenu } from "../view/share.js";

const link = byId("link");
const share = byId("hand-on");
const copy = () => copyLink(link.value, link, (words) => text(byId("told"), words));

byId("copy").addEventListener("click", copy);
share.addEventListener("click", async () => {
  const came = await handOn({ text: gettext("My games of shutbox"), url: link.value });
  if (came === "copied" || came === "failed") copy();
});
share.hidden = !hasShareMenu();
takeOver();
