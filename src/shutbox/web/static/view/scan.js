// For one switch, or two: nothing can be reached but what can be done now, and the focus goes there by
// itself, so that a turn takes few presses.

import { byId, focusMain, set } from "./dom.js";
import { choose, settings } from "./settings.js";

const APART = ["header.top", ".foot", ".skip", "#tools", "#plates", "#result"];

/** Leaves only what can be done; `isReady` tells whether the main action is. */
export function scan(isReady) {
  for (const part of document.querySelectorAll(APART.join())) set(part, "inert", settings.scan);
  byId("end-scan").hidden = !settings.scan;
  const pieces = [...byId("board").querySelectorAll("button")];
  const isOpen = (piece) => piece.ariaDisabled !== "true";
  for (const piece of pieces) set(piece, "inert", settings.scan && !isOpen(piece));
  const isIdle = !isReady && !byId("go").hidden;
  set(byId("go"), "inert", settings.scan && isIdle);
  if (!settings.scan) return;
  const at = document.activeElement;
  const isPicked = (piece) => piece.ariaPressed === "true";
  if (isReady) focusMain();
  else if (!pieces.includes(at) || !isOpen(at) || isPicked(at)) next(pieces, isOpen, isPicked);
}

/** To the first piece that may be picked, or to the answers that stand there instead. */
function next(pieces, isOpen, isPicked) {
  const piece = pieces.find((one) => isOpen(one) && !isPicked(one));
  const target = piece ?? byId("offers").querySelector("button");
  target?.focus({ preventScroll: true });
}

byId("end-scan").addEventListener("click", () => choose("scan", false));
