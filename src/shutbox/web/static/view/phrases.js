// Phrases are things that lie on the felt until the next throw. The bubble on the player's own face
// opens the tray with all of them.

import { gettext, pgettext } from "../model/messages.js";
import { byId, el, onSubmit, set } from "./dom.js";
import { isHushed } from "./hush.js";
import { say } from "./live_region.js";

const tray = byId("say");
const bubble = () => byId("plates").querySelector(".bubble:not([hidden])");
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Returns the phrases on the felt of a view: `seat`, `phrase`, `isOwn` and accessible `name`. */
export function thingsOf({ room, seats }, you) {
  const said = seats.map(({ phrase, name }, seat) => ({ phrase, name, seat }));
  return said
    .filter(({ phrase, seat }) => phrase && !isHushed({ kind: "say", seat }, room))
    .map(({ phrase, name, seat }) => {
      const isOwn = you.seats.includes(seat);
      const facts = { name: isOwn ? pgettext("said", "You") : name, phrase: tray.querySelector(`[value=${phrase}]`).textContent };
      return { seat, phrase, isOwn, name: gettext("{name}: {phrase}", facts) };
    });
}

/** Draws the bubble of the seat that can say something. */
export function drawBubble({ seats, table }, you) {
  const [own = null] = table ? you.may.say : [];
  for (const [seat, plate] of [...byId("plates").children].entries()) {
    const shown = plate.querySelector(".bubble");
    shown.hidden = seat !== own;
    set(shown, "role", "button");
    set(shown, "aria-expanded", String(tray.classList.contains("open")));
    set(shown, "aria-disabled", seats[seat].phrase ? "true" : null);
  }
  tray.hidden = own === null;
  if (own === null) return show(false);
  tray.elements.seat.value = own;
  set(tray, "class", `tray c${own % 6}${tray.classList.contains("open") ? " open" : ""}`);
}

/** Opens or closes the tray. On low screens it lies over the tiles, wherever they are. */
function show(isOpen) {
  if (isOpen === tray.classList.contains("open")) return;
  const [under, racks] = [tray.parentElement, byId("board").querySelector(".racks")].map((part) => part.getBoundingClientRect());
  tray.style.setProperty("--left", `${racks.left - under.left}px`);
  tray.style.setProperty("--wide", `${racks.width}px`);
  tray.style.setProperty("--high", `${racks.height - 12}px`);
  tray.style.setProperty("--below", `${under.bottom - racks.bottom}px`);
  const hadFocus = tray.contains(document.activeElement);
  tray.classList.toggle("open", isOpen);
  set(bubble(), "aria-expanded", String(isOpen));
  if (isOpen) tray.querySelector("button").focus();
  else if (hadFocus) bubble()?.focus();
}

/** Listens to the bubble and to the tray. `does(body)` says a phrase. */
export function listenToPhrases(does) {
  byId("plates").addEventListener("click", (event) => {
    if (!event.target.closest(".bubble")) return;
    event.preventDefault();
    if (bubble().ariaDisabled) say([gettext("You can say one phrase for each throw.")]);
    else show(!tray.classList.contains("open"));
  });
  byId("plates").addEventListener("keydown", (event) => {
    if (event.key !== " " || !event.target.closest(".bubble")) return;
    event.preventDefault();
    event.target.closest(".bubble").click();
  });
  tray.addEventListener("keydown", (event) => {
    const all = [...tray.querySelectorAll("button")];
    const step = STEPS[event.key];
    if (step) all.at((all.indexOf(document.activeElement) + step) % all.length).focus();
    else if (event.key === "Escape") show(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  tray.addEventListener("focusout", ({ relatedTarget: next }) => {
    if (!tray.contains(next) && next !== bubble()) show(false);
  });
  onSubmit(tray, ({ submitter }) => {
    does({ seat: Number(tray.elements.seat.value), phrase: submitter.value });
    show(false);
  });
}

/** Returns the picture of a phrase, one of `thingsOf`. */
export const drawThing = ({ seat, phrase, name }) => {
  const drawing = tray.querySelector(`[value=${phrase}] svg`).cloneNode(true);
  return el("span", { class: `lies c${seat % 6}`, role: "img", "aria-label": name }, drawing);
};
