// The verdict on an ended game: a card on the baize with the score among those of
// perfect play, and below the box the figures that add up to the score. All of it appears once the
// lid is down.

import { gettext, plain } from "../model/messages.js";
import { barsOf } from "../model/figures.js";
import * as caption from "./caption.js";
import { byId, drawn, el, ofTheEnd, set, text } from "./dom.js";
import { announce } from "./live_region.js";
import { BEST, storedText, storeText } from "./storage.js";

export class Verdict {
  /** `get(path)` requests JSON, and rejects if that is refused. */
  constructor(get) {
    Object.assign(this, { get, about: "", day: null });
  }

  /** Shows the verdict to the players of an ended game. Removes it otherwise. */
  draw(view, you) {
    const { room, phase, table, title, settings } = view;
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
    byId("verdict").hidden = false;
    Object.assign(this, { room, game: title, dayOf: settings.day });
    this.fetch(about, view, you);
  }

  async fetch(about, view, you) {
    let [reply, day, late] = [];
    try {
      reply = await this.get(`/api/rooms/${this.room}/verdict`);
      late = await ofTheEnd();
      if (this.dayOf) day = await this.get("/api/today");
    } catch {
      // The server is busy or not reachable. The game has its result anyway.
    }
    if (about !== this.about) return;
    if (!reply?.verdict) {
      this.forget();
      return;
    }
    const warm = late?.warmLine(view, you, reply.verdict); // before this result is the best
    this.day = day?.day === this.dayOf && day?.mine ? day : null;
    this.show(reply);
    announce(reply.says);
    if (warm) announce([warm]);
    if (warm) caption.show(warm, { isWarm: true });
  }

  show({ verdict, account, says }) {
    const { seats } = verdict;
    const notes = says.slice(account.says.length + 1).map((line) => el("p", { text: line }));
    byId("verdict").replaceChildren(drawnAccount(account), ...notes);
    if (seats.length > 1 || seats[0].score === null) return;
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
function card({ score }, distribution) {
  const bars = barsOf(distribution, score).map(({ at, height, isHere }) => {
    const bar = el("i", { class: isHere ? "here" : null });
    bar.style.setProperty("--at", at.toFixed(4));
    bar.style.setProperty("--height", height.toFixed(4));
    return bar;
  });
  return el(
    "div",
    { class: "score-card", "aria-hidden": "true" },
    el("p", { class: "score", text: String(score) }),
    bars.length ? el("div", { class: "hist" }, ...bars) : null,
  );
}

/** Returns the account in words and as a chart: a copy of what the server draws for no script. */
function drawnAccount({ heading, says, perfect, least, most, rows }) {
  const found = drawn("draw-account").firstElementChild;
  text(found.querySelector("h3"), heading);
  text(found.querySelector("p"), says.join(" "));
  const [top, pattern] = found.querySelector(".duel").children;
  const [start, average] = top.querySelectorAll("text");
  text(start, least);
  text(average, perfect);
  set(average, "x", at(rows[0].perfect));
  text(top.querySelector("small"), most);
  pattern.replaceWith(...rows.map((row) => filled(pattern.cloneNode(true), row)));
  return found;
}

/** Fills a row of the chart. Screen readers get its figures in words. */
function filled(row, { name, perfect, play, end, mistakes, luck, result, spoken }) {
  const [, dashed, lost, chance] = row.querySelectorAll("line");
  const [tip, ring] = [row.querySelector(".tip"), row.querySelector("circle")];
  const [cost, gain] = row.querySelectorAll("text");
  const isLeft = play < perfect;
  const places = [
    [dashed, { x1: perfect, x2: perfect }],
    [lost, { x1: perfect, x2: play }],
    [chance, { x1: play, x2: end }],
    [tip, { x: end }],
    [ring, { cx: play }],
    [cost, { x: play }],
    [gain, { x: (play + end) / 2 }],
  ];
  for (const [part, values] of places) {
    for (const [key, value] of Object.entries(values)) set(part, key, at(value));
  }
  set(tip, "display", luck ? null : "none");
  set(tip.firstElementChild, "transform", `scale(${end < play ? -1 : 1} 1)`);
  set(cost, "dx", isLeft ? -12 : 12);
  set(cost, "text-anchor", isLeft ? "end" : "start");
  const parts = [[row.querySelector("bdi"), name], [cost, mistakes], [gain, luck], [row.querySelector("b"), result]];
  for (const [part, words] of [...parts, [row.lastElementChild, plain(spoken)]]) text(part, words);
  return row;
}

const at = (place) => `${(100 * place).toFixed(2)}%`;
