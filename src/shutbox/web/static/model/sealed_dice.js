// Checks sealed dice by WebCrypto, without the server and without the page. It checks the dice and
// not the rules of the game. docs/dice.md describes the scheme byte by byte.

import { gettext } from "./messages.js";

const WORD = / (\d+) ("(?:[^"\\]|\\.)*")/g;
const SEAL = /^sealed ([0-9a-f]{32}) ([0-9a-f]{64})((?: [0-9a-f]{64}| -)+) ([0-9a-f]{64})$/;
const OPENING = /^opening ([0-9a-f]{64})((?: \d+ "(?:[^"\\]|\\.)*")*) #[0-9a-f]{8}$/;
const EVENT =
  /^[1-9]\d* [^:]*: (?:(throws|reads|corrects to) ([0-9+]+)(?: of ([0-9d+]+))?|chooses .*|takes back) #[0-9a-f]{8}$/;
const utf8 = (text) => new TextEncoder().encode(text.normalize("NFC"));
/** Returns bytes as hexadecimal digits. */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the bytes of hexadecimal digits. */
export function bytesOf(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function u32(number) {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

/** Returns the SHA-256 of a tag and of parts, each after its length. */
export async function hashed(tag, ...parts) {
  const name = utf8(`shutbox/dice/1/${tag}`);
  const fields = parts.flatMap((part) => [u32(part.length), part]);
  const whole = joined([u32(name.length).slice(2), name, ...fields]);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

async function keyed(key, message) {
  const usable = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, usable, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

/** Returns the hash W of the words; `words` has a text or null for each seat. */
export function hashOfWords(words) {
  const parts = words.map((word, seat) =>
    joined([u32(seat), Uint8Array.of(word === null ? 0 : 1), word === null ? [] : utf8(word)]),
  );
  return hashed("words", ...parts);
}

/** Returns the commitment C of the word that a client gives for a seat, counted from 0. */
export function commitmentOf(gid, seat, word) {
  return hashed("word", gid, u32(seat), utf8(word));
}

/**
 * Returns the faces of throw `number`, one for each of `sides`; `words` is W. `note` is called with
 * the key of the throw and its first bytes, in hex digits.
 */
export async function facesOf(seed, gid, number, words, sides, note = () => {}) {
  const key = await keyed(seed, joined([utf8("throw"), gid, u32(number), words]));
  const faces = [];
  let bytes = new Uint8Array();
  for (let block = 0, place = 0; faces.length < sides.length; place += 1) {
    if (place === bytes.length) {
      bytes = await keyed(key, u32(block));
      if (!block) note({ key: hex(key), bytes: hex(bytes) });
      [block, place] = [block + 1, 0];
    }
    const many = sides[faces.length];
    if (bytes[place] < 256 - (256 % many)) faces.push(1 + (bytes[place] % many));
  }
  return faces;
}

/** Returns the twelve words for a seal in hex digits; `list` has the 2,048 words. */
export function wordsOf(seal, list) {
  const bits = BigInt(`0x${seal}`) >> 124n;
  return Array.from({ length: 12 }, (_, place) => list[Number((bits >> BigInt(11 * (11 - place))) & 2047n)]);
}

/** Returns the sides of each die of a throw, in the order of the record. Empty if there are no such dice. */
function sidesOf(pips, named) {
  const kinds = (named ?? `${pips.length}d6`).split("+").map((kind) => kind.split("d").map(Number));
  const fit = kinds.every(([many, sides]) => many <= 20 && sides >= 2 && sides <= 100);
  return fit ? kinds.flatMap(([many, sides]) => Array(many).fill(sides)) : [];
}

function inOrder(faces, sides) {
  const pairs = faces.map((face, place) => [sides[place], face]);
  return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, face]) => face);
}

/**
 * Checks a record, given as text. `kept` is the seal that this client stored before the first
 * throw, in 64 hex digits, or null. `own` is the word that it gave, with its `seat` and whether the
 * server said before the first throw that it `isMissing`; null if it gave none. Returns `level` (null
 * without a seal), the sentences `says` (what is promised and known) and `problems` (what does not
 * match), and `words`, the word of each seat or null. `throws` has for each throw its `pips`, the
 * `right` ones, whether it `follows`, and `key` and `bytes`, as noted by `facesOf`. It is empty while the
 * envelope is closed.
 */
export async function checkDice(record, kept = null, own = null) {
  const lines = record.replace(/\n$/, "").split("\n");
  const begins = lines.findIndex((line) => line.startsWith("begin"));
  const start = begins < 0 ? lines.length : begins;
  const head = new Map(
    lines.slice(0, start).map((line) => {
      const [word, ...rest] = line.split(" ");
      return [word, rest.join(" ")];
    }),
  );
  const result = { level: null, says: [], problems: [], throws: [], words: [] };
  const { says, problems } = result;
  const told = SEAL.exec(head.get("dice") ?? "");
  if (!told) {
    says.push(gettext("The dice are not sealed."));
    if (kept !== null) problems.push(gettext("There is no seal to compare."));
    return result;
  }
  result.level = "L1";
  says.push(
    gettext(
      "Sealed dice, level L1: nobody chose a throw, if your own word is in the seal and you kept the seal.",
    ),
  );
  const [, gidDigits, envelope, hashes, seal] = told;
  if (kept !== null && kept !== seal) problems.push(gettext("The seal is not the one you kept."));
  if (!lines.some((line) => line.startsWith("opening"))) {
    says.push(gettext("The envelope is closed, so no throw can be checked yet."));
    return result;
  }
  const opened = OPENING.exec(lines.pop());
  if (!opened) {
    problems.push(gettext("The last line opens no envelope."));
    return result;
  }
  const [gid, seed] = [gidDigits, opened[1]].map(bytesOf);
  const promised = hashes.trim().split(" ");
  const words = (result.words = promised.map(() => null));
  for (const [, seat, word] of opened[2].matchAll(WORD)) words[Number(seat)] = JSON.parse(word);
  for (const [seat, word] of words.entries()) {
    const promise = promised[seat];
    if (word === null) {
      says.push(
        promise !== "-"
          ? gettext(
              "Seat {seat}: a promised word did not come, which left its owner one bit of choice.",
              { seat },
            )
          : gettext("Seat {seat}: no word.", { seat }),
      );
    } else if (promise !== hex(await commitmentOf(gid, seat, word))) {
      problems.push(gettext("The word of seat {seat} is not the promised one.", { seat }));
    }
  }
  if (own && words[own.seat] === own.word) says.push(gettext("Your word is in these dice."));
  else if (own?.isMissing) says.push(gettext("Your word came too late for the seal."));
  else if (own) problems.push(gettext("The word of this browser is not in these dice."));
  const digest = await hashOfWords(words);
  if (hex(await hashed("envelope", gid, seed)) !== envelope) {
    problems.push(gettext("The seed is not the one in the envelope."));
  }
  const game = [utf8(head.get("game") ?? ""), utf8(head.get("format") ?? "")];
  const sealed = [gid, bytesOf(envelope), digest, ...game, u32(words.length)];
  if (hex(await hashed("seal", ...sealed)) !== seal) {
    problems.push(gettext("The seal does not hold this envelope, these words and this game."));
  }
  await compareThrows(lines.slice(start + 1), { seed, gid, digest }, result);
  if (kept === null && !problems.length) {
    says.push(
      gettext(
        "The dice follow from this seed and these words; only a seal kept from before shows that both were fixed before.",
      ),
    );
  }
  return result;
}

async function compareThrows(lines, { seed, gid, digest }, { says, problems, throws }) {
  for (const line of lines) {
    if (line.startsWith("dice system #")) {
      const number = throws.length;
      says.push(gettext("Sealed to throw {number}; later dice are not sealed.", { number }));
      return;
    }
    const event = EVENT.exec(line);
    if (!event) {
      problems.push(gettext("This line is no event: {line}", { line: line.slice(0, 60) }));
    } else if (event[1]) {
      const number = throws.length + 1;
      const pips = event[2].split("+").map(Number);
      const sides = sidesOf(pips, event[3]);
      const how = {};
      const note = (found) => Object.assign(how, found);
      const right = inOrder(await facesOf(seed, gid, number, digest, sides, note), sides);
      const follows = event[1] === "throws" && pips.join() === right.join();
      throws.push({ pips, right, follows, ...how });
      if (!follows) {
        const facts = { number, pips: pips.join("+"), right: right.join("+") };
        problems.push(
          gettext("Throw {number} does not follow: {pips} instead of {right}.", facts),
        );
      }
    }
  }
}
