// The card of sealed dice: the seal to keep, the player's own word, and after the game every throw,
// computed again in this browser.

import "../view/language.js";
import { challengeOf } from "../model/addresses.js";
import { gettext, pgettext } from "../model/messages.js";
import { checkDice } from "../model/sealed_dice.js";
import { get, Refusal } from "../net/api.js";
import { fetchPage } from "../net/pages.js";
import { byId, el, text } from "../view/dom.js";
import { takeOver } from "../view/settings.js";
import { copied } from "../view/share.js";
import { canSeal, kept, ownWord, promise, see, whyMissing } from "./words.js";

const { view, you } = JSON.parse(byId("boot").textContent);
const { seal, room, seats } = view;
const api = `/api/rooms/${room}`;

function ofMine() {
  const { commitment, seal: before, isLate } = kept(seal.gid);
  if (!you.seats.length) return "";
  if (!canSeal()) return gettext("This browser gives no word, since the page came without https.");
  if (!commitment) return gettext("Your word in this browser is not in the seal.");
  if (whyMissing(seal)) return whyMissing(seal);
  if (!before) return gettext("Your word is promised.");
  if (before !== seal.seal) return gettext("The seal is not the one that this browser kept.");
  if (isLate) return gettext("This browser saw the seal only after the first throw.");
  return gettext("This browser kept the seal before the first throw, with your word in it.");
}

function drawOwn() {
  const element = byId("mine");
  text(element, ofMine());
  element.classList.toggle("wrong", Boolean(kept(seal.gid).seal) && kept(seal.gid).seal !== seal.seal);
  byId("own-word").hidden = !(you.seats.length && seal.state === "promises" && canSeal());
}

async function useWord(event) {
  event.preventDefault();
  try {
    const isIn = await promise(api, seal.gid, Math.min(...you.seats), byId("word").value);
    const late = gettext("The words for this game are fixed already.");
    text(byId("word-told"), isIn ? gettext("Your word is promised.") : late);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    text(byId("word-told"), error.message);
  }
}

async function open() {
  const { seal: before } = kept(seal.gid);
  const record = await (await fetchPage(byId("record").href)).text();
  const { says, problems, throws, words } = await checkDice(record, before ?? null, ownWord(seal.gid));
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

async function keep() {
  const words = [...byId("seal").children].map((word) => word.textContent).join(" ");
  const came = await copied(words);
  text(byId("kept"), came ? pgettext("said", "Copied") : gettext("Copy the words by hand."));
}

takeOver();
for (const field of document.querySelectorAll("input.link")) field.value = challengeOf(field.value);
if (seal) {
  drawOwn();
  byId("keep")?.addEventListener("click", keep);
  byId("open")?.addEventListener("click", open);
  byId("own-word").addEventListener("submit", useWord);
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  if (["promises", "words"].includes(seal.state)) {
    // While this page is open, its word still comes in time.
    const look = async () => {
      const now = await get(api);
      await see(api, now.view, now.you);
      if (now.view.seal?.state === seal.state) setTimeout(look, 1000);
      else location.reload();
    };
    setTimeout(look, 1000);
  }
}
