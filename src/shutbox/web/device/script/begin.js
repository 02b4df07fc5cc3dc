// Runs before the script of a page with a table: writes the last stored data of the table into the
// page and then loads the script. If nothing is stored, asks the engine first.

import { home } from "../model/addresses.js";
import { get, postRecord } from "../net/api.js";
import { byId, el, text } from "../view/dom.js";
import { bootOf } from "./tables.js";

const query = new URLSearchParams(location.search);
const room = query.get("room");
const { page, then } = byId("begin").dataset;

function goOn() {
  document.head.append(el("script", { type: "module", src: then }));
}

/** Draws the parts that a server writes into the page and the script does not draw. */
function draw(boot) {
  const { view, rules } = JSON.parse(boot);
  text(byId("title"), view.title);
  byId("stage").classList.toggle("by-hand", view.settings.dice === "hand");
  const lines = [...rules.lines, view.settings.leaver_says];
  byId("rules-lines").replaceChildren(...lines.map((line) => el("p", { text: line })));
  text(byId("typing-rules"), rules.typing);
  byId("boot").textContent = boot;
}

async function table() {
  let boot = bootOf(room);
  if (!boot) {
    await get(`/api/rooms/${room}`);
    boot = bootOf(room);
  }
  draw(boot);
}

async function replay() {
  const record = await get(`/api/rooms/${room}/record?game=${query.get("game")}`);
  const found = await postRecord(record);
  const boot = { type: "application/json", id: "boot", text: JSON.stringify(found) };
  byId("main").append(el("script", boot));
}

function fail({ message }) {
  byId("main").replaceChildren(el("p", { class: "panel alert", role: "alert", text: message }));
}

if (room) (page === "table" ? table : replay)().then(goOn, fail);
else if (page === "table") location.replace(home);
else goOn();
