// The card of sealed dice: the envelope to keep, the player's own word, and after the game every
// throw, computed again in this browser.

import "../view/language.js";
import { challengeOf } from "../model/addresses.js";
import { gettext, pgettext } from "../model/messages.js";
import { checkDice, quoted } from "../model/sealed_dice.js";
import { get, Refusal } from "../net/api.js";
import { fetchPage } from "../net/pages.js";
import { canSeal, giveWord, kept, ownWord, see } from "../table/words.js";
import { byId, el, insecureWords, onSubmit, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { copyByHandWords, copyText } from "../view/share.js";

const { view, you } = JSON.parse(byId("boot").textContent);
const { seal, room, seats } = view;

const isOther = () => kept(view).envelope !== seal.envelope;

function ofMine() {
  const { envelope, isGiven, isLate } = kept(view);
  if (!envelope) return gettext("This browser keeps nothing, so it gives no word.");
  if (isOther()) return gettext("The envelope is not the one that this browser kept.");
  if (isLate) return gettext("This browser saw the envelope only after the first throw.");
  if (!you.seats.length || isGiven === undefined) return gettext("This browser keeps the envelope.");
  if (!isGiven) return gettext("This browser keeps the envelope. Your word came too late.");
  return gettext("This browser kept the envelope before it gave your word.");
}

function drawOwn() {
  const element = byId("mine");
  text(element, ofMine());
  element.classList.toggle("wrong", isOther());
  byId("own-word").hidden = !you.seats.length || seal.state !== "words" || kept(view).isGiven !== undefined;
}

async function useWord() {
  try {
    await giveWord(view, you, byId("word").value);
    drawOwn();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    text(byId("word-told"), error.message);
  }
}

async function open() {
  if (!canSeal()) {
    text(byId("found"), insecureWords());
    return;
  }
  const mine = kept(view);
  const record = await (await fetchPage(byId("record").href)).text();
  const { says, problems, throws, words } = await checkDice(record, (!mine.isLate && mine.envelope) || null, ownWord(mine));
  const fits = problems.length ? [] : [gettext("Every throw follows from the envelope and the words.")];
  byId("found").replaceChildren(
    ...problems.map((line) => el("p", { class: "wrong", text: `✗ ${line}` })),
    ...[...fits, ...says].map((line) => el("p", { text: line })),
  );
  byId("throws").replaceChildren(...throws.map(lineOf));
  byId("throws").hidden = !throws.length;
  const given = [...words.entries()].filter(([, of]) => of !== null);
  const list = given.map(([at, of]) => el("li", {}, el("bdi", { text: seats[at]?.name ?? "" }), ": ", el("code", { text: of })));
  byId("words").querySelector("ul").replaceChildren(...list);
  byId("words").hidden = !list.length;
  byId("found").focus();
}

/** Returns the line of a throw, which opens to show how it was computed. */
function lineOf({ pips, right, follows, key, bytes }) {
  const facts = { pips: pips.join("+"), right: right.join("+") };
  const line = follows
    ? gettext("✓ {pips} follows.", facts)
    : gettext("✗ {pips} does not follow. It should be {right}.", facts);
  const how = el(
    "details",
    {},
    el("summary", { text: line, class: follows ? "right" : "wrong" }),
    el("p", { text: gettext("Its key K is the HMAC-SHA256 of the seed over the number of the throw and the words:") }),
    el("code", { text: key }),
    el("p", { text: gettext("The first bytes of the HMAC-SHA256 of K over 0 become the faces. Each die shows 1 plus a byte modulo its sides; a byte that would favour a face is skipped:") }),
    el("code", { text: bytes }),
  );
  return el("li", {}, how);
}

/** Copies the ticket: the envelope and the word of this browser, in one line. */
async function keep() {
  const { envelope, seat, word, isGiven } = { envelope: seal.envelope, ...kept(view) };
  const came = await copyText(isGiven ? `${envelope} ${seat} ${quoted(word)}` : envelope);
  text(byId("kept"), came ? pgettext("said", "Copied") : copyByHandWords());
}

takeOver();
for (const field of document.querySelectorAll("input.link")) field.value = challengeOf(field.value);
if (seal) {
  see(view, you).then(drawOwn);
  byId("keep").addEventListener("click", keep);
  byId("open")?.addEventListener("click", open);
  onSubmit(byId("own-word"), useWord);
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  if (seal.state === "words") {
    // While this page is open, its word still comes in time.
    const look = async () => {
      const now = await get(`/api/rooms/${room}`);
      await see(now.view, now.you);
      if (now.view.seal?.state === seal.state) setTimeout(look, 1000);
      else location.reload();
    };
    setTimeout(look, 1000);
  }
}
