// The score sheet of a match: a column for each seat, a line for each round that is over, and one for
// the round that is played.

import { gettext } from "../model/messages.js";
import { byId, el } from "./dom.js";
import { remade } from "./seats.js";

/** Draws the sheet of a table; none for a game that is no match. */
export function drawSheet(table) {
  const sheet = table?.sheet;
  byId("sheet-panel").hidden = !sheet;
  if (sheet) remade(byId("sheet"), sheetParts(sheet, table));
}

/** What stands there already of the round that is played; nothing once the game is over. */
function scoresSoFar({ does, plates }) {
  if (does === "over") return [];
  return plates.map(({ state, points }) => (["done", "shut"].includes(state) ? points : "–"));
}

function sheetParts({ columns, rows, totals, chips, pot }, table) {
  // What happened stands below a round, over its whole width, so that the columns stay narrow.
  const wide = columns.length + 1;
  const note = (words) => el("tr", {}, el("td", { class: "note", colspan: wide, text: words }));
  const head = (scope, words) => el("th", { scope, text: words });
  const cells = (values) => values.map((value) => el("td", { text: value }));
  const body = rows.flatMap((row) => {
    const scores = row.cells.map((cell, seat) => {
      const won = row.won.includes(seat);
      const score = cell || "–";
      const words = won ? gettext("{score} (won)", { score }) : score;
      return el("td", { class: won ? "won" : null, text: words });
    });
    const line = el("tr", {}, head("row", row.round), ...scores);
    return row.note ? [line, note(row.note)] : [line];
  });
  const soFar = scoresSoFar(table);
  const now = soFar.length ? [el("tr", {}, head("row", table.round ?? 1), ...cells(soFar))] : [];
  const foot = [el("tr", {}, head("row", gettext("Total")), ...cells(totals))];
  if (chips) {
    foot.push(el("tr", {}, head("row", gettext("Chips")), ...cells(chips)));
    foot.push(note(gettext("{chips} in the pot", { chips: pot })));
  }
  const names = columns.map((name) => el("th", { scope: "col" }, el("bdi", { text: name })));
  const heads = [head("col", gettext("Round")), ...names];
  return [
    ["caption", () => el("caption", { text: gettext("Scores by round") }), ""],
    ["head", () => el("thead", {}, el("tr", {}, ...heads)), JSON.stringify(columns)],
    ["body", () => el("tbody", {}, ...body), JSON.stringify(rows)],
    ["now", () => el("tbody", { class: "now" }, ...now), JSON.stringify([table.round, soFar])],
    ["foot", () => el("tfoot", {}, ...foot), JSON.stringify([totals, chips, pot])],
  ].map(([name, make, shows]) => ({ key: name + shows, make }));
}
