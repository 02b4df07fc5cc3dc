// A form that opens a table: it is asked of the engine of this device, and then its page comes.

import { gettext } from "../model/messages.js";
import { Refusal, post } from "../net/api.js";
import { slowWords } from "../net/request.js";
import { byId, el } from "../view/dom.js";
import { start } from "./engine.js";
import { pageOf } from "./tables.js";

const SLOW_MS = 1500;

/** `wants(fields)` is what is asked for, by the form; nothing where it cannot be asked for yet. */
export function openBy(form, wants) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const pressed = event.submitter ?? form;
    if (pressed.getAttribute("aria-busy")) return;
    pressed.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => byId("main").prepend(loading()), SLOW_MS);
    try {
      const asked = await wants(new FormData(form));
      if (!asked) {
        pressed.removeAttribute("aria-busy");
        return;
      }
      const { view } = await post("/api/rooms", asked);
      // What is installed is meant to stay; of other sites a browser may forget what they keep.
      if (matchMedia("(display-mode: standalone)").matches) navigator.storage?.persist?.();
      location.assign(pageOf(view.room));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      pressed.removeAttribute("aria-busy");
      refuse(form, error.message.split("\n"));
    } finally {
      clearTimeout(slow);
      byId("loading")?.remove();
    }
  });
}

const loading = () =>
  el("p", { class: "panel", id: "loading", role: "status", text: slowWords() });

function refuse(form, lines) {
  const list = el("ul", {}, ...lines.map((line) => el("li", { text: line })));
  const title = el("h2", { text: gettext("Not yet") });
  const about = { class: "panel alert", id: "error", role: "alert", tabindex: "-1" };
  byId("error")?.remove();
  form.before(el("div", about, title, list));
  byId("error").focus();
}

// A form is looked at before it is sent: by then the engine is ready.
addEventListener("load", () => setTimeout(start));
