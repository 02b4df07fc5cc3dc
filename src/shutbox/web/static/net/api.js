// Sends what is done here. The id of an action is made once and kept over retries: the server does
// the same action once, however often it comes.

import { gettext } from "../model/messages.js";
import { answerTo } from "./request.js";

/** The server said no, or nothing (status 0); `message` is for people, a sentence a line. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body?.error?.message || gettext("That did not work."));
    this.status = status;
    this.code = body?.error?.code || "";
    this.body = body || {};
  }
}

/** An id for one action. `randomUUID` is missing where the page came without TLS. */
function actionId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const get = (path) => send(path, { headers: { Accept: "application/json" } });

export const post = (path, body) => ask(path, { action: actionId(), ...body });

/** Asks with a body, such as a key that no address may have; nothing is done. */
export const ask = (path, body) =>
  send(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });

/** The bytes of a record, to be played again. */
export const postRecord = (bytes) =>
  send("/api/records", { method: "POST", headers: { "Content-Type": "text/plain" }, body: bytes });

// Of a network that went without a word a browser may hold six connections that hang: the seventh
// request comes through once it is back.
const PAUSES = [300, 1000, 2000, 2000, 2000, 2000];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function send(path, request) {
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= PAUSES.length;
    const { reply, body } = (await answerTo(path, request)) ?? {};
    const wait = Number(reply?.headers.get("Retry-After")) || 0;
    const soon = reply?.status === 429 && wait > 0 && wait <= 3;
    const passing = !reply || soon || [502, 503, 504].includes(reply.status);
    if (passing && !last) {
      await sleep(Math.max(PAUSES[attempt], wait * 1000));
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
