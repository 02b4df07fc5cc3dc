// Runs before the script of a page: gets the page from the engine and then loads the script. The
// page of a table is drawn from the last stored data, without waiting for the engine.

import { home } from "../model/addresses.js";
import { gettext } from "../model/messages.js";
import { diceWords } from "../model/sentences.js";
import { get } from "../net/api.js";
import { byId, el, text } from "../view/dom.js";
import { start } from "./engine.js";
import { answerForms, patiently, takeAnswer } from "./forms.js";
import { fetchPage } from "./pages.js";
import { bootOf } from "./tables.js";

const query = new URLSearchParams(location.search);
const room = query.get("room");
const { page, then } = byId("begin").dataset;

function goOn(src) {
  document.head.append(el("script", { type: "module", src }));
  setTimeout(start);
}

/** Draws the parts that a server writes into the page and the script does not draw. */
function draw(boot) {
  const { view, rules } = JSON.parse(boot);
  text(byId("title"), view.title);
  byId("title").removeAttribute("lang"); // of the title that was drawn
  byId("stage").classList.toggle("by-hand", view.settings.dice === "hand");
  byId("rules-lines").replaceChildren(...rules.lines.map((line) => el("p", { text: line })));
  text(byId("typing-rules"), rules.typing);
  byId("seal-link").href = `dice.html?room=${view.room}`;
  text(byId("seal-link").lastElementChild, diceWords(view));
  for (const link of document.querySelectorAll("header a:is([href='settings.html'], [href='help.html'])")) {
    link.search = `table=${view.room}`;
  }
  byId("boot").textContent = boot;
}

/** Leads back to the table from which a page was opened that the engine does not draw. */
function leadBack() {
  const table = query.get("table");
  const back = { class: "button", id: "back", href: `table.html?room=${encodeURIComponent(table)}` };
  if (table) byId("main").prepend(el("p", {}, el("a", { ...back, text: gettext("Back to the table") })));
}

async function table() {
  let boot = bootOf(room);
  if (!boot) {
    await get(`/api/rooms/${room}`);
    boot = bootOf(room);
  }
  draw(boot);
  goOn(then);
}

/** Shows the page that the engine has made, if the file has only its frame. */
async function whole() {
  const answer = takeAnswer();
  if (!answer && !room && byId("main").childElementCount) {
    leadBack();
    goOn(then);
    return;
  }
  const found = answer ?? (await patiently(async () => (await fetchPage(location.href)).text()));
  const drawn = new DOMParser().parseFromString(found, "text/html");
  document.title = drawn.title;
  byId("main").replaceWith(document.importNode(drawn.getElementById("main"), true));
  for (const sheet of drawn.querySelectorAll("link[rel=stylesheet]")) {
    const href = sheet.getAttribute("href");
    if (!document.querySelector(`link[href="${href}"]`)) document.head.append(document.importNode(sheet));
  }
  goOn(drawn.getElementById("begin").dataset.then);
}

function fail({ message }) {
  byId("main").replaceChildren(el("p", { class: "panel alert", role: "alert", text: message }));
}

answerForms();
if (page !== "table") whole().catch(fail);
else if (room) table().catch(fail);
else location.replace(home);
