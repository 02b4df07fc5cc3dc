// The lines told about a game, so that a player can hear them again: the last one, their own last
// turn, and the other players' events since. Nothing here touches the page.

const MOST = 400;
const PLAYED = ["throw", "choose", "take-back", "correct"];

/**
 * Returns the sentences for an event at a `length`: only what happened ("brief"), also the standing if
 * it changed ("normal"), or the board and the score as well ("full"). Only a record has all three.
 */
export function linesOf({ says, brief, full, kind, view }, length) {
  if (length === "brief") return brief ?? says;
  if (length === "full" && full) return full;
  if (length === "normal" || !PLAYED.includes(kind) || !view?.table) return says;
  const { board, score } = view.table;
  return [...says, ...[board, score].filter((sentence) => !says.includes(sentence))];
}

export class Story {
  /**
   * `lines` are the events told before the page was opened. The `length` in `settings` says how much to
   * tell of each event. What `isOwn` is told as it is said to the player who acted.
   */
  constructor(lines, settings, isOwn = () => false) {
    Object.assign(this, { settings, isOwn });
    this.newest = -1; // the number of the latest event
    this.fill(lines);
  }

  /** Takes the lines of a snapshot. */
  fill(lines) {
    this.lines = lines.map((line) => this.lineOf(line)).filter(({ says }) => says.length);
    this.newest = Math.max(this.newest, ...lines.map(({ number }) => number));
  }

  lineOf(event) {
    const { seat, number, move } = event;
    const told = this.isOwn(event) ? { ...event, ...event.own } : event;
    return { says: linesOf(told, this.settings.length), seat, number, throws: move?.throws };
  }

  /** Adds an event. Returns the sentences to say, or null if it was told before or says nothing. */
  add(event) {
    if (event.number <= this.newest) return null;
    this.newest = event.number;
    const line = this.lineOf(event);
    if (!line.says.length) return null;
    this.lines = [...this.lines, line].slice(-MOST);
    return line.says;
  }

  /** Returns the number of throws of the last turn that has ended. */
  get throws() {
    return this.lines.findLast(({ throws }) => throws)?.throws ?? 0;
  }

  /** Returns the last sentences that were told; [] if there are none. */
  last() {
    return this.lines.at(-1)?.says ?? [];
  }

  /** Returns all told about the last turn of these seats; [] if they had none. */
  turnOf(seats) {
    const end = this.lines.findLastIndex(({ seat }) => seats.includes(seat));
    if (end < 0) return [];
    const { seat } = this.lines[end];
    const before = this.lines.slice(0, end).findLastIndex((line) => line.seat !== seat);
    return this.lines.slice(before + 1, end + 1).flatMap(({ says }) => says);
  }

  /** Returns what the others did since the last turn of these seats, player by player. */
  othersSince(seats) {
    const isOwn = ({ seat }) => seats.includes(seat);
    const end = this.lines.findLastIndex((line) => !isOwn(line)) + 1;
    const lines = this.lines.slice(this.lines.slice(0, end).findLastIndex(isOwn) + 1, end);
    const places = new Set(lines.map(({ seat }) => seat));
    return [...places].flatMap((place) => lines.filter(({ seat }) => seat === place).flatMap(({ says }) => says));
  }
}
