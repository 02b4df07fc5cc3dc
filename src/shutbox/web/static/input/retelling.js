// What was said once is said again: the last of it with the question, one's own last turn, and what the
// others have done since.

import { gettext } from "../model/messages.js";
import { prompt } from "../model/sentences.js";
import { say } from "../view/live_region.js";
import { settings } from "../view/settings.js";

const again = (lines) => say(lines.length ? lines : [gettext("Nothing has been said yet.")]);

/** What the keys do; `story` has what was told, `seen` where things stand. */
export const retelling = (story, seen) => ({
  repeat: () => {
    const asked = prompt(seen.view, seen.you, null, story.lines.at(-1), settings);
    again([...story.last(), ...asked]);
  },
  lastTurn: () => again(story.turnOf(seen.you.seats)),
  theirs: () => again(story.since(seen.you.seats)),
});
