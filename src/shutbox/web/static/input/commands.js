// The commands and their keys. The keyboard, the text field and the help all use this list.

import { gettext, pgettext } from "../model/messages.js";

/**
 * Returns the commands available in this view, as triples of key, purpose and function. `does`
 * holds the functions.
 */
export function commandsFor(view, does) {
  const keys = [
    ["d", gettext("what the dice show"), () => does.asked("d")],
    ["b", gettext("what is on the table"), () => does.asked("b")],
    ["s", gettext("the score so far"), () => does.asked("s")],
    ["l", gettext("all legal choices"), () => does.asked("l")],
  ];
  for (const { key, about } of view.table?.answers || []) {
    keys.push([key, about, () => does.asked(key)]);
  }
  keys.push(["k", gettext("the envelope of the dice, as ?dice does"), () => does.asked("k")]);
  if (view.settings.hints !== "off") keys.push(["h", pgettext("key", "a hint"), does.hints]);
  keys.push(
    [".", gettext("repeats the last line and the question"), does.repeat],
    [",", gettext("repeats your last turn"), does.lastTurn],
    ["y", gettext("what the others did since your last turn"), does.theirs],
  );
  const takesBack = gettext("takes back your choice, if no dice have been thrown since");
  keys.push(["u", takesBack, does.undo]);
  if (view.settings.dice === "hand") {
    keys.push(["c", gettext("corrects the dice you typed"), does.correct]);
  }
  keys.push(
    ["r", gettext("the rules in play"), does.rules],
    ["m", gettext("sound on or off"), does.mute],
    ["escape", gettext("clears what is picked"), does.clear],
    ["?", pgettext("key", "this help"), does.help],
  );
  return keys;
}
