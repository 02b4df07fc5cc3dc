// A form that the server redraws at every change: the script fetches the page for the new values
// and replaces parts of the current one. An older response never replaces a newer one.

import { gettext } from "../model/messages.js";

export class LivePage {
  /**
   * `fetchPage(address, request)` requests a page, as `fetch` does. `busy()` returns the element to
   * mark as busy. `show(page, response)` takes the fetched page. `failed(why)` shows why the request
   * failed.
   */
  constructor({ fetchPage, busy, show, failed }) {
    Object.assign(this, { fetchPage, busy, show, failed });
    this.asked = null;
    this.timer = 0;
  }

  /** Fetches the page at `address()` after `pause` milliseconds, in which more input may follow. */
  ask(address, pause = 0) {
    clearTimeout(this.timer);
    this.asked?.abort(); // its response would undo later input
    this.asked = null;
    this.timer = setTimeout(() => this.load(address()), pause);
  }

  async load(address) {
    const mine = new AbortController();
    this.asked = mine;
    this.busy().setAttribute("aria-busy", "true");
    try {
      const response = await this.fetchPage(address, { signal: mine.signal });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (this.asked === mine) this.show(page, response);
    } catch (error) {
      if (error.name !== "AbortError") this.failed(gettext("The server does not answer."));
    } finally {
      if (this.asked === mine) this.busy().removeAttribute("aria-busy");
    }
  }
}

/**
 * Updates inputs to those of a newer page, so that the focus stays. `onPair(input, other)` is called
 * for each pair. If the inputs are not the same ones, returns false and changes nothing.
 */
export function broughtUpToDate(inputs, newer, onPair = () => {}) {
  const key = ({ name, type, value }) => (/radio|checkbox/.test(type) ? `${name} ${value}` : name);
  const then = new Map([...newer].map((input) => [key(input), input]));
  const now = [...inputs];
  if (now.length !== then.size || !now.every((input) => then.has(key(input)))) return false;
  for (const input of now) {
    const other = then.get(key(input));
    input.checked = other.checked;
    if (input !== document.activeElement) input.value = other.value;
    onPair(input, other);
  }
  return true;
}
