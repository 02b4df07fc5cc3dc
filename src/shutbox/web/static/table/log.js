// The log of a table: the sentences of its events, which are said as they come, the list of moves,
// and the rules in play. What this player does not want to hear is left out.

import { isOnlySeat } from "../model/moves.js";
import { isOneOfMany } from "../model/rows.js";
import { coveredWords } from "../model/sentences.js";
import { Story } from "../model/story.js";
import { byId, text } from "../view/dom.js";
import { isHushed } from "../view/hush.js";
import { announce, gather } from "../view/live_region.js";
import * as moves from "../view/moves.js";
import { settings } from "../view/settings.js";
import { isThrow } from "../view/showing.js";

export class Log {
  /** `page` is the TablePage, and `lines` are the events told before it was opened. */
  constructor(page, lines, rules) {
    Object.assign(this, { page, rules });
    this.story = new Story(this.wanted(lines), settings, ({ seat }) => isOnlySeat(page.you, seat));
    moves.fill(this.wanted(lines), page.view);
    this.writeRules();
  }

  /** Returns the lines that this player wants to hear. */
  wanted(lines) {
    const { view: { room }, you } = this.page;
    const isOwnAnswer = ({ kind, seat }) => kind === "answer" && you.seats.includes(seat);
    return lines.filter((line) => !isHushed(line, room) && !isOwnAnswer(line));
  }

  /** Adds events, and says them if they are `isSaid`. Returns those that were not told before. */
  add(events, isSaid = true) {
    return this.wanted(events).filter((event) => {
      const says = this.story.add(event);
      if (says) moves.append(event, event.view);
      if (isSaid) this.say(event, says ?? []);
      return says !== null;
    });
  }

  /** Says what an event `says`, or gathers the names if many players do the same. */
  say(event, says) {
    const { view: before, you } = this.page;
    const { seat, view: { phase, seats } } = event;
    if (isOneOfMany(event, before, you)) {
      gather(seats[seat].name, coveredWords);
      return;
    }
    const isOwnThrow = you.seats.includes(seat) && isThrow(event);
    const isAlone = seats.length === 1; // there is nobody to sum up
    announce(says, isOwnThrow || isAlone || phase !== "playing" ? "whole" : "summed");
  }

  /** Takes the lines of a snapshot in place of all others, and says the new ones. */
  fill(lines, view) {
    const { newest } = this.story;
    for (const list of [moves, this.story]) list.fill(this.wanted(lines), view);
    for (const { says, number } of this.story.lines) if (number > newest) announce(says, "summed");
  }

  /** Takes the lines and the rules of a reply to `get`, after a player has changed a name. */
  rewrite({ log, view, rules }) {
    this.rules = rules;
    this.fill(log, view);
    this.writeRules();
  }

  /** Writes the rules, which name the players. */
  writeRules() {
    const places = byId("rules-lines").children;
    for (const [n, line] of this.rules.lines.entries()) text(places[n], line);
  }
}
