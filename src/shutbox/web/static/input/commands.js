// What each key does, and what it is for: the same list for the keyboard, for the field of typed
// moves, and for the help.

/**
 * The commands at this view, as triples of key, purpose and function; `does` has what they do.
 */
export function commandsFor(view, does) {
  const keys = [
    ["d", "what the dice show", () => does.asked("d")],
    ["b", "what is on the table", () => does.asked("b")],
    ["s", "the score so far", () => does.asked("s")],
    ["l", "what is legal", () => does.asked("l")],
  ];
  for (const { key, about } of view.table?.answers || []) {
    keys.push([key, about, () => does.asked(key)]);
  }
  if (view.settings.hints !== "off") keys.push(["h", "a hint", does.hints]);
  keys.push(["u", "takes back your choice, if no dice have been thrown since", does.undo]);
  if (view.settings.dice === "hand") keys.push(["c", "corrects the dice you typed", does.correct]);
  keys.push(
    ["r", "the rules in play", does.rules],
    ["m", "sound on or off", does.mute],
    ["escape", "clears what is picked", does.clear],
    ["?", "this help", does.help],
  );
  return keys;
}
