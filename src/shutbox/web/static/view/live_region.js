// One voice: the status line says what came about, the log keeps it. Whatever is said within a
// moment is one text, so that a screen reader says it once and whole.

import { byId, el } from "./dom.js";

const MOMENT_MS = 70;
const REST_MS = 250;
const BURST_MS = 1200;
const MOST_LINES = 400;

let waiting = [];
let timer = null;
let since = 0; // when what waits first came
let logged = -1;
let noticed = () => {};

/** Calls `listener(words)` with whatever is said that no event has brought, for those who look. */
export const onNotice = (listener) => (noticed = listener);

/**
 * Says what an event has brought, or not if `quietly`, and keeps it in the log; of an event only
 * once. `about` has subjects by sentence: what is newer drops what waits to be said about the same.
 */
export function tell(says, number, { quietly = false, about = new Map() } = {}) {
  if (number <= logged) return;
  logged = number;
  if (!says.length) return;
  keep(says);
  if (quietly) return;
  const renewed = new Set(says.map((words) => about.get(words)).filter(Boolean));
  waiting = waiting.filter(({ subject }) => !renewed.has(subject));
  queue(says.map((words) => ({ words, subject: about.get(words) })));
}

/**
 * Says sentences that need not be kept, each of them once. Those that are `passing` tell how
 * something stands while it is being done: whatever comes drops them. What is `seen` anyhow, since
 * the page shows it, is no notice.
 */
export function say(says, { passing = false, seen = false } = {}) {
  if (says.length && !seen) noticed(says.join(" "));
  const stays = waiting.filter((sentence) => !sentence.passing).map(({ words }) => words);
  const isNew = (words) => !stays.includes(words);
  if (says.length) queue(says.filter(isNew).map((words) => ({ words, passing })));
}

function queue(sentences) {
  waiting = [...waiting.filter(({ passing }) => !passing), ...sentences];
  if (timer !== null) return;
  since = performance.now();
  timer = setTimeout(speak, MOMENT_MS);
}

/** More is about to come: what waits to be said waits for it, but not for long. */
export function hold() {
  if (timer === null || performance.now() - since > BURST_MS) return;
  clearTimeout(timer);
  timer = setTimeout(speak, REST_MS);
}

/** The log as the server tells it. */
export function fill(lines) {
  const log = byId("log");
  const items = lines.map((line) => el("li", { text: line.says.join(" ") }));
  log.firstElementChild.replaceChildren(...items);
  log.scrollTop = log.scrollHeight;
  logged = Math.max(logged, ...lines.map((line) => line.number));
}

function keep(says) {
  const log = byId("log");
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 40;
  const list = log.firstElementChild;
  list.append(el("li", { text: says.join(" ") }));
  if (list.children.length > MOST_LINES) list.firstElementChild.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

function speak() {
  const status = byId("status");
  const said = waiting.map(({ words }) => words).join(" ");
  // The same text again would be no change, and not be heard.
  status.textContent = status.textContent === said ? `${said}\u00a0` : said;
  waiting = [];
  timer = null;
}
