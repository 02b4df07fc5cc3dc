// Commands that repeat what was said: the last sentences with the question, the player's own last
// turn, and the other players' events since.

import { gettext } from "../model/messages.js";
import { prompt } from "../model/sentences.js";
import { say } from "../view/live_region.js";
import { settings } from "../view/settings.js";

const again = (lines) => say(lines.length ? lines : [gettext("Nothing has been said yet.")]);

/**
 * Returns the functions for the keys. `story` holds the lines told so far and `seen` the current
 * view.
 */
export const retelling = (story, seen) => ({
  repeat: () => {
    const asked = prompt(seen.view, seen.you, null, story.lines.at(-1), settings);
    again([...story.last(), ...asked]);
  },
  lastTurn: () => again(story.turnOf(seen.you.seats)),
  theirs: () => again(story.since(seen.you.seats)),
});
