// A hint: the tiles of the best choice glow on the board, and each choice has a row with a bar and
// figures. Pressing a row picks its tiles.

import { gettext, ngettext } from "../model/messages.js";
import { byId, el, set, text } from "./dom.js";

let choices = []; // of the hint that is shown

/** Draws the rows of a hint. `pick(keys)` picks the tiles of a row. */
export function drawHint({ figures, lead: aim, rows }, table, pick) {
  ({ choices } = figures);
  const { more } = figures;
  const picks = rows.some(({ takes }) => takes.length);
  const { target } = table;
  const words = target ? gettext("Cover {target}", { target }) : "";
  const title = words ? el("h2", { text: words }) : null;
  const lead = el("p", { class: "lead", text: aim });
  if (picks) lead.append(" ", gettext("Press one to pick it."));
  const left = more
    ? el("p", { class: "lead", text: ngettext("{number} more.", "{number} more.", more) })
    : null;
  const list = el("ol", { class: "hints" }, ...rows.map((row) => item(row, pick)));
  const why = choices[0].why ? el("p", { class: "why", text: choices[0].why }) : null;
  byId("advice").replaceChildren(...[title, lead, list, left, why].filter(Boolean));
  byId("advice").hidden = false;
  glow(rows[0].takes, rows[0].text);
}

/** Returns how the best choice compares with the one that is picked, whose text is `chosen`. */
export const whyWords = (chosen) => choices.find(({ text: other }) => other === chosen)?.why;

/** Compares the best choice of the hint that is shown with the one that is picked. */
export function compare(chosen) {
  const why = byId("advice").querySelector(".why");
  if (why) text(why, whyWords(chosen) || choices[0].why);
}

/** Turns off the glow of all tiles. */
export const forgetHint = () => glow([], null);

/** Marks the tiles of the best choice, or the button that makes it. */
function glow(keys, best) {
  for (const button of byId("offers").children) {
    set(button, "data-best", button.dataset.key === best);
  }
  for (const tile of byId("board").querySelectorAll(".tiles > li")) {
    tile.firstElementChild.toggleAttribute("data-best", keys.includes(tile.dataset.key));
  }
}

function item(row, pick) {
  const bar = el("span", { class: "bar" }, el("i"));
  bar.style.setProperty("--part", row.length.toFixed(3));
  const parts = [
    el("strong", { text: row.name }),
    bar,
    el("span", { class: "val", text: row.value }),
    el("span", { class: "shut", text: row.shut }),
    el("span", { class: "cost", text: row.cost }),
  ];
  const looks = ["hint", row.is_best && "best", row.is_wordy && "wordy"];
  const props = { class: looks.filter(Boolean).join(" ") };
  const shown = row.takes.length
    ? el("button", { ...props, type: "button", onclick: () => pick(row.takes) })
    : el("div", props);
  shown.append(...parts.flatMap((part) => [part, " "])); // as what is read is the row itself
  return el("li", {}, shown);
}
