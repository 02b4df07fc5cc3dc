// Shortcuts of one key, active everywhere except in text fields. They can be turned off, since
// voice control can type letters by accident.

import { gettext } from "../model/messages.js";
import { say } from "../view/live_region.js";
import { settings } from "../view/settings.js";
import * as sound from "../view/sound.js";

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
 * Listens for the keys of a TablePage. While typed digits wait, Space and Enter complete them. Else
 * Enter is for the main button if no other element handles it. On a piece of the board, and where digits
 * have picked, it is so if the button can be pressed, and only Space picks.
 */
export function listen(page) {
  let swallows = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Enter" && event.repeat) event.preventDefault(); // a held key acts once
    if (document.querySelector("dialog[open]")) return;
    const isThrown = event.target.id === "roll" && page.actions.throws;
    if (event.target.closest(TYPING) && !isThrown) return;
    const { key } = event;
    const meant = meantKey(event);
    const command = page.commands.list().find(([name]) => name === meant);
    if ((key === " " || key === "Enter") && page.selection.digits) {
      swallows = true;
      page.selection.takeWaiting();
    } else if (key === "Enter") {
      const picks = event.target.closest(PIECE) || event.target === page.selection.focused;
      const isForMain = isThrown || (picks && page.main.do);
      if (event.repeat || (event.target.closest(OWN_ENTER) && !isForMain)) return;
      page.commands.enter();
    } else if (command && (key === "Escape" || settings.keys)) {
      if (event.repeat) return;
      command[2]();
    } else if (settings.keys && /^[0-9]$/.test(meant)) {
      page.commands.digit(meant);
    } else {
      const isUnknown = settings.keys && key.length === 1 && key !== " ";
      const words = gettext("{key} does nothing here. Press ? for help.", { key });
      if (isUnknown) say([sound.refuse(words)], { passing: true });
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
