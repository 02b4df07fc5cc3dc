// Today's box: counts down to the next one, and shares or copies the result.

import "../view/language.js";
import { todayAt } from "../model/addresses.js";
import { gettext, pgettext } from "../model/messages.js";
import { byId, el, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { copyByHandWords, copyText, shareTry } from "../view/share.js";

const MINUTE = 60_000;

/** Shows the time until the next box, and then a link to it. `ends` is a time of `performance.now`. */
function countDown(ends) {
  const left = ends - performance.now();
  if (left <= 0) {
    byId("next").replaceChildren(el("a", { href: todayAt, text: gettext("The next box is here") }));
    return;
  }
  const minutes = Math.floor(left / MINUTE);
  const facts = { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  text(byId("next"), gettext("Next box in {hours} h {minutes} min.", facts));
  setTimeout(countDown, Math.min((left % MINUTE) + 1, left), ends);
}

async function share() {
  const { number, score, skills } = byId("share").dataset;
  const names = skills.split(" ").filter(Boolean);
  show(byId("share"), await shareTry({ number, score, share: byId("line").value, skills: names }));
}

async function copyWords() {
  const words = byId("words").dataset.words;
  show(byId("words"), (await copyText(words)) ? "copied" : "failed");
}

/** Says whether copying worked, and shows it on the button. If it did not, the text to copy appears. */
function show(button, came) {
  if (came === "failed") byId("line").classList.remove("away");
  if (came !== "copied" && came !== "failed") return;
  const words = came === "copied" ? pgettext("said", "Copied") : copyByHandWords();
  text(byId("told"), words);
  if (came === "copied") text(button, words);
}

takeOver();
if (byId("next")) countDown(performance.now() + Number(byId("next").dataset.in) * 1000);
byId("share")?.addEventListener("click", share);
byId("words")?.addEventListener("click", copyWords);
