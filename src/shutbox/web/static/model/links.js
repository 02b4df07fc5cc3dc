// Links to tables, as mail programs, messengers and people leave them.

const BEFORE_KEY = /^.*?(?:\/r\/[a-z0-9]{1,16}(?![a-z0-9])|#|:\/\/(?!.*(?:\/r\/|#)).*)/s;

/** Returns a link without the signs that mail programs and messengers put into it. */
export function plainLink(link) {
  const decoded = (text) => text.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return decoded(decoded(link)).replace(/=?\r?\n|[\u00ad\u200b-\u200f\u2060]/g, "");
}

/** Returns the key in a link, or the beginning of a key that was cut off. Empty if there is none. */
export function keyIn(link, length = 22) {
  const after = plainLink(link).replace(BEFORE_KEY, "");
  const [key] = new RegExp(`[\\w-]{${length}}`).exec(after) ?? /[\w-]+/.exec(after) ?? [""];
  return key;
}
