// Typed input, as in the terminal: an empty line for the main action, a letter for a question, a
// throw, or a choice.

import { pgettext } from "../model/messages.js";
import { digitsOf, isMine } from "../model/moves.js";
import { spelled } from "../model/picking.js";
import { enterThrows } from "../model/sentences.js";

const WORDS = { hint: "h", hints: "h", help: "?", rules: "r", undo: "u", "?dice": "k" };

/**
 * Runs a typed command. `commands` are triples as returned by `commandsFor`. `does` holds the
 * callbacks: `enter()` runs the main action, `act(what, more)` and `choose(choice)` play,
 * `say(sentences)` speaks, `took()` is called when a command was recognised, and `why()` returns
 * why the player cannot act.
 */
export function takeTyped(typed, { view, you }, commands, does) {
  const word = typed.normalize("NFKC").toLowerCase(); // an input method sends wide digits and signs
  const command = commands.find(([name]) => name === (WORDS[word] ?? word));
  if (!typed) does.enter();
  else if (command) {
    does.took();
    command[2]();
  } else if (!isMine(view, you)) does.say([does.why()]);
  else if (view.table.does === "throw") takeThrow(typed, view, does);
  else does.choose(choiceOf(word, view.table) ?? typed);
}

function takeThrow(typed, { settings, table }, does) {
  if (settings.dice === "hand") does.act("throw", { roll: typed });
  else if (/^t(hrow)?$/i.test(typed)) does.act("throw");
  else does.say([pgettext("said", "Not understood."), enterThrows(table)]);
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
