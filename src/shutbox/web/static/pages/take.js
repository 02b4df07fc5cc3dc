// A link that brings a player's games from another device. Nothing happens until the button is
// pressed.

import { byId } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { onKey } from "../input/link_key.js";

onKey(
  (key) => {
    byId("key").value = key;
    byId("by-hand").hidden = true; // the key need not be shown
  },
  { length: 24 },
);
takeOver();
