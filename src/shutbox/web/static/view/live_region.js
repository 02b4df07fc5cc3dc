// Spoken output in two live regions. Events and questions are added to a log, a line each, once the
// line before can have been heard. A key stops a screen reader, which drops all that waits in it, so a
// key cuts one line at most. What a key cuts comes again, and lines of other players are summed then.
// Answers to a player's own actions go to a status line, where only the newest counts. The invisible
// marks around names are left out, since some screen readers and voices read them aloud.

import { plain } from "../model/messages.js";
import { byId, el } from "./dom.js";
import { storedText, storeText } from "./storage.js";

const MOMENT_MS = 70;
const PACE_MS = 200; // until a screen reader begins
const LATE_MS = 500; // until it has begun, even if it is late
const ECHO_MS = 300; // until it has taken a key
const CUT_MS = 1000; // until it has stopped after a key, or has seen new paragraphs, even if it is late
const SPEED = "shutbox.speed"; // letters a second
const [SLOWEST, FASTEST] = [15, 40]; // an answer that comes sooner was given without listening
const QUICK = 22; // letters a second of somebody who listens fast
const READY = 8; // paragraphs

/**
 * The lines that wait. The `kind` is "summed" if they are summed when a key comes, "asks" for a question,
 * and else "whole". `parts` is the text, or the texts that a key has cut.
 */
let lines = [];
let spoken = null; // the line that was added last, with the times when it `begins` and `ends`
let until = 0; // the time when everything added can have been heard
let speed = Number(storedText(SPEED)) || SLOWEST;
let pacing = 0;
let waiting = [];
let timer = null;
let noticed = () => {};
let sum = String;

/**
 * Calls `listener(words, { lasts })` with everything that is said and comes from no event, to show it on
 * the page.
 */
export const onNotice = (listener) => (noticed = listener);

/** Lets `words(number)` return what is said in place of so many lines of other players. */
export const onSkipped = (words) => (sum = words);

/** Says sentences after everything that still waits. */
export function announce(says, kind = "whole") {
  if (!says.length) return;
  waiting = waiting.filter(({ passing }) => !passing);
  lines.push({ kind, parts: [plain(says.join(" "))] });
  if (kind === "summed" && lines.some(({ isCut }) => isCut)) lines = summed(lines);
  pace();
}

/** Drops the lines of a kind that wait. */
export function drop(kind) {
  lines = lines.filter((line) => line.kind !== kind);
}

/** Drops the question that has been answered, and learns from the time how fast this player listens. */
export function answered() {
  const heard = (1000 * spoken?.letters) / (performance.now() - spoken?.begins - PACE_MS);
  if (spoken?.kind === "asks" && heard > speed && heard < Math.min(1.6 * speed, FASTEST)) {
    speed += (heard - speed) / 4;
    storeText(SPEED, speed);
  }
  drop("asks");
  if (!lines.length) pace(performance.now() + ECHO_MS);
}

/** Whether these sentences were the last answer, or are about to be. */
export const isAnswer = (says) =>
  [byId("status").textContent.trim(), waiting.map(({ words }) => words).join(" ")].includes(plain(says.join(" ")));

/** Returns how many milliseconds it takes until no line waits but the next one. */
export const behind = () => (lines.length ? Math.max(0, until - performance.now()) : 0);

/** Takes the time to hear these words. */
function take(words) {
  const begins = Math.max(performance.now(), until);
  pace(begins + PACE_MS + (1000 * words.length) / speed);
  return { begins, ends: until, letters: words.length };
}

function pace(time = until) {
  until = time;
  clearTimeout(pacing);
  if (lines.length) pacing = setTimeout(add, until - performance.now());
}

/**
 * Writes the next line into an empty paragraph of its own, since Orca skips text while much else on the
 * page changes, and keeps only the last of several changes in one place.
 */
function add() {
  if (!lines.length) return; // all that waited has been dropped or said meanwhile
  const place = byId("spoken").querySelector(":empty");
  if (!place) {
    byId("spoken").replaceChildren(...Array.from({ length: READY }, () => el("p")));
    return pace(performance.now() + CUT_MS);
  }
  const line = lines.shift();
  const says = line.parts.length > 1 ? plain(sum(line.parts.length)) : line.parts[0];
  // Repeated text would be ignored as an echo.
  place.textContent = place.previousElementSibling?.textContent === says ? `${says}\u00a0` : says;
  spoken = { ...line, ...take(says) };
}

/** Returns lines with one in place of the last that is summed, for all of them. */
function summed(all) {
  const parts = all.flatMap((line) => (line.kind === "summed" ? line.parts : []));
  const last = all.findLast(({ kind }) => kind === "summed");
  const left = all.filter((line) => line === last || line.kind !== "summed");
  return left.map((line) => (line === last ? { ...line, parts, isCut: true } : line));
}

/**
 * Repeats the line that a key has cut, summed with those that wait. If somebody who listens fast has
 * heard it, it is repeated once only.
 */
function repeat() {
  const now = performance.now();
  if (until < now && !lines.length) return pace(now + ECHO_MS);
  const isCut = spoken?.ends > now && !(spoken.isAgain && now > spoken.begins + LATE_MS + (1000 * spoken.letters) / QUICK);
  lines = summed(isCut ? [{ ...spoken, isAgain: true }, ...lines] : lines);
  spoken = null;
  pace(now + CUT_MS);
}

addEventListener("keydown", repeat, { capture: true, passive: true });
// The browser's own voice says when it speaks and when it has ended.
addEventListener("voice", ({ detail, timeStamp }) => pace(detail ? 3 * until - 2 * timeStamp : 0));

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
  const says = waiting.map(({ words }) => words).join(" ");
  // Repeated text would be no change, and would not be spoken.
  status.textContent = status.textContent === says ? `${says}\u00a0` : says;
  lines = lines.filter(({ parts }) => !parts.every((part) => says.includes(part)));
  take(says);
  waiting = [];
}
