// A link that brings games of another device: its key stands after the hash, where no server and no
// log sees it. It is taken out of the address; nothing happens before the button is pressed.

import { byId } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

function arrive() {
  if (location.hash.length <= 1) return;
  byId("key").value = location.hash.slice(1);
  byId("by-hand").hidden = true; // nobody has to look at it
  history.replaceState(null, "", location.pathname);
}

addEventListener("hashchange", arrive);
arrive();
takeOver();
