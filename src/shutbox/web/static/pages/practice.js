// The practice page: the tally of each game is stored in this browser and continues at the next
// visit.

import { takeOver } from "../view/settings.js";
import { storedText, storeText } from "../view/storage.js";

takeOver();

const page = document.querySelector(".practice");
const key = `practice:${page.dataset.game}`;
const { tally } = page.dataset;

const asked = (text) => JSON.parse(text).asked;

try {
  const before = storedText(key);
  if (tally && before && asked(before) > asked(tally)) {
    // On a new visit, the stored tally is sent with the next answer.
    for (const field of document.querySelectorAll("input[name=tally]")) field.value = before;
  } else if (tally) {
    storeText(key, tally);
  }
} catch {
  storeText(key, tally); // the stored tally cannot be read
}

document.getElementById("practice-game").addEventListener("change", ({ target }) => {
  target.form.submit();
});
(document.getElementById("next") ?? document.getElementById("ask"))?.focus({ preventScroll: true });
