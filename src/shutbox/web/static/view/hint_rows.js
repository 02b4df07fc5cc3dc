// A hint: the tiles of the best choice glow on the board, and the rows of `hint_list.js` are shown.

import { byId, set, text } from "./dom.js";

let choices = []; // of the hint that is shown

/** Draws a hint with the `parts` of its drawer. */
export function drawHint({ figures, rows }, parts) {
  ({ choices } = figures);
  byId("advice").replaceChildren(...parts);
  glow(rows[0].takes, rows[0].text);
}

/** Returns how the best choice compares with the picked one, `chosen`; else undefined. */
export const whyWords = (chosen) => choices.find(({ text: other }) => other === chosen)?.why;

/** Compares the best choice of the hint that is shown with the one that is picked. */
export function compare(chosen) {
  const why = byId("advice").querySelector(".why");
  if (why) text(why, whyWords(chosen) || choices[0].why);
}

/** Turns off the glow of all tiles. */
export const forgetHint = () => glow([], null);

/** Marks the tiles of the best choice, or the button that makes it. */
function glow(keys, best) {
  for (const button of byId("offers").children) {
    set(button, "data-best", button.dataset.key === best);
  }
  for (const tile of byId("board").querySelectorAll(".tiles > li")) {
    tile.firstElementChild.toggleAttribute("data-best", keys.includes(tile.dataset.key));
  }
}
