// The form of a new table. What is set up by hand is asked of the server at once, which draws the
// box, says its rules and what it is worth; an older answer never takes the place of a newer one.
// Only as many seats are shown as are used. An evening of rounds brings its game along, and takes it
// away again; another one may be chosen after it.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { byId, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

const PAUSE = 300; // milliseconds in which more may be pressed
const OF_THE_BOX = /^(game|overrides|own_.*)$/;

const form = byId("new");
const rows = [...document.querySelectorAll(".player")];
const choice = (row) => row.querySelector("select");
let shown = Math.max(1, rows.findLastIndex((row) => choice(row).value !== "") + 1);

function draw() {
  rows.forEach((row, i) => {
    row.hidden = i >= shown;
  });
  byId("add").hidden = shown === rows.length;
}

function sitDown(who) {
  const row = rows.find((one) => !one.hidden && choice(one).value === "") ?? rows[shown];
  if (!row) return;
  shown = Math.max(shown, rows.indexOf(row) + 1);
  choice(row).value = who;
  draw();
  return row;
}

byId("add").addEventListener("click", () => choice(rows[shown] && sitDown("link")).focus());
for (const bot of document.querySelectorAll(".bot")) {
  bot.addEventListener("click", () => {
    if (sitDown(bot.dataset.who)) {
      const name = bot.querySelector("strong").textContent;
      text(byId("told"), gettext("{name} sits down.", { name }));
    }
  });
}

// The box by hand

let asked = null;
let waiting = 0;

function ask(pause = PAUSE) {
  clearTimeout(waiting);
  asked?.abort(); // its answer would take back what was pressed since
  asked = null;
  waiting = setTimeout(load, pause);
}

async function load() {
  const mine = new AbortController();
  asked = mine;
  const fields = [...new FormData(form)].filter(([name]) => OF_THE_BOX.test(name));
  byId("sofar").setAttribute("aria-busy", "true");
  try {
    const address = `/new?${new URLSearchParams(fields)}`;
    const response = await fetch(address, { signal: mine.signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (asked === mine && page.getElementById("sofar")) show(page);
  } catch (error) {
    if (error.name !== "AbortError") text(byId("told"), gettext("The server does not answer."));
  } finally {
    if (asked === mine) byId("sofar").removeAttribute("aria-busy");
  }
}

function show(page) {
  for (const id of ["sofar", "figures"]) byId(id).replaceWith(page.getElementById(id));
  const isWrong = byId("faults") !== null;
  if (!isWrong) byId("overrides").value = page.getElementById("overrides").value;
  if (!sameControls(page)) byId("hand").replaceWith(page.getElementById("hand"));
  fits();
  const said = [...document.querySelectorAll("#faults li, #sofar .new, #figures > div")];
  text(byId("told"), said.map((one) => one.textContent).join(" "));
}

/** Brings the controls up to date that are there, so that the focus stays; false: others are due. */
function sameControls(page) {
  const inside = (root) => [...root.querySelectorAll("#hand input")];
  const key = ({ name, type, value }) => (/radio|checkbox/.test(type) ? `${name} ${value}` : name);
  const [now, then] = [inside(document), new Map(inside(page).map((one) => [key(one), one]))];
  if (now.length !== then.size || !now.every((one) => then.has(key(one)))) return false;
  for (const one of now) {
    one.checked = then.get(key(one)).checked;
    if (one !== document.activeElement) one.value = then.get(key(one)).value;
  }
  return true;
}

/** Only a tile that is there can be down. */
function fits() {
  for (const input of document.querySelectorAll("[name=own_down]")) {
    const tile = document.querySelector(`[name=own_tile][value="${input.value}"]`);
    input.parentElement.classList.toggle("gone", !tile.checked);
  }
}

byId("new").addEventListener("input", ({ target }) => {
  if (!OF_THE_BOX.test(target.name) || target.name === "game") return;
  fits();
  ask();
});

byId("new").addEventListener("click", (event) => {
  const by = { "fewer-dice": -1, "more-dice": 1 }[event.target.closest("button")?.id];
  if (!by) return;
  const dice = byId("dice-number");
  dice.value = Math.min(12, Math.max(1, Number(dice.value) + by));
  ask();
});

byId("copy").addEventListener("click", () => {
  const { value } = byId("overrides");
  const code = value ? `${byId("game").value}(${value})` : byId("game").value;
  navigator.clipboard?.writeText(code).then(
    () => text(byId("told"), gettext("The code is copied.")),
    () => byId("overrides").select(),
  );
});

// The game, and the evening that brings it

const preset = byId("preset");
const game = byId("game");
let own = game.value; // what was chosen before an evening brought its own
let brought = preset.selectedOptions[0].dataset.game;
if (brought === own) own = game.options[0].value;

function changed() {
  byId("overrides").value = "";
  ask(0);
}

game.addEventListener("change", () => {
  own = game.value;
  brought = null;
  changed();
});

preset.addEventListener("change", () => {
  const { game: its, rounds } = preset.selectedOptions[0].dataset;
  if (its && !brought) own = game.value;
  const wanted = its ?? (brought ? own : game.value);
  brought = its;
  if (game.value !== wanted) {
    game.value = wanted;
    changed();
  }
  text(byId("preset-help"), rounds || gettext("There are no chips."));
});

draw();
fits();
takeOver();
byId("error")?.focus();
