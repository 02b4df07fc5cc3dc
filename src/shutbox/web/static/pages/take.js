// A link that brings games of another device; nothing happens before the button is pressed.

import { byId } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { onKey } from "./link_key.js";

onKey((key) => {
  byId("key").value = key;
  byId("by-hand").hidden = true; // nobody has to look at it
});
takeOver();
