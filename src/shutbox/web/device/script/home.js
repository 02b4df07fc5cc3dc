// The first page: tables to continue, and a new table with one press.

import "../pages/home.js";
import { byId, el } from "../view/dom.js";
import { openBy } from "./opening.js";
import { cards, pageOf } from "./tables.js";

/** Returns a card like those in `home.html`. */
function cardOf({ room, title, players, stands, miniature }) {
  const words = el("span", {}, el("strong", { text: title }), " ", el("span", { text: players }));
  words.append(" ", el("span", { class: "stands", text: stands }));
  const link = el("a", { class: "card", href: pageOf(room) }, words);
  link.insertAdjacentHTML("afterbegin", miniature); // drawn by the engine, without any typed text
  return el("li", {}, link);
}

const mine = cards();
byId("go-on").hidden = !mine.length;
byId("go-on-list").append(...mine.map(cardOf));

for (const form of document.querySelectorAll("form[method=post]")) {
  openBy(form, (fields) => {
    const other = fields.get("with");
    const seats = [{ who: "me" }, ...(other ? [{ who: other }] : [])];
    return { game: fields.get("game") ?? "classic", seats };
  });
}
