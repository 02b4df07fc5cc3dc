// The form for a new table. When the rules change, the server is asked at once for the new box, its
// rules and its figures. An older response never replaces a newer one. Unused seats are hidden.
// Choosing a match also chooses its game, and leaving the match restores the previous game. If that
// would change rules set by hand, the page asks first.

import "../view/language.js";
import { newTable } from "../model/addresses.js";
import { gettext } from "../model/messages.js";
import { byId, text } from "../view/dom.js";
import { broughtUpToDate, LivePage } from "../view/live_page.js";
import { takeOver } from "../view/settings.js";
import { copied } from "../view/share.js";

const PAUSE = 300; // milliseconds to wait for more input
const OF_THE_RULES = /^(game|game_was|preset|preset_was|game_before|format|overrides|own_.*)$/;

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

// The rules set by hand

const live = new LivePage({
  busy: () => byId("sofar"),
  show: (page) => page.getElementById("sofar") && show(page),
  failed: (why) => text(byId("told"), why),
});

/**
 * Fetches the page for the current form. `take` is the answer to a question that the page asked
 * about a choice.
 */
function ask(pause = PAUSE, take = "") {
  if (!newTable) return; // without a server there is no such page
  live.ask(() => {
    const fields = [...new FormData(form)].filter(([name]) => OF_THE_RULES.test(name));
    return `${newTable}?${new URLSearchParams([...fields, ["take", take]])}`;
  }, pause);
}

function show(page) {
  const had = document.activeElement?.name;
  for (const id of ["sofar", "figures", "evening", "opens", "format-help"]) {
    byId(id).replaceWith(page.getElementById(id));
  }
  if (had === "take") byId("preset").focus();
  // A match that sets its own rounds makes the field read-only.
  byId("format").readOnly = page.getElementById("format").readOnly;
  const isWrong = byId("faults") !== null;
  const isTyped = (id) => id === "format" && byId(id) === document.activeElement;
  for (const id of ["game", "preset", "format", ...(isWrong ? [] : ["overrides"])]) {
    if (!isTyped(id)) byId(id).value = page.getElementById(id).value;
  }
  const inputs = (root) => root.querySelectorAll("#hand input");
  if (!broughtUpToDate(inputs(document), inputs(page))) {
    byId("hand").replaceWith(page.getElementById("hand"));
  }
  fits();
  const told = "#question :is(h2, dt, dd), #preset-help, #faults li, #sofar .new, #figures > div";
  const said = [...document.querySelectorAll(told)];
  text(byId("told"), said.map((one) => one.textContent).join(" "));
}

/** Hides the "down" box of every tile that is not part of the game. */
function fits() {
  for (const input of document.querySelectorAll("[name=own_down]")) {
    const tile = document.querySelector(`[name=own_tile][value="${input.value}"]`);
    input.parentElement.classList.toggle("gone", !tile.checked);
  }
}

byId("new").addEventListener("input", ({ target }) => {
  if (!OF_THE_RULES.test(target.name) || ["game", "preset"].includes(target.name)) return;
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

/** Returns the code of the game with its rules. */
export function code() {
  const [name, rules] = [byId("game").value, byId("overrides").value];
  return rules ? `${name}(${rules})` : name;
}

byId("copy").addEventListener("click", async () => {
  if (await copied(code())) text(byId("told"), gettext("The code is copied."));
  else byId("overrides").select();
});

// The game, and the match that chooses it

for (const id of ["game", "preset"]) byId(id).addEventListener("change", () => ask(0));

form.addEventListener("submit", (event) => {
  if (!newTable || event.submitter?.name !== "take") return;
  event.preventDefault();
  ask(0, event.submitter.value);
});

draw();
fits();
takeOver();
byId("error")?.focus();
