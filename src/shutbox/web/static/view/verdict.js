// The verdict on an ended game: a card on the baize with the score and its rank compared with
// perfect play, and below the box the figures that add up to the score. All of it appears once the
// lid is down.

import { gettext, pgettext, plain } from "../model/messages.js";
import { barsOf, decimal, inPercent, signed } from "../model/figures.js";
import * as caption from "./caption.js";
import { byId, drawn, el } from "./dom.js";
import { announce } from "./live_region.js";
import { storedText, storedTexts, storeText } from "./storage.js";

const MARK = "\u0001"; // occurs in no sentence
const BEST = "best "; // before the title of a game
const FIRST = "shutbox.first";

export class Verdict {
  /** `get(path)` requests JSON, and rejects if that is refused. */
  constructor(get) {
    Object.assign(this, { get, about: "", day: null });
  }

  /** Shows the verdict to the players of an ended game. Removes it otherwise. */
  draw({ room, phase, table, title, settings }, you) {
    const isOver = phase === "over" && you.seats.length > 0;
    const about = isOver ? `${table.game} ${table.version}` : "";
    if (about === this.about) return;
    this.about = about;
    this.forget();
    if (!about) return;
    // Its space is reserved, so that nothing moves when it comes.
    const rows = settings.dice === "challenge" ? 2 : table.scores.length;
    byId("verdict").style.setProperty("--rows", rows);
    byId("verdict").classList.add("waits");
    byId("verdict").classList.toggle("rows", rows > 1);
    byId("verdict").classList.toggle("pair", table.scores.length === 2);
    byId("verdict").hidden = false;
    Object.assign(this, { room, table, game: title, dayOf: settings.day });
    this.isFirst = isFirstShut(table, you, `${room} ${table.game}`);
    this.fetch(about, you);
  }

  async fetch(about, you) {
    let reply = null;
    let day = null;
    try {
      reply = await this.get(`/api/rooms/${this.room}/verdict`);
      if (this.dayOf) day = await this.get("/api/today");
    } catch {
      // The server is busy or not reachable. The game has its result anyway.
    }
    if (about !== this.about) return;
    if (!reply?.verdict) {
      this.forget();
      return;
    }
    const own = reply.verdict.seats.filter(({ seat }) => you.seats.includes(seat));
    this.day = day?.day === this.dayOf && day?.mine ? day : null;
    const should = byPlay(reply.verdict.points, you, this.table);
    this.show(reply, own, should);
    const notes = reply.says.slice(reply.verdict.seats.length);
    byId("verdict").append(...notes.map((line) => el("p", { text: line })));
    announce([...(should.length ? should : own.map(({ seat }) => reply.says[seat])), ...notes]);
    const first = this.isFirst ? gettext("Your first shut box on this device.") : "";
    const warm = first || warmLine(reply.verdict.points, you, this.table);
    if (warm) announce([warm]);
    if (warm) caption.show(warm, { isWarm: true });
  }

  show({ verdict, mistakes }, own, should) {
    const { seats } = verdict;
    const figures = seats.length === 1
      ? line(seats[0], mistakes[0])
      : should.length ? chart(verdict, own) : sheet(verdict, own, this.table.winners);
    byId("verdict").replaceChildren(...(should.length ? [inWords(should)] : []), figures);
    if (seats.length > 1 || !seats[0].better) return;
    this.card = card(seats[0], verdict.distribution);
    byId("board").querySelector(".baize").append(this.card);
    if (this.day) this.addSkills(this.day);
    if (!isBest(this.game, seats[0].score, verdict.low_is_good)) return;
    const best = gettext("Your best in {game} on this device.", { game: this.game });
    this.card.append(el("p", { class: "than", text: best }));
    announce([best]);
  }

  /** Adds a square for each throw of a try at Today's box. */
  addSkills({ skills, spoken }) {
    const [found] = drawn("draw-skills").children;
    const kinds = new Map([...found.children].map((item) => [item.firstElementChild.classList[0], item]));
    found.replaceChildren(...skills.map((skill) => kinds.get(skill).cloneNode(true)));
    this.card.append(found);
    announce([spoken]);
  }

  forget() {
    this.day = null;
    byId("verdict").hidden = true;
    byId("verdict").replaceChildren();
    this.card?.remove();
    this.card = null;
  }
}

/**
 * Whether the only player at this screen has shut the box, for the first time on this device. Stores
 * `about`, which names the game at its table, so that a reload gives the same answer.
 */
function isFirstShut({ plates }, you, about) {
  const isShut = you.seats.length === 1 && plates[you.seats[0]]?.state === "shut";
  if (!isShut) return false;
  const known = storedText(FIRST) ?? (storedTexts(BEST).includes("0") ? "" : about);
  storeText(FIRST, known);
  return known === about;
}

/** Stores a score if it is the best of a game on this device. Returns whether it beats an older one. */
function isBest(game, score, isLow) {
  const known = storedText(BEST + game);
  const isBetter = known === null || (isLow ? score < Number(known) : score > Number(known));
  if (isBetter) storeText(BEST + game, String(score));
  return isBetter && known !== null;
}

/**
 * Returns the card on the baize. It is hidden from screen readers, since its content is spoken and
 * is also in the figures below.
 */
function card({ score, better }, distribution) {
  const bars = barsOf(distribution, score).map(({ at, height, isHere }) => {
    const bar = el("i", { class: isHere ? "here" : null });
    bar.style.setProperty("--at", at.toFixed(4));
    bar.style.setProperty("--height", height.toFixed(4));
    return bar;
  });
  const than = el("p", { class: "than" });
  // The percentage is bold. Its position in the sentence depends on the language.
  const place = gettext("{percent} of perfect games do worse", { percent: MARK }).split(MARK);
  than.append(place[0], el("b", { text: inPercent(better) }), place[1]);
  return el(
    "div",
    { class: "score-card", "aria-hidden": "true" },
    el("p", { class: "score", text: String(score) }),
    bars.length ? el("div", { class: "hist" }, ...bars) : null,
    than,
  );
}

/**
 * Returns who should have won by play alone, and what decided between two players: two numbers that
 * add up to the margin. `seats` have their figures in points.
 */
function byPlay(seats, you, { winners, margin }) {
  if (!seats.length) return [];
  const [first, second] = [...seats].sort((one, other) => lost(one) - lost(other));
  const isOwn = you.seats.length === 1 && you.seats[0] === first.seat;
  const said = isOwn ? gettext("On play alone: you.") : gettext("On play alone: {name}.", first);
  const lines = [lost(first) === lost(second) ? gettext("On play alone: a draw.") : said];
  if (!margin || seats.length !== 2) return lines;
  const [won] = winners;
  const play = Math.round(10 * (lost(seats[1 - won]) - lost(seats[won])));
  const luck = 10 * margin - play;
  const facts = { play: decimal(Math.abs(play) / 10), luck: decimal(Math.abs(luck) / 10), number: margin };
  const more = play > 0
    ? gettext("The winner played {play} better and had {luck} more luck, and won by {number}.", facts)
    : gettext("The winner lost {play} more by mistakes but had {luck} more luck, and won by {number}.", facts);
  const less = gettext("The winner had {luck} less luck but played {play} better, and won by {number}.", facts);
  const equal = gettext("Both played equally well. The winner had {luck} more luck.", facts);
  return [...lines, luck < 0 ? less : play ? more : equal];
}

/**
 * Returns a warm line about the viewer's own part in a match of several, the first that is true, or
 * an empty text.
 */
function warmLine(seats, you, { winners, margin }) {
  const own = you.seats.length === 1 && seats.find(({ seat }) => seat === you.seats[0]);
  if (!own) return "";
  const others = seats.filter((one) => one !== own);
  const hasWon = winners.includes(own.seat);
  if (!hasWon && others.every((one) => lost(one) > lost(own))) {
    return gettext("You played the better game. The dice did not notice.");
  }
  if (lost(own) < 0.05) return gettext("You made no mistakes at all.");
  return margin === 1 ? gettext("That was close: one point.") : "";
}

/** Returns who should have won, in words. */
function inWords(should) {
  const heading = el("h3", { text: gettext("Who should have won?") });
  return el("div", { class: "should" }, heading, ...should.map((words) => el("p", { text: words })));
}

/** Returns the figures of one seat: expected score, luck, mistakes and result. */
function line(seat, mistakes) {
  const cells = [
    ["expected", pgettext("figure", "expected"), decimal(seat.expected)],
    ["luck", pgettext("figure", "luck"), signed(seat.luck)],
    [seat.mistakes ? "mistakes" : "none", mistakes, signed(seat.mistakes)],
    ["total", pgettext("figure", "result"), whole(seat.result)],
  ];
  const parts = cells.map(([look, name, value]) =>
    el("div", { class: look }, el("dt", { text: name }), el("dd", { text: value })),
  );
  return el("dl", { class: "sums" }, ...parts);
}

/**
 * Returns a chart with a row for each seat: from perfect play with average dice, mistakes lead to
 * the result by play alone, and luck from there to the result. Screen readers get the figures.
 */
function chart({ points }, own) {
  const spots = points.map(({ expected, mistakes, result }) => [expected, expected + mistakes, result]);
  const [low, high] = [Math.min(...spots.flat()), Math.max(...spots.flat())];
  const isLow = points.every(({ mistakes }) => mistakes >= 0); // low is good
  const least = isLow ? Math.min(0, low) : low;
  const at = (value) => (value - least) / (high - least || 1);
  const rows = points.map(({ seat, name, expected, luck: chance, mistakes, result }, number) => {
    const isOwn = own.length === 1 && own[0].seat === seat;
    const [perfect, play] = spots[number];
    const shown = isOwn ? pgettext("said", "You") : name;
    const figures = { expected: decimal(expected), mistakes: signed(mistakes), luck: signed(chance), result: whole(result) };
    const parts = ["perfect", "lost", "luck", "ring"].map((part) => el("i", { class: part }));
    const luck = result < play ? "less" : result > play ? "more" : "none";
    const track = el("span", { class: ["track", luck].join(" "), "aria-hidden": "true" }, ...parts);
    for (const [key, value] of Object.entries({ perfect, play, result })) {
      track.style.setProperty(`--${key}`, at(value).toFixed(4));
    }
    const says = gettext("{name}: expected {expected}, mistakes {mistakes}, luck {luck}, result {result}", { name: shown, ...figures });
    const [said, score] = [shown, whole(result)].map((text) => ({ text, "aria-hidden": "true" }));
    const ear = el("span", { class: "away", text: plain(says) });
    return el("li", {}, el("bdi", said), track, el("b", score), ear);
  });
  const head = el("li", { class: "track", "aria-hidden": "true" }, el("small", { text: gettext("perfect play, average dice") }));
  head.style.setProperty("--perfect", at(spots[0][0]).toFixed(4));
  const names = [
    ["ring", pgettext("figure", "by play alone")],
    ["luck", pgettext("figure", "luck")],
    ["lost", pgettext("figure", "mistakes")],
  ];
  const legend = names.map(([part, says]) => el("span", { class: part }, el("i"), says));
  const list = el("ul", { class: "duel" }, head, ...rows);
  return el("div", { class: "sums" }, list, el("p", { class: "legend", "aria-hidden": "true" }, ...legend));
}

/**
 * Returns the figures of all seats, one row each. Winners and the seats of this screen are
 * highlighted.
 */
function sheet(verdict, own, winners) {
  const mine = own.map(({ seat }) => seat);
  const looks = [
    ["own", ({ seat }) => mine.includes(seat)],
    ["won", ({ seat }) => winners.includes(seat)],
  ];
  const look = (seat) => looks.filter(([, has]) => has(seat)).map(([name]) => name).join(" ");
  const isShare = verdict.unit === "share";
  const columns = [
    [pgettext("figure", "expected"), (seat) => decimal(seat.expected)],
    [pgettext("figure", "luck"), (seat) => signed(seat.luck)],
    [pgettext("figure", "mistakes"), (seat) => signed(seat.mistakes)],
    ...(isShare ? [[pgettext("figure", "their luck"), (seat) => signed(seat.others)]] : []),
    [pgettext("figure", "result"), (seat) => whole(seat.result)],
  ];
  const head = columns.map(([name]) => el("th", { scope: "col", text: name }));
  const rows = verdict.seats.map((seat) =>
    el(
      "tr",
      { class: look(seat) },
      el("th", { scope: "row" }, el("bdi", { text: seat.name })),
      ...columns.map(([, cell]) => el("td", { text: cell(seat) })),
    ),
  );
  const caption = isShare ? gettext("Who should have won? In percent") : gettext("Each turn judged by its points");
  return el(
    "table",
    { class: "sums" },
    el("caption", { text: caption }),
    el("thead", {}, el("tr", {}, el("td"), ...head)),
    el("tbody", {}, ...rows),
  );
}

const lost = ({ mistakes }) => Math.abs(mistakes);
const whole = (number) => decimal(number).replace(/\.0$/, "");
