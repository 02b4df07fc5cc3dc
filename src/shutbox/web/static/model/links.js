// Links to tables, as mail programs, messengers and people leave them.

const PAGE = /\/r\/[a-z0-9]{1,16}(?![a-z0-9])|\/games\/take/;
const BEFORE_KEY = [PAGE, /#/, /:\/\/.*/s];

/** Returns a link without encoded signs, line breaks and invisible characters. */
export function plainLink(link) {
  const bytes = (run) => new Uint8Array(run.match(/[^%]{2}/g).map((hex) => parseInt(hex, 16)));
  const decoded = (text) => text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => new TextDecoder().decode(bytes(run)));
  const ofProofpoint = (text) => text.replace(/[_-]/g, (sign) => (sign === "_" ? "/" : "%")); // a filter of mail
  return decoded(decoded(link.replace(/https?-3A__\S*/g, ofProofpoint))).replace(/=?\r?\n|\p{Cf}/gu, "");
}

/** Returns the path of the page that a link with a key leads to. Empty if there is none. */
export const pageIn = (link) => PAGE.exec(plainLink(link))?.[0] ?? "";

/** Returns the key in a link, or the beginning of a key that was cut off. Empty if there is none. */
export function keyIn(link, length = 22) {
  const plain = plainLink(link);
  const [before] = BEFORE_KEY.map((sign) => sign.exec(plain)).filter(Boolean);
  const after = before ? plain.slice(before.index + before[0].length) : plain;
  const [key] = new RegExp(`[\\w-]{22,${length}}`).exec(after) ?? /[\w-]+/.exec(after) ?? [""];
  return key;
}

/** Whether only this computer reaches an address. */
export const isLocal = (address) => /^(localhost|127\..+|\[::1\])$/.test(new URL(address).hostname);
