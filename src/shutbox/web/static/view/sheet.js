// The score sheet of a match: a column for each seat, a row for each finished round, and a row for
// the current round.

import { gettext, ngettext, pgettext } from "../model/messages.js";
import { byId, el, rebuild } from "./dom.js";

/** Draws the score sheet of a table. Hides it if the game is not a match. */
export function drawSheet(table) {
  const sheet = table?.sheet;
  byId("sheet-panel").hidden = !sheet;
  if (sheet) rebuild(byId("sheet"), sheetParts(sheet, table));
}

/** Returns the scores of the current round so far. Empty once the game is over. */
function scoresSoFar({ does, plates }) {
  if (does === "over") return [];
  return plates.map(({ state, points }) => (["done", "shut"].includes(state) ? points : "–"));
}

function sheetParts({ columns, rows, totals, chips, pot }, table) {
  // The note of a round is in a full-width row below it, so that the columns stay narrow.
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
  const foot = [el("tr", {}, head("row", pgettext("column", "Total")), ...cells(totals))];
  if (chips) {
    foot.push(el("tr", {}, head("row", pgettext("column", "Chips")), ...cells(chips)));
    const words = ngettext("{number} chip in the pot", "{number} chips in the pot", Number(pot));
    foot.push(note(words));
  }
  const names = columns.map((name) => el("th", { scope: "col" }, el("bdi", { text: name })));
  const heads = [head("col", pgettext("column", "Round")), ...names];
  return [
    ["caption", () => el("caption", { text: gettext("Scores by round") }), ""],
    ["head", () => el("thead", {}, el("tr", {}, ...heads)), JSON.stringify(columns)],
    ["body", () => el("tbody", {}, ...body), JSON.stringify(rows)],
    ["now", () => el("tbody", { class: "now" }, ...now), JSON.stringify([table.round, soFar])],
    ["foot", () => el("tfoot", {}, ...foot), JSON.stringify([totals, chips, pot])],
  ].map(([name, make, shows]) => ({ key: name + shows, make }));
}
