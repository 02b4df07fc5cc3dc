// Spoken output in two live regions. Events and questions are added to a log, a line each, once the
// line before can have been heard. A key stops a screen reader, which drops all that waits in it, so a
// key cuts one line at most. What a key cuts comes again, and lines of other players are summed then.
// Answers to a player's own actions go to a status line, where only the newest counts. The invisible
// marks around names are left out, since some screen readers and voices read them aloud.

import { plain } from "../model/messages.js";
import { byId, el } from "./dom.js";
import { storedText, storeText } from "./storage.js";

const MOMENT_MS = 70;
const GATHER_MS = 2000; // in which players who do the same are gathered
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
 * and else "whole", or another name to drop them by. `parts` is the text, or the texts that a key has cut.
 */
let lines = [];
let spoken = null; // the line that was added last, with the times when it `begins` and `ends`
let ended = null; // the question that a key has ended, and `at` which time
let until = 0; // the time when everything added can have been heard
let speed = Number(storedText(SPEED)) || SLOWEST;
let lineTimer = 0; // until then
let sumWords = String; // returns what is said in place of so many lines
let gathered = null; // the `names` of players who have done the same, what to say of them, and the `timer`

let answers = []; // those that wait, each with its `words`, and whether it is `passing`
let answerTimer = null; // until they are written
let tellNotice = () => {};

/** Calls `listener(words, { lasts, during })` with all that is said and that comes from no event. */
export const onNotice = (listener) => (tellNotice = listener);

/** Lets `words(number)` return what is said in place of so many lines of other players. */
export const onSkipped = (words) => (sumWords = words);

/** Says sentences after all that waits, as one line of a `kind`, by which it can be dropped. */
export function announce(says, kind = "whole") {
  if (!says.length) return;
  sayGathered();
  answers = answers.filter(({ passing }) => !passing);
  lines.push({ kind, parts: [plain(says.join(" "))] });
  if (kind === "summed" && lines.some(({ isCut }) => isCut)) lines = sumLines(lines);
  pace();
}

/** Says `words(names)` of players who do the same, 2 s after the first or before other lines. */
export function gather(name, words) {
  gathered ??= { names: [], words, timer: setTimeout(sayGathered, GATHER_MS) };
  gathered.names.push(name);
}

function sayGathered() {
  if (!gathered) return;
  const { names, words, timer } = gathered;
  clearTimeout(timer);
  gathered = null;
  announce([words(names)], "summed");
}

/** Drops the lines of a kind that wait. */
export function drop(kind) {
  lines = lines.filter((line) => line.kind !== kind);
}

/** Drops the answered question, and learns from the time how fast this player listens. */
export function takeAnswer() {
  learn(ended ?? (spoken?.kind === "asks" && { ...spoken, at: performance.now() }));
  ended = null;
  drop("asks");
  if (!lines.length) pace(performance.now() + ECHO_MS);
}

/** Learns from a line that was heard, since a key came for it `at` this time. */
function learn({ letters, begins, at }) {
  const heard = (1000 * letters) / (at - begins - PACE_MS);
  if (heard > speed && heard < Math.min(1.6 * speed, FASTEST)) storeText(SPEED, (speed += (heard - speed) / 2));
}

const answerWords = () => answers.map(({ words }) => words).join(" ");

/** Whether these sentences were the last answer, or are about to be. */
export const isAnswer = (says) =>
  [byId("status").textContent.trim(), answerWords()].includes(plain(says.join(" ")));

/** Returns how many milliseconds it takes until no line waits but the next one. */
export const msBehind = () => (lines.length ? Math.max(0, until - performance.now()) : 0);

/** Reserves the time to hear words. Returns when it `begins` and `ends`, and the `letters`. */
function reserveTime(words) {
  const begins = Math.max(performance.now(), until);
  pace(begins + PACE_MS + (1000 * words.length) / speed);
  return { begins, ends: until, letters: words.length };
}

/** Writes the next line at a time of the clock, or when all that was added can have been heard. */
function pace(time = until) {
  until = time;
  clearTimeout(lineTimer);
  if (lines.length) lineTimer = setTimeout(writeNext, until - performance.now());
}

/**
 * Writes the next line into an empty paragraph of its own, since Orca skips text while much else on the
 * page changes, and keeps only the last of several changes in one place.
 */
function writeNext() {
  if (!lines.length) return; // all that waited has been dropped or said meanwhile
  const place = byId("spoken").querySelector(":empty");
  if (!place) {
    byId("spoken").replaceChildren(...Array.from({ length: READY }, () => el("p")));
    return pace(performance.now() + CUT_MS);
  }
  ended = null; // the key that ended the last question came for something else
  const line = lines.shift();
  const says = line.parts.length > 1 ? plain(sumWords(line.parts.length)) : line.parts[0];
  // Repeated text would be ignored as an echo.
  place.textContent = place.previousElementSibling?.textContent === says ? `${says}\u00a0` : says;
  spoken = { ...line, ...reserveTime(says) };
}

/** Returns lines with one in place of the last that is summed, for all of them. */
function sumLines(all) {
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
  const isHeard = spoken?.isAgain && now > spoken.begins + LATE_MS + (1000 * spoken.letters) / QUICK;
  const isCut = spoken?.ends > now && !isHeard;
  if (isHeard) learn({ ...spoken, at: now });
  if (spoken?.kind === "asks") ended = { ...spoken, at: now };
  lines = sumLines(isCut ? [{ ...spoken, isAgain: true }, ...lines] : lines);
  spoken = null;
  pace(now + CUT_MS);
}

addEventListener("keydown", repeat, { capture: true, passive: true });
// The browser's own voice says when it speaks and when it has ended.
addEventListener("voice", ({ detail, timeStamp }) => pace(detail ? 3 * until - 2 * timeStamp : 0));

/**
 * Says answers, each of them once, in the status line. With `passing`, they describe an unfinished
 * action and are dropped when anything else is said. With `seen`, they appear on the page anyway,
 * and the notice listener does not get them. If they `lasts`, they are shown until the next press, and
 * no longer than `during` a promise.
 */
export function say(says, { passing = false, seen = false, lasts = false, during } = {}) {
  if (!says.length) return;
  if (!seen) tellNotice(says.join(" "), { lasts, during });
  const stays = answers.filter((sentence) => !sentence.passing);
  const isNew = (words) => !stays.some((sentence) => sentence.words === words);
  answers = [...stays, ...says.map(plain).filter(isNew).map((words) => ({ words, passing }))];
  answerTimer ??= setTimeout(speak, MOMENT_MS);
}

function speak() {
  answerTimer = null;
  if (!answers.length) return;
  const status = byId("status");
  const says = answerWords();
  // Repeated text would be no change, and would not be spoken.
  status.textContent = status.textContent === says ? `${says}\u00a0` : says;
  lines = lines.filter(({ parts }) => !parts.every((part) => says.includes(part)));
  reserveTime(says);
  answers = [];
}
