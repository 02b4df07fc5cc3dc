// Play by typing: one text field accepts every command, so a screen reader does not have to pass
// single keys to the page. The first sentence of the page offers it, and the browser remembers the
// choice.

import { gettext } from "../model/messages.js";
import { close, open } from "../view/drawers.js";
import { byId, focusMain } from "../view/dom.js";
import { changeSetting, onChange, settings } from "../view/settings.js";

const OFFERED = "shutbox.typing";

let was = settings.typing;

function show() {
  if (!settings.typing) return;
  open("questions");
  focusMain();
}

/** Returns the sentence that offers the field, once a visit, in a list; else an empty one. */
export function fieldOffer() {
  try {
    if (settings.typing || sessionStorage.getItem(OFFERED)) return [];
    sessionStorage.setItem(OFFERED, "offered");
  } catch {
    return [];
  }
  return [gettext("The first button lets you type.")];
}

// The button stays visible: if it lost the focus by disappearing, the screen reader would not
// announce the field.
byId("by-typing").addEventListener("click", () => {
  if (settings.typing) show();
  else changeSetting("typing", true);
});
onChange(() => {
  if (was !== settings.typing) settings.typing ? show() : close("questions");
  was = settings.typing;
});
show();
