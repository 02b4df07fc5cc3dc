// The verdict on an ended game: a card on the baize with the score among those of
// perfect play, and below the box the figures that add up to the score. All of it appears once the
// lid is down.

import { gettext, pgettext } from "../model/messages.js";
import * as caption from "./caption.js";
import { byId, drawn, el, loadLate } from "./dom.js";
import { announce } from "./live_region.js";

/** Returns a sentence as it is said: in whole numbers, except where little would become nothing. */
function whole(says) {
  const sign = pgettext("decimal sign", ".");
  return says.replace(new RegExp(`\\d+\\${sign}\\d+`, "g"), (said) => {
    const number = Number(said.replace(sign, "."));
    return number < 1.5 ? said : Math.round(number);
  });
}

export class Verdict {
  /** `get(path)` requests JSON, and rejects if that is refused. */
  constructor(get) {
    Object.assign(this, { get, shown: "", day: null });
  }

  /** Shows the verdict to the players of an ended game. Removes it otherwise. */
  draw(view, you) {
    const { room, phase, table, title, settings } = view;
    const isOver = phase === "over" && you.seats.length > 0;
    const game = isOver ? `${table.game} ${table.version}` : "";
    if (game === this.shown) return;
    this.shown = game;
    this.forget();
    if (!game) return;
    // Its space is reserved, so that nothing moves when it comes.
    const rows = settings.dice === "challenge" ? 2 : table.scores.length;
    byId("verdict").style.setProperty("--rows", rows);
    byId("verdict").classList.add("waits");
    byId("verdict").classList.toggle("rows", rows > 1);
    byId("verdict").hidden = false;
    Object.assign(this, { room, game: title, dayOf: settings.day });
    this.fetch(game, view, you);
  }

  /** Fetches the verdict and says it, unless another `game` is shown by then. */
  async fetch(game, view, you) {
    let [reply, day, late] = [];
    try {
      reply = await this.get(`/api/rooms/${this.room}/verdict`);
      late = await loadLate();
      if (this.dayOf) day = await this.get("/api/today");
    } catch {
      // The server is busy or not reachable. The game has its result anyway.
    }
    if (game !== this.shown) return;
    if (!reply?.verdict || !late) {
      this.forget();
      return;
    }
    const warm = late.warmLine(view, you, reply.verdict); // before this result is the best
    this.day = day?.day === this.dayOf && day?.mine ? day : null;
    this.show(reply, late);
    announce(reply.says.map(whole));
    if (warm) announce([warm]);
    if (warm) caption.show(warm, { isWarm: true });
  }

  /** Draws the account of luck and skill, and for a player who is alone the card. */
  show({ verdict, account, says }, { card, drawAccount, isBest }) {
    const { seats } = verdict;
    const notes = says.slice(account.says.length + 1).map((line) => el("p", { text: line }));
    byId("verdict").replaceChildren(drawAccount(account), ...notes);
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
    const [list] = drawn("draw-skills").children;
    const kinds = new Map([...list.children].map((item) => [item.firstElementChild.classList[0], item]));
    list.replaceChildren(...skills.map((skill) => kinds.get(skill).cloneNode(true)));
    this.card.append(list);
    announce([spoken]);
  }

  /** Removes the verdict and its card. */
  forget() {
    this.day = null;
    byId("verdict").hidden = true;
    byId("verdict").replaceChildren();
    this.card?.remove();
    this.card = null;
  }
}
