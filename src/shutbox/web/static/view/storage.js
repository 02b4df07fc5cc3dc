// Named texts stored in this browser. If storage is blocked, even reading it throws: then nothing
// is found, and stored texts last only as long as the page.

/** Returns the text stored under a name, or null. */
export function storedText(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Returns the JSON stored under a name; `otherwise` if there is none, or none that can be read. */
export function storedJson(name, otherwise) {
  try {
    return JSON.parse(storedText(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Stores a text under a name. */
export function storeText(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // The value lasts as long as the page.
  }
}

/** Returns the texts stored under all names that begin with `start`. */
export function storedTexts(start) {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(start));
    return names.map((name) => localStorage.getItem(name));
  } catch {
    return [];
  }
}

const NAME = "shutbox.name";

/** Returns the player's name as given on this device before, or an empty text. */
export const rememberedName = () => storedText(NAME) ?? "";

/** Remembers the player's name on this device. */
export const rememberName = (name) => storeText(NAME, name);

export const CANNOT_BE_DONE = 422; // the status of a refusal of what was sent

/**
 * Returns the reply to a request that is `sent` with the player's name. Remembers the name once it is
 * accepted, and forgets a name from the settings that is refused.
 */
export async function withName(name, sent) {
  try {
    const reply = await sent;
    if (name) rememberName(name.trim());
    return reply;
  } catch (error) {
    if (error.status === CANNOT_BE_DONE && name?.trim() === rememberedName()) rememberName("");
    throw error;
  }
}
