// The words of this browser for sealed dice, and the envelopes that it keeps. It keeps an envelope as
// soon as it sees one, and only then gives a word. Once the envelope is open, the record is checked
// against both. docs/dice.md has the steps.

import { recordOf } from "../model/addresses.js";
import { gettext } from "../model/messages.js";
import { diceWords } from "../model/sentences.js";
import { post, randomText, Refusal } from "../net/api.js";
import { fetchPage } from "../net/pages.js";
import { byId, loadLate, text } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { storedJson, storeText } from "../view/storage.js";

const NAME = "shutbox.dice";
const MOST = 100; // games
const all = () => storedJson(NAME, []);
let checking = ""; // the game whose record is being fetched
const link = () => byId("seal-link"); // the seal on the rim, which leads to the card of the dice
const idOf = ({ room, table }) => `${room} ${table?.game ?? 1}`;

/**
 * Returns what this browser keeps of the game in a view: its `id`; its `envelope` as it was first seen,
 * which `isLate` if the dice were sealed by then; `seat` and `word`, and whether the server said that the
 * word `isGiven`; and once the record is checked, `wrong`, all that does not match. Each can be undefined.
 */
export const kept = (view) => all().find(({ id }) => id === idOf(view)) ?? {};

function keep(id, what) {
  const game = { id, ...all().find((old) => old.id === id), ...what };
  storeText(NAME, JSON.stringify([game, ...all().filter((old) => old.id !== id)].slice(0, MOST)));
}

/** Whether this page can compute hashes. Browsers allow it only with https or on this computer. */
export const canSeal = () => Boolean(globalThis.crypto?.subtle);

/** Returns the word of this browser, as `checkDice` takes it; null if it gave none. */
export const ownWord = ({ seat, word, isGiven }) => (word === undefined ? null : { seat, word, isGiven });

/** Keeps the envelope of a view, or gives the word if the game waits for it. Shows what does not match. */
export async function see(view, you) {
  const { seal, table } = view;
  if (seal && !kept(view).envelope) {
    keep(idOf(view), { envelope: seal.envelope, isLate: seal.state !== "words" });
  }
  const given = table && !you.seats.includes(table.seat) ? giveWord(view, you) : null;
  if (link()) await checkOver(view, you.seats);
  await given;
}

/**
 * Gives a word for the viewer's lowest seat: `typed`, or a random one. No word leaves a browser that has
 * not kept this envelope. Returns whether the word is in. Rejects with a Refusal of a `typed` word.
 */
export async function giveWord(view, you, typed = null) {
  const [{ seal }, seat] = [view, Math.min(...you.seats)];
  const { envelope, isGiven, word: before } = kept(view);
  if (isGiven !== undefined || !you.seats.length || seal?.state !== "words" || envelope !== seal.envelope) return isGiven;
  const word = typed?.normalize("NFC") ?? before ?? randomText();
  if (before === undefined && seal.given[seat]) return false; // another device of this player gave one
  keep(idOf(view), { seat, word });
  try {
    await post(`/api/rooms/${view.room}/word`, { gid: seal.gid, seat, word });
    keep(idOf(view), { isGiven: true });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (typed !== null) {
      keep(idOf(view), { word: before });
      throw error;
    }
    if (error.status) keep(idOf(view), { word: undefined, isGiven: false }); // too late
    return false;
  }
}

/**
 * Checks the last finished game of a room once, and says and shows what does not match. Only players
 * check it: if all viewers did, they would ask the server at the same moment.
 */
async function checkOver(view, seats) {
  const current = idOf(view);
  const isOver = ({ id }) => id.split(" ")[0] === view.room && (id !== current || view.seal?.state === "open");
  const over = all().find(isOver);
  if (over && !over.wrong && checking !== over.id && seats.length && canSeal()) {
    checking = over.id;
    const wrong = await problemsOf(over);
    if (wrong) keep(over.id, { wrong });
    else checking = "";
    if (wrong?.length) say(wrong);
  }
  const { envelope, isGiven } = kept(view);
  let { wrong } = all().find(({ id }) => id === over?.id) ?? {};
  let says = diceWords(view);
  if (wrong && over.id === current && isGiven) says = gettext("Your word is in these dice.");
  if (wrong && over.id === current && isGiven === false) says = gettext("Your word is not in these dice.");
  if (envelope && view.seal && envelope !== view.seal.envelope) {
    wrong = [gettext("The envelope is not the one that this browser kept.")];
  }
  text(link().lastElementChild, wrong?.length ? `✗ ${wrong[0]}` : says);
  link().classList.toggle("wrong", Boolean(wrong?.length));
  link().classList.toggle("open", !view.seal);
}

/** Returns what does not match in the record of a game; null if that cannot be known now. */
async function problemsOf(game) {
  const reply = await fetchPage(recordOf(...game.id.split(" "))).catch(() => null);
  const late = await loadLate().catch(() => null);
  if (!reply?.ok || !late) return null; // the card of the dice can still check it
  const { problems, words } = await late.checkDice(await reply.text(), game.envelope, ownWord(game));
  return problems.length || words.length ? problems : null; // no words: the envelope is closed
}
