// The analysis page: every change is computed at once. The server draws everything. The script
// fetches the page of the new position and replaces the parts of the current one.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { fetchPage } from "../net/pages.js";
import { byId, el, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { copyByHandWords, copyText } from "../view/share.js";

const PAUSE = 250; // milliseconds to wait for more input
const PARTS = ["fault", "results", "throws"];

let request = null; // the newest; an older response never replaces a newer one
let timer = 0;

/** Fetches the page at `address()` after `pause` milliseconds, in which more input may follow. */
function ask(address, pause = 0) {
  clearTimeout(timer);
  request?.abort(); // its response would undo later input
  request = null;
  timer = setTimeout(() => load(address()), pause);
}

async function load(address) {
  const mine = new AbortController();
  request = mine;
  document.body.setAttribute("aria-busy", "true");
  try {
    const response = await fetchPage(address, { signal: mine.signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (request === mine) take(page, response);
  } catch (error) {
    if (error.name !== "AbortError") showRefusal(gettext("The server does not answer."));
  } finally {
    if (request === mine) document.body.removeAttribute("aria-busy");
  }
}

function take(page, { status, ok, url }) {
  if (page.getElementById("results")) show(page);
  else showRefusal(page.querySelector("#main p")?.textContent ?? String(status));
  if (ok) history.replaceState(null, "", url);
}

/** Shows why the request failed. The user's input stays as it is. */
function showRefusal(why) {
  byId("fault").replaceChildren(el("p", { text: why }));
}

function show(page) {
  const focused = document.activeElement;
  const isPart = PARTS.find((id) => byId(id).contains(focused));
  for (const id of PARTS) byId(id).replaceWith(page.getElementById(id));
  if (!updateBox(page)) {
    byId("place").replaceWith(page.getElementById("place"));
    document.querySelector(".aims")?.replaceWith(page.querySelector(".aims") ?? "");
  }
  document.title = page.title;
  if (isPart) byId(isPart).querySelector(":is(a, button, summary)")?.focus();
  const best = document.querySelector(".rank .good");
  const parts = best && [".what", ".val"].map((part) => best.querySelector(part).textContent);
  const words = best && gettext("Best: {choice}, {value}.", { choice: parts[0], value: parts[1] });
  text(byId("told"), words || document.querySelector("#results")?.innerText || "");
}

/** Updates the box, so that the focus stays. Returns false if the page has another one. */
function updateBox(page) {
  const box = byId("setup");
  if (!box || box.elements.of.value !== page.querySelector("#setup [name=of]")?.value) return false;
  const key = ({ name, type, value }) => (/radio|checkbox/.test(type) ? `${name} ${value}` : name);
  const [now, newer] = [document, page].map((root) => [...root.querySelectorAll("#setup input")]);
  const then = new Map(newer.map((input) => [key(input), input]));
  if (now.length !== then.size || !now.every((input) => then.has(key(input)))) return false;
  for (const input of now) {
    const other = then.get(key(input));
    input.checked = other.checked;
    if (input !== document.activeElement) input.value = other.value;
    const isBest = other.closest("label")?.hasAttribute("data-best") ?? false;
    input.closest("label")?.toggleAttribute("data-best", isBest);
  }
  box.querySelector("a[data-swap]").href = page.querySelector("#setup a[data-swap]").href;
  byId("sum").replaceChildren(...page.getElementById("sum").childNodes);
  byId("position").value = page.getElementById("position").value;
  return true;
}

function addressFor(form, more = {}) {
  const fields = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  return `${form.getAttribute("action")}?${fields}`;
}

document.addEventListener("change", (event) => {
  if (event.target.form?.id !== "setup") return;
  ask(() => addressFor(byId("setup")), PAUSE);
});
document.addEventListener("submit", (event) => {
  if (event.target.method === "post") return; // this form opens a table
  event.preventDefault();
  const { name, value } = event.submitter ?? {};
  const address = addressFor(event.target, name ? { [name]: value } : {});
  ask(() => address);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    ask(() => link.href);
  } else if (event.target.closest("#copy")) {
    copy();
  }
});

async function copy() {
  text(byId("told"), (await copyText(location.href)) ? gettext("The link is copied.") : copyByHandWords());
}

takeOver();
