// What a player does with the main button, with a key, or by a typed word, and the list of commands
// with their keys. The keyboard, the text field and the help all use this list.

import { placeOf, reviewOf } from "../model/addresses.js";
import { gettext, pgettext } from "../model/messages.js";
import { isMyTurn, mayAskHint, mayCorrect, mayTakeBack } from "../model/moves.js";
import { mayHurry } from "../model/pace.js";
import { envelopeWords, playAgainWords, prompt, sumWords } from "../model/sentences.js";
import { byId, focusMain, loadLate } from "../view/dom.js";
import { drop, isAnswer, say } from "../view/live_region.js";
import { showHint, questionsOf, sayHelp, sayRules, showHelp } from "../view/questions.js";
import { changeSetting, settings } from "../view/settings.js";
import * as sound from "../view/sound.js";

const retell = (lines) => say(lines.length ? lines : [gettext("Nothing has been said yet.")]);

export class Commands {
  /** `page` is the TablePage. */
  constructor(page) {
    this.page = page;
    this.warned = ""; // the action after the game for which Enter was pressed once
  }

  /** Returns the commands available in this view, as triples of key, purpose and function. */
  list() {
    const { view, you, log: { story, rules } } = this.page;
    const { hints, dice } = view.settings;
    const takesBack = gettext("takes back your choice, if no dice have been thrown since");
    return [
      ...questionsOf(view.table).map(({ key, help }) => [key, help, () => this.answer(key)]),
      hints !== "off" && ["h", pgettext("key", "a hint"), () => this.hint()],
      [".", gettext("repeats the last line and the question"), () => this.repeat()],
      [",", gettext("repeats your last turn"), () => retell(story.turnOf(you.seats))],
      ["y", gettext("what the others did since your last turn"), () => this.others()],
      ["u", takesBack, () => this.undo()],
      dice === "hand" && ["c", gettext("corrects the dice you typed"), () => this.correct()],
      view.phase === "over" && ["v", gettext("at the end, what was luck and what was skill"), () => this.review()],
      ["r", gettext("the rules in play"), () => sayRules(rules)],
      ["m", gettext("sound on or off"), () => this.mute()],
      ["escape", gettext("clears what is picked"), () => this.clear()],
      ["?", gettext("says how to play by keys"), () => sayHelp(rules, playAgainWords(view, you))],
    ].filter(Boolean);
  }

  // The main button

  /** Runs the action of the main button. If something still moves or waits, only shows it at once. */
  go() {
    const { page } = this;
    if (page.retry) {
      page.retry();
      return;
    }
    page.throwing.endHold();
    page.isSkipping = mayHurry(page.view, page.you, settings);
    if (page.ending.skip() || page.hurry() || page.isSkipping) return;
    const move = page.realDice.corrects ? { do: "hand" } : page.main;
    if (!move.do) say([sound.refuse(move.why)]);
    else if (move.do === "hand") this.takeHand();
    else if (move.do === "choose") page.actions.choose(move.choice);
    else if (move.do === "throw") page.actions.act("throw");
    else if (move.do === "new") location.assign("/new");
    else if (move.do === "places") location.assign(placeOf(page.view.settings.day));
    else this.toRoom(move.do);
  }

  /** Runs the main action by a key. A new game needs a second press, since the first may be habit. */
  enter() {
    const { view, main, ending, actions } = this.page;
    if (actions.typed.length) return actions.runTyped(() => this.enter(), true); // it follows what was typed
    const ended = `${view.table?.game} ${main.do}`;
    if (["rematch", "places"].includes(main.do) && this.warned !== ended) {
      this.warned = ended;
      ending.skip();
      say([gettext("Enter once more: {move}.", { move: main.says })]);
    } else this.go();
  }

  /** Sends an action on the room or on the current player. */
  toRoom(what) {
    const { view: { table }, you, actions } = this.page;
    const bodies = {
      decline: () => ({ game: table.game, seat: you.may.decline[0] }),
      rematch: () => ({ game: table?.game ?? 1 }),
      end: () => ({}),
    };
    actions.toRoom(what, bodies[what]?.() ?? { seat: table.seat });
  }

  // Dice and pieces

  /** Takes a digit: of a real die, or what it picks. Typed during a throw, it picks after it. */
  digit(typed, isEarly = false) {
    const { page } = this;
    if (page.actions.throws) return page.actions.runTyped(() => this.digit(typed, true), true);
    const isUnheard = page.hurry() || isEarly;
    if (page.realDice.isOpen) page.realDice.add(typed);
    else page.selection.typeDigit(typed, isUnheard);
  }

  /** Sends the real dice that were typed, as a throw or as a correction. */
  takeHand() {
    const { realDice, actions } = this.page;
    const roll = realDice.take();
    if (roll) actions.act(realDice.corrects ? "correct" : "throw", { roll });
  }

  /** Asks for the dice again that were typed last, if they can be corrected. */
  correct() {
    const { page } = this;
    page.showing.finish();
    if (!page.view.table || !mayCorrect(page.view, page.you)) {
      say([gettext("There are no dice to correct: none were typed since the last choice.")]);
      return;
    }
    page.realDice.correct(true);
    page.refresh();
    byId("roll").focus();
    say([gettext("What do the dice really show? Escape leaves them as they are.")]);
  }

  /** Ends a correction without changing the dice. */
  leaveDice() {
    this.page.realDice.correct(false);
    this.page.refresh();
  }

  /** Leads to the review of the game. */
  review() {
    const { room, table } = this.page.view;
    location.assign(reviewOf(room, table.game));
  }

  /** Takes the last choice back, if that is possible. */
  undo() {
    const { page } = this;
    page.showing.finish();
    if (page.view.table && mayTakeBack(page.view, page.you)) page.actions.act("take-back");
    else say([gettext("There is nothing to take back.")]);
  }

  /** Unpicks all pieces, or leaves a correction. */
  clear() {
    const { realDice, selection } = this.page;
    if (!realDice.corrects) {
      selection.clear();
      return;
    }
    this.leaveDice();
    focusMain();
    say([gettext("The dice stay as they are.")]);
  }

  // Questions

  /** Answers the question with this key. */
  answer(key) {
    const { page } = this;
    page.showing.finish();
    if (key === "keys") showHelp(page.log.rules, this.list());
    const question = questionsOf(page.view.table).find((other) => other.key === key);
    if (key === "b") sound.playTiles(page.view.table.pieces, page.board);
    if (key === "k") say(envelopeWords(page.view));
    else if (question?.says) say([question.says]);
  }

  /** Fetches a hint, shows it in its drawer and says the best choice. */
  async hint() {
    const { page } = this;
    page.showing.finish();
    const { table } = page.view;
    if (!mayAskHint(page.view, page.you)) {
      say([page.main.why || gettext("There is nothing to choose now.")]);
      return;
    }
    const loading = loadLate().catch(() => null); // without it, the hint is told in words
    const advice = await page.actions.fetchHint();
    const late = await loading;
    // If the position has changed since, the hint is no longer needed.
    if (advice && table.version === page.view.table.version && isMyTurn(page.view, page.you)) {
      sound.playCues("hint");
      const pick = (keys) => page.selection.pick(keys);
      const parts = advice.figures && late ? late.hintParts(advice, table, pick) : null;
      showHint(advice, page.main.choice, parts);
    }
  }

  /** Repeats the last sentences with the question. */
  repeat() {
    const { view, you, log: { story } } = this.page;
    retell([...story.last(), ...prompt(view, you, null, settings)]);
  }

  /** Says the results of the others, and what they did if it is asked again. */
  others() {
    const { view, you, log: { story } } = this.page;
    if (view.seats.length === you.seats.length) return say([gettext("Nobody else plays here.")]);
    drop("summed");
    const sums = sumWords(view, you);
    retell(sums.length && !isAnswer(sums) ? sums : story.othersSince(you.seats));
  }

  /** Switches the sound on or off. */
  mute() {
    changeSetting("sound", !settings.sound);
    say([settings.sound ? pgettext("said", "Sound on.") : pgettext("said", "Sound off.")]);
  }
}
