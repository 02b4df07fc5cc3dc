// The verdict on a game that is over: on the baize a card with the score and its place among perfect
// play; below the box the figures that led there, which add up. All of it is seen once the lid has
// settled.

import { gettext } from "../model/messages.js";
import { barsOf, decimal, inPercent, signed } from "../model/figures.js";
import { byId, el } from "./dom.js";

const MARK = "\u0001"; // is in no sentence

export class Verdict {
  /** `ask()` fetches it, and says no by a refusal; `says(sentences)` speaks. */
  constructor({ ask, says }) {
    Object.assign(this, { ask, says });
    this.about = "";
  }

  /** Shows it where the game is over, to those who played it; else it goes. */
  draw({ phase, table }, you) {
    const isOver = phase === "over" && you.seats.length > 0;
    const about = isOver ? `${table.game} ${table.version}` : "";
    if (about === this.about) return;
    this.about = about;
    this.forget();
    if (!about) return;
    // Its place is kept, so that nothing moves when it comes.
    byId("verdict").style.setProperty("--rows", table.scores.length);
    byId("verdict").classList.add("waits");
    byId("verdict").classList.toggle("rows", table.scores.length > 1);
    byId("verdict").hidden = false;
    this.fetch(about, you, table.winners);
  }

  async fetch(about, you, winners) {
    let reply = null;
    try {
      reply = await this.ask();
    } catch {
      // Too many asked, or the line is cut: the game has its result all the same.
    }
    if (about !== this.about) return;
    if (!reply?.verdict) {
      this.forget();
      return;
    }
    const own = reply.verdict.seats.filter(({ seat }) => you.seats.includes(seat));
    this.show(reply, own, winners);
    this.says(own.map(({ seat }) => reply.says[seat]));
  }

  show({ verdict, mistakes }, own, winners) {
    const { seats } = verdict;
    const figures = seats.length === 1 ? line(seats[0], mistakes[0]) : sheet(verdict, own, winners);
    byId("verdict").replaceChildren(figures);
    if (seats.length > 1 || !seats[0].better) return;
    this.card = card(seats[0], verdict.distribution);
    byId("board").querySelector(".baize").append(this.card);
  }

  forget() {
    byId("verdict").hidden = true;
    byId("verdict").replaceChildren();
    this.card?.remove();
    this.card = null;
  }
}

/** The card on the baize; what it shows is said, and stands in the figures below. */
function card({ score, better }, distribution) {
  const bars = barsOf(distribution, score).map(({ at, height, isHere }) => {
    const bar = el("i", { class: isHere ? "here" : null });
    bar.style.setProperty("--at", at.toFixed(4));
    bar.style.setProperty("--height", height.toFixed(4));
    return bar;
  });
  const than = el("p", { class: "than" });
  // The percentage stands out; where it stands in the sentence is the language's own.
  const place = gettext("better than {percent} of perfect play", { percent: MARK }).split(MARK);
  than.append(place[0], el("b", { text: inPercent(better) }), place[1]);
  return el(
    "div",
    { class: "score-card", "aria-hidden": "true" },
    el("p", { class: "score", text: String(score) }),
    bars.length ? el("div", { class: "hist" }, ...bars) : null,
    than,
  );
}

/** The figures of one seat, from what was expected to the result, and what its mistakes are called. */
function line(seat, mistakes) {
  const cells = [
    ["expected", gettext("expected"), decimal(seat.expected)],
    ["luck", gettext("luck"), signed(seat.luck)],
    [seat.mistakes ? "mistakes" : "none", mistakes, signed(seat.mistakes)],
    ["total", gettext("result"), whole(seat.result)],
  ];
  const parts = cells.map(([look, name, value]) =>
    el("div", { class: look }, el("dt", { text: name }), el("dd", { text: value })),
  );
  return el("dl", { class: "sums" }, ...parts);
}

/** The figures of all seats, a row for each; who has won, and those of this screen, stand out. */
function sheet({ seats, unit }, own, winners) {
  const looks = [
    ["own", (seat) => own.includes(seat)],
    ["won", ({ seat }) => winners.includes(seat)],
  ];
  const look = (seat) => looks.filter(([, has]) => has(seat)).map(([name]) => name).join(" ");
  const isShare = unit === "share";
  const columns = [
    [gettext("expected"), (seat) => decimal(seat.expected)],
    [gettext("luck"), (seat) => signed(seat.luck)],
    [gettext("mistakes"), (seat) => signed(seat.mistakes)],
    ...(isShare ? [[gettext("the others"), (seat) => signed(seat.others)]] : []),
    [gettext("result"), (seat) => whole(seat.result)],
  ];
  const head = columns.map(([name]) => el("th", { scope: "col", text: name }));
  const rows = seats.map((seat) =>
    el(
      "tr",
      { class: look(seat) },
      el("th", { scope: "row" }, el("bdi", { text: seat.name })),
      ...columns.map(([, cell]) => el("td", { text: cell(seat) })),
    ),
  );
  const caption = isShare ? gettext("Percent of the win") : gettext("Points");
  return el(
    "table",
    { class: "sums" },
    el("caption", { text: caption }),
    el("thead", {}, el("tr", {}, el("td"), ...head)),
    el("tbody", {}, ...rows),
  );
}

const whole = (number) => decimal(number).replace(/\.0$/, "");
