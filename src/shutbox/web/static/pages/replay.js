// A record, step by step: the same board as at a table, one voice, and the whole text beside it.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { linesOf } from "../model/telling.js";
import { postRecord } from "../net/api.js";
import { Board } from "../view/board.js";
import { byId, el, set, text } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { settings, takeOver } from "../view/settings.js";
import * as sound from "../view/sound.js";

let replay = null;
let board = null;
let at = 0;

function open(opened) {
  replay = opened;
  board = new Board();
  at = 0;
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
  draw(false);
}

function draw(isForward) {
  const step = replay.steps[at];
  if (!step) return;
  const before = replay.steps[at - 1]?.pieces.filter((piece) => piece.state === "lying").length;
  const lying = step.pieces.filter((piece) => piece.state === "lying").length;
  const rolls = isForward && lying > 0 && !before;
  const fallen = board.draw(step.pieces, { rolls });
  if (rolls) sound.rattle(lying);
  if (fallen && isForward) sound.clack(fallen);
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
  draw(isForward);
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

byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(at - 1));
byId("next").addEventListener("click", () => go(at + 1));
byId("last").addEventListener("click", () => go(replay.steps.length - 1));
byId("slider").addEventListener("input", () => go(Number(byId("slider").value)));
document.addEventListener("keydown", (event) => {
  if (!replay || event.target.closest("input, select, textarea, #log") || event.altKey) return;
  if (event.key === "ArrowLeft") go(at - 1);
  else if (event.key === "ArrowRight") go(at + 1);
});
byId("open").addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) return; // the server answers with its own page
  event.preventDefault();
  const [file] = byId("record").files;
  if (file) opening(file);
});

takeOver();
if (byId("boot")) open(JSON.parse(byId("boot").textContent));
