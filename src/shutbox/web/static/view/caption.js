// The caption below the box: one short line of fixed height for the eye, made from facts. A note,
// such as why something was refused, stands in its place until something else is done. The ear has
// the status line.

import { byId, onGesture } from "./dom.js";

let caption = "";
let note = "";
let stays = false;

/** Shows how things stand; a note that need not stay goes. */
export function show(words) {
  if (words !== caption && !stays) note = "";
  caption = words;
  draw();
}

/** Shows a note instead, which `lasts` until something is pressed, or only until something happens. */
export function notice(words, { lasts = false } = {}) {
  note = words;
  stays = lasts;
  draw();
}

function draw() {
  const line = byId("caption");
  line.classList.toggle("note", note !== "");
  const words = note || caption;
  // A line of its own each time: it takes the place of the other, which has not moved.
  if (line.textContent !== words) line.firstElementChild.textContent = words;
}

function clear() {
  if (!note) return;
  [note, stays] = ["", false];
  draw();
}

onGesture(clear);
