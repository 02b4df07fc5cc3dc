// One request to the server. When the page plays without a server, another module replaces this
// one.

import { gettext } from "../model/messages.js";

const HANGING_MS = 12_000; // a hint takes up to three seconds, and longer on a busy server

/** Returns the `reply` and its `body`, null if it is not JSON. Returns null if no reply came in time. */
export async function answerTo(path, request) {
  try {
    const signal = AbortSignal.timeout(HANGING_MS);
    const reply = await fetch(path, { credentials: "same-origin", signal, ...request });
    const body = await reply.json().catch((error) => {
      if (error instanceof SyntaxError) return null; // sent by a proxy and not by the server
      throw error;
    });
    return { reply, body };
  } catch {
    return null;
  }
}

/** Returns the sentence for a slow answer. */
export const slowWords = () => gettext("The server has not answered yet. Still trying…");
