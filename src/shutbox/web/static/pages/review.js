// A review: a press, or an arrow key on the list, puts a choice that mattered on the board, where it
// can be tried again. A game to watch is shown event by event.

import "../view/language.js";
import { skipByPress } from "../input/skipping.js";
import { gettext, pgettext } from "../model/messages.js";
import { linesOf } from "../model/story.js";
import { Board } from "../view/board.js";
import { byId, el, set, text } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { settings, takeOver } from "../view/settings.js";
import { Showing } from "../view/showing.js";

const RUN_MS = 1600;

let replay = null;
let showing = null;
let at = 0; // the event that the box shows
let shown = 0; // counts what the box was asked to show
let running = 0; // the timer that goes on from event to event

// The box

function begin(loaded) {
  replay = loaded;
  const board = new Board();
  showing = new Showing(board, ([event]) => draw(board, event.step));
  const lines = replay.steps.map(({ says }) => el("li", { text: says.join(" ") }));
  byId("steps").replaceChildren(...lines);
  byId("slider").max = replay.steps.length - 1;
  draw(board, replay.steps[at]);
  tell();
}

function draw(board, step) {
  const { pieces } = replay.steps[step.thrown_at ?? 0];
  const last = pieces.filter(({ kind, face }) => kind === "die" && face); // they lie there still
  board.draw(step.pieces, { last, thrown: step.thrown_at });
  const lines = [...byId("steps").children];
  lines.forEach((line, i) => set(line, "aria-current", i === at ? "step" : null));
  const log = byId("log");
  log.scrollTop = lines[at].offsetTop - log.offsetTop - log.clientHeight / 2;
  place();
}

/** Shows the place of an event in the game. */
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
  const request = shown;
  if (!isNext) at = to - 1;
  while (at < to && request === shown) {
    at += 1;
    const step = replay.steps[at];
    const { pieces, thrown_at, seat } = step;
    const kind = thrown_at === at ? "throw" : "choose";
    const event = { kind, seat, step, view: { table: { pieces, thrown_at, shut: false } } };
    if (isNext) await showing.begin([event]);
    else showing.finish();
    if (!isNext) showing.tell([event]);
  }
  return request === shown;
}

async function step(to) {
  const next = Math.min(Math.max(to, 0), replay.steps.length - 1);
  if (next !== at && (await watch(next, next === at + 1))) tell();
}

/** Starts or pauses the replay, event after event. At the last one, starts with the first. */
function run(isWanted) {
  clearInterval(running);
  const last = replay.steps.length - 1;
  running = isWanted ? setInterval(goOn, RUN_MS) : 0;
  text(byId("run"), running ? pgettext("button", "Pause") : pgettext("button of a replay", "Play"));
  if (isWanted && at === last) watch(0, false).then(tell);
}

async function goOn() {
  if (showing.events || globalThis.speechSynthesis?.speaking) return;
  if (await watch(at + 1, true)) tell();
  if (at === replay.steps.length - 1) run(false);
}

// Moments

const templates = [...document.querySelectorAll("template[data-moment]")];
const links = [...document.querySelectorAll(".moments [data-moment]")];
const current = () => links.findIndex((link) => link.hasAttribute("aria-current"));

/** Puts a moment of the list on the board; `says` comes before how its two choices compare. */
function pick(place, says = "") {
  const { because } = templates[place].dataset;
  links.forEach((link, i) => set(link, "aria-current", i === place ? "true" : null));
  const name = byId("moment").contains(document.activeElement) && document.activeElement.className;
  byId("moment").replaceChildren(templates[place].content.cloneNode(true));
  if (name) byId("moment").querySelector(`[class="${name}"]`)?.focus();
  text(byId("because"), [says, because].filter(Boolean).join(" "));
  if (!byId("again")) history.replaceState(null, "", links[place].href);
}

/** Lets the player choose again on the board. Returns whether the choices there take tiles. */
function tryAgain() {
  const { offers, better } = templates[current()].dataset;
  const [best, ...others] = JSON.parse(offers);
  if (!best) return false;
  const tiles = [...document.querySelectorAll("#moment .tile")];
  const covers = [best, ...others].map((keys) => keys.join());
  const picked = () => tiles.filter((tile) => tile.ariaPressed === "true").map((tile) => tile.dataset.key);
  const done = el("button", { type: "button", class: "main", text: gettext("Cover the picked tiles") });
  const press = () => set(done, "aria-disabled", covers.includes(picked().join()) ? null : "true");
  for (const tile of tiles) {
    tile.classList.remove("yours");
    tile.removeAttribute("data-best");
    tile.querySelector(".yourtag")?.remove();
    if (tile.dataset.state !== "up") continue;
    const pressed = el("button", { type: "button", class: tile.className.replace("fixed", ""), "aria-label": tile.dataset.name, "aria-pressed": "false", "data-key": tile.dataset.key, "data-state": "up" }, ...tile.children);
    pressed.addEventListener("click", () => {
      set(pressed, "aria-pressed", pressed.ariaPressed === "true" ? "false" : "true");
      press();
    });
    tiles[tiles.indexOf(tile)] = pressed;
    tile.replaceWith(pressed);
  }
  press();
  done.addEventListener("click", () => {
    if (done.ariaDisabled !== "true") pick(current(), picked().join() === best.join() ? pgettext("said", "Right.") : better);
  });
  byId("moment").querySelector(".rim").replaceChildren(done);
  byId("board").removeAttribute("aria-hidden"); // its tiles are pressed
  text(byId("because"), pgettext("question", "Which tiles?"));
  tiles.find((tile) => tile.ariaPressed)?.focus();
  return true;
}

// Presses

/** Goes where a button leads: to an event. */
function press(id) {
  if (!replay) return;
  run(false);
  step({ first: 0, back: at - 1, next: at + 1, last: replay.steps.length - 1 }[id] ?? at);
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("[data-moment]");
  const pressed = event.target.closest(".buttons > button");
  if (link) {
    event.preventDefault();
    const place = link.dataset.moment - 1;
    if (!links.includes(link) || place !== current() || !tryAgain()) pick(place);
  } else if (pressed && pressed.id !== "run") press(pressed.id);
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, select, textarea, .sheet, #log");
  if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
  const place = links.indexOf(event.target);
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const id = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (place >= 0 && by) {
    event.preventDefault();
    const next = links.at((place + by) % links.length);
    next.focus();
    pick(links.indexOf(next));
  } else if (id && byId("watch")) {
    event.preventDefault();
    press(id);
  }
});
document.addEventListener("submit", (event) => {
  if (event.target.id === "try" && tryAgain()) event.preventDefault();
});
byId("run")?.addEventListener("click", () => replay && run(!running));
byId("slider")?.addEventListener("input", () => {
  run(false);
  step(Number(byId("slider").value));
});

// A press while dice are in the air lets them rest.
skipByPress({ moves: () => Boolean(showing?.isFlying), skip: () => showing.finish() });
takeOver();
if (byId("watch")) begin(JSON.parse(byId("boot").textContent));
