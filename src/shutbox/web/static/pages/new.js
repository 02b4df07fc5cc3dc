// The form for a new table: three steps in any order. After each change the server, or the engine
// of the device, says what the form shows now. An older answer never replaces a newer one. "Undo"
// brings the setup from before the last change back.

import "../view/language.js";
import { setup } from "../model/addresses.js";
import { gettext } from "../model/messages.js";
import { get } from "../net/api.js";
import { byId, el, text } from "../view/dom.js";
import { NewSeats } from "../view/new_seats.js";
import { takeOver } from "../view/settings.js";
import { byHand, copied } from "../view/share.js";
import { storedText, storeText } from "../view/storage.js";

const PAUSE = 200; // milliseconds to wait for more input
const QUIET = 500; // milliseconds after the last change before the sentence is told
const LAST = "shutbox.new-table";
const SENTENCE = ["says-box", "says-die", "says-match"];
const OF_THE_TABLE = ["who", "name", "dice", "hints", "coach", "leaver", "stand_in"];

const form = byId("new");
const steps = [...form.querySelectorAll("[data-step]")];
const named = (name) => [...form.querySelectorAll(`[name="${name}"]`)];

let asked = 0;
let timer = 0;
let told = null; // the words of the last answer; null while the page shows its own
let telling = 0;

let settled = Promise.resolve(true);
let giveUp = () => {}; // ends a request that a newer change replaces

/** Waits for the answer to the last change. Returns whether a table can be opened. */
export function canOpen() {
  return settled;
}

// The steps

function showStep(wanted, focuses = false) {
  for (const step of steps) {
    const isShown = step.dataset.step === wanted;
    if (isShown) step.setAttribute("aria-current", "step");
    else if (step.hasAttribute("aria-current")) {
      step.removeAttribute("aria-current");
      step.classList.add("done");
    }
    byId(`step-${step.dataset.step}`).hidden = !isShown;
  }
  if (focuses) byId(`${wanted}-head`).focus();
}

for (const step of steps) step.addEventListener("click", () => showStep(step.dataset.step));
for (const next of form.querySelectorAll("[data-next]")) {
  next.addEventListener("click", () => {
    showStep(next.dataset.next, true);
    scrollTo({ top: 0 });
  });
}

// A change

/** Asks what the form shows now. `take` is "undo" to bring the setup before the last change back. */
function ask(pause = PAUSE, take = "") {
  clearTimeout(timer);
  giveUp();
  const mine = (asked += 1);
  settled = new Promise((done) => {
    giveUp = () => done(false);
    timer = setTimeout(async () => {
      const fields = [...new FormData(form)].filter(([name]) => !OF_THE_TABLE.includes(name));
      const query = new URLSearchParams([...fields, ["take", take]]);
      byId("sofar").setAttribute("aria-busy", "true");
      try {
        const page = await get(`${setup}?${query}&at_once=on`);
        if (mine === asked) show(page);
        done(mine === asked);
        if (page.figures === null && mine === asked) await solve(mine, query);
      } catch ({ message }) {
        if (mine === asked) text(byId("told"), message);
        done(false);
      }
      if (mine === asked) byId("sofar").removeAttribute("aria-busy");
    }, pause);
  });
}

/** Fetches and shows the figures of a box that must be solved first. The rest is shown already. */
async function solve(mine, query) {
  const { figures } = await get(`${setup}?${query}`);
  if (mine === asked) showFigures(figures);
}

function show(page) {
  const { words } = page;
  for (const number of page.numbers) {
    for (const name of ["own_tile", "own_down"]) offer(name, String(number));
  }
  if (page.is_box) offer("own_sides", page.values.own_sides);
  for (const [name, value] of Object.entries(page.values)) fill(name, value, page.problems.length);
  byId("hand").hidden = byId("hand").disabled = !page.is_box;
  for (const [id, said] of Object.entries(words)) if (!SENTENCE.includes(id)) text(byId(id), said);
  byId("picture").replaceChildren(drawing(page.miniature));
  byId("thumb").replaceChildren(drawing(page.miniature));
  const lines = page.lines.map(([line, isNew]) => el("li", { text: line, class: isNew && "new" }));
  form.querySelector(".saying").replaceChildren(...lines);
  showFigures(page.figures ?? ["", ""]);
  showFaults(page.problems);
  byId("undo").hidden = !page.values.before;
  fits();
  told = words;
  foot();
}

// The sentence about the table

/** Shows who plays and for how long at once, and tells the sentence once nothing changes. */
function foot(quiet = QUIET) {
  const people = seats.words();
  const match = byId("answer-match").textContent;
  text(byId("answer-people"), people.answer);
  text(byId("first"), seats.first);
  text(byId("foot"), gettext("{people}. {match}.", { people: people.answer, match }));
  clearTimeout(telling);
  const tell = () => {
    text(byId("says-people"), people.sentence);
    for (const id of SENTENCE) if (told) text(byId(id), told[id]);
  };
  if (quiet) telling = setTimeout(tell, quiet);
  else tell();
}

/** Makes sure that there is a checkbox or a radio button for a value. */
function offer(name, value) {
  const all = named(name);
  if (!all.length || all.some((input) => input.value === value)) return;
  const last = all.at(-1).closest("label");
  const label = last.cloneNode(true);
  const [input, shown] = label.children;
  input.setAttribute("aria-label", input.ariaLabel?.replace(input.value, value) ?? value);
  input.value = value;
  input.checked = false;
  text(shown, value);
  last.after(label);
}

/** Sets the controls of a name, except a text field that is being edited. */
function fill(name, value, isWrong) {
  for (const input of named(name)) {
    if (["radio", "checkbox"].includes(input.type)) {
      input.checked = [value].flat().includes(input.value);
    } else if (input !== document.activeElement && !(isWrong && input.type === "text")) {
      input.value = value;
    }
  }
}

/** Returns the picture of a box. The markup is the server's own, without any typed text. */
function drawing(markup) {
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  return document.importNode(body.firstElementChild, true);
}

function showFigures(figures) {
  const shown = [...byId("figures").querySelectorAll("dd")];
  shown.forEach((one, i) => text(one, figures[i] || "–"));
}

function showFaults(problems) {
  const list = byId("faults").querySelector("ul");
  if (list.textContent !== problems.join("")) {
    list.replaceChildren(...problems.map((line) => el("li", { text: line })));
  }
  byId("faults").hidden = !problems.length;
}

const wrongField = () => form.querySelector('[aria-invalid="true"]');

form.addEventListener("submit", (event) => {
  if (wrongField()?.name === "name") {
    event.preventDefault();
    showStep("people");
    wrongField().focus();
    return;
  }
  if (event.submitter?.formMethod === "get") {
    event.preventDefault();
    event.stopImmediatePropagation();
    ask(0, event.submitter.value);
    return;
  }
  const fields = [...new FormData(form)].filter(([name]) => !["action", "before"].includes(name));
  storeText(LAST, JSON.stringify(fields));
});

// Controls

/** Hides the "down" box of every tile that is not part of the game. */
function fits() {
  for (const input of named("own_down")) {
    const tile = named("own_tile").find(({ value }) => value === input.value);
    input.parentElement.classList.toggle("gone", !tile.checked);
  }
}

form.addEventListener("input", ({ target }) => {
  if (target.name === "name") foot();
  if (!target.name || OF_THE_TABLE.includes(target.name)) return;
  fits();
  ask(["game", "preset", "length"].includes(target.name) ? 0 : PAUSE);
});

for (const button of form.querySelectorAll("[data-by]")) {
  button.addEventListener("click", () => {
    const input = button.parentElement.querySelector("input");
    const wanted = Number(input.value) + Number(button.dataset.by);
    input.value = Math.min(input.max, Math.max(input.min, wanted));
    ask();
  });
}

/** Returns the code of the game with its rules. */
export function code() {
  const name = named("game").find(({ checked }) => checked).value;
  const rules = byId("overrides").value;
  return rules ? `${name}(${rules})` : name;
}

byId("copy").addEventListener("click", async () => {
  text(byId("told"), (await copied(code())) ? gettext("The code is copied.") : byHand());
});

// The last table

const seats = new NewSeats(
  [...form.querySelectorAll(".player")],
  [...form.querySelectorAll("[data-who]")],
  () => foot(),
);

/** Fills in the fields of the last table that was opened from this form. */
function fillIn(fields) {
  const all = (name) => fields.filter(([one]) => one === name).map(([, value]) => value);
  seats.fill(all("who"), all("name"));
  const names = new Set(fields.map(([name]) => name));
  for (const name of ["own_tile", "own_down", "points", "chips", "coach", ...names]) {
    const value = all(name);
    if (["who", "name"].includes(name)) continue;
    fill(name, named(name)[0]?.type === "checkbox" ? value : value[0], false);
  }
  ask(0);
}

const refused = byId("error") ?? wrongField();

function begin() {
  const query = new URLSearchParams(location.search);
  const isNew = location.search === "" && !refused;
  if (refused) storeText(LAST, ""); // what was refused is not offered again
  const last = isNew ? storedText(LAST) : null;
  if (last) fillIn(JSON.parse(last));
  // Without a server, only this script reads the address of the page.
  for (const name of document.documentElement.dataset.engine ? ["game", "preset"] : []) {
    if (query.has(name)) fill(name, query.get(name), false);
    if (query.has(name)) ask(0);
  }
  byId("thumb").replaceChildren(byId("picture").firstElementChild.cloneNode(true));
  foot(0);
  const wrong = form.querySelector("[data-wrong]")?.id.replace("step-", "");
  showStep(wrong ?? (query.has("preset") ? "match" : "box"));
}

begin();
fits();
takeOver();
refused?.focus();
