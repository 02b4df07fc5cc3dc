// Analysis: what is pressed is worked out at once. The server draws everything; the script fetches
// the page of the new position and puts its parts in the place of the old ones.

import "../view/language.js";
import { gettext } from "../model/messages.js";
import { byId, el, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

const PAUSE = 250; // milliseconds in which more may be pressed
const PARTS = ["fault", "results", "throws"];
let asked = null;
let waiting = 0;

async function load(address) {
  asked?.abort();
  const mine = new AbortController();
  asked = mine;
  document.body.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(address, { signal: mine.signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (asked !== mine) return;
    if (page.getElementById("results")) show(page);
    else refused(page.querySelector("#main p")?.textContent ?? String(response.status));
    if (response.ok) history.replaceState(null, "", response.url);
  } catch (error) {
    if (error.name === "AbortError") return;
    refused(gettext("The server does not answer."));
  } finally {
    if (asked === mine) document.body.removeAttribute("aria-busy");
  }
}

/** Says why there is nothing new: what was pressed stays pressed. */
function refused(why) {
  byId("fault").replaceChildren(el("p", { text: why }));
}

function show(page) {
  const focused = document.activeElement;
  const isPart = PARTS.find((id) => byId(id).contains(focused));
  for (const id of PARTS) byId(id).replaceWith(page.getElementById(id));
  if (!synced(page)) {
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

/** Brings the box that is there up to date, so that the focus stays; false where it is another. */
function synced(page) {
  const key = (input) => `${input.name} ${input.type === "text" ? "" : input.value}`;
  const box = byId("setup");
  const now = [...(box?.querySelectorAll("input") ?? [])];
  const then = new Map(
    [...page.querySelectorAll("#setup input")].map((input) => [key(input), input]),
  );
  if (!box || now.length !== then.size || !now.every((input) => then.has(key(input)))) return false;
  for (const input of now) {
    const other = then.get(key(input));
    input.checked = other.checked;
    if (input.type === "text") input.value = other.value;
    const label = input.closest("label");
    label?.toggleAttribute("data-best", other.closest("label").hasAttribute("data-best"));
  }
  box.querySelector("a[data-swap]").href = page.querySelector("#setup a[data-swap]").href;
  byId("sum").replaceChildren(...page.getElementById("sum").childNodes);
  byId("position").value = page.getElementById("position").value;
  return true;
}

function asksFor(form, more = {}) {
  const fields = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  return `${form.getAttribute("action")}?${fields}`;
}

document.addEventListener("change", (event) => {
  if (event.target.form?.id !== "setup") return;
  clearTimeout(waiting);
  waiting = setTimeout(() => load(asksFor(byId("setup"))), PAUSE);
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  const { name, value } = event.submitter ?? {};
  load(asksFor(event.target, name ? { [name]: value } : {}));
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    clearTimeout(waiting);
    load(link.href);
  } else if (event.target.closest("#copy")) {
    navigator.clipboard?.writeText(location.href).then(
      () => text(byId("told"), gettext("The link is copied.")),
      () => text(byId("told"), location.href),
    );
  }
});

takeOver();
