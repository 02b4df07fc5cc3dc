// Pages from the engine of this device, at the addresses of the site. Replaces `net/pages.js`.

import { site } from "../model/addresses.js";
import { ask } from "./engine.js";

/** Returns a form in URL encoding. The engine takes the file of a game as its text. */
export async function encoded(form) {
  const fields = new URLSearchParams();
  for (const [name, value] of form) {
    if (typeof value === "string") fields.append(name, value);
    else if (value.size) fields.append("text", await value.text());
  }
  return String(fields);
}

/** Requests a page. Resolves to its `status` and `body`: the text, or the address of a redirect. */
export function askPage(address, method = "GET", body = "") {
  return ask(method, new URL(address, site()).href.slice(site().length), body);
}

/** Requests a page. Returns `ok`, `status`, `url` and `text()`, as a response of `fetch` has. */
export async function fetchPage(address, { method = "GET", body } = {}) {
  const { status, body: found } = await askPage(address, method, body && (await encoded(body)));
  if (status === 303) return fetchPage(found);
  const { href } = new URL(address, site());
  return { ok: status === 200, status, url: href, text: async () => found };
}
