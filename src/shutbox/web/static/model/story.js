// What has been told of a game, to be told again: the last of it, one's own last turn, and what the
// others have done since. Nothing here touches the page.

import { toldOf } from "./telling.js";

const MOST = 400;

export class Story {
  /** `lines` are those that were told before; `length` tells how much is told of each now. */
  constructor(lines, length) {
    this.length = length;
    this.lines = lines.map((line) => this.told(line));
  }

  told(event) {
    return { says: toldOf(event, this.length()), seat: event.seat, number: event.number };
  }

  /** One event more; what is told of it. */
  add(event) {
    const line = this.told(event);
    this.keep([line]);
    return line.says;
  }

  /** The lines of a whole picture: those that were missed are among them. */
  fill(lines) {
    this.keep(lines.map((line) => this.told(line)));
  }

  keep(lines) {
    const newest = this.lines.at(-1)?.number ?? -1;
    this.lines.push(...lines.filter(({ number }) => number > newest));
    this.lines.splice(0, this.lines.length - MOST);
  }

  /** What was told last. */
  last() {
    return this.lines.at(-1)?.says ?? [];
  }

  /** The last turn of these seats, from its first event to its last. */
  turnOf(seats) {
    const end = this.lines.findLastIndex(({ seat }) => seats.includes(seat));
    if (end < 0) return [];
    const { seat } = this.lines[end];
    const before = this.lines.slice(0, end).findLastIndex((line) => line.seat !== seat);
    return this.lines.slice(before + 1, end + 1).flatMap(({ says }) => says);
  }

  /** What everybody else has done since these seats did something. */
  since(seats) {
    const end = this.lines.findLastIndex(({ seat }) => seats.includes(seat));
    return this.lines.slice(end + 1).flatMap(({ says }) => says);
  }
}
