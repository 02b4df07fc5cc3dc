// The drawers below the box: one is open at a time. On a wide screen the one that was open last is
// open again on the next visit; on a narrow one a drawer would cover the box, so none is.

import { byId } from "./dom.js";
import { keep, kept } from "./storage.js";

const NAME = "shutbox.drawer";
const wide = matchMedia("(width >= 60rem)");
const narrowest = matchMedia("(width < 88rem)");

const all = [...document.querySelectorAll("#tools > details")];

/** Opens one; what has the focus keeps it. */
export function open(id) {
  byId(id).open = true;
}

export const close = (id) => (byId(id).open = false);

function shut(details) {
  const hadFocus = details.contains(document.activeElement);
  details.open = false;
  if (hadFocus) details.querySelector("summary").focus();
}

function remember() {
  if (!wide.matches) return;
  keep(NAME, all.find(({ id, open: isOpen }) => isOpen && id !== "tool-hint")?.id ?? "");
}

function begin() {
  if (!wide.matches || all.some((details) => details.open)) return;
  // Where there is an empty column beside the box, the moves stand in it.
  const id = kept(NAME) ?? (narrowest.matches ? "tool-moves" : "");
  if (id && byId(id)) byId(id).open = true; // one that is hidden comes with its tool
}

for (const details of all) {
  details.addEventListener("toggle", remember);
  details.querySelector(".shuts").addEventListener("click", () => shut(details));
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    shut(details);
    event.stopPropagation();
  });
}
begin();
