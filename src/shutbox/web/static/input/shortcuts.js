// One-key shortcuts: a letter typed anywhere but in a text field. They can be turned off, since
// whoever steers by voice types letters without meaning to.

import { settings } from "../view/settings.js";

const TYPING = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const OWN_ENTER = "a, button, summary, select, input, textarea";
const PIECE = "#board button";

/**
 * `keys` tells what a key does: a map from a key to what is called. `digit(key)` gets digits;
 * `waits()` tells whether digits wait, which Space and Enter then `settle`; `enter()` is Enter
 * where nothing else would have it, and on a piece of the board where the main button `isReady()`:
 * there Space alone picks.
 */
export function listen({ keys, digit, waits, settle, enter, isReady }) {
  let swallows = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Enter" && event.repeat) event.preventDefault(); // one press is one action
    if (document.querySelector("dialog[open]") || event.target.closest(TYPING)) return;
    const { key } = event;
    if ((key === " " || key === "Enter") && waits()) {
      swallows = true;
      settle();
    } else if (key === "Enter") {
      const isForMain = event.target.closest(PIECE) && isReady();
      if (event.repeat || (event.target.closest(OWN_ENTER) && !isForMain)) return;
      enter();
    } else if (key === "Escape" || (settings.keys && keys().has(key.toLowerCase()))) {
      if (event.repeat || !keys().has(key.toLowerCase())) return;
      keys().get(key.toLowerCase())();
    } else if (settings.keys && /^[0-9]$/.test(key)) {
      digit(key);
    } else {
      return;
    }
    event.preventDefault();
  });
  // A button is pressed by Space when the key comes up again.
  document.addEventListener("keyup", (event) => {
    if (swallows && (event.key === " " || event.key === "Enter")) event.preventDefault();
    swallows = false;
  });
}
