// A record, step by step: the same board as at a table, one voice, and the whole text beside it.

import "../view/language.js";
import "../view/own_voice.js";
import { gettext, pgettext } from "../model/messages.js";
import { skipByPress } from "../input/skipping.js";
import { linesOf } from "../model/telling.js";
import { postRecord } from "../net/api.js";
import { Board } from "../view/board.js";
import { byId, el, set, text } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { settings, takeOver } from "../view/settings.js";
import { Showing } from "../view/showing.js";

let replay = null;
let board = null;
let showing = null;
let at = 0;
let running = 0; // the timer that goes on from step to step

const STEP_MS = 1600;

function open(opened) {
  replay = opened;
  board ??= new Board();
  showing ??= new Showing(board, { tell, nameOf: () => "" });
  at = 0;
  run(false);
  document.title = gettext("{title}, step by step: shutbox", { title: replay.title });
  text(byId("title"), replay.title);
  text(byId("players"), replay.players.join(", "));
  text(byId("fault"), replay.fault || "");
  byId("fault").hidden = !replay.fault;
  byId("steps").replaceChildren(
    ...replay.steps.map(({ says }) => el("li", { text: says.join(" ") })),
  );
  byId("stepper").hidden = false;
  byId("slider").max = replay.steps.length - 1;
  show(false);
}

/** Shows a step. On the way forwards dice fly and tiles fall before it is told. */
function show(isForward) {
  showing.finish();
  const step = replay.steps[at];
  if (!step) return;
  const { pieces, thrown_at, seat } = step;
  const kind = thrown_at === at ? "throw" : "choose";
  const event = { kind, seat, step, view: { table: { pieces, thrown_at, shut: false } } };
  if (isForward) showing.begin([event]);
  else tell([event]);
}

/** Draws a step and says it. */
function tell([{ step }]) {
  const { pieces } = replay.steps[step.thrown_at];
  const last = pieces.filter(({ kind, face }) => kind === "die" && face); // they lie there still
  board.draw(step.pieces, { last, thrown: step.thrown_at });
  const steps = replay.steps.length;
  const words = gettext("{step} of {steps}", { step: at + 1, steps });
  text(byId("at"), words);
  byId("slider").value = at;
  set(byId("slider"), "aria-valuetext", words);
  const [isFirst, isLast] = [at === 0, at === replay.steps.length - 1];
  for (const id of ["first", "back"]) set(byId(id), "aria-disabled", isFirst ? "true" : null);
  for (const id of ["next", "last"]) set(byId(id), "aria-disabled", isLast ? "true" : null);
  [...byId("steps").children].forEach((line, i) => {
    set(line, "aria-current", i === at ? "step" : null);
  });
  const log = byId("log");
  const line = byId("steps").children[at];
  log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
  say(linesOf(step, settings.length));
}

function go(to) {
  const next = Math.min(Math.max(to, 0), replay.steps.length - 1);
  if (next === at) return;
  const isForward = next === at + 1;
  at = next;
  show(isForward);
}

/** Goes on by itself once the dice rest and the voice is silent, until the last step. */
function run(isWanted) {
  clearInterval(running);
  running = 0;
  const isLast = at === replay.steps.length - 1;
  if (isWanted && isLast) go(0);
  if (isWanted) {
    running = setInterval(() => {
      if (showing.isFlying || globalThis.speechSynthesis?.speaking) return;
      go(at + 1);
      if (at === replay.steps.length - 1) run(false);
    }, STEP_MS);
  }
  text(byId("run"), running ? pgettext("button", "Pause") : pgettext("button", "Play"));
}

async function opening(file) {
  try {
    byId("error").hidden = true;
    open(await postRecord(await file.arrayBuffer()));
    byId("another").open = false;
    byId("reviewing").hidden = false; // it reviews the file chosen in the form
  } catch (error) {
    byId("error").replaceChildren(el("p", { text: error.message }));
    byId("error").hidden = false;
  }
}

/** Goes to a step that the player has asked for. */
function step(to) {
  run(false);
  go(to);
}

byId("first").addEventListener("click", () => step(0));
byId("back").addEventListener("click", () => step(at - 1));
byId("next").addEventListener("click", () => step(at + 1));
byId("last").addEventListener("click", () => step(replay.steps.length - 1));
byId("run").addEventListener("click", () => run(!running));
byId("slider").addEventListener("input", () => step(Number(byId("slider").value)));
document.addEventListener("keydown", (event) => {
  if (!replay || event.target.closest("input, select, textarea, #log") || event.altKey) return;
  if (event.key === "ArrowLeft") step(at - 1);
  else if (event.key === "ArrowRight") step(at + 1);
});
byId("open").addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) return; // the server answers with its own page
  event.preventDefault();
  const [file] = byId("record").files;
  if (file) opening(file);
});

// A press while dice are in the air lets them rest.
skipByPress({ moves: () => Boolean(showing?.isFlying), skip: () => showing.finish() });
takeOver();
if (byId("boot")) open(JSON.parse(byId("boot").textContent));
