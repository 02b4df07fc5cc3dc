// The words of this browser for sealed dice, and the seals that it keeps. A word is promised as soon
// as the envelope is there, and shown once all promises are fixed. docs/dice.md has the steps.

import { commitmentOf } from "../model/sealed_dice.js";
import { post, Refusal } from "../net/api.js";
import { storedText, storeText } from "../view/storage.js";

const NAME = "shutbox.dice";
const MOST = 100; // games
const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (digits) => Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
const all = () => JSON.parse(storedText(NAME) ?? "[]");
let sending = "";

/** Returns what this browser keeps of a game: `seat`, `word`, `commitment`, `seal`, `isLate`. */
export const kept = (gid) => all().find((one) => one.gid === gid) ?? {};

function keep(gid, what) {
  const one = { gid, ...kept(gid), ...what };
  storeText(NAME, JSON.stringify([one, ...all().filter((old) => old.gid !== gid)].slice(0, MOST)));
}

/** Whether this page can compute hashes. Browsers allow it only with https or on this computer. */
export const canSeal = () => Boolean(globalThis.crypto?.subtle);

/** Promises a word for a seat. Returns whether it came in time. Raises a Refusal. */
export async function promise(api, gid, seat, word) {
  const commitment = hexOf(await commitmentOf(bytesOf(gid), seat, word));
  keep(gid, { seat, word: word.normalize("NFC"), commitment });
  const { view } = await post(`${api}/word`, { gid, seat, commitment });
  return view.seal.promises[seat] === commitment;
}

/** Does what the game waits for, if this browser has not done it: promises or sends its word. */
export async function see(api, { seal, table }, { seats }) {
  if (!seal) return;
  const { gid, state } = seal;
  if (seal.seal && !kept(gid).seal) keep(gid, { seal: seal.seal, isLate: Boolean(table?.thrown_at) });
  const step = `${gid} ${state}`;
  if (sending === step || !seats.length || !canSeal()) return;
  const { seat, word, commitment } = kept(gid);
  const lowest = Math.min(...seats);
  const isMine = commitment && seal.promises[seat] === commitment;
  try {
    if (state === "promises" && !seal.promises[lowest]) {
      sending = step;
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      await promise(api, gid, lowest, word ?? hexOf(bytes));
    } else if (state === "words" && isMine && seal.missing.includes(seat)) {
      sending = step;
      await post(`${api}/word`, { gid, seat, commitment, word });
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // too late: the game says at which seats no word is
  }
}
