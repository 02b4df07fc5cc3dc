// The form for a new table, which is opened on this device.

import { code } from "../pages/new.js";
import { gettext } from "../model/messages.js";
import { get } from "../net/api.js";
import { byId, el, text } from "../view/dom.js";
import { openBy } from "./opening.js";

const [game, preset] = [byId("game"), byId("preset")];
const wanted = new URLSearchParams(location.search).get("preset");

// The current rules

let now = { game: code(), preset: "", format: "" };
let before = ""; // the game to restore when no match is chosen any more
let asked = 0;
let settling = null;

/** Takes over the last choice. `agrees` allows it to change rules that were set by hand. */
function draw(agrees = false) {
  settling = settle(agrees);
}

async function settle(agrees) {
  const mine = (asked += 1);
  const base = now.game.split("(")[0];
  const isNewGame = game.value !== base;
  let to = game.value;
  if (!isNewGame && preset.value !== now.preset) {
    to = preset.selectedOptions[0].dataset.game || before || base;
  }
  const chooses = to !== base || preset.value !== now.preset;
  const about = {
    game: chooses ? now.game : code(),
    was: now.preset,
    format: byId("format").value.trim(),
    ...(chooses ? { to, preset: preset.value } : {}),
  };
  let found;
  try {
    found = await get(`/api/box?${new URLSearchParams(about)}`);
  } catch ({ message }) {
    if (mine === asked) showFaults(message.split("\n"));
    return;
  }
  if (mine !== asked) return; // a newer choice was made before the response
  const asks = Boolean(found.choice?.asks) && !agrees;
  question(asks ? found.choice : null);
  if (asks) return;
  if (isNewGame) before = "";
  else if (!preset.value) before = "";
  else if (!now.preset) before = base;
  now = found.rules;
  const [name, rules] = now.game.split(/[()]/);
  game.value = name;
  byId("overrides").value = rules ?? "";
  if (now.format !== about.format) byId("format").value = now.format;
  text(byId("preset-help"), found.ends || gettext("No chips."));
  const list = el("ul", { class: "saying" }, ...found.lines.map((line) => el("li", { text: line })));
  byId("sofar").replaceChildren(list);
  // The engine draws it, without any typed text.
  byId("sofar").insertAdjacentHTML("afterbegin", found.miniature);
  text(byId("told"), [found.ends, ...found.lines].join(" "));
}

function showFaults(lines) {
  const list = el("ul", {}, ...lines.map((line) => el("li", { text: line })));
  byId("sofar").replaceChildren(el("div", { class: "alert", id: "faults" }, list));
  text(byId("told"), lines.join(" "));
}

/** Asks before a choice changes rules set by hand. No table can be opened until the answer. */
function question(choice) {
  byId("question")?.remove();
  byId("opens").disabled = Boolean(choice);
  text(byId("opens"), choice ? gettext("Choose above") : gettext("Open the table"));
  if (!choice) return;
  const chosen = (preset.value !== now.preset && preset.value ? preset : game).selectedOptions[0];
  const title = gettext("{choice} changes your rules", { choice: chosen.text });
  const group = (name, lines, tag) =>
    lines.length
      ? [el("dt", { text: name }), ...lines.map((line) => el("dd", {}, el(tag, { text: line })))]
      : [];
  byId("evening").append(
    el(
      "section",
      { class: "panel", id: "question", "aria-labelledby": "changes" },
      el("h2", { id: "changes", text: title }),
      el(
        "dl",
        {},
        ...group(gettext("Now"), choice.gone, "del"),
        ...group(gettext("Then"), choice.new, "ins"),
        ...group(gettext("Stays as it is"), choice.stays, "span"),
      ),
      el(
        "p",
        { class: "row" },
        el("button", { type: "button", class: "main", text: gettext("Change it"), onclick: () => draw(true) }),
        el("button", { type: "button", text: gettext("Keep my rules"), onclick: keep }),
      ),
    ),
  );
  text(byId("told"), byId("question").textContent);
}

function keep() {
  [game.value, preset.value] = [now.game.split("(")[0], now.preset];
  draw();
  preset.focus();
}

for (const id of ["game", "preset", "overrides", "format"]) {
  byId(id).addEventListener("change", () => draw());
}
if (wanted && [...preset.options].some(({ value }) => value === wanted)) {
  preset.value = wanted;
  const [, second] = document.querySelectorAll("select[name=who]");
  if (!second.value) {
    second.value = "computer:fewest";
    second.closest(".player").hidden = false;
  }
}
if (preset.value || byId("overrides").value || byId("format").value) draw();

openBy(byId("new"), async () => {
  await settling; // wait for the last choice
  if (byId("question")) return null;
  const fields = new FormData(byId("new"));
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
