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
import { copyByHandWords, copyText } from "../view/share.js";
import { storedJson, storeText } from "../view/storage.js";

const PAUSE_MS = 200; // to wait for more input
const QUIET_MS = 500; // after the last change, before the sentence is told
const LAST = "shutbox.new-table";
const SENTENCE = ["says-box", "says-die", "says-match"];
const OF_THE_TABLE = ["who", "name", "dice", "hints", "coach", "leaver", "stand_in"];

const form = byId("new");
const steps = [...form.querySelectorAll("[data-step]")];
const controlsOf = (name) => [...form.querySelectorAll(`[name="${name}"]`)];

let changes = 0; // counts what the server was asked, since only the newest answer is shown
let asking = 0; // the timer of the next question to the server
let latest = Promise.resolve(true); // whether the form shows the answer to the last change
let replaceLatest = () => {}; // resolves it to false, for a change that a newer one replaces
let words = null; // of the last answer, by the ids of their elements; null before the first
let telling = 0; // the timer of the sentence about the table

/** Resolves to whether the form shows the answer to the last change: a table can be opened. */
export const canOpen = () => latest;

// The steps

/** Shows the step `wanted`, and marks the one before as done. */
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

/** Asks what the form shows after a change. `take` is "undo" to go back to before the last one. */
function ask(pause = PAUSE_MS, take = "") {
  clearTimeout(asking);
  replaceLatest();
  changes += 1;
  const change = changes;
  latest = new Promise((done) => {
    replaceLatest = () => done(false);
    asking = setTimeout(() => fetchSetup(change, take, done), pause);
  });
}

/** Shows the answer to a `change`, unless there is a newer one. Calls `done(isShown)`. */
async function fetchSetup(change, take, done) {
  const isNewest = () => change === changes;
  const fields = [...new FormData(form)].filter(([name]) => !OF_THE_TABLE.includes(name));
  const query = new URLSearchParams([...fields, ["take", take]]);
  byId("sofar").setAttribute("aria-busy", "true");
  try {
    const page = await get(`${setup}?${query}&at_once=on`);
    if (isNewest()) show(page);
    done(isNewest());
    if (isNewest() && page.figures === null) { // the box must be solved first
      const { figures } = await get(`${setup}?${query}`);
      if (isNewest()) showFigures(figures);
    }
  } catch ({ message }) {
    if (isNewest()) text(byId("told"), message);
    done(false);
  }
  if (isNewest()) byId("sofar").removeAttribute("aria-busy");
}

/** Shows the answer to a change. */
function show(page) {
  ({ words } = page);
  for (const number of page.numbers) {
    for (const name of ["own_tile", "own_down"]) addChoice(name, String(number));
  }
  if (page.is_box) addChoice("own_sides", page.values.own_sides);
  const isWrong = page.problems.length > 0;
  for (const [name, value] of Object.entries(page.values)) setControls(name, value, isWrong);
  byId("hand").hidden = byId("hand").disabled = !page.is_box;
  for (const [id, said] of Object.entries(words)) if (!SENTENCE.includes(id)) text(byId(id), said);
  for (const id of ["picture", "thumb"]) byId(id).replaceChildren(pictureFrom(page.miniature));
  const lines = page.lines.map(([line, isNew]) => el("li", { text: line, class: isNew && "new" }));
  form.querySelector(".saying").replaceChildren(...lines);
  showFigures(page.figures ?? ["", ""]);
  showFaults(page.problems);
  byId("undo").hidden = !page.values.before;
  drawDownBoxes();
  drawFoot();
}

// The sentence about the table

/** Shows who plays and for how long, and `quiet` ms after the last change the whole sentence. */
function drawFoot(quiet = QUIET_MS) {
  const people = seats.words();
  const match = byId("answer-match").textContent;
  text(byId("answer-people"), people.answer);
  text(byId("first"), seats.first);
  text(byId("foot"), gettext("{people}. {match}.", { people: people.answer, match }));
  clearTimeout(telling);
  const tell = () => {
    text(byId("says-people"), people.sentence);
    for (const id of SENTENCE) if (words) text(byId(id), words[id]);
  };
  if (quiet) telling = setTimeout(tell, quiet);
  else tell();
}

/** Adds a checkbox or a radio button for a value, unless there is one, or none of that name. */
function addChoice(name, value) {
  const all = controlsOf(name);
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

/** Sets the controls of a name. A text field that is being edited, or if it `isWrong`, stays. */
function setControls(name, value, isWrong) {
  for (const input of controlsOf(name)) {
    if (["radio", "checkbox"].includes(input.type)) {
      input.checked = [value].flat().includes(input.value);
    } else if (input !== document.activeElement && !(isWrong && input.type === "text")) {
      input.value = value;
    }
  }
}

/** Returns the picture of a box. The markup is the server's own, without any typed text. */
function pictureFrom(markup) {
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  return document.importNode(body.firstElementChild, true);
}

/** Shows the figures of a box, in their order; a dash for each that is "" or missing. */
function showFigures(figures) {
  const places = [...byId("figures").querySelectorAll("dd")];
  places.forEach((place, i) => text(place, figures[i] || "–"));
}

/** Shows why the form is refused, or nothing. */
function showFaults(problems) {
  const list = byId("faults").querySelector("ul");
  if (list.textContent !== problems.join("")) {
    list.replaceChildren(...problems.map((line) => el("li", { text: line })));
  }
  byId("faults").hidden = !problems.length;
}

/** Returns the first field that the server has refused, or null. */
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

/** Hides the "down" checkbox of every tile that is not part of the game, and shows the others. */
function drawDownBoxes() {
  for (const input of controlsOf("own_down")) {
    const tile = controlsOf("own_tile").find(({ value }) => value === input.value);
    input.parentElement.classList.toggle("gone", !tile.checked);
  }
}

form.addEventListener("input", ({ target }) => {
  if (target.name === "name") drawFoot();
  if (!target.name || OF_THE_TABLE.includes(target.name)) return;
  drawDownBoxes();
  ask(["game", "preset", "length"].includes(target.name) ? 0 : PAUSE_MS);
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
export function gameCode() {
  const name = controlsOf("game").find(({ checked }) => checked).value;
  const rules = byId("overrides").value;
  return rules ? `${name}(${rules})` : name;
}

byId("copy").addEventListener("click", async () => {
  text(byId("told"), (await copyText(gameCode())) ? gettext("The code is copied.") : copyByHandWords());
});

// The last table

const seats = new NewSeats(
  [...form.querySelectorAll(".player")],
  [...form.querySelectorAll("[data-who]")],
  () => drawFoot(),
);

/** Fills in the fields of the last table that was opened here, pairs of name and value. */
function restore(fields) {
  const all = (name) => fields.filter(([key]) => key === name).map(([, value]) => value);
  seats.fill(all("who"), all("name"));
  const names = new Set(fields.map(([name]) => name));
  for (const name of ["own_tile", "own_down", "points", "chips", "coach", ...names]) {
    const value = all(name);
    if (["who", "name"].includes(name)) continue;
    setControls(name, controlsOf(name)[0]?.type === "checkbox" ? value : value[0], false);
  }
  ask(0);
}

const refused = byId("error") ?? wrongField();

/** Shows the last table, unless the address names a game or the server has refused the form. */
function begin() {
  const query = new URLSearchParams(location.search);
  if (refused) storeText(LAST, ""); // what was refused is not offered again
  const last = location.search === "" && !refused ? storedJson(LAST, null) : null;
  if (last) restore(last);
  // Without a server, only this script reads the address of the page.
  for (const name of document.documentElement.dataset.engine ? ["game", "preset"] : []) {
    if (query.has(name)) setControls(name, query.get(name), false);
    if (query.has(name)) ask(0);
  }
  byId("thumb").replaceChildren(byId("picture").firstElementChild.cloneNode(true));
  drawFoot(0);
  const wrong = form.querySelector("[data-wrong]")?.id.replace("step-", "");
  showStep(wrong ?? (query.has("preset") ? "match" : "box"));
}

begin();
drawDownBoxes();
takeOver();
refused?.focus();
