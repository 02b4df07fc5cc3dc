// What can be asked at any time: the questions with their buttons, the advice, the rules, the help.

import { capital, gettext } from "../model/messages.js";
import { open } from "./drawers.js";
import { drawHint } from "./hint_rows.js";
import { byId, el, focusMain, keyed, text } from "./dom.js";
import { say } from "./live_region.js";
import { settings } from "./settings.js";

const fixed = () => [
  ["d", gettext("Dice"), "dice"],
  ["b", gettext("Board"), "board"],
  ["s", gettext("Score"), "score"],
  ["l", gettext("What is legal"), "legal"],
];

/** A question's button for each that the table answers. */
export function drawQuestions(table, ask) {
  const matchQuestions = table.answers.map(({ key, about }) => [key, capital(about)]);
  keyed(
    byId("ask"),
    [...fixed(), ...matchQuestions],
    ([key]) => key,
    ([key]) => el("button", { type: "button", onclick: () => ask(key) }),
    (button, [, about]) => text(button, about),
  );
}

/** Says the answer of the table to the question with this key. */
export function answer(table, key) {
  const [, , part] = fixed().find(([name]) => name === key) ?? [];
  const said = part ? table[part] : table.answers.find((other) => other.key === key)?.says;
  if (said) say([said]);
}

/**
 * Shows a hint in its drawer, and says the best choice, where it names one; `pick(keys)` picks the
 * tiles of a row.
 */
export function hint(found, table, pick) {
  const { says, best, figures } = found;
  const lines = says.map((line) => el("li", { text: line }));
  byId("advice").hidden = !says.length;
  if (figures) drawHint(found, table, pick);
  else byId("advice").replaceChildren(el("ul", {}, ...lines));
  show("tool-hint");
  const more = settings.typing ? [] : [gettext("All of it is under Hint.")];
  say(best ? [best, ...more] : says, { seen: true });
}

/** Opens a drawer, unless all is typed: the field stands in one, and what is there is said. */
function show(drawer) {
  if (!settings.typing) open(drawer);
}

export function sayRules(rules) {
  show("rules");
  say(rules.lines, { seen: true });
}

/** The keys, in a dialog: `commands` are triples of a key, what it is for, and what it does. */
export function showHelp(rules, commands) {
  const rows = [
    [
      gettext("Digits"),
      gettext("pick tiles, or answer; Space takes a number that waits for another digit"),
    ],
    [gettext("Enter"), gettext("the main button")],
    [gettext("Space"), gettext("picks the piece that has the focus")],
    ...commands.map(([key, about]) => [key === "escape" ? gettext("Escape") : key, about]),
  ];
  const list = el("dl", { class: "keys" });
  for (const [key, about] of rows) {
    list.append(el("dt", {}, el("kbd", { text: key })), el("dd", { text: about }));
  }
  byId("help-body").replaceChildren(el("p", { text: rules.typing }), list);
  // Where the focus was nowhere, a closed dialog would leave it nowhere again.
  if (document.activeElement === document.body) focusMain();
  byId("help").showModal();
}
