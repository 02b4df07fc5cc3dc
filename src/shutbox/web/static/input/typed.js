// Typed input, as in the terminal: an empty line for the main action, a letter for a question, a
// throw, or a choice.

import { gettext, pgettext } from "../model/messages.js";
import { digitsOf, isMyTurn } from "../model/moves.js";
import { offerSpelled } from "../model/picking.js";
import { enterThrowWords } from "../model/sentences.js";
import { byId } from "../view/dom.js";
import { say } from "../view/live_region.js";
import * as sound from "../view/sound.js";

const WORDS = { hint: "h", hints: "h", help: "?", rules: "r", undo: "u", review: "v", throw: "t", "?dice": "k" };

/** Returns the letters of the commands by word, in English and in the language of the page. */
function letters() {
  const own = [
    ["h", pgettext("typed", "hint")],
    ["?", pgettext("typed", "help")],
    ["r", pgettext("typed", "rules")],
    ["u", pgettext("typed", "undo")],
    ["v", pgettext("typed", "review")],
    ["t", pgettext("typed", "throw")],
  ].flatMap(([letter, words]) => words.split(",").map((word) => [word.trim(), letter]));
  return { ...Object.fromEntries(own), ...WORDS };
}

/** Runs a command from the text field. `page` is the TablePage. A line that is refused stays in the field. */
export async function takeTyped({ view, you, main, commands, actions }, typed) {
  const word = typed.normalize("NFKC").toLowerCase(); // an input method sends wide digits and signs
  const letter = letters()[word] ?? word;
  const command = commands.list().find(([name]) => name === letter);
  if (!typed) commands.enter();
  else if (command) command[2]();
  else if ((await throwOrChoose({ view, you, main, actions }, letter, typed)) === false && !byId("typed").value) {
    byId("typed").value = typed;
    byId("typed").select();
  }
}

/** Throws or chooses. Returns or resolves to false if that is refused. */
function throwOrChoose({ view, you, main, actions }, letter, typed) {
  const { settings, table } = view;
  const refused = (...says) => (say([sound.refuse(says[0]), ...says.slice(1)]), false);
  if (!isMyTurn(view, you)) return refused(main.why || gettext("The game is over."));
  if (table.does !== "throw") return actions.choose(choiceOf(letter, table) ?? typed);
  if (settings.dice === "hand") return actions.act("throw", { roll: typed });
  if (letter === "t") return actions.act("throw");
  return refused(pgettext("said", "Not understood."), enterThrowWords(table));
}

/** Returns the text of the offer that a word means: a digit, or numbers in a row such as `35`. */
function choiceOf(word, table) {
  const { offers, pieces } = table;
  const answers = digitsOf(table, offers);
  if (answers.size) return offers.find(({ text }) => answers.get(text) === word)?.text;
  if (!/^\d+$/.test(word) || offers.some(({ text }) => text === word)) return undefined;
  return offerSpelled(pieces, offers, word)?.text;
}
