// A review: the box shows the game again, and every throw is judged beside it. Keys and links go
// from throw to throw: the page of a throw is fetched, and the part that changes is replaced. The
// next ones are fetched in advance. A game that is not judged is watched event by event.

import "../view/language.js";
import "../view/own_voice.js";
import { meantKey } from "../input/shortcuts.js";
import { skipByPress } from "../input/skipping.js";
import { gettext, pgettext } from "../model/messages.js";
import { linesOf } from "../model/telling.js";
import { postRecord } from "../net/api.js";
import { fetchPage } from "../net/pages.js";
import { Board } from "../view/board.js";
import { byId, el, set, text } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { settings, takeOver } from "../view/settings.js";
import { Showing } from "../view/showing.js";

const MOST_CACHED = 40;
const RUN_MS = 1600;

/** The last event of each judged throw; null if the game is not judged. */
const ends = byId("watch")?.dataset.ends?.split(" ").map(Number) ?? null;
const pages = new Map();
let wanted = null;
let replay = null;
let showing = null;
let at = ends ? ends[byId("review").dataset.now - 1] : 0; // the event that the box shows
let shown = 0; // counts what the box was asked to show
let running = 0; // the timer that goes on from event to event

const numberOf = (id) => byId(id)?.dataset.step || null;

// The box

/** Loads what happened event by event. A page without judgements has it already. */
async function load() {
  if (byId("boot")) return JSON.parse(byId("boot").textContent);
  const form = byId("again");
  const record = form ? form.elements.text.value : await (await fetchPage(byId("saved").href)).text();
  return postRecord(new TextEncoder().encode(record));
}

function begin(loaded) {
  replay = loaded;
  const board = new Board();
  showing = new Showing(board, ([event]) => draw(board, event.step));
  const lines = replay.steps.map(({ says }) => el("li", { text: says.join(" ") }));
  byId("steps").replaceChildren(...lines);
  if (!ends) byId("slider").max = replay.steps.length - 1;
  draw(board, replay.steps[at]);
  if (!ends) tell();
}

function draw(board, step) {
  const { pieces } = replay.steps[step.thrown_at ?? 0];
  const last = pieces.filter(({ kind, face }) => kind === "die" && face); // they lie there still
  board.draw(step.pieces, { last, thrown: step.thrown_at });
  const lines = [...byId("steps").children];
  lines.forEach((line, i) => set(line, "aria-current", i === at ? "step" : null));
  const log = byId("log");
  log.scrollTop = lines[at].offsetTop - log.offsetTop - log.clientHeight / 2;
  if (!ends) place();
}

/** Shows the place of an event in a game that is not judged. */
function place() {
  const end = replay.steps.length - 1;
  const words = gettext("{step} of {steps}", { step: at + 1, steps: end + 1 });
  text(byId("at"), words);
  byId("slider").value = at;
  set(byId("slider"), "aria-valuetext", words);
  for (const id of ["first", "back"]) set(byId(id), "aria-disabled", at === 0 ? "true" : null);
  for (const id of ["next", "last"]) set(byId(id), "aria-disabled", at === end ? "true" : null);
}

const tell = () => say(linesOf(replay.steps[at], settings.length));

/**
 * Shows the box after the event `to`. If `isNext`, animates every event up to it. Returns false if the
 * box was asked to show something else meanwhile.
 */
async function watch(to, isNext) {
  shown += 1;
  const asked = shown;
  if (!isNext) at = to - 1;
  while (at < to && asked === shown) {
    at += 1;
    const step = replay.steps[at];
    const { pieces, thrown_at, seat } = step;
    const kind = thrown_at === at ? "throw" : "choose";
    const event = { kind, seat, step, view: { table: { pieces, thrown_at, shut: false } } };
    if (isNext) await showing.begin([event]);
    else showing.finish();
    if (!isNext) showing.tell([event]);
  }
  return asked === shown;
}

async function step(to) {
  const next = Math.min(Math.max(to, 0), replay.steps.length - 1);
  if (next !== at && (await watch(next, next === at + 1))) tell();
}

/** Starts or pauses the replay of event after event. If the last one is shown, starts with the first. */
function run(isWanted) {
  clearInterval(running);
  const last = replay.steps.length - 1;
  running = isWanted ? setInterval(goOn, RUN_MS) : 0;
  text(byId("run"), running ? pgettext("button", "Pause") : pgettext("button", "Play"));
  if (isWanted && at === last) watch(0, false).then(tell);
}

async function goOn() {
  if (showing.events || globalThis.speechSynthesis?.speaking) return;
  if (await watch(at + 1, true)) tell();
  if (at === replay.steps.length - 1) run(false);
  if (ends) judge(String(1 + ends.findIndex((end) => at <= end)));
}

// What is judged

function requestFor(number) {
  const form = byId("again");
  if (!form) {
    const address = new URL(location.href);
    address.searchParams.set("step", number);
    return [address.href, {}];
  }
  const body = new FormData(form);
  body.set("step", number);
  return [form.action, { method: "POST", body }];
}

async function stepPage(number) {
  const response = await fetchPage(...requestFor(number));
  if (!response.ok) throw new Error(`${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function page(number) {
  if (!pages.has(number)) {
    if (pages.size >= MOST_CACHED) pages.delete(pages.keys().next().value);
    const coming = stepPage(number);
    coming.catch(() => pages.delete(number));
    pages.set(number, coming);
  }
  return pages.get(number);
}

/** Shows the judgement of a throw. Returns whether it came, and is still wanted. */
async function judge(number) {
  wanted = number;
  mark(number);
  if (number === byId("review").dataset.now) return true;
  try {
    const found = await page(number);
    if (wanted === number) show(found, number);
    return wanted === number;
  } catch {
    if (wanted !== number) return false;
    byId("fault").replaceChildren(el("p", { text: gettext("The server does not answer.") }));
    mark(byId("review").dataset.now);
    return false;
  }
}

/** Goes to a judged throw, in the box as well, and says what was chosen and how good that was. */
async function go(number) {
  const { now } = byId("review").dataset;
  if (!number || (number === now && at === ends[now - 1])) return;
  if (running) run(false);
  if (!(await judge(number))) return;
  const isHere = !replay || (await watch(ends[number - 1], Number(number) === Number(now) + 1));
  if (isHere) say([byId("review").dataset.told]);
}

/** Marks the chosen step at once. The rest follows with the response. */
function mark(number) {
  for (const link of document.querySelectorAll("[data-step][aria-current]")) {
    link.removeAttribute("aria-current");
  }
  for (const link of document.querySelectorAll(`#review [data-step="${number}"]`)) {
    if (!link.closest(".steps")) link.setAttribute("aria-current", "step");
  }
}

function show(found, number) {
  const focused = document.activeElement;
  const id = focused?.id;
  const isLine = Boolean(focused?.closest?.(".moves, .turns"));
  const part = document.importNode(found.getElementById("review"), true);
  byId("review").replaceWith(part);
  if (id && byId(id)) byId(id).focus();
  else if (isLine) part.querySelector(".moves [aria-current]")?.focus();
  byId("fault").replaceChildren();
  if (!byId("again")) history.replaceState(null, "", requestFor(number)[0]);
  prefetch();
}

function prefetch() {
  for (const id of ["next", "mistake"]) if (numberOf(id)) page(numberOf(id)).catch(() => {});
}

// Presses

/** Goes where a button leads: to a judged throw, or to an event. */
function press(id) {
  if (ends) go(numberOf(id));
  else if (replay) {
    run(false);
    step({ first: 0, back: at - 1, next: at + 1, last: replay.steps.length - 1 }[id] ?? at);
  }
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("#review [data-step]");
  const pressed = event.target.closest(".buttons > button");
  if (link) {
    event.preventDefault();
    go(link.dataset.step);
  } else if (pressed && pressed.id !== "run") press(pressed.id);
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, select, textarea, .sheet, .scroll, #log");
  if (!byId("watch") || isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", n: "mistake" };
  const id = keys[event.key] ?? keys[meantKey(event)];
  if (!id || (id === "mistake" && !(ends && settings.keys))) return;
  event.preventDefault();
  press(id);
});
byId("run")?.addEventListener("click", () => replay && run(!running));
byId("slider")?.addEventListener("input", () => {
  run(false);
  step(Number(byId("slider").value));
});

// A press while dice are in the air lets them rest.
skipByPress({ moves: () => Boolean(showing?.isFlying), skip: () => showing.finish() });
takeOver();
if (byId("watch")) {
  load().then(begin, (error) => {
    byId("watch").hidden = true; // it would show another position than the one that is judged
    byId("fault").replaceChildren(el("p", { text: error.message }));
  });
}
if (ends) prefetch();
