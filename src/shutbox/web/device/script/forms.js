// Forms and downloads that the engine of this device answers. A form leads to another page, as at a
// server: if the answer is a page, the next load takes it from this tab's storage. A chosen language
// is stored, and `choose.js` leads to the page in it.

import { slowWords } from "../net/request.js";
import { byId, el } from "../view/dom.js";
import { storeText } from "../view/storage.js";
import { askPage, encoded } from "./pages.js";

const ANSWER = "shutbox.answer";
const SLOW_MS = 1500;

/** Returns the page that the engine answered to the last form, once. Null if there is none. */
export function takeAnswer() {
  const found = sessionStorage.getItem(ANSWER);
  sessionStorage.removeItem(ANSWER);
  return found;
}

/** Says that the engine is being loaded if some work takes long. Returns what the work returns. */
export async function patiently(work) {
  const says = el("p", { class: "panel", id: "loading", role: "status", text: slowWords() });
  const slow = setTimeout(() => byId("main").prepend(says), SLOW_MS);
  try {
    return await work();
  } finally {
    clearTimeout(slow);
    says.remove();
  }
}

async function send(form, pressed) {
  pressed.setAttribute("aria-busy", "true");
  const address = pressed.getAttribute("formaction") ?? form.getAttribute("action");
  const fields = new FormData(form);
  if (pressed.name) fields.append(pressed.name, pressed.value);
  const { status, body } = await patiently(async () => askPage(address, "POST", await encoded(fields)));
  if (status === 303) {
    location.assign(body);
    return;
  }
  sessionStorage.setItem(ANSWER, body);
  location.assign(address);
}

async function download(link) {
  const { body } = await askPage(link.href);
  const href = URL.createObjectURL(new Blob([body], { type: "text/plain" }));
  el("a", { href, download: link.download || new URL(link.href).pathname.split("/").at(-1) }).click();
  URL.revokeObjectURL(href);
}

/** Answers the forms and downloads of this page. */
export function answerForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    event.preventDefault();
    if (form.matches(".language")) {
      storeText("shutbox.language", form.elements.language.value.replace("_", "-"));
      location.reload();
      return;
    }
    const pressed = event.submitter ?? form;
    if (!pressed.hasAttribute("aria-busy")) send(form, pressed);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[download]");
    if (!link || event.defaultPrevented || link.protocol === "blob:") return;
    event.preventDefault();
    download(link);
  });
}
