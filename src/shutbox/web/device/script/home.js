// The first page: tables to continue, and a new table with one press.

import "../pages/home.js";
import { get } from "../net/api.js";
import { byId, el } from "../view/dom.js";
import { openBy } from "./opening.js";
import { bootOf, cards, pageOf } from "./tables.js";

/** Returns a card like those in `home.html`. */
function cardOf({ room, title, players, stands, miniature }) {
  const words = el("span", {}, el("strong", { text: title }), " ", el("span", { text: players }));
  words.append(" ", el("span", { class: "stands", text: stands }));
  const link = el("a", { class: "card", href: pageOf(room) }, words);
  link.insertAdjacentHTML("afterbegin", miniature); // drawn by the engine, without any typed text
  return el("li", {}, link);
}

function showCards() {
  const mine = cards();
  byId("go-on").hidden = !mine.length;
  byId("go-on-list").replaceChildren(...mine.map(cardOf));
}

/** Gets the cards in the language of this page, if the player has chosen another; the newest last. */
async function translateCards() {
  for (const { room } of cards().reverse().filter(({ room }) => !bootOf(room))) {
    await get(`/api/rooms/${room}`).then(showCards, () => {}); // it may be gone
  }
}

showCards();
translateCards();

for (const form of document.querySelectorAll("form[method=post]")) {
  openBy(form, (fields) => {
    const other = fields.get("with");
    const seats = [{ who: "me" }, ...(other ? [{ who: other }] : [])];
    return { game: fields.get("game") ?? "classic", seats };
  });
}
