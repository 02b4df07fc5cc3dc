// What a hint shows in its drawer: each choice has a row with a bar and figures.

import { gettext, ngettext } from "../model/messages.js";
import { el } from "./dom.js";

/** Returns the elements of a hint with figures. `pick(keys)` picks the tiles of a row. */
export function hintParts({ figures: { choices, more }, lead: aim, rows }, { target }, pick) {
  const title = target ? el("h2", { text: gettext("Cover {target}", { target }) }) : null;
  const lead = el("p", { class: "lead", text: aim });
  if (rows.some(({ takes }) => takes.length)) lead.append(" ", gettext("Press one to pick it."));
  const list = el("ol", { class: "hints" }, ...rows.map((row) => item(row, pick)));
  const left = more && ngettext("{number} more.", "{number} more.", more);
  return [
    title,
    lead,
    list,
    left ? el("p", { class: "lead", text: left }) : null,
    choices[0].why ? el("p", { class: "why", text: choices[0].why }) : null,
  ].filter(Boolean);
}

/** Returns the row of a choice: a button if it takes tiles. */
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
