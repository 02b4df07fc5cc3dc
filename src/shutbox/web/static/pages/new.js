// The form of a new table: shows only as many seats as are used, and one more at a time. An evening
// of rounds brings its game along; another one may be chosen after it.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { byId, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

const rows = [...document.querySelectorAll(".player")];
const choice = (row) => row.querySelector("select");
let shown = Math.max(1, rows.findLastIndex((row) => choice(row).value !== "") + 1);

function draw() {
  rows.forEach((row, i) => {
    row.hidden = i >= shown;
  });
  byId("add").hidden = shown === rows.length;
}

byId("add").addEventListener("click", () => {
  const row = rows[shown];
  shown += 1;
  choice(row).value = "link";
  draw();
  choice(row).focus();
});

const preset = byId("preset");

preset.addEventListener("change", () => {
  const { game, rounds } = preset.selectedOptions[0].dataset;
  if (game) byId("game").value = game;
  text(byId("preset-help"), rounds || gettext("There are no chips."));
});

draw();
takeOver();
byId("error")?.focus();
