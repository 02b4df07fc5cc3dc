// The verdict on an ended game: a card on the baize with the score and its rank compared with
// perfect play, and below the box the figures that add up to the score. All of it appears once the
// lid is down.

import { gettext } from "../model/messages.js";
import { barsOf, decimal, inPercent, signed } from "../model/figures.js";
import { byId, el } from "./dom.js";

const MARK = "\u0001"; // occurs in no sentence

export class Verdict {
  /** `ask()` fetches the verdict and rejects if it is refused. `says(sentences)` speaks. */
  constructor({ ask, says }) {
    Object.assign(this, { ask, says });
    this.about = "";
  }

  /** Shows the verdict to the players of an ended game. Removes it otherwise. */
  draw({ phase, table }, you) {
    const isOver = phase === "over" && you.seats.length > 0;
    const about = isOver ? `${table.game} ${table.version}` : "";
    if (about === this.about) return;
    this.about = about;
    this.forget();
    if (!about) return;
    // Its space is reserved, so that nothing moves when it comes.
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
      // The server is busy or not reachable. The game has its result anyway.
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

/** Returns the figures of one seat: expected score, luck, mistakes and result. */
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

/**
 * Returns the figures of all seats, one row each. Winners and the seats of this screen are
 * highlighted.
 */
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
    ...(isShare ? [[gettext("their luck"), (seat) => signed(seat.others)]] : []),
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
  const caption = isShare ? gettext("Who should have won? In percent") : gettext("Points");
  return el(
    "table",
    { class: "sums" },
    el("caption", { text: caption }),
    el("thead", {}, el("tr", {}, el("td"), ...head)),
    el("tbody", {}, ...rows),
  );
}

const whole = (number) => decimal(number).replace(/\.0$/, "");
