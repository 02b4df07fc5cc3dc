// What this browser keeps for the site, by names. It may keep nothing, and throw when it is only looked
// at: then nothing was kept, and what should be lasts as long as the page.

/** The text of a name; null where there is none. */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // It lasts as long as the page.
  }
}
