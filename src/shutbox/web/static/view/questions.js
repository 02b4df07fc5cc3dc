// Questions that a player can ask at any time, with the hint, the rules and the help.

import { capital, gettext, pgettext } from "../model/messages.js";
import { hasRows } from "../model/rows.js";
import { open } from "./drawers.js";
import { compare, drawHint, whyWords } from "./hint_rows.js";
import { byId, el, keyed, text } from "./dom.js";
import { say } from "./live_region.js";
import { settings } from "./settings.js";

/**
 * Returns the questions about a table, which is null before the first game: the `key` of each, its text
 * `about` on a button and its purpose in the `help`, and what the table `says`.
 */
export function questionsOf(table) {
  const { dice, board, score, legal, answers = [] } = table ?? {};
  const keys = hasRows(table) ? { a: "w", w: "a" } : {}; // as in the terminal, w says all rows
  return [
    { key: "d", about: pgettext("question", "Dice"), help: gettext("what the dice show"), says: dice },
    { key: "b", about: pgettext("question", "Board"), help: gettext("what is on the table"), says: board },
    { key: "s", about: pgettext("question", "Score"), help: gettext("the score so far"), says: score },
    { key: "l", about: pgettext("question", "Legal choices"), help: gettext("all legal choices"), says: legal },
    ...answers.map(({ key, about, says }) => ({ key: keys[key] ?? key, about: capital(about), help: about, says })),
    {
      key: "k",
      about: pgettext("question", "Envelope of the dice"),
      help: gettext("the envelope of the dice, as ?dice does"),
    },
  ];
}

/** Draws a button for each question about the table. */
export function drawQuestions(table, ask) {
  keyed(
    byId("ask"),
    [...questionsOf(table), { key: "keys", about: pgettext("button", "All keys") }],
    ({ key }) => key,
    ({ key }) => el("button", { type: "button", onclick: () => ask(key) }),
    (button, { about }) => text(button, about),
  );
}

/**
 * Shows a hint in its drawer and says the best choice, if there is one, or how it compares with the
 * `chosen` one that is picked. `parts` are its `hintParts`, or null if it has none.
 */
export function showHint(advice, chosen, parts) {
  const { says, best } = advice;
  const lines = says.map((line) => el("li", { text: line }));
  byId("advice").hidden = !says.length && !parts;
  if (parts) drawHint(advice, parts);
  else byId("advice").replaceChildren(el("ul", {}, ...lines));
  compare(chosen);
  show("tool-hint");
  const more = settings.typing ? [] : [gettext("Hint shows all choices.")];
  say(best ? [whyWords(chosen) || best, ...more] : says, { seen: true });
}

/** Opens a drawer, unless the text field is used: the content is spoken. */
function show(drawer) {
  if (!settings.typing && document.activeElement !== byId("typed")) open(drawer);
}

export function sayRules(rules) {
  show("rules");
  say(rules.lines, { seen: true });
}

/** Says in one breath how to play by keys, or in the text field, and first what is `due`. */
export function sayHelp(rules, due) {
  const asks = gettext("Letters ask: b board, d dice, s score, y others, l choices, h hint, r rules. A full stop repeats.");
  const isTyping = document.activeElement === byId("typed");
  const plays = gettext("Digits pick or answer, Enter goes on, u takes back.");
  // Screen readers take keys for themselves, such as 1 for the next heading, but not in a field.
  const typing = gettext("If a key does something else, press the first button, Play by typing.");
  say([...due, ...(isTyping ? [rules.typing, asks] : [plays, asks, typing])]);
}

/** Shows the keys in a dialog. `commands` are triples of a key, its purpose and its function. */
export function showHelp(rules, commands) {
  const rows = [
    [
      pgettext("key", "Digits"),
      gettext("pick tiles or an answer, on every keyboard without Shift; Space takes a digit that waits"),
    ],
    [pgettext("key", "Enter"), gettext("the main button")],
    [pgettext("key", "Space"), gettext("picks the piece in focus")],
    ...commands.map(([key, help]) => [key === "escape" ? pgettext("key", "Escape") : key, help]),
  ];
  const list = el("dl", { class: "keys" });
  for (const [key, help] of rows) {
    list.append(el("dt", {}, el("kbd", { text: key })), el("dd", { text: help }));
  }
  byId("help-body").replaceChildren(el("p", { text: rules.typing }), list);
  byId("help").showModal();
  byId("help-title").focus();
}
