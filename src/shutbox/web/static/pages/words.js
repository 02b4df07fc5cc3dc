// The words of this browser for sealed dice, and the seals that it keeps. A word is promised as soon
// as the envelope is there, and sent once all promises are fixed. Once the envelope is open, the
// record is checked against the seal. docs/dice.md has the steps.

import { recordOf } from "../model/addresses.js";
import { gettext } from "../model/messages.js";
import { bytesOf, checkDice, commitmentOf, hex } from "../model/sealed_dice.js";
import { diceWords } from "../model/sentences.js";
import { post, Refusal } from "../net/api.js";
import { fetchPage } from "../net/pages.js";
import { byId, text } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { storedText, storeText } from "../view/storage.js";

const NAME = "shutbox.dice";
const MOST = 100; // games
const all = () => JSON.parse(storedText(NAME) ?? "[]");
let sending = "";
let checking = ""; // the game whose record is being fetched
const link = () => byId("seal-link"); // to the card of the dice, at a table

/**
 * Returns what this browser keeps of a game: its `room` and its number there, `game`; its `seal`, which
 * `isLate` if dice had been thrown before; `seat`, `word` and `commitment`, and whether the word
 * `isMissing` in the seal; and once the record is checked, `wrong`, all that does not match. Each can be
 * undefined.
 */
export const kept = (gid) => all().find((one) => one.gid === gid) ?? {};

function keep(gid, what) {
  const one = { gid, ...kept(gid), ...what };
  storeText(NAME, JSON.stringify([one, ...all().filter((old) => old.gid !== gid)].slice(0, MOST)));
}

/** Whether this page can compute hashes. Browsers allow it only with https or on this computer. */
export const canSeal = () => Boolean(globalThis.crypto?.subtle);

/** Promises a word for a seat. Returns whether it came in time. Rejects with a Refusal. */
export async function promise(api, gid, seat, word) {
  const commitment = hex(await commitmentOf(bytesOf(gid), seat, word));
  keep(gid, { seat, word: word.normalize("NFC"), commitment });
  const { view } = await post(`${api}/word`, { gid, seat, commitment });
  return view.seal.promises[seat] === commitment;
}

/** Returns the word of this browser, as `checkDice` takes it; null if it gave none. */
export function ownWord(gid) {
  const { seat, word, isMissing } = kept(gid);
  return word === undefined ? null : { seat, word, isMissing };
}

/** Returns why the word of this browser is not in a seal, in a sentence; empty if it is there. */
export function whyMissing({ gid, seal, promises, missing }) {
  const { seat, commitment } = kept(gid);
  if (commitment && promises[seat] !== commitment) return gettext("Your word in this browser is not in the seal.");
  return commitment && seal && missing.includes(seat) ? gettext("Your word came too late for the seal.") : "";
}

/** Does what the game waits for, if this browser has not done it. Shows what does not match. */
export async function see(api, view, { seats }) {
  const { seal } = view;
  const answering = seal && seats.length && canSeal() ? answer(api, seal, Math.min(...seats)) : null;
  if (seal?.seal && !kept(seal.gid).seal) {
    const why = seats.length ? whyMissing(seal) : "";
    const { room, table } = view;
    const isLate = Boolean(table?.thrown_at);
    keep(seal.gid, { seal: seal.seal, isLate, isMissing: Boolean(why), room, game: table?.game });
    if (why && link()) say([why]);
  }
  if (link()) await checkOver(view, seats);
  await answering;
}

/**
 * Checks the last finished game of a room once, and says and shows what does not match. Only players
 * check it: if all viewers did, they would ask the server at the same moment.
 */
async function checkOver(view, seats) {
  const isOver = ({ gid, room, seal }) =>
    seal && room === view.room && (gid !== view.seal?.gid || view.seal.state === "open");
  const over = all().find(isOver);
  if (over && !over.wrong && checking !== over.gid && seats.length && canSeal()) {
    checking = over.gid;
    const wrong = await problemsOf(over);
    if (wrong) keep(over.gid, { wrong });
    else checking = "";
    if (wrong?.length) say(wrong);
  }
  const { gid, wrong, word } = kept(over?.gid);
  let says = diceWords(view);
  if (wrong && word !== undefined && gid === view.seal?.gid) {
    says = whyMissing(view.seal) || gettext("Your word is in these dice.");
  }
  text(link(), wrong?.length ? `✗ ${wrong[0]}` : says);
  link().classList.toggle("wrong", Boolean(wrong?.length));
}

/** Returns what does not match in the record of a game; null if that cannot be known now. */
async function problemsOf({ gid, room, game, seal }) {
  const answered = await fetchPage(recordOf(room, game)).catch(() => null);
  if (!answered?.ok) return null; // the card of the dice can still check it
  const { problems, words } = await checkDice(await answered.text(), seal, ownWord(gid));
  return problems.length || words.length ? problems : null; // no words: the envelope is closed
}

/** Promises the word of this browser, or sends it, if the dice wait for it. */
async function answer(api, seal, lowest) {
  const { gid, state } = seal;
  const step = `${gid} ${state}`;
  if (sending === step) return;
  const { seat, word, commitment } = kept(gid);
  const isMine = commitment && seal.promises[seat] === commitment;
  try {
    if (state === "promises" && !seal.promises[lowest]) {
      sending = step;
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      await promise(api, gid, lowest, word ?? hex(bytes));
    } else if (state === "words" && isMine && seal.missing.includes(seat)) {
      sending = step;
      await post(`${api}/word`, { gid, seat, commitment, word });
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // too late: the game says at which seats no word is
  }
}
