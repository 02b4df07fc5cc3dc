// Requests to the server, with retries. An action keeps its id in every retry, and the server runs
// an action only once for each id. A request that fails rejects with a `Refusal`.

import { gettext } from "../model/messages.js";
import { answerTo, slowWords } from "./request.js";

/**
 * A refusal by the server, with its `status`, its `code` (such as "out-of-date") and its `body`. Status
 * 0 means that no answer came. `message` is for people and has one sentence a line.
 */
export class Refusal extends Error {
  constructor(status, body) {
    super(body?.error?.message || gettext("That did not work."));
    this.status = status;
    this.code = body?.error?.code || "";
    this.body = body || {};
  }
}

/** Returns 32 random hex digits. Without TLS, there is no `crypto.randomUUID`. */
export function randomText() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Requests JSON. As all requests here, rejects with a Refusal. */
export const get = (path) => send(path, { headers: { Accept: "application/json" } });

/** Sends an action. A `body` with its own `action` keeps that id. */
export const post = (path, body) => query(path, { action: randomText(), ...body });

/** Sends a query by POST, since it has a key, which no address may show. Changes nothing. */
export const query = (path, body) =>
  send(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });

const SLOW_MS = 1500;

/** Returns what `sent` resolves to. If the answer takes long, `say` says so until it comes. */
export function untilAnswered(sent, say) {
  const slow = setTimeout(() => say([slowWords()], { during: sent }), SLOW_MS);
  return sent.finally(() => clearTimeout(slow));
}

// After a network failure, up to six connections can hang in the browser. The seventh request gets
// through once the network is back.
const PAUSES = [300, 1000, 2000, 2000, 2000, 2000];
const UNSAVED_PAUSES = [1000, 2000, 4000]; // after the server could not save the action
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

let asksAgain = null;

/** Calls `ask(sentences)` if an action cannot be saved. It is sent again once its promise resolves. */
export const onUnsaved = (ask) => (asksAgain = ask);

const LOST_MS = 3000; // without any answer

let reached = () => {};

/** Calls `listener(is)` after each answer, true, and after none for a while, false. */
export const onReach = (listener) => (reached = listener);

async function send(path, request) {
  const began = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const { reply, body } = (await answerTo(path, request)) ?? {};
    const isLost = attempt >= PAUSES.length || performance.now() - began > LOST_MS;
    if (reply || isLost) reached(Boolean(reply));
    const isUnsaved = body?.error?.code === "not-kept";
    const pauses = isUnsaved ? UNSAVED_PAUSES : PAUSES;
    const last = attempt >= pauses.length;
    const wait = Number(reply?.headers.get("Retry-After")) || 0;
    const soon = reply?.status === 429 && wait > 0 && wait <= 3;
    const passing = !reply || soon || [502, 503, 504].includes(reply.status);
    if (passing && !last) {
      await sleep(Math.max(pauses[attempt], wait * 1000));
      continue;
    }
    if (isUnsaved && asksAgain && request.method === "POST") {
      await asksAgain(body.error.message.split("\n"));
      attempt = -1;
      continue;
    }
    if (!reply) {
      const message = gettext("The server cannot be reached.");
      throw new Refusal(0, { error: { message } });
    }
    if (!reply.ok || body === null) throw new Refusal(reply.status, body);
    return body;
  }
}
