// The browser's own voice, for players without a screen reader. It reads aloud everything that the
// page says, in order. Any key stops it. It is off by default.

import { byId, el } from "./dom.js";
import { onSaid } from "./live_region.js";
import { choose, onChange, settings } from "./settings.js";

const synthesis = globalThis.speechSynthesis;

function speak(words) {
  if (!settings.aloud) return;
  const spoken = new SpeechSynthesisUtterance(words);
  spoken.lang = document.documentElement.lang;
  spoken.rate = settings.rate;
  const voice = synthesis.getVoices().find(({ voiceURI }) => voiceURI === settings.voice);
  if (voice) spoken.voice = voice;
  synthesis.speak(spoken);
}

/** Lists the voices of this device for the language of the page. */
function list() {
  const { lang } = document.documentElement;
  const voices = synthesis.getVoices().filter((voice) => voice.lang.startsWith(lang));
  const options = voices.map(({ name, voiceURI }) => el("option", { value: voiceURI, text: name }));
  byId("set-voice").replaceChildren(...options);
  byId("set-voice").closest("div").hidden = !settings.aloud || options.length < 2;
  if (voices.some(({ voiceURI }) => voiceURI === settings.voice)) {
    byId("set-voice").value = settings.voice;
  }
}

if (synthesis) {
  onSaid(speak);
  addEventListener("keydown", () => synthesis.cancel(), { capture: true, passive: true });
  onChange(() => {
    if (!settings.aloud) synthesis.cancel();
    list();
  });
  byId("set-voice").addEventListener("change", ({ target }) => choose("voice", target.value));
  synthesis.addEventListener?.("voiceschanged", list);
  list();
} else {
  byId("set-aloud").parentElement.hidden = true;
}
