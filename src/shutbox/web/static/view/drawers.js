// The drawers below the box: one is open at a time. One that was opened by hand is a step in the
// history of the browser: Back closes it, and Forward opens it again. On a wide screen the one that
// was open last is open again on the next visit; on a narrow one a drawer would cover the box, so none is.

import { byId } from "./dom.js";
import { keep, kept } from "./storage.js";

const NAME = "shutbox.drawer";
const wide = matchMedia("(width >= 60rem)");
const narrowest = matchMedia("(width < 88rem)");

const all = [...document.querySelectorAll("#tools > details, #tools > .either > details")];
const hint = byId("tool-hint");
let unasked = ""; // the drawer that opened by itself, which is no step in the history
let yields = ""; // the same, where it has made room for the figures at the end
let isLeaving = false; // until the step of a drawer that was closed is gone

const shown = () => all.find((details) => details.open)?.id ?? "";
const noted = () => history.state?.drawer ?? "";

/** Opens one; what has the focus keeps it. */
export function open(id) {
  byId(id).open = true;
}

export const close = (id) => (byId(id).open = false);

/** At the end the figures stand where a drawer has opened by itself; then it comes back. */
export function makeRoom(isOver) {
  if (isOver && unasked && narrowest.matches) {
    yields = unasked;
    close(yields);
  } else if (!isOver && yields) {
    if (!shown()) open((unasked = yields));
    yields = "";
  }
}

function shut(details) {
  const hadFocus = details.contains(document.activeElement);
  details.open = false;
  if (hadFocus) details.querySelector("summary").focus();
}

function toggled() {
  if (hint.open) measure();
  if (!yields && wide.matches && (!unasked || shown() !== unasked)) {
    keep(NAME, hint.open ? "" : shown());
  }
  settle();
}

/** Brings the history up to date with the drawer that is open. */
function settle() {
  const id = shown();
  if (id !== unasked) unasked = "";
  if (isLeaving || id === noted() || (id && id === unasked)) return;
  if (id && noted()) history.replaceState({ drawer: id }, "");
  else if (id) history.pushState({ drawer: id }, "");
  else {
    isLeaving = true;
    history.back();
  }
}

function went() {
  const details = all.find(({ id }) => id === noted());
  const isThere = details && !details.hidden && (details !== hint || !byId("advice").hidden);
  if (isLeaving) isLeaving = false;
  else if (isThere) details.open = true;
  else all.filter((one) => one.open).forEach(shut);
  settle();
}

/** Where a hint takes the place of the players, it ends where they do. */
function measure() {
  const { bottom } = byId("plates").getBoundingClientRect();
  byId("stage").style.setProperty("--above", `${bottom}px`);
}

function begin() {
  const isTaken = narrowest.matches && byId("stage").classList.contains("over"); // by the figures
  if (wide.matches && !isTaken && !shown()) {
    // Where there is an empty column beside the box, the moves stand in it.
    const usual = kept(NAME) ?? (narrowest.matches ? "tool-moves" : "");
    const id = noted() && noted() !== hint.id ? noted() : usual;
    if (id !== noted()) unasked = id;
    if (id && byId(id)) open(id); // one that is hidden comes with its tool
  }
}

for (const details of all) {
  details.addEventListener("toggle", toggled);
  details.querySelector(".shuts").addEventListener("click", () => shut(details));
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    shut(details);
    event.stopPropagation();
  });
}
wide.addEventListener("change", () => {
  if (wide.matches) begin();
  else if (unasked) close(unasked);
});
addEventListener("popstate", went);
for (const moved of ["scroll", "resize"]) {
  addEventListener(moved, () => hint.open && measure(), { passive: true });
}
begin();
// While a page still comes, a browser may forget that it was asked to go back.
addEventListener("load", () => setTimeout(settle));
