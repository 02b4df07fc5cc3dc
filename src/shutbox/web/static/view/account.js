// What the verdict shows: the card on the baize, and the account below the box.

import { barsOf } from "../model/figures.js";
import { plain } from "../model/messages.js";
import { drawn, el, set, text } from "./dom.js";

/** Returns the card on the baize. Screen readers do not get it: its content is spoken. */
export function card({ score }, distribution) {
  const bars = barsOf(distribution, score).map(({ at, height, isHere }) => {
    const bar = el("i", { class: isHere ? "here" : null });
    bar.style.setProperty("--at", at.toFixed(4));
    bar.style.setProperty("--height", height.toFixed(4));
    return bar;
  });
  return el(
    "div",
    { class: "score-card", "aria-hidden": "true" },
    el("p", { class: "score", text: String(score) }),
    bars.length ? el("div", { class: "hist" }, ...bars) : null,
  );
}

/** Returns the account in words and as a chart: a copy of what the server draws for no script. */
export function drawAccount({ heading, says, perfect, least, most, rows }) {
  const card = drawn("draw-account").firstElementChild;
  text(card.querySelector("h3"), heading);
  text(card.querySelector("p"), says.join(" "));
  const [top, pattern] = card.querySelector(".duel").children;
  const [start, average] = top.querySelectorAll("text");
  text(start, least);
  text(average, perfect);
  set(average, "x", at(rows[0].perfect));
  text(top.querySelector("small"), most);
  pattern.replaceWith(...rows.map((row) => fillRow(pattern.cloneNode(true), row)));
  return card;
}

/** Fills a row of the chart. Screen readers get its figures in words. */
function fillRow(row, { name, perfect, play, end, mistakes, luck, result, spoken }) {
  const [, dashed, lost, chance] = row.querySelectorAll("line");
  const [tip, ring] = [row.querySelector(".tip"), row.querySelector("circle")];
  const [cost, gain] = row.querySelectorAll("text");
  const isLeft = play < perfect;
  const places = [
    [dashed, { x1: perfect, x2: perfect }],
    [lost, { x1: perfect, x2: play }],
    [chance, { x1: play, x2: end }],
    [tip, { x: end }],
    [ring, { cx: play }],
    [cost, { x: play }],
    [gain, { x: (play + end) / 2 }],
  ];
  for (const [part, values] of places) {
    for (const [key, value] of Object.entries(values)) set(part, key, at(value));
  }
  set(tip, "display", luck ? null : "none");
  set(tip.firstElementChild, "transform", `scale(${end < play ? -1 : 1} 1)`);
  set(cost, "dx", isLeft ? -12 : 12);
  set(cost, "text-anchor", isLeft ? "end" : "start");
  const parts = [[row.querySelector("bdi"), name], [cost, mistakes], [gain, luck], [row.querySelector("b"), result]];
  for (const [part, words] of [...parts, [row.lastElementChild, plain(spoken)]]) text(part, words);
  return row;
}

const at = (place) => `${(100 * place).toFixed(2)}%`;
