// One voice in two places. What happened, and what the next player is asked, is added to a log,
// a line of its own each, so that nothing is replaced before it is heard. Answers to what somebody
// asks or presses stand in a status line, where the newest counts.

import { byId, el } from "./dom.js";

const MOMENT_MS = 70;
const PACE_MS = 200; // a busy screen reader drops what comes too fast
const LETTER_MS = 8;
const REST_MS = 3000; // so long nothing has been said: now there is time to tidy
const READY = 24; // more lines than one turn of a computer player has
const STAYS_MS = 60_000;

let lines = []; // they wait for their place in the log
let pacing = null;
let resting = null;
let waiting = [];
let timer = null;
let noticed = () => {};
let voiced = () => {};

/** Calls `listener(words)` with whatever is said that no event has brought, for those who look. */
export const onNotice = (listener) => (noticed = listener);

/** Calls `listener(words)` with all that is said, as it is said. */
export const onSaid = (listener) => (voiced = listener);

/** Says sentences after all that waits to be heard: what has come about, or what is asked. */
export function announce(says) {
  if (!says.length) return;
  waiting = waiting.filter(({ passing }) => !passing);
  lines.push(says.join(" "));
  pacing ??= setTimeout(add, 0);
}

/**
 * Writes the line that is due into the first of the empty paragraphs that stand ready. Orca passes
 * over texts while more than fifty changes of the page wait to be looked at, and over all but the last
 * of several that come into one place: so each line has a place of its own, and while much happens
 * nothing but its text changes. The same words again count as an echo.
 */
function add() {
  const log = byId("spoken");
  const line = log.querySelector(":empty") ?? log.appendChild(el("p"));
  const says = lines.shift();
  line.textContent = line.previousElementSibling?.textContent === says ? `${says}\u00a0` : says;
  line.dataset.since = performance.now();
  voiced(says);
  pacing = setTimeout(next, PACE_MS + LETTER_MS * says.length);
  clearTimeout(resting);
  resting = setTimeout(tidy, REST_MS);
  setTimeout(prune, STAYS_MS);
}

function next() {
  pacing = null;
  if (lines.length) add();
}

/** While nothing is said, places are made ready for what comes. */
function tidy() {
  resting = null;
  prune();
  const log = byId("spoken");
  const lacking = READY - log.querySelectorAll(":empty").length;
  log.append(...Array.from({ length: lacking }, () => el("p")));
}

/** Old lines go, once nothing is said; the newest stays, for those who read the page from the top. */
function prune() {
  if (resting) return;
  const isOld = ({ dataset }) => performance.now() - dataset.since >= STAYS_MS;
  const full = [...byId("spoken").querySelectorAll("p:not(:empty)")];
  for (const line of full.slice(0, -1)) if (isOld(line)) line.remove();
}

/**
 * Answers in sentences that need not be kept, each of them once. Those that are `passing` tell how
 * something stands while it is being done: whatever comes drops them. What is `seen` anyhow, since
 * the page shows it, is no notice.
 */
export function say(says, { passing = false, seen = false } = {}) {
  if (says.length && !seen) noticed(says.join(" "));
  const stays = waiting.filter((sentence) => !sentence.passing);
  const isNew = (words) => !stays.some((sentence) => sentence.words === words);
  if (!says.length) return;
  waiting = [...stays, ...says.filter(isNew).map((words) => ({ words, passing }))];
  timer ??= setTimeout(speak, MOMENT_MS);
}

function speak() {
  timer = null;
  if (!waiting.length) return;
  const status = byId("status");
  const said = waiting.map(({ words }) => words).join(" ");
  // The same text again would be no change, and not be heard.
  status.textContent = status.textContent === said ? `${said}\u00a0` : said;
  voiced(said);
  waiting = [];
}
