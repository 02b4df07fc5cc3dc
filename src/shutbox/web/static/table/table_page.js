// The page of a table. It holds the state: what the server has told, and what the page shows of it.
// Something comes (an event, a press, a key), the state changes, and what shows it is drawn.

import { fieldOffer } from "../input/by_typing.js";
import { Commands } from "../input/commands.js";
import { Selection } from "../input/selection.js";
import { Throwing } from "../input/throwing.js";
import { captionOf } from "../model/caption.js";
import { gettext, pgettext } from "../model/messages.js";
import {
  awayMoves, choseOnlyDice, cuesOf, freeSeats, idle, isCalled, isShut, mainMove, offersFor,
  seatsToGreet, sentence,
} from "../model/moves.js";
import { finalBoardTime, mayHurry, pauseAfter } from "../model/pace.js";
import { lastOfRound, withOwnRow } from "../model/rows.js";
import { awayWords, closerWords, hereWords, playAgainWords, prompt } from "../model/sentences.js";
import { get } from "../net/api.js";
import { Sync } from "../net/sync.js";
import { Board } from "../view/board.js";
import * as caption from "../view/caption.js";
import { byId, focusMain, loadLate } from "../view/dom.js";
import * as drawers from "../view/drawers.js";
import { Ending } from "../view/ending.js";
import { Guide } from "../view/guide.js";
import { compare, forgetHint } from "../view/hint_rows.js";
import { withoutMuted } from "../view/hush.js";
import { countFinished, offerInstall } from "../view/install_offer.js";
import { announce, msBehind, drop, say } from "../view/live_region.js";
import { Lobby } from "../view/lobby.js";
import { seriesWords } from "../view/plates.js";
import { RealDice } from "../view/real_dice.js";
import { Seats } from "../view/seats.js";
import { settings } from "../view/settings.js";
import { Showing } from "../view/showing.js";
import * as sound from "../view/sound.js";
import { drawRoom, drawTable } from "../view/table.js";
import { noteTurn } from "../view/turn_notice.js";
import { offerNotices } from "../view/turn_offer.js";
import { Verdict } from "../view/verdict.js";
import { Welcome, nameplate } from "../view/welcome.js";
import { Actions } from "./actions.js";
import { Log } from "./log.js";
import { see } from "./words.js";

const ARRIVAL_MS = 400; // screen readers ignore what a page says while it loads

/** Returns the sentences of the card that is shown while the server cannot be reached. */
function offlineWords() {
  const textOf = (part) => byId("offline").querySelector(part).textContent;
  return [sentence(textOf("h2")), textOf(".say")];
}

/** Returns the seat in the last chair, if this is the first page of its player. Else null. */
function newcomerOf(log, { seats }) {
  const [sat, begun] = log.slice(-2);
  const isReload = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
  if (isReload || sat?.kind !== "enter" || begun?.kind !== "begin") return null;
  return seats.includes(sat.seat) ? sat.seat : null;
}

export class TablePage {
  /** Takes the data embedded in the page. */
  constructor({ view, you, log, rules, kinds }) {
    Object.assign(this, { you, seal: see });
    this.veil = (message) => withOwnRow(withoutMuted(message), this.you);
    this.view = this.veil({ view }).view;
    this.kept = null; // a cover of a throw for all, until this seat is due
    this.api = `/api/rooms/${view.room}`;
    this.watching = view.watching; // the latest count of viewers: waiting events carry older counts
    this.began = view.number; // the event of the first view
    this.isNew = true; // true until the page has described the position
    this.isSkipping = false; // true if events are shown at once until it is this viewer's turn
    this.final = null; // the `view` with the final board of a turn that has ended, and its `seat`
    this.finalTimer = 0;
    this.wantsFocus = false; // true if the focus must go to the main button once there is one
    this.retry = null; // sends an action again that the server could not save
    this.isLost = false; // true while the server cannot be reached
    this.offered = ""; // the last actions that were offered while a player is away
    this.ended = ""; // the last sentence about what Enter does after the game
    this.guest = newcomerOf(log, you); // for this seat the box opens

    const does = (...sent) => this.actions.toRoom(...sent);
    this.board = new Board((...pressed) => this.hurry() || this.selection.press(...pressed));
    this.showing = new Showing(this.board, (events, isClosed) => this.tell(events, isClosed));
    this.ending = new Ending(this.board);
    this.welcome = new Welcome(this.board, () => this.startPlay());
    this.selection = new Selection(this);
    this.throwing = new Throwing(this);
    this.realDice = new RealDice();
    this.log = new Log(this, log, rules);
    this.guide = new Guide(get, () => this.showAdvice());
    // The verdict follows the description of the position, with the last throw.
    const described = new Promise((done) => (this.onDescribed = done));
    this.verdict = new Verdict((path) => described.then(() => get(path)));
    this.seats = new Seats(kinds, does);
    this.lobby = new Lobby(does);
    this.actions = new Actions(this);
    this.commands = new Commands(this);
    this.sync = new Sync(this);
  }

  /** The move of the main button, in the form that `mainMove` returns. */
  get main() {
    if (this.retry) return { says: pgettext("button", "Try again"), do: "again" };
    if (this.isLost) return idle(gettext("Waiting for the network"), offlineWords().join(" "));
    const { guests } = this.welcome;
    if (guests.length) return idle(gettext("Opening the box"), hereWords(this.view, guests));
    return mainMove(this.view, this.you, this.selection.keys, this.kept);
  }

  /** Sends the cover that was chosen early, once this seat is due. Drops it after its throw. */
  sendKept() {
    const { kept, view: { table } } = this;
    const isOfThrow = kept?.at === table.thrown_at;
    if (!kept || (table.early && isOfThrow)) return;
    this.kept = null;
    const isOffered = offersFor(this.view, this.you).some(({ text }) => text === kept.choice);
    if (isOfThrow && isOffered) this.actions.choose(kept.choice);
  }

  // What comes from the server

  /** Takes a view. What the player has begun at another position is dropped. */
  take(view) {
    const [old, now] = [this.view.table, view.table];
    const throwsOn = this.actions.choosing && choseOnlyDice(this.view, view);
    if (old?.version !== now?.version || old?.game !== now?.game) {
      clearTimeout(this.finalTimer);
      this.final = null;
      if (!old?.early || old.thrown_at !== now?.thrown_at) this.selection.reset();
      this.realDice.correct(false);
      byId("advice").hidden = true;
      forgetHint();
      drawers.close("tool-hint");
      if (!throwsOn) this.throwing.putDown();
    }
    this.view = view;
    this.isSkipping &&= mayHurry(view, this.you, settings);
  }

  /** Shows a view without the events before it. */
  showView(view) {
    this.showing.finish();
    this.welcome.finish();
    const before = this.view;
    this.take(view);
    caption.show(captionOf(view, this.you));
    this.refresh();
    this.ending.showEnded(view);
    this.sayQuestion(before);
    this.callPlayer(before);
  }

  /** Returns how long to show an event before the next one, in ms. */
  pauseAfter(event) {
    const pause = pauseAfter(event, settings);
    return this.isSkipping ? 0 : Math.max(pause, settings.aloud ? msBehind() : 0);
  }

  /** Shows events: what they move, then what they tell. Returns a promise if something moves. */
  show(events) {
    if (events.every(({ kind }) => kind === "say")) return this.showPhrases(events);
    this.showing.finish();
    const last = events.at(-1);
    const how = this.throwing.howOf(last);
    this.showNextTurn();
    if (this.guest !== null && last.kind === "begin" && !document.hidden) {
      this.log.add(events.slice(0, -1));
      this.log.add(events.slice(-1), false);
      announce([gettext("The box opens.")]);
      this.take(last.view);
      return this.greet();
    }
    if (this.isSkipping) return this.tell(events);
    return this.showing.begin(events, how, closerWords(last, this.you));
  }

  /** Greets who took the last chair, while the box opens. Returns a promise that ends with it. */
  greet() {
    caption.show("");
    this.welcome.guests = seatsToGreet(this.view, this.you, this.guest);
    this.refresh();
    return this.welcome.begin(this.view);
  }

  /** Asks the first question once the box is open. */
  startPlay() {
    caption.show(captionOf(this.view, this.you));
    this.refresh();
    if (this.isNew) return; // the page is about to describe the position
    announce([...this.log.story.last(), ...prompt(this.view, this.you, null, settings)]);
    this.callPlayer(this.view);
  }

  /** Shows phrases. Nothing else changes, so neither do the box and its caption. Returns null. */
  showPhrases(events) {
    this.view = events.at(-1).view;
    for (const { seat, says } of this.log.add(events)) {
      const isOwn = this.you.seats.includes(seat);
      sound.play("slide", { pan: isOwn ? 0.2 : 0.8 });
      if (!isOwn) caption.notice(says.join(" "));
    }
    this.refresh();
    return null;
  }

  /**
   * Tells events: says all of them and draws the last. If the lid `isClosed`, they shut the box.
   * Returns null, since nothing moves.
   */
  tell(events, isClosed = false) {
    const { view: before, you } = this;
    const last = { ...events.findLast(({ kind }) => kind !== "say"), view: events.at(-1).view };
    const { view } = last; // phrases change it as well
    sound.playCues(...cuesOf(before, view, you, last));
    this.log.add(events);
    this.guest = events.findLast(({ kind }) => kind === "enter")?.seat ?? null;
    this.guide.count(events, you);
    this.take(view);
    caption.show(captionOf(view, you, before, last));
    if (last.kind === "name" && view.table) {
      get(this.api).then((reply) => this.log.rewrite(this.veil(reply)));
    }
    const isNotice = ["answer", "name"].includes(last.kind) && this.log.wanted([last]).length;
    if (isNotice) caption.notice(last.says.join(" "));
    const shuts = view.table && isShut(view.table) && before.table?.version !== view.table.version;
    this.keepFinalBoard(before, last, shuts);
    this.refresh();
    this.callPlayer(before, events.map(({ kind }) => kind));
    this.tellEnd(before, last, { shuts, isClosed });
    const throwsNext = this.actions.choosing && choseOnlyDice(before, view);
    if (this.sync.events.isIdle && !throwsNext) this.sayQuestion(before);
    this.actions.takeTyped();
    return null;
  }

  /** Shows and says what follows when the game, or a turn that shut the box, has ended. */
  tellEnd(before, last, { shuts, isClosed }) {
    const { view, you } = this;
    const ends = view.phase === "over" && before.phase === "playing";
    if (ends && you.seats.length) countFinished();
    offerInstall(view);
    if (ends) announce([seriesWords(view.seats, you)].filter(Boolean));
    if (shuts || ends) {
      const name = isShut(view.table) ? closerWords(last, you) : "";
      this.ending.begin(view, { name, isClosed, ends: () => this.showNextTurn() });
    } else if (view.phase !== "over") this.ending.clear();
  }

  /** Says the question, with the step of the guide. The main button may have been read already. */
  sayQuestion(before, isRead = false) {
    drop("asks");
    const question = prompt(this.view, this.you, before, settings, isRead);
    announce([...question, ...this.guide.words()], "asks");
  }

  /** Marks and says the step of the guide for which a hint has come. */
  showAdvice() {
    this.refresh();
    announce(this.guide.words(), "asks");
  }

  /** Calls a player who looks elsewhere, if an event of these kinds concerns them. */
  callPlayer(before, kinds = null) {
    const isFull = this.view.phase === "waiting" && !freeSeats(this.view).length;
    const knocks = !document.hidden && isFull; // the box opens with sounds of its own
    if (kinds && !knocks && isCalled(before, this.view, this.you, kinds)) sound.playCues("called");
    noteTurn(before, this.view, this.you);
    offerNotices(this.view, this.you);
  }

  /** Keeps showing the final board of a turn that has ended, for a while or until the lid opens. */
  keepFinalBoard(before, last, shuts) {
    const look = this.isSkipping ? 0 : finalBoardTime(last, settings);
    this.final = null;
    if (!last.view.table?.left?.length || !before.table || !(shuts || look)) return;
    this.final = { seat: before.table.seat, view: lastOfRound(before, last, this.you) };
    if (!shuts) this.finalTimer = setTimeout(() => this.showNextTurn(), look);
  }

  /** Replaces the final board of a turn with the next turn's board. */
  showNextTurn() {
    if (!this.final) return;
    this.final = null;
    this.refresh();
  }

  /** Shows all that moves or waits at once. Returns whether dice were in the air, or it waited. */
  hurry() {
    const { welcome, showing, sync: { events } } = this;
    return [welcome.finish(), showing.finish(), events.hurry(), showing.finish()].includes(true);
  }

  /** Offers to send an unsaved action again. Resolves once the player does so. */
  offerRetry(sentences) {
    this.throwing.putDown();
    say(sentences, { lasts: true });
    return new Promise((resolve) => {
      this.retry = () => {
        this.retry = null;
        byId("status").textContent = ""; // its sentence is no longer true
        this.refresh();
        resolve();
      };
      this.refresh();
    });
  }

  /**
   * Says that the network is lost, or back. Then an action that waits is sent. While it `isLost`,
   * the dice lie, and a card shows what can be done.
   */
  connectionChanged(isAway, isLost = isAway && !navigator.onLine) {
    this.isLost = isLost;
    this.refresh();
    if (isLost) {
      this.throwing.putDown();
      caption.notice(""); // the card says it
      say(offlineWords(), { seen: true });
    } else if (isAway) say([gettext("Connection lost. Reconnecting…")]);
    else say([gettext("The connection is back.")]);
    if (!isAway) this.actions.sendWaiting();
  }

  // The page begins

  /** Shows the first view, and describes it when screen readers listen. */
  begin() {
    caption.show(captionOf(this.view, this.you));
    this.refresh();
    this.ending.showEnded(this.view);
    if (this.guest !== null && !document.hidden) this.greet();
    this.lobby.begin(this.view, this.you);
    byId("status").textContent = ""; // without script it shows the position
    setTimeout(() => this.describe(), ARRIVAL_MS);
    this.actions.sendWaiting();
  }

  /** Describes the position and focuses the main button, for players who use no mouse. */
  describe() {
    this.isNew = false;
    this.onDescribed();
    if (!byId("entering").hidden) return; // the question for a name is enough to hear
    if (this.welcome.isOn) {
      announce([...fieldOffer(), sentence(this.main.why), gettext("The box opens.")]);
    } else if (this.view.number - this.sync.quiet === this.began) { // nothing has happened since
      this.leadToMain();
      announce(fieldOffer());
      announce(this.log.story.last(), "summed");
      this.sayQuestion(null, document.activeElement === byId("go") && !settings.aloud);
    } else announce([this.ended].filter(Boolean)); // the game has ended in the meantime
    this.leadToMain();
  }

  // Drawing

  /** Draws the page from its state, says what the player can do now, and does what is due. */
  refresh() {
    this.draw();
    this.sayWhatIsOffered();
    if (!this.view.table) return;
    if (this.wantsFocus) this.leadToMain();
    this.throwing.throwByItself();
    this.sendKept();
  }

  /** Draws the page from its state. */
  draw() {
    const opens = this.view.table && byId("table").hidden;
    drawRoom(this);
    if (opens) this.wantsFocus = true;
    if (opens && !this.isNew && !this.welcome.isOn) this.board.lid.unveil(nameplate(this.view));
    if (!this.view.table) return;
    drawTable(this);
    compare(this.main.choice);
    if (settings.scan) {
      this.ring ??= loadLate().then(({ Ring }) => new Ring(this, settings), () => null);
    }
    this.ring?.then((ring) => ring?.draw());
  }

  /** Says what the player can do now while another one is away, or after the game. */
  sayWhatIsOffered() {
    const { view, you } = this;
    const offered = awayMoves(view, you).map(({ does }) => does).join(" ");
    if (offered !== this.offered) announce(awayWords(view, you));
    const ended = playAgainWords(view, you).join(" ");
    if (ended && ended !== this.ended && !this.isNew) announce([ended]);
    Object.assign(this, { offered, ended });
  }

  /** Focuses the main button once it can be pressed, if the focus is nowhere or on all the page. */
  leadToMain() {
    const focused = document.activeElement;
    const isOnAll = [document.body, byId("main")].includes(focused);
    // A hidden part may still have the focus until the browser has drawn the page.
    const isNowhere = isOnAll || !focused?.checkVisibility();
    const waits = !this.main.do && !this.welcome.isOn && !byId("offers").childElementCount;
    this.wantsFocus = isNowhere && waits;
    if (isNowhere && !this.wantsFocus) focusMain();
  }
}
