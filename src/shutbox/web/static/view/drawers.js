// The drawers below the box, of which one is open at a time. Opening a drawer adds an entry to the
// browser's history: Back closes it and Forward opens it again. On a wide screen, the drawer that
// was open last opens again on the next visit. On a narrow screen it would cover the box, so none
// opens.

import { byId, focusMain } from "./dom.js";
import { storedText, storeText } from "./storage.js";

const NAME = "shutbox.drawer";
const wide = matchMedia("(width >= 60rem)");
const narrowest = matchMedia("(width < 88rem)");

const all = [...document.querySelectorAll("#tools > details")];
const hint = byId("tool-hint");
let unasked = ""; // the drawer that the page opened itself, which has no history entry
let yields = ""; // such a drawer, closed to make room for the figures at the end
let isLeaving = false; // true until the history entry of a closed drawer is removed

const shown = () => all.find((details) => details.open)?.id ?? "";
const noted = () => history.state?.drawer ?? "";

/** Opens a drawer. The focus stays where it is, unless it is in a drawer that closes. */
export function open(id) {
  const closes = all.some((drawer) => drawer.id !== id && drawer.querySelector(".drawer").contains(document.activeElement));
  byId(id).open = true;
  if (closes) focusMain();
}

export const close = (id) => (byId(id).open = false);

/** Closes a drawer that the page opened, while the figures of the end need its place. */
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
  if (hadFocus && !focusMain()) byId("menu").firstElementChild.focus();
}

function toggled() {
  if (hint.open) measure();
  if (!yields && wide.matches && (!unasked || shown() !== unasked)) {
    storeText(NAME, hint.open ? "" : shown());
  }
  settle();
}

/** Updates the history to match the open drawer. */
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
  else all.filter((drawer) => drawer.open).forEach(shut);
  settle();
}

/** Measures where the plates end, so that a hint that covers them ends there too. */
function measure() {
  const { bottom } = byId("plates").getBoundingClientRect();
  byId("stage").style.setProperty("--above", `${bottom}px`);
}

function begin() {
  const isTaken = narrowest.matches && byId("stage").classList.contains("over"); // the figures are shown there
  if (wide.matches && !isTaken && !shown()) {
    // If there is an empty column beside the box, the list of moves opens in it.
    const usual = storedText(NAME) ?? (narrowest.matches ? "tool-moves" : "");
    const id = noted() && noted() !== hint.id ? noted() : usual;
    if (id !== noted()) unasked = id;
    if (id && byId(id)) open(id); // a hidden drawer appears together with its tool
  }
}

// The menu opens the drawers that have no tool.
for (const button of document.querySelectorAll("[data-opens]")) {
  button.addEventListener("click", () => {
    open(button.dataset.opens);
    byId(button.dataset.opens).querySelector(".drawer").focus();
  });
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
// A browser can ignore a call of back() while the page loads.
addEventListener("load", () => setTimeout(settle));
