// Single-switch mode: only what can be done now can be focused, and the focus moves there by
// itself, so that a turn takes few presses.

import { byId, focusMain, set } from "./dom.js";
import { choose, settings } from "./settings.js";

const APART = ["header.top", ".skip", "#tools", "#plates", "#result"];

/** Makes inert what cannot be used now. `isReady` says whether the main button can be pressed. */
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

/** Focuses the first piece that can be picked, or the first answer if there is none. */
function next(pieces, isOpen, isPicked) {
  const piece = pieces.find((one) => isOpen(one) && !isPicked(one));
  const target = piece ?? byId("offers").querySelector("button");
  target?.focus({ preventScroll: true });
}

byId("end-scan").addEventListener("click", () => choose("scan", false));
