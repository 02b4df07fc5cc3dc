// The caption below the box: one short line of fixed height. A note, such as the reason for a
// refusal, replaces it until the next action. Screen readers use the status line instead.

import { byId, onGesture } from "./dom.js";

let caption = "";
let note = "";
let stays = false;

/**
 * Shows a caption. Removes the note, unless it must stay. A warm line stays visible below a podium,
 * which has any other caption in large letters.
 */
export function show(words, { isWarm = false } = {}) {
  if (words !== caption && !stays) note = "";
  caption = words;
  byId("caption").classList.toggle("warm", isWarm);
  draw();
}

/**
 * Shows a note instead of the caption until the next event, or if it `lasts`, the next press, and no
 * longer than `during` a promise.
 */
export function notice(words, { lasts = false, during } = {}) {
  note = words;
  stays = lasts;
  draw();
  const end = () => note === words && clear();
  during?.then(end, end);
}

function draw() {
  const line = byId("caption");
  line.classList.toggle("note", note !== "");
  const words = note || caption;
  // Only the text changes. The line keeps its element, so nothing moves.
  if (line.textContent !== words) line.firstElementChild.textContent = words;
}

function clear() {
  if (!note) return;
  [note, stays] = ["", false];
  draw();
}

onGesture(clear);
