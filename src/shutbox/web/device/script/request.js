// One request to the engine of this device. Replaces `net/request.js`.

import { gettext } from "../model/messages.js";
import { ask } from "./engine.js";

/** Returns the reply and its body. */
export async function answerTo(path, { method = "GET", body }) {
  const text = typeof body === "string" || !body ? body : new TextDecoder().decode(body);
  const { status, body: found } = await ask(method, path, text);
  const isPage = !path.startsWith("/api/"); // its answer is a text
  const reply = { ok: status === 200, status, headers: new Headers() };
  return { reply, body: isPage ? JSON.parse(found) : found };
}

/** Returns the sentence for a slow answer. */
export const slowWords = () => gettext("The game is being loaded. One moment…");
