// Shortcuts of one key, active everywhere except in text fields. They can be turned off, since
// voice control can type letters by accident.

import { settings } from "../view/settings.js";

const TYPING = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const OWN_ENTER = "a, button, summary, select, input, textarea";
const PIECE = "#board button";

/**
 * Listens for keys. `keys()` returns a map from a key to its function. `digit(key)` gets digits.
 * `waits()` returns whether typed digits are waiting; Space and Enter then call `settle()`.
 * `enter()` is called for Enter if no other element handles it. It is also called on a piece of the
 * board when the main button `isReady()`, where only Space picks.
 */
export function listen({ keys, digit, waits, settle, enter, isReady }) {
  let swallows = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Enter" && event.repeat) event.preventDefault(); // a held key acts once
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
  // A button is clicked when Space is released.
  document.addEventListener("keyup", (event) => {
    if (swallows && (event.key === " " || event.key === "Enter")) event.preventDefault();
    swallows = false;
  });
}
