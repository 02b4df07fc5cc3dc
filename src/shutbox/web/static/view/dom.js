// Functions that create and update elements. Text is never parsed as markup.

import { gettext, ngettext, plain } from "../model/messages.js";

/**
 * Creates an element. Properties that begin with "on" are listeners, and "text" is its text. All
 * others are attributes, which are omitted if the value is null, undefined or false.
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else set(element, name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates a button with a short visible text and a full accessible name. */
export const button = (says, label, onclick) =>
  el("button", { type: "button", text: says, "aria-label": label, onclick });

/** Calls `does(event)` when a form is sent, in place of loading a page. */
export function onSubmit(form, does) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    does(event);
  });
}

/** Returns a copy of the content of a `template` element. */
export const drawn = (id) => byId(id).content.cloneNode(true);

/**
 * Sets or removes an attribute. Does nothing if it already has the value. An accessible name is
 * spoken, so it has none of the invisible marks around names.
 */
export function set(element, name, given) {
  const isSpoken = name === "aria-label" && typeof given === "string";
  const value = isSpoken ? plain(given) : given;
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value === true ? "" : value);
  }
}

/**
 * Sets the text of an element if it differs, since a screen reader may repeat unchanged text. An
 * existing text node is changed in place: a screen reader then gets half as many notifications as
 * for a text removed and another added.
 */
export function text(element, value) {
  if (element.textContent === value) return;
  const [only, second] = element.childNodes;
  if (value && only?.nodeType === Node.TEXT_NODE && !second) only.data = value;
  else element.textContent = value;
}

/** Loads what pages rarely need, `pages/late.js` or another of that kind. Rejects without a network. */
export async function loadLate(name = "late") {
  const address = document.querySelector("[data-late]").dataset[name];
  return (await import(new URL(address, document.baseURI)))[name];
}

export const byId = (id) => document.getElementById(id);

/** Returns the date of today as the plate of a box has it. */
export const today = () => {
  const [day, { lang }] = [new Date(), document.documentElement];
  const facts = { day: day.getDate(), month: day.toLocaleDateString(lang, { month: "long" }) };
  return ngettext("{day} {month}", "{day} {month}", facts.day, facts);
};

/** Returns a duration from base.css in milliseconds. */
export const duration = (name) =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`));

/** Calls `does` at every press, before the pressed element gets the event. */
export function onGesture(does) {
  for (const gesture of ["pointerdown", "keydown"]) {
    addEventListener(gesture, does, { capture: true, passive: true });
  }
}

/**
 * Focuses the main action: its button, or the group of buttons to choose from. With play by typing,
 * focuses the text field. Returns whether it worked.
 */
export function focusMain() {
  const field = document.documentElement.hasAttribute("data-typing") ? byId("typed") : null;
  const button = byId("go").hidden ? byId("offers") : byId("go");
  const main = field?.checkVisibility() ? field : button;
  main.focus({ preventScroll: true });
  return document.activeElement === main;
}

/** Shows or hides a part. If it has the focus when it disappears, the main action gets it. */
export function reveal(part, isShown) {
  if (!isShown && part.contains(document.activeElement)) focusMain();
  part.hidden = !isShown;
}

/**
 * Makes the children of `parent` match `items`, in their order. An element whose key is already
 * there is kept, so that it keeps the focus. `update` is called for every element.
 */
export function keyed(parent, items, keyOf, make, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const staying = new Set();
  let before = null;
  for (const item of items) {
    const key = keyOf(item);
    const child = old.get(key) || make(item);
    child.dataset.key = key;
    const place = before ? before.nextSibling : parent.firstChild;
    if (place !== child) parent.insertBefore(child, place);
    update(child, item);
    staying.add(child);
    before = child;
  }
  for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
}

/**
 * Rebuilds the parts that have changed. If the focused part disappears, the child that `next`
 * selects gets the focus, or else the main button.
 */
export function rebuild(parent, parts, next = "") {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  keyed(parent, parts, (part) => part.key, (part) => part.make(), () => {});
  if (!focused || focused.isConnected) return;
  const child = next && parent.querySelector(next);
  if (child) child.focus();
  else if (!focusMain()) byId("main").focus(); // the lobby has no main button
}

/**
 * Returns why this page can neither compute hashes nor notify nor store the game: browsers allow it only
 * with https or on this computer. Empty where they do.
 */
export const insecureWords = () =>
  isSecureContext ? "" : gettext("Your browser does this only with https. Ask the host for a link that begins with https.");
