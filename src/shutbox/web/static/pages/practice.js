// Practice: the tally of a game is kept in this browser, and goes on with the next visit.

import { takeOver } from "../view/settings.js";
import { keep, kept } from "../view/storage.js";

takeOver();

const page = document.querySelector(".practice");
const key = `practice:${page.dataset.game}`;
const { tally } = page.dataset;

const asked = (text) => JSON.parse(text).asked;

try {
  const before = kept(key);
  if (tally && before && asked(before) > asked(tally)) {
    // A new visit: what was answered before goes along with the next answer.
    for (const field of document.querySelectorAll("input[name=tally]")) field.value = before;
  } else if (tally) {
    keep(key, tally);
  }
} catch {
  keep(key, tally); // what was kept cannot be read
}

document.getElementById("practice-game").addEventListener("change", ({ target }) => {
  target.form.submit();
});
(document.getElementById("next") ?? document.getElementById("ask"))?.focus({ preventScroll: true });
