// A review, step by step: keys and links fetch the page of a step and replace the part that
// changes. The next steps are fetched in advance.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { fetchPage } from "../net/pages.js";
import { byId, el, text } from "../view/dom.js";
import { settings, takeOver } from "../view/settings.js";

const MOST_CACHED = 40;
const pages = new Map();
let wanted = null;

const numberOf = (id) => byId(id)?.dataset.step || null;

function requestFor(step) {
  const form = byId("again");
  if (!form) {
    const address = new URL(location.href);
    address.searchParams.set("step", step);
    return [address.href, {}];
  }
  const body = new FormData(form);
  body.set("step", step);
  return [form.action, { method: "POST", body }];
}

async function stepPage(step) {
  const response = await fetchPage(...requestFor(step));
  if (!response.ok) throw new Error(`${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function page(step) {
  if (!pages.has(step)) {
    if (pages.size >= MOST_CACHED) pages.delete(pages.keys().next().value);
    const coming = stepPage(step);
    coming.catch(() => pages.delete(step));
    pages.set(step, coming);
  }
  return pages.get(step);
}

async function go(step) {
  if (!step || step === byId("review").dataset.now) return;
  wanted = step;
  mark(step);
  try {
    const found = await page(step);
    if (wanted === step) show(found, step);
  } catch {
    if (wanted !== step) return;
    byId("fault").replaceChildren(el("p", { text: gettext("The server does not answer.") }));
    mark(byId("review").dataset.now);
  }
}

/** Marks the chosen step at once. The rest follows with the response. */
function mark(step) {
  for (const link of document.querySelectorAll("[data-step][aria-current]")) {
    link.removeAttribute("aria-current");
  }
  for (const link of document.querySelectorAll(`#review [data-step="${step}"]`)) {
    if (!link.closest(".steps")) link.setAttribute("aria-current", "step");
  }
}

function show(found, step) {
  const focused = document.activeElement;
  const id = focused?.id;
  const isLine = Boolean(focused?.closest?.(".moves, .turns"));
  const part = document.importNode(found.getElementById("review"), true);
  byId("review").replaceWith(part);
  if (id && byId(id)) byId(id).focus();
  else if (isLine) part.querySelector(".moves [aria-current]")?.focus();
  text(byId("told"), part.dataset.told);
  byId("fault").replaceChildren();
  if (!byId("again")) history.replaceState(null, "", requestFor(step)[0]);
  prefetch();
}

function prefetch() {
  for (const id of ["next", "mistake"]) if (numberOf(id)) page(numberOf(id)).catch(() => {});
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#review [data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.dataset.step);
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, select, textarea, .sheet, .scroll");
  if (!byId("review") || isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", n: "mistake" };
  const id = keys[event.key];
  if (!id || (id === "mistake" && !settings.keys)) return;
  event.preventDefault();
  go(numberOf(id));
});

takeOver();
if (byId("review")) prefetch();
