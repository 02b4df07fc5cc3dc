// What can be asked at any time: the questions with their buttons, the advice, the rules, the help.

import { capital, small } from "../model/moves.js";
import { byId, el, keyed, text } from "./dom.js";
import { say } from "./live_region.js";

const FIXED = [
  ["d", "Dice", "dice"],
  ["b", "Board", "board"],
  ["s", "Score", "score"],
  ["l", "What is legal", "legal"],
];

/** A question's button for each that the table answers. */
export function drawQuestions(table, ask) {
  const matchQuestions = table.answers.map(({ key, about }) => [key, capital(about)]);
  keyed(
    byId("ask"),
    [...FIXED, ...matchQuestions],
    ([key]) => key,
    ([key]) => el("button", { type: "button", onclick: () => ask(key) }),
    (button, [, about]) => text(button, about),
  );
}

/** Says the answer of the table to the question with this key. */
export function answer(table, key) {
  const fixed = FIXED.find(([name]) => name === key);
  const said = fixed ? table[fixed[2]] : table.answers.find((other) => other.key === key)?.says;
  if (said) say([said]);
}

/** Shows advice, which stays as long as things stand so, and says it or what is `short` for it. */
export function advise(title, lines, short = lines) {
  byId("advice").hidden = !lines.length;
  text(byId("advice").querySelector("h2"), title);
  const items = lines.map((line) => el("li", { text: line }));
  byId("advice").querySelector("ul").replaceChildren(...items);
  say(short);
}

/** Shows a hint. Of several lines the first says what they are, and the second is the best. */
export function hint(lines) {
  const best = lines[1]?.replace(/;.*|\.$/, "");
  const short = best ? [`Best is ${small(best)}.`, "All of it is under Advice."] : lines;
  advise("Advice", lines, short);
}

export function sayRules(rules) {
  byId("rules").open = true;
  say(rules.lines);
}

/** The keys, in a dialog: `commands` are triples of a key, what it is for, and what it does. */
export function showHelp(rules, commands) {
  const rows = [
    ["digits", "pick tiles, or answer; Space takes a number that waits for another digit"],
    ["Enter", "the main button"],
    ["Space", "picks the piece that has the focus"],
    ...commands,
  ];
  const list = el("dl", { class: "keys" });
  for (const [key, about] of rows) {
    const name = key.length > 1 ? capital(key) : key;
    list.append(el("dt", {}, el("kbd", { text: name })), el("dd", { text: about }));
  }
  byId("help-body").replaceChildren(el("p", { text: rules.typing }), list);
  // Where the focus was nowhere, a closed dialog would leave it nowhere again.
  if (document.activeElement === document.body) byId("go").focus({ preventScroll: true });
  byId("help").showModal();
}
