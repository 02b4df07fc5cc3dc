// A form whose answer the server draws at once: the page for what is set is fetched, and its parts
// take the place of the old ones. An older answer never takes the place of a newer one.

import { gettext } from "../model/messages.js";

export class LivePage {
  /**
   * `busy()` is the element that waits; `show(page, response)` takes what came; `failed(why)` says
   * why nothing did.
   */
  constructor({ busy, show, failed }) {
    Object.assign(this, { busy, show, failed });
    this.asked = null;
    this.timer = 0;
  }

  /** Fetches the page at `address()` after so many milliseconds in which more may be pressed. */
  ask(address, pause = 0) {
    clearTimeout(this.timer);
    this.asked?.abort(); // its answer would take back what was pressed since
    this.asked = null;
    this.timer = setTimeout(() => this.load(address()), pause);
  }

  async load(address) {
    const mine = new AbortController();
    this.asked = mine;
    this.busy().setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, { signal: mine.signal });
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
 * Brings inputs up to date by those of a newer page, so that the focus stays; `also(input, other)`
 * does more to each. False, and nothing is touched, where they are not the same ones.
 */
export function broughtUpToDate(inputs, newer, also = () => {}) {
  const key = ({ name, type, value }) => (/radio|checkbox/.test(type) ? `${name} ${value}` : name);
  const then = new Map([...newer].map((input) => [key(input), input]));
  const now = [...inputs];
  if (now.length !== then.size || !now.every((input) => then.has(key(input)))) return false;
  for (const input of now) {
    const other = then.get(key(input));
    input.checked = other.checked;
    if (input !== document.activeElement) input.value = other.value;
    also(input, other);
  }
  return true;
}
