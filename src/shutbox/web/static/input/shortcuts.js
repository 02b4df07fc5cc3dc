// Shortcuts of one key, active everywhere except in text fields. They can be turned off, since
// voice control can type letters by accident.

import { settings } from "../view/settings.js";

const TYPING = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const OWN_ENTER = "a, button, summary, select, input, textarea";
const PIECE = "#board button";

/**
 * Returns the digit, the Latin letter or the other key that a player means by a key. Digits of other
 * scripts, the signs that French and other layouts have in place of digits, and letters of other
 * alphabets go by the place of the key.
 */
export function meantKey({ key, code, shiftKey }) {
  if (/^[0-9a-z]$/i.test(key)) return key.toLowerCase();
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit && (/^\p{Nd}$/u.test(key) || (/^Digit/.test(code) && !shiftKey))) return digit;
  const isForeign = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  const letter = isForeign && /^Key(.)$/.exec(code)?.[1];
  return (letter || key).toLowerCase();
}

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
    const meant = meantKey(event);
    if ((key === " " || key === "Enter") && waits()) {
      swallows = true;
      settle();
    } else if (key === "Enter") {
      const isForMain = event.target.closest(PIECE) && isReady();
      if (event.repeat || (event.target.closest(OWN_ENTER) && !isForMain)) return;
      enter();
    } else if (key === "Escape" || (settings.keys && keys().has(meant))) {
      if (event.repeat || !keys().has(meant)) return;
      keys().get(meant)();
    } else if (settings.keys && /^[0-9]$/.test(meant)) {
      digit(meant);
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
