// The browser's own voice, for players without a screen reader; a page loads it only where it is on. It
// reads the beginning of a page, what its live regions say, and what Tab reaches. Any key stops it.

import "../view/language.js";
import { gettext, plain } from "../model/messages.js";
import { byId, el, text } from "../view/dom.js";

const LIVE = "[role=status], [role=log], [role=alert], [aria-live]";
const LOADS_MS = 1000; // browsers find their voices late
const { lang } = document.documentElement;
const synthesis = globalThis.speechSynthesis;
const [isOn, field] = [() => byId("set-aloud").checked, byId("set-voice")];
const voices = () => (synthesis?.getVoices() ?? []).filter((each) => each.lang.startsWith(lang));
let speaking = 0; // utterances that have not ended
let isTab = false;

function speak(given) {
  const words = plain(given).replace(/\s+/g, " ").trim();
  if (!words || !synthesis || !isOn()) return;
  const spoken = new SpeechSynthesisUtterance(words);
  Object.assign(spoken, { lang, rate: Number(byId("set-rate").value), onend: () => tell(-1), onerror: () => tell(-1) });
  spoken.voice = voices().find(({ voiceURI }) => voiceURI === field.value) ?? null;
  tell(1);
  synthesis.speak(spoken);
}

/** Tells the page whether the voice speaks. */
function tell(more) {
  speaking += more;
  dispatchEvent(new CustomEvent("voice", { detail: speaking > 0 }));
}

/** Reads what has changed in live regions: a new line of a log, or the whole text of any other. */
function hear(changes) {
  const heard = changes.flatMap(({ target, addedNodes }) => {
    const at = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
    const region = at?.closest(LIVE);
    if (!region?.checkVisibility()) return [];
    if (region.role !== "log") return [region];
    return at === region ? [...addedNodes] : [at];
  });
  new Set(heard.map((part) => part.textContent)).forEach(speak);
}

/** Lists the voices of this device for the language of the page. */
function list() {
  const options = voices().map(({ name, voiceURI: value }) => el("option", { value, text: name }));
  field.replaceChildren(...options);
  field.closest("div").hidden = !isOn() || options.length < 2;
  if (options.some(({ value }) => value === field.dataset.voice)) field.value = field.dataset.voice;
}

/** Says that the voice was switched on, or why nothing will be heard. */
function switched() {
  if (!isOn()) synthesis?.cancel();
  list();
  const without = synthesis?.getVoices().length
    ? gettext("This browser has no voice for the language of this page.")
    : gettext("This browser has no voice.");
  text(byId("aloud-told"), !isOn() ? "" : voices().length ? gettext("This page now speaks.") : without);
}

export const voice = { switched: () => setTimeout(switched, voices().length ? 0 : LOADS_MS) };

new MutationObserver(hear).observe(document.body, { subtree: true, childList: true, characterData: true });
addEventListener("keydown", ({ key }) => {
  isTab = key === "Tab";
  synthesis?.cancel();
}, { capture: true, passive: true });
addEventListener("focusin", ({ target }) => {
  if (isTab) speak(target.ariaLabel || (target.labels?.[0] ?? target).textContent);
});
synthesis?.addEventListener("voiceschanged", list);
list();
// The pages of a table and of practice describe themselves.
for (const part of byId("spoken") ? [] : ["h1", "p"]) {
  const isShown = (each) => each.checkVisibility() && !each.closest(LIVE);
  speak([...byId("main").querySelectorAll(part)].find(isShown)?.textContent ?? "");
}
