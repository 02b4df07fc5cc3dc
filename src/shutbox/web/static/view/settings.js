// The settings stored in this browser: look, motion, sound, keyboard shortcuts, notifications, and
// how to play.

import { gettext } from "../model/messages.js";
import { byId, focusMain, insecureWords, loadLate, text } from "./dom.js";
import { limit, nameIn } from "./field.js";
import "./keeping.js";
import { rememberedName, rememberName, storedJson, storeText } from "./storage.js";

const NAME = "shutbox";
const STANDARD = {
  look: "system",
  skin: "oak",
  die: "ivory",
  motion: "", // "on" or "off"; what the system says if it is empty
  sound: true,
  volume: 80,
  haptics: true, // the hand feels a short buzz, on devices that can
  throws: false, // dice are thrown without a press while nothing else can be done
  keys: true,
  total: false, // pressing the tile that equals the total covers it at once
  pace: "normal", // of computer turns, or "slow" or "skip"
  notes: false, // a notification announces the player's turn
  typing: false, // all input is typed into one field, which has the focus
  scan: false, // a ring moves over what can be done now; each step takes so many ms:
  ring: "1500",
  length: "normal", // of what is said about each event, or "brief" or "full"
  aloud: false, // the browser reads aloud; its voice and speed follow below
  phrases: true, // phrases of other players are shown and said
  voice: "",
  rate: "1",
};

/** The settings that are not shown as they are stored. */
const OTHERS = ["motion", "notes", "voice"];
/** The controls of all others, each with the name of its setting. */
const controls = Object.keys(STANDARD)
  .filter((name) => !OTHERS.includes(name))
  .flatMap((name) => {
    const shown = document.querySelectorAll(`#set-${name}, [name="set-${name}"]`);
    return [...shown].map((control) => ({ name, control }));
  });

const stored = { ...STANDARD, ...storedJson(NAME, {}) };
const changed = [];

/** The settings of this player, as listed in `STANDARD`. */
export const settings = {
  __proto__: stored,
  get motion() {
    return document.documentElement.dataset.motion === "on";
  },
  /** The volume, from 0 to 1. */
  get volume() {
    return stored.volume / 100;
  },
  get rate() {
    return Number(stored.rate);
  },
  /** Whether notifications are on. The browser may have withdrawn its permission. */
  get notes() {
    return stored.notes && globalThis.Notification?.permission === "granted";
  },
};

/** Calls `listener` whenever a setting has changed. */
export const onChange = (listener) => changed.push(listener);

/** Stores a setting and applies it. */
export function changeSetting(name, value) {
  stored[name] = value;
  storeText(NAME, JSON.stringify(stored));
  show();
  changed.forEach((listener) => listener());
}

function show() {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.documentElement.dataset.motion = stored.motion || (still ? "off" : "on");
  const system = { dark: "(prefers-color-scheme: dark)", contrast: "(prefers-contrast: more)" };
  for (const look of ["dark", "contrast"]) {
    const chosen = stored.look === look ? "all" : "not all";
    byId(`look-${look}`).media = stored.look === "system" ? system[look] : chosen;
  }
  byId("set-motion").checked = settings.motion;
  byId("sound").setAttribute("aria-pressed", String(stored.sound));
  for (const { name, control } of controls) {
    if (control.type === "checkbox") control.checked = stored[name];
    else if (control.type === "radio") control.checked = control.value === stored[name];
    else control.value = stored[name];
  }
  byId("set-rate").closest(".field").hidden = !stored.aloud;
  byId("set-ring").closest(".field").hidden = !stored.scan;
  byId("set-voice").dataset.voice = stored.voice;
  for (const name of ["skin", "die"]) document.documentElement.dataset[name] = stored[name];
  document.documentElement.toggleAttribute("data-typing", stored.typing);
  document.documentElement.toggleAttribute("data-scan", stored.scan);
  byId("set-notes").checked = settings.notes;
}

byId("set-motion").addEventListener("change", (event) => {
  changeSetting("motion", event.target.checked ? "on" : "off");
});
for (const { name, control } of controls) {
  control.addEventListener("change", () => {
    changeSetting(name, control.type === "checkbox" ? control.checked : control.value);
  });
}

if (stored.aloud) loadLate("voice");
byId("set-aloud").addEventListener("change", async () => (await loadLate("voice")).switched());
byId("set-voice").addEventListener("change", ({ target }) => changeSetting("voice", target.value));
byId("set-name").value = rememberedName();
byId("set-name").addEventListener("change", ({ target }) => {
  if (!target.value.trim() || nameIn(target)) rememberName(target.value.trim());
});
limit(byId("set-name"));
byId("set-haptics").closest("label").hidden = !("vibrate" in navigator);
byId("set-notes").disabled = !isSecureContext;
text(byId("notes-told"), insecureWords());
byId("set-notes").closest("div").hidden = isSecureContext && !("Notification" in globalThis);

/** Turns notifications of the player's turn on or off, if the browser allows them. */
export async function allowNotes(isWanted) {
  // The browser asks for permission only if they are wanted.
  const isAllowed = isWanted && (await Notification.requestPermission()) === "granted";
  changeSetting("notes", isAllowed);
  const refused = gettext("Your browser does not allow it. You can change that in its settings for this page.");
  text(byId("notes-told"), isWanted && !isAllowed ? refused : "");
}

byId("set-notes").addEventListener("change", ({ target }) => allowNotes(target.checked));

byId("sound").addEventListener("click", () => changeSetting("sound", !stored.sound));

const menu = byId("menu");
menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  menu.open = false;
  if (!byId("go") || !focusMain()) menu.firstElementChild.focus();
  event.stopPropagation();
});
// A press beside the menu closes it, and so does one that acts on the table.
document.addEventListener("click", ({ target }) => {
  if (target === menu || !menu.contains(target) || target.closest(".this p > *")) menu.open = false;
});
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", show);
show();

/** Hides the plain forms and shows the parts that need the script. */
export const takeOver = () => document.documentElement.classList.add("live");
