// Typed input, as in the terminal: an empty line for the main action, a letter for a question, a
// throw, or a choice.

import { gettext, pgettext } from "../model/messages.js";
import { digitsOf, isMine } from "../model/moves.js";
import { spelled } from "../model/picking.js";
import { enterThrows } from "../model/sentences.js";
import { byId } from "../view/dom.js";
import { say } from "../view/live_region.js";
import * as sound from "../view/sound.js";

const WORDS = { hint: "h", hints: "h", help: "?", rules: "r", undo: "u", "?dice": "k" };

/** Runs a command from the text field. `page` is the TablePage. A line that is refused stays in the field. */
export async function takeTyped({ view, you, main, commands, actions }, typed) {
  const word = typed.normalize("NFKC").toLowerCase(); // an input method sends wide digits and signs
  const command = commands.list().find(([name]) => name === (WORDS[word] ?? word));
  if (!typed) commands.enter();
  else if (command) command[2]();
  else if ((await taken({ view, you, main, actions }, word, typed)) === false && !byId("typed").value) {
    byId("typed").value = typed;
    byId("typed").select();
  }
}

/** Throws or chooses. Returns or resolves to false if that is refused. */
function taken({ view, you, main, actions }, word, typed) {
  const { settings, table } = view;
  const refused = (...says) => (say([sound.refused(says[0]), ...says.slice(1)]), false);
  if (!isMine(view, you)) return refused(main.why || gettext("The game is over."));
  if (table.does !== "throw") return actions.choose(choiceOf(word, table) ?? typed);
  if (settings.dice === "hand") return actions.act("throw", { roll: typed });
  if (/^t(hrow)?$/i.test(typed)) return actions.act("throw");
  return refused(pgettext("said", "Not understood."), enterThrows(table));
}

/**
 * Returns the text of the offer that a typed word means: the digit of an answer, or the numbers of
 * pieces in a row, such as `35`.
 */
function choiceOf(word, table) {
  const { offers, pieces } = table;
  const answers = digitsOf(table, offers);
  if (answers.size) return offers.find(({ text }) => answers.get(text) === word)?.text;
  if (!/^\d+$/.test(word) || offers.some(({ text }) => text === word)) return undefined;
  return spelled(pieces, offers, word)?.text;
}
