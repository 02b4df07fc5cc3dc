// Play by typing: one field takes everything, so that a screen reader need not hand single keys to the
// page. The page offers it in its first sentence, and the browser remembers it.

import { gettext } from "../model/messages.js";
import { open } from "../view/drawers.js";
import { byId, focusMain } from "../view/dom.js";
import { choose, onChange, settings } from "../view/settings.js";

const OFFERED = "shutbox.typing";

let was = settings.typing;

function show() {
  if (!settings.typing) return;
  open("questions");
  focusMain();
}

/** The offer, once in a visit; empty where it was taken or made before. */
export function offer() {
  try {
    if (settings.typing || sessionStorage.getItem(OFFERED)) return [];
    sessionStorage.setItem(OFFERED, "offered");
  } catch {
    return [];
  }
  return [gettext("With a screen reader: the first button of the page is Play by typing.")];
}

// The button stays: a screen reader would not tell of the field if what has its focus were to go.
byId("by-typing").addEventListener("click", () => {
  if (settings.typing) show();
  else choose("typing", true);
});
onChange(() => {
  if (was !== settings.typing) show();
  was = settings.typing;
});
show();
