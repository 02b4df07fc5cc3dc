// Checks sealed dice by WebCrypto, without the server and without the page. It checks the dice and
// not the rules of the game. docs/dice.md describes the scheme byte by byte.

import { gettext } from "./messages.js";

const NO_WORD =
  "\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const textWithout = (marks) => `(?! )[^${NO_WORD}\\u2028\\u2029\\ufeff${marks}]+(?<! )`;
const TEXT = textWithout("");
const NAME = textWithout(',=:#"\\\\');
const HEAD = new RegExp(
  `^(shutbox record 1\\nprogram ${TEXT}\\nbegun [-\\d]{10} [\\d:]{8} UTC\\ngame (${TEXT})\\n` +
    `(?:package ${TEXT}\\n)?(?:format (${TEXT})\\n)?(?:position ${TEXT}\\n)?` +
    `((?:player ${NAME}(?:=computer:${TEXT})?\\n){1,12})dice (?:system|hand|challenge|da(?:y|te) [-\\d]+|` +
    'seed "[^\\n]*"|sealed ([\\da-f]{32}) ([\\da-f]{64}) ([\\da-f]{64}))\\n)begin #([\\da-f]{8})\\n',
  "u",
);
const WORD = / (\d{1,2}) ("(?:[ !#-[\]-~]|\\["\\]|\\u[\da-f]{4})*")/gu;
const PLAYER = new RegExp(`player (${NAME})(=?)`, "gu");
const FIT = new RegExp(`^[^${NO_WORD}]{0,64}$`, "u");
const OPENING = new RegExp(`^opening ([\\da-f]{64})((?:${WORD.source})*)$`, "u");
const EVENT = new RegExp(
  `^(\\d+) (${NAME}): (?:throws ([1-9]\\d*(?:\\+[1-9]\\d*)*)(?: of ([\\dd+]+))?|chooses (${TEXT})|takes back)$`,
  "u",
);
const DICE = { "the-300": "4d6", 2012: "1d20", six: "1d6", cargo: "6d6", "ship-captain-crew": "5d6" };
const FEWER = ["the-300", "parlour", "continental", "cargo", "ship-captain-crew"]; // without a choice
const utf8 = (text) => new TextEncoder().encode(text.normalize("NFC"));
/** Returns bytes as hexadecimal digits. */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the bytes of hexadecimal digits. */
function bytesOf(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function u32(number) {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

function concatenate(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

/** Returns the SHA-256 of a tag and of parts, each after its length. */
async function hashed(tag, ...parts) {
  const name = utf8(`shutbox/dice/1/${tag}`);
  const fields = parts.flatMap((part) => [u32(part.length), part]);
  const whole = concatenate([u32(name.length).slice(2), name, ...fields]);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

async function hmac(key, message) {
  const usable = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, usable, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

/** Returns the hash W of the words; `words` has a text or null for each seat. */
function hashOfWords(words) {
  const parts = words.map((word, seat) =>
    concatenate([u32(seat), Uint8Array.of(word === null ? 0 : 1), word === null ? [] : utf8(word)]),
  );
  return hashed("words", ...parts);
}

/**
 * Returns the faces of throw `number`, one for each of `sides`; `words` is W. `note` is called with
 * the key of the throw and its first bytes, in hex digits.
 */
export async function facesOf(seed, gid, number, words, sides, note = () => {}) {
  const key = await hmac(seed, concatenate([utf8("throw"), gid, u32(number), words]));
  const faces = [];
  let bytes = new Uint8Array();
  for (let block = 0, place = 0; faces.length < sides.length; place += 1) {
    if (place === bytes.length) {
      bytes = await hmac(key, u32(block));
      if (!block) note({ key: hex(key), bytes: hex(bytes) });
      [block, place] = [block + 1, 0];
    }
    const many = sides[faces.length];
    if (bytes[place] < 256 - (256 % many)) faces.push(1 + (bytes[place] % many));
  }
  return faces;
}

/** Returns the check code of a line: the CRC-32 of its bytes, in hex digits. */
function codeOf(text) {
  let code = -1;
  for (const byte of new TextEncoder().encode(text)) {
    code ^= byte;
    for (let bit = 0; bit < 8; bit += 1) code = (code >>> 1) ^ (code & 1 ? 0xedb88320 : 0);
  }
  return (~code >>> 0).toString(16).padStart(8, "0");
}

function sidesIn(dice) {
  return [...dice.matchAll(/(\d{1,2})d(\d+)/g)].flatMap(([, many, of]) => Array(+many).fill(+of));
}

/**
 * Returns the sides of each die of a throw, in the order of the record. Empty if the game has no such
 * dice. `before` is the choice before the throw, if any: it can be for fewer dice.
 */
function sidesOf(pips, named, game, before) {
  const name = game.split("(")[0];
  const said = named ?? `${pips.length}d6`;
  const its = name === "tray" || name.includes(".") ? said : (/[(,]dice=([\dd+]+)/.exec(game)?.[1] ?? DICE[name] ?? "2d6");
  const [sides, has] = [said, its].map(sidesIn);
  const times = (all, of) => all.filter((kind) => kind === of).length;
  const kinds = [...new Set(sides)].sort((a, b) => a - b);
  const isWritten = said === kinds.map((of) => `${times(sides, of)}d${of}`).join("+");
  const may = FEWER.includes(name) || game.includes("fewer=must") || / (?:die|dice)$/.test(before);
  const isKnown = kinds.every((of) => of > 1 && of < 101 && times(sides, of) <= times(has, of));
  const fits = isKnown && (may || sides.length === has.length);
  const isPlain = kinds.length === 1 && kinds[0] === 6;
  return isWritten && fits && sides.length === pips.length && isPlain === (named === undefined) ? sides : [];
}

/** Returns a text as a record writes it: as JSON, in ASCII. */
export const quoted = (text) =>
  JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

function inOrder(faces, sides) {
  const pairs = faces.map((face, place) => [sides[place], face]);
  return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, face]) => face);
}

/** Returns the words in an opening, by seat, each a text or null; null if not in due form. */
function wordsIn(told, seats) {
  const words = Array(seats).fill(null);
  for (const [, seat, word] of told.matchAll(WORD)) words[Number(seat)] = JSON.parse(word);
  const given = words.map((word, seat) => (word === null ? "" : ` ${seat} ${quoted(word)}`)).join("");
  const isFit = words.every((word) => word === null || (FIT.test(word) && word === word.normalize("NFC")));
  return words.length === seats && given === told && isFit ? words : null;
}

/** Returns the texts of the lines of a log without their check codes. The last can be torn. */
function linesOf(log, code) {
  const lines = log.split("\n").map((line) => {
    const text = line.slice(0, -10);
    const follows = `${code} ${text}`;
    return line.endsWith(` #${codeOf(follows)}`) ? text : null;
  });
  return lines.at(-1) === null ? lines.slice(0, -1) : lines;
}

/**
 * Reads the lines of a log, each null if its check code is wrong. Returns the throws in `thrown`, each
 * with its `pips`, the `dice` if they are named, and the choice `before` it; how many of them are
 * `sealed`, null if all are; and the match of the `opening`, null if the envelope is closed. Returns
 * null if a line is no event of a player in `names`, or not in its place.
 */
function readLog(lines, names) {
  const thrown = [];
  let [opening, sealed, number, before] = [null, null, 0, ""];
  for (const line of lines) {
    if (opening || line === null) return null; // nothing follows the opening
    const event = EVENT.exec(line);
    if (event && event[1] === String(number + 1) && names.includes(event[2])) {
      number += 1;
      if (event[3]) thrown.push({ pips: event[3].split("+").map(Number), dice: event[4], before });
      before = event[5] ?? "";
    } else if (line === "dice system" && sealed === null) {
      sealed = thrown.length;
    } else if (OPENING.test(line)) {
      opening = OPENING.exec(line);
    } else return null;
  }
  return { thrown, sealed, opening };
}

/**
 * Checks a record, given as text. `kept` is the envelope that this client stored before it gave a word, in
 * 64 hex digits, or null. `own` is its word, with its `seat` and whether the server `isGiven` it, as
 * the server said; null if it gave none. Returns the sentences `says` (what is promised and known) and
 * `problems` (what does not match), and `words`, the word of each seat or null. `throws` has for each
 * throw its `pips`, the `right` ones, whether it `follows`, and `key` and `bytes`, as noted by `facesOf`.
 * It is empty while the envelope is closed.
 */
export async function checkDice(record, kept = null, own = null) {
  const result = { says: [], problems: [], throws: [], words: [] };
  const { says, problems } = result;
  const head = HEAD.exec(record);
  if (!head || codeOf(head[1]) !== head[8]) {
    problems.push(gettext("This is no shutbox record 1."));
    return result;
  }
  const [whole, , game, format = "", named, gidDigits, envelope, seal, code] = head;
  const claim = (holds, otherwise) => holds || problems.push(otherwise);
  claim(kept === null || kept === envelope, gettext("The envelope is not the one that you kept."));
  if (!envelope) {
    says.push(gettext("The dice are not sealed."));
    return result;
  }
  says.push(
    gettext(
      "Sealed dice, level L1. A server without the help of a player chose no throw, if you kept the envelope before you gave a word.",
    ),
  );
  const players = [...named.matchAll(PLAYER)];
  const names = [...new Set(players.map(([, name]) => name))];
  const log = readLog(linesOf(record.slice(whole.length), code), names);
  if (!log) {
    problems.push(gettext("A line after the beginning is no event, or was changed."));
    return result;
  }
  const { thrown, sealed, opening } = log;
  if (sealed !== null) {
    says.push(gettext("Sealed to throw {number}; later dice are not sealed.", { number: sealed }));
  }
  if (!opening) {
    says.push(gettext("The envelope is still closed: check the throws after the game."));
    return result;
  }
  const words = names.length === players.length ? wordsIn(opening[2], names.length) : null;
  if (!words) {
    problems.push(gettext("The last line opens no envelope."));
    return result;
  }
  result.words = words;
  for (const [seat, [, name, computer]] of players.entries()) {
    if (words[seat] === null) says.push(gettext("Without a word: {names}.", { names: name }));
    else claim(!computer, gettext("{name} is a computer player and has a word.", { name }));
  }
  const isIn = Boolean(own) && words[own.seat] === own.word;
  claim(isIn || !own?.isGiven, gettext("The word of this browser is not in these dice."));
  if (own && !isIn && !own.isGiven) says.push(gettext("Your word came too late for these dice."));
  const [gid, seed] = [gidDigits, opening[1]].map(bytesOf);
  const digest = await hashOfWords(words);
  const closed = hex(await hashed("envelope", gid, seed));
  claim(closed === envelope, gettext("The seed is not the one in the envelope."));
  const sealedParts = [gid, bytesOf(envelope), digest, utf8(game), utf8(format), u32(words.length)];
  const computed = hex(await hashed("seal", ...sealedParts));
  claim(computed === seal, gettext("The seal does not hold this envelope, these words and this game."));
  await compareThrows(thrown, sealed ?? thrown.length, { seed, gid, digest, game }, result);
  if (!problems.length) {
    says.push(gettext("The dice follow from this seed and these words."));
    if (kept !== null) says.push(gettext("The seed was fixed before you gave a word."));
    if (isIn) says.push(gettext("Your word is in these dice."));
  }
  return result;
}

/** Compares all throws with the dice of the game, and the first `sealed` ones with the seed. */
async function compareThrows(thrown, sealed, { seed, gid, digest, game }, { problems, throws }) {
  for (const [place, { pips, dice, before }] of thrown.entries()) {
    const number = place + 1;
    const sides = sidesOf(pips, dice, game, before);
    const how = {};
    const faces = await facesOf(seed, gid, number, digest, sides, (steps) => Object.assign(how, steps));
    const right = inOrder(faces, sides);
    const isSealed = number <= sealed;
    const follows = sides.length > 0 && (!isSealed || pips.join() === right.join());
    if (isSealed) throws.push({ pips, right, follows, ...how });
    if (!follows) {
      const facts = { number, pips: pips.join("+"), right: right.join("+") };
      problems.push(gettext("Throw {number} does not follow: {pips} instead of {right}.", facts));
    }
  }
}
