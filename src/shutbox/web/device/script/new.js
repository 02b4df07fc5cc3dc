// The form of a new table, which is opened here.

import { code } from "../pages/new.js";
import { get } from "../net/api.js";
import { byId, el, text } from "../view/dom.js";
import { openBy } from "./opening.js";

const wanted = new URLSearchParams(location.search).get("preset");
const preset = byId("preset");
if (wanted && [...preset.options].some(({ value }) => value === wanted)) {
  preset.value = wanted;
  preset.dispatchEvent(new Event("change"));
  const [, second] = document.querySelectorAll("select[name=who]");
  if (!second.value) {
    second.value = "computer:fewest";
    second.closest(".player").hidden = false;
  }
}

// The box so far

let drawn = byId("game").value;

async function draw() {
  const game = code();
  if (game === drawn) return;
  drawn = game;
  const { lines, miniature, isWrong } = await get(
    `/api/box?game=${encodeURIComponent(game)}`,
  ).catch(({ message }) => ({ lines: message.split("\n"), isWrong: true }));
  if (game !== drawn) return; // it was another one before the answer came
  const list = el("ul", { class: isWrong ? null : "saying" });
  list.append(...lines.map((line) => el("li", { text: line })));
  byId("sofar").replaceChildren(isWrong ? el("div", { class: "alert", id: "faults" }, list) : list);
  // It is drawn by the engine, of nothing that was typed.
  if (!isWrong) byId("sofar").insertAdjacentHTML("afterbegin", miniature);
  text(byId("told"), lines.join(" "));
}

for (const id of ["game", "preset", "overrides"]) byId(id).addEventListener("change", draw);
draw();

openBy(byId("new"), (fields) => {
  const names = fields.getAll("name");
  const seats = fields.getAll("who").map((who, i) => ({ who, name: names[i] }));
  return {
    game: code(),
    preset: fields.get("preset"),
    format: fields.get("format").trim(),
    seats: seats.filter(({ who }) => who),
    dice: fields.get("dice"),
    hints: fields.get("hints"),
    coach: fields.get("coach") === "on",
    leaver: fields.get("leaver"),
    stand_in: fields.get("stand_in"),
  };
});
