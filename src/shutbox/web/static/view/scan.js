// Single-switch mode. What it needs is loaded when it is switched on.

import { byId, loadLate } from "./dom.js";
import { choose, settings } from "./settings.js";

let ring = null;

/** Draws the ring of a TablePage in single-switch mode. */
export async function scan(page) {
  byId("end-scan").hidden = !settings.scan;
  if (settings.scan) ring ??= loadLate().then(({ Ring }) => new Ring(page, settings), () => (ring = null));
  (await ring)?.draw();
}

byId("end-scan").addEventListener("click", () => choose("scan", false));
