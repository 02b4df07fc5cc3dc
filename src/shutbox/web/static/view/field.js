// What is wrong with the content of a field: a red edge, and one sentence below it. The last element
// that describes a field has the room for this sentence.

import { gettext } from "../model/messages.js";
import { byId, set, text } from "./dom.js";

const MOST = 24; // letters of a name; the server counts them, too
const parts = globalThis.Intl?.Segmenter && new Intl.Segmenter();

/** Returns the number of letters as people count them: an emoji with joiners is one. */
const letters = (words) => [...(parts?.segment(words) ?? words)].length;

/** Says what is wrong with the content of a field, in lines; nothing if they are empty. */
export function refuse(field, lines = "") {
  const words = lines.replaceAll("\n", " ");
  set(field, "aria-invalid", words ? "true" : null);
  const told = byId(field.getAttribute("aria-describedby").split(" ").at(-1));
  // Repeated text would be no change, and would not be spoken.
  text(told, words && told.textContent === words ? `${words}\u00a0` : words);
}

function tooLong(name) {
  const number = letters(name);
  if (number <= MOST) return "";
  return gettext("At most {most} letters. This has {number}.", { most: MOST, number });
}

/** Returns the name in a field without spaces around it. If it cannot be one, says why, and returns "". */
export function nameIn(field) {
  const name = field.value.trim();
  const wrong = name ? tooLong(name) : gettext("Any name will do.");
  refuse(field, wrong);
  if (wrong) field.focus();
  return wrong ? "" : name;
}

/** Lets typing stop at the longest name in a field. A longer one that is pasted is marked. */
export function limit(field) {
  field.addEventListener("beforeinput", (event) => {
    if (event.inputType !== "insertText" || letters(event.data) > 1) return;
    const { value, selectionStart, selectionEnd } = field;
    const after = letters(value.slice(0, selectionStart) + event.data + value.slice(selectionEnd));
    if (after > MOST && after > letters(value)) event.preventDefault();
  });
  field.addEventListener("input", () => refuse(field, tooLong(field.value)));
}
