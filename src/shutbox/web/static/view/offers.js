// The buttons of offers on the rim of the box, beside the main button.

import { capital } from "../model/messages.js";
import { drawDieFace } from "./board.js";
import { byId, el, keyed, set } from "./dom.js";

/** Draws a button for each offer beside the main button, with its `look` and what a press does. */
export function drawOffers(offers, digits) {
  keyed(
    byId("offers"),
    offers,
    (offer) => offer.text,
    ({ look, press }) => el("button", { type: "button", class: look, onclick: press }),
    (button, offer) => label(button, capital(offer.says), digits.get(offer.text), offer),
  );
}

/** Writes on a button its action, its dice, and the digit that presses it if there is one. */
function label(button, says, digit, { kind, count }) {
  const shows = `${says} ${digit}`;
  if (button.dataset.shows === shows) return;
  button.dataset.shows = shows;
  // Screen readers get the digit from the attribute, so the name of the button stays its text.
  const key = digit && el("kbd", { text: digit, "aria-hidden": "true" });
  const faces = kind === "dice" ? ["5", "3"].slice(0, count) : [];
  const dice = faces.map((shown) => el("span", { class: "die" }, drawDieFace(6, shown)));
  const icon = dice.length ? el("span", { class: "minis", "aria-hidden": "true" }, ...dice) : null;
  button.replaceChildren(...[icon, says, key].filter(Boolean));
  set(button, "aria-keyshortcuts", digit);
}
