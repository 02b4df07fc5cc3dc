// One request to the server. A device that plays by itself has another module in the place of this.

import { gettext } from "../model/messages.js";

const HANGING_MS = 12_000; // a hint may take three seconds, on a busy server longer

/** The reply and its body, which is null where it is no JSON; nothing where none came. */
export async function answerTo(path, request) {
  try {
    const signal = AbortSignal.timeout(HANGING_MS);
    const reply = await fetch(path, { credentials: "same-origin", signal, ...request });
    const body = await reply.json().catch((error) => {
      if (error instanceof SyntaxError) return null; // from somebody between here and the server
      throw error;
    });
    return { reply, body };
  } catch {
    return null;
  }
}

/** What is said where an answer takes long. */
export const slowWords = () => gettext("The server has not answered yet. Still trying…");
