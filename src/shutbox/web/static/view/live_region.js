// Spoken output in two live regions. Events and questions are added to a log, one line each, so
// that none is replaced before it is heard. Answers to a player's own actions go to a status line,
// where only the newest counts. The invisible marks around names are left out, since some screen
// readers and voices read them aloud.

import { plain } from "../model/messages.js";
import { byId, el } from "./dom.js";

const MOMENT_MS = 70;
const PACE_MS = 200; // a busy screen reader drops text that comes too fast
const LETTER_MS = 8;
const REST_MS = 3000; // after this much silence there is time to clean up
const READY = 24; // more lines than one turn of a computer player needs
const STAYS_MS = 60_000;

let lines = []; // waiting to be added to the log
let pacing = null;
let resting = null;
let waiting = [];
let timer = null;
let noticed = () => {};
let voiced = () => {};

/**
 * Calls `listener(words, { lasts })` with everything that is said and comes from no event, to show it on
 * the page.
 */
export const onNotice = (listener) => (noticed = listener);

/** Calls `listener(words)` with everything that is said, at the time it is said. */
export const onSaid = (listener) => (voiced = listener);

/** Says sentences about an event, or a question, after everything that still waits. */
export function announce(says) {
  if (!says.length) return;
  waiting = waiting.filter(({ passing }) => !passing);
  lines.push(plain(says.join(" ")));
  pacing ??= setTimeout(add, 0);
}

/**
 * Writes the next line into the first of several empty paragraphs. Orca skips text while more than
 * fifty page changes wait, and keeps only the last of several changes in one place. Each line
 * therefore has its own paragraph, and while much happens only text changes. Repeated text would be
 * ignored as an echo, so a space is added.
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

/** Prepares empty paragraphs while nothing is said. */
function tidy() {
  resting = null;
  prune();
  const log = byId("spoken");
  const lacking = READY - log.querySelectorAll(":empty").length;
  log.append(...Array.from({ length: lacking }, () => el("p")));
}

/**
 * Removes old lines when nothing is being said. Keeps the newest, for people who read the page from
 * the top.
 */
function prune() {
  if (resting) return;
  const isOld = ({ dataset }) => performance.now() - dataset.since >= STAYS_MS;
  const full = [...byId("spoken").querySelectorAll("p:not(:empty)")];
  for (const line of full.slice(0, -1)) if (isOld(line)) line.remove();
}

/**
 * Says answers, each of them once, in the status line. With `passing`, they describe an unfinished
 * action and are dropped when anything else is said. With `seen`, they appear on the page anyway,
 * and the notice listener does not get them. If they `lasts`, they are shown until the next press.
 */
export function say(says, { passing = false, seen = false, lasts = false } = {}) {
  if (says.length && !seen) noticed(says.join(" "), { lasts });
  const stays = waiting.filter((sentence) => !sentence.passing);
  const isNew = (words) => !stays.some((sentence) => sentence.words === words);
  if (!says.length) return;
  waiting = [...stays, ...says.map(plain).filter(isNew).map((words) => ({ words, passing }))];
  timer ??= setTimeout(speak, MOMENT_MS);
}

function speak() {
  timer = null;
  if (!waiting.length) return;
  const status = byId("status");
  const spoken = waiting.map(({ words }) => words).join(" ");
  // Repeated text would be no change, and would not be spoken.
  status.textContent = status.textContent === spoken ? `${spoken}\u00a0` : spoken;
  voiced(spoken);
  waiting = [];
}
