// A form that opens a table: the engine of this device opens it, and then its page is loaded.

import { pgettext } from "../model/messages.js";
import { Refusal, post } from "../net/api.js";
import { byId, el } from "../view/dom.js";
import { start } from "./engine.js";
import { patiently } from "./forms.js";
import { pageOf } from "./tables.js";

/**
 * Makes a form open tables. `wants(fields)` returns the request for the new table, or null if the
 * form is not ready.
 */
export function openBy(form, wants) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const pressed = event.submitter ?? form;
    if (pressed.getAttribute("aria-busy")) return;
    pressed.setAttribute("aria-busy", "true");
    try {
      const opened = await patiently(async () => {
        const asked = await wants(new FormData(form, event.submitter));
        return asked && post("/api/rooms", asked);
      });
      if (!opened) {
        pressed.removeAttribute("aria-busy");
        return;
      }
      // An installed site should keep its data. Browsers may delete that of other sites.
      if (matchMedia("(display-mode: standalone)").matches) navigator.storage?.persist?.();
      location.assign(pageOf(opened.view.room));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      pressed.removeAttribute("aria-busy");
      refuse(form, error.message.split("\n"));
    }
  });
}

function refuse(form, lines) {
  const list = el("ul", {}, ...lines.map((line) => el("li", { text: line })));
  const title = el("h2", { text: pgettext("heading", "Not yet") });
  const about = { class: "panel alert", id: "error", role: "alert", tabindex: "-1" };
  byId("error")?.remove();
  form.before(el("div", about, title, list));
  byId("error").focus();
}

// Players read a form before they send it, which gives the engine time to start.
addEventListener("load", () => setTimeout(start));
