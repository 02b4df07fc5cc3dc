// The choices that this browser keeps: look, motion, sound, one-key shortcuts.

import { byId } from "./dom.js";

const NAME = "shutbox";
const STANDARD = { look: "system", motion: "", sound: true, keys: true };

let stored = { ...STANDARD };
try {
  stored = { ...STANDARD, ...JSON.parse(localStorage.getItem(NAME) || "{}") };
} catch {
  // No storage here: the choices last as long as the page.
}
const changed = [];

export const settings = {
  get motion() {
    return document.documentElement.dataset.motion === "on";
  },
  get sound() {
    return stored.sound;
  },
  get keys() {
    return stored.keys;
  },
};

/** Calls `listener` whenever a choice has changed. */
export const onChange = (listener) => changed.push(listener);

/** Keeps a choice, and shows it. */
export function choose(name, value) {
  stored[name] = value;
  try {
    localStorage.setItem(NAME, JSON.stringify(stored));
  } catch {
    // It lasts as long as the page.
  }
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
  byId("set-look").value = stored.look;
  byId("set-motion").checked = settings.motion;
  byId("set-sound").checked = stored.sound;
  byId("sound").setAttribute("aria-pressed", String(stored.sound));
  byId("set-keys").checked = stored.keys;
}

byId("set-look").addEventListener("change", (event) => choose("look", event.target.value));
byId("set-motion").addEventListener("change", (event) => {
  choose("motion", event.target.checked ? "on" : "off");
});
byId("set-sound").addEventListener("change", (event) => choose("sound", event.target.checked));
byId("set-keys").addEventListener("change", (event) => choose("keys", event.target.checked));

byId("sound").addEventListener("click", () => choose("sound", !stored.sound));

for (const menu of document.querySelectorAll(".menu")) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
    event.stopPropagation();
  });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
}
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", show);
show();

/** From now on the script plays: the plain forms go, what only works with script comes. */
export const takeOver = () => document.documentElement.classList.add("live");
