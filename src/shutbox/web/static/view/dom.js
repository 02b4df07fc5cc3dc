// Making and keeping elements. Text is always text: nothing here reads markup.

/**
 * An element. Properties that begin with "on" are listeners; "text" is its text; a value of null,
 * undefined or false leaves an attribute out; all else are attributes.
 */
export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else set(made, name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A button that says something short to the eye and all of it to the ear. */
export const button = (says, label, onclick) =>
  el("button", { type: "button", text: says, "aria-label": label, onclick });

/** A copy of what a `template` of the page holds. */
export const drawn = (id) => byId(id).content.cloneNode(true);

/** Sets an attribute, or leaves it out; touches nothing that is so already. */
export function set(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value === true ? "" : value);
  }
}

/**
 * Sets the text, if it is another: a voice might say it again otherwise. Text that is there changes in
 * its place, of which a screen reader hears half as much as of text that goes and text that comes.
 */
export function text(element, value) {
  if (element.textContent === value) return;
  const [only, second] = element.childNodes;
  if (value && only?.nodeType === Node.TEXT_NODE && !second) only.data = value;
  else element.textContent = value;
}

export const byId = (id) => document.getElementById(id);

/** Calls `does` at every press, before what is pressed hears of it. */
export function onGesture(does) {
  for (const gesture of ["pointerdown", "keydown"]) {
    addEventListener(gesture, does, { capture: true, passive: true });
  }
}

/**
 * Gives the focus to the main action: its button, or the group of those to choose from; to the field
 * that takes everything where all is typed.
 */
export function focusMain() {
  const field = document.documentElement.hasAttribute("data-typing") ? byId("typed") : null;
  const button = byId("go").hidden ? byId("offers") : byId("go");
  const main = field?.checkVisibility() ? field : button;
  main.focus({ preventScroll: true });
  return document.activeElement === main;
}

/**
 * Makes the children of `parent` those of `items`, in order: keeps an element whose key is there
 * already, so that focus stays on it, and asks `update` to bring it up to date.
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
