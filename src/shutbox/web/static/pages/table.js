// The page of a table. Passes events to the modules that draw and speak, and input to those that
// pick pieces and send actions.

import "../view/language.js";
import { calmly } from "../input/calmly.js";
import { commandsFor } from "../input/commands.js";
import { Selection } from "../input/selection.js";
import { listen } from "../input/shortcuts.js";
import { offer } from "../input/by_typing.js";
import { retelling } from "../input/retelling.js";
import { takeTyped } from "../input/typed.js";
import { captionOf } from "../model/caption.js";
import { cuesOf } from "../model/cues.js";
import { gettext } from "../model/messages.js";
import {
  invitation,
  isCalled,
  isMine,
  isShut,
  leftToCover,
  lying,
  mainMove,
  mayAskHint,
  mayCorrect,
  mayTakeBack,
  offersFor,
  onlyDice,
  awayMoves,
} from "../model/moves.js";
import { finalBoardTime, mayHurry, restOf } from "../model/pace.js";
import { pressable } from "../model/picking.js";
import { awaited, begins, playAgainWords, prompt, turnWords } from "../model/sentences.js";
import { Story } from "../model/story.js";
import { Actions } from "../net/actions.js";
import { get } from "../net/api.js";
import { Sync } from "../net/sync.js";
import { Board } from "../view/board.js";
import * as caption from "../view/caption.js";
import { drawMoves, drawResult } from "../view/controls.js";
import { byId, focusMain } from "../view/dom.js";
import { Ending } from "../view/ending.js";
import * as drawers from "../view/drawers.js";
import { Guide } from "../view/guide.js";
import { announce, onNotice, say } from "../view/live_region.js";
import * as moves from "../view/moves.js";
import { drawPlates, drawRail } from "../view/plates.js";
import { answer, drawQuestions, hint, sayRules, showHelp } from "../view/questions.js";
import { forgetHint } from "../view/hint_rows.js";
import { RealDice } from "../view/real_dice.js";
import { Seats } from "../view/seats.js";
import { choose as changeSetting, onChange, settings, takeOver } from "../view/settings.js";
import { handOnResult } from "../view/share.js";
import { drawSheet } from "../view/sheet.js";
import { drawAddress } from "../view/invite.js";
import { scan } from "../view/scan.js";
import * as sound from "../view/sound.js";
import "../view/own_voice.js";
import { noteTurn } from "../view/turn_notice.js";
import { Verdict } from "../view/verdict.js";
import { arriveBy } from "./arrival.js";

const ARRIVAL_MS = 400; // screen readers ignore what a page says while it loads

const boot = JSON.parse(byId("boot").textContent);
let offered = ""; // the last sentence about an absent player
let ended = ""; // the last sentence about what Enter does after the game
let isNew = true; // true until the page has described the position
let rolling = null; // the events whose dice are rolling, of which the last is a throw
let showsFinalBoard = false; // true while the final board of a turn is shown
let finalBoardTimer = 0;
let wantsFocus = false; // true if the focus must go to the main button once there is one
let warned = ""; // the action after the game for which Enter was pressed once
let skips = false; // true if events are shown at once until it is this viewer's turn

const seen = new Sync(boot, {
  rest: (event) => (skips ? 0 : restOf(event, settings)),
  show,
  stand,
  draw,
  speech: { say, fill: (...log) => [moves, story].forEach((one) => one.fill(...log)) },
  refused: (error) => actions.refuse(error),
});
const actions = new Actions(seen, {
  say,
  advise: (lines) => {
    say(lines, { seen: true });
    caption.notice(lines.join(" "), { lasts: true });
  },
  asks: (isThrow) => board.shake(isThrow),
  sent: () => {
    for (const id of ["roll", "typed"]) byId(id).value = "";
  },
});
const selection = new Selection(seen, { draw, choose: (choice) => actions.choose(choice) });
const board = new Board((key) => hurry() || selection.press(key));
const ending = new Ending(board);
const guide = new Guide({
  ask: () => get(`${seen.api}/hint`),
  advised: () => {
    draw();
    announce(guide.words());
  },
});
const story = new Story(boot.log, () => settings.length);
const retold = retelling(story, seen);
const realDice = new RealDice();
const verdict = new Verdict({
  ask: () => get(`${seen.api}/verdict`),
  says: announce,
});
const seats = new Seats({
  kinds: boot.kinds,
  does: (what, body) => actions.toRoom(what, body),
  says: (words) => say([words]),
});

// Drawing and speaking

function setView(next) {
  const [old, now] = [seen.view.table, next.table];
  if (old?.version !== now?.version || old?.game !== now?.game) {
    clearTimeout(finalBoardTimer);
    showsFinalBoard = false;
    selection.reset();
    realDice.correct(false);
    byId("advice").hidden = true;
    forgetHint();
    drawers.close("tool-hint");
  }
  seen.view = next;
  skips &&= mayHurry(next, seen.you, settings);
}

/** Shows a view without the events before it. */
function stand(view) {
  settle();
  const before = seen.view;
  setView(view);
  caption.show(captionOf(view, seen.you));
  draw();
  ending.stand(view);
  announce([...prompt(view, seen.you, before, null, settings), ...guide.words()]);
  noteTurn(before, view, seen.you);
}

const isThrow = ({ kind }) => kind === "throw" || kind === "correct";

/** Shows events. Thrown dice roll first. When they lie still, the result is spoken. */
function show(events) {
  settle();
  const last = events.at(-1);
  const { table } = last.view;
  if (events.some(isThrow)) sound.rattle(lying(table).filter((p) => p.kind === "die").length);
  if (!isThrow(last) || !table || !settings.motion || document.hidden) {
    tell(events);
    return;
  }
  showNextTurn();
  rolling = events;
  board.roll(lying(table)).then(() => rolling === events && settle());
}

/** Ends the roll of dice and tells its events. Returns whether dice were rolling. */
function settle() {
  if (!rolling) return false;
  const events = rolling;
  rolling = null;
  board.land();
  tell(events);
  return true;
}

/** Shows everything that is rolling or waiting at once. Returns whether there was anything. */
const hurry = () => [settle(), seen.events.hurry(), settle()].includes(true);

/** Tells events: says all of them and draws the last. */
function tell(events) {
  const before = seen.view;
  const last = events.at(-1);
  for (const event of events) {
    if (moves.append(event, event.view)) announce(story.add(event));
  }
  guide.count(events, seen.you);
  setView(last.view);
  caption.show(captionOf(last.view, seen.you, before, last));
  const { table } = last.view;
  const shuts = table && isShut(table) && before.table?.version !== table.version;
  const look = skips ? 0 : finalBoardTime(last, settings);
  showsFinalBoard = Boolean(table?.left?.length && (shuts || look));
  if (showsFinalBoard && !shuts) finalBoardTimer = setTimeout(showNextTurn, look);
  const fallen = draw();
  if (isCalled(before, last.view, seen.you, events.map(({ kind }) => kind))) sound.chime();
  noteTurn(before, last.view, seen.you);
  sound.cues(cuesOf(before, last.view, seen.you, last));
  if (fallen) sound.clack(fallen);
  const ends = last.view.phase === "over" && before.phase === "playing";
  if (shuts || ends) {
    const isOwn = last.view.seats.length > 1 && seen.you.seats.join() === String(last.seat);
    const by = isShut(table) && last.seat !== null ? last.view.seats[last.seat].name : "";
    const name = by && isOwn ? gettext("You") : by;
    ending.begin(last.view, fallen, { name, lands: sound.slam, ends: showNextTurn });
  } else if (last.view.phase !== "over") ending.clear();
  const throwsNext = actions.choosing && onlyDice(before, last.view);
  if (seen.events.isIdle && !throwsNext) {
    announce([...prompt(last.view, seen.you, before, last, settings), ...guide.words()]);
  }
}

/** Replaces the final board of a turn with the next turn's board. */
function showNextTurn() {
  if (!showsFinalBoard) return;
  showsFinalBoard = false;
  draw();
}

function draw() {
  const { view, you, watching } = seen;
  const { table } = view;
  const opens = byId("table").hidden && table;
  byId("table").hidden = !table;
  for (const id of ["controls", "questions"]) byId(id).hidden = !table;
  seats.draw({ ...view, watching }, you);
  drawAddress(invitation(view, you));
  drawPlates(view);
  drawSheet(table);
  if (opens) wantsFocus = true;
  const may = awayMoves(view, you).map(({ does }) => does).join(" ");
  if (may !== offered) announce(awaited(view, you));
  offered = may;
  const enterWords = playAgainWords(view, you).join(" ");
  if (enterWords !== ended && !isNew) announce([enterWords].filter(Boolean));
  ended = enterWords;
  const names = { turn: turnWords(view, you), title: view.title };
  document.title = gettext("{turn}: {title}, shutbox", names);
  if (!table) return 0;
  const picked = selection.keys;
  const offers = offersFor(view, you);
  const open = pressable(table.pieces, offers, picked);
  const left = leftToCover(view, you, picked);
  const only = offers.length === 1 && !picked.length ? offers[0].takes : [];
  drawRail(view);
  const pieces = showsFinalBoard ? lying(table) : table.pieces;
  const whose = showsFinalBoard ? "" : begins(view, you);
  const last = whose ? [] : table.thrown;
  const rollsLeft = view.phase === "playing" ? table.rolls_left ?? null : null;
  const drawn = { open, picked, only, left, pot: table.pot, last, begins: whose, rollsLeft };
  const fallen = board.draw(pieces, drawn);
  const choose = (choice) => actions.choose(choice);
  drawMoves({ view, you, picked, choose, goOn: (what) => actions.toRoom(what, bodyFor(what)) });
  drawQuestions(table, asked);
  byId("typing").hidden = !you.seats.length;
  guide.draw(view, you, picked);
  drawRealDice();
  drawResult(view, you);
  verdict.draw(view, you);
  if (wantsFocus) leadToMain();
  scan(Boolean(main().do));
  return fallen;
}

function drawRealDice() {
  const { view, you } = seen;
  const byHand = view.settings.dice === "hand";
  realDice.draw(view.table, byHand && isMine(view, you) && view.table.does === "throw");
}

/** Focuses the main button once it can be pressed, if the focus is nowhere or on the whole page. */
function leadToMain() {
  const isNowhere = [document.body, byId("main")].includes(document.activeElement);
  wantsFocus = isNowhere && !main().do && byId("offers").childElementCount === 0;
  if (isNowhere && !wantsFocus) focusMain();
}

// Actions of buttons and keys

const main = () => mainMove(seen.view, seen.you, selection.keys);

function go() {
  skips = mayHurry(seen.view, seen.you, settings);
  if (ending.skip() || hurry() || skips) return;
  const move = realDice.corrects ? { do: "hand" } : main();
  if (!move.do) say([move.why]);
  else if (move.do === "hand") takeHand();
  else if (move.do === "choose") actions.choose(move.choice);
  else if (move.do === "throw") actions.act("throw");
  else if (move.do === "places") location.assign(`/today/${seen.view.settings.day}`);
  else actions.toRoom(move.do, bodyFor(move.do));
}

/** Runs the main action by a key. A new game needs a second press, since the first may be habit. */
function enter() {
  const { do: does, says } = main();
  const ended = `${seen.view.table?.game} ${does}`;
  if (["rematch", "places"].includes(does) && warned !== ended) {
    warned = ended;
    ending.skip();
    say([gettext("Enter once more: {move}.", { move: says })]);
  } else go();
}

/** Returns the body to send with an action on the room or on the current player. */
function bodyFor(what) {
  const { table } = seen.view;
  if (what === "rematch") return { game: table?.game ?? 1 };
  return what === "end" ? {} : { seat: table.seat };
}

function takeHand() {
  const roll = realDice.take();
  if (roll) actions.act(realDice.corrects ? "correct" : "throw", { roll });
}

function typeDigit(typed) {
  if (hurry()) return;
  if (realDice.isOpen) realDice.add(typed);
  else selection.type(typed);
}

function correct() {
  settle();
  if (!seen.view.table || !mayCorrect(seen.view, seen.you)) {
    say([gettext("There are no dice to correct: none were typed since the last choice.")]);
    return;
  }
  realDice.correct(true);
  drawRealDice();
  byId("roll").focus();
  say([gettext("What do the dice really show? Escape leaves them as they are.")]);
}

function undo() {
  settle();
  if (seen.view.table && mayTakeBack(seen.view, seen.you)) actions.act("take-back");
  else say([gettext("There is nothing to take back.")]);
}

function leaveDice() {
  realDice.correct(false);
  drawRealDice();
}

function clear() {
  if (!realDice.corrects) {
    selection.clear();
    return;
  }
  leaveDice();
  focusMain();
  say([gettext("The dice stay as they are.")]);
}

function mute() {
  changeSetting("sound", !settings.sound);
  say([settings.sound ? gettext("Sound on.") : gettext("Sound off.")]);
}

function asked(key) {
  settle();
  return seen.view.table && answer(seen.view.table, key);
}

async function hints() {
  settle();
  const { table } = seen.view;
  if (!mayAskHint(seen.view, seen.you)) {
    say([main().why || gettext("There is nothing to choose now.")]);
    return;
  }
  try {
    const found = await get(`${seen.api}/hint`);
    // If the position has changed since, the hint is no longer needed.
    if (table.version === seen.view.table.version && isMine(seen.view, seen.you)) {
      hint(found, table, (keys) => selection.pick(keys));
    }
  } catch (error) {
    actions.refuse(error);
  }
}

const help = () => showHelp(boot.rules, commands());
const rules = () => sayRules(boot.rules);

const commands = () =>
  commandsFor(seen.view, { asked, hints, undo, correct, rules, mute, clear, help, ...retold });

const typedFor = {
  enter,
  say,
  act: (what, more) => actions.act(what, more),
  choose: (choice) => actions.choose(choice),
  took: () => (byId("typed").value = ""),
  why: () => main().why || gettext("The game is over."),
};

function onSubmit(id, listener) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    listener();
  });
}

const meaning = () => [rolling, main().do, main().choice ?? seen.view.table?.throws].join(" ");
byId("go").addEventListener("click", calmly(meaning, ({ detail }) => (detail ? go() : enter())));
byId("roll").addEventListener("keydown", (event) => {
  if (event.key === "Escape") clear();
});
onNotice((words) => caption.notice(words));
byId("undo").addEventListener("click", undo);
byId("correct").addEventListener("click", correct);
// A press opens the drawer when the hint has arrived, and a second press closes it.
byId("hint").addEventListener("click", (event) => {
  if (byId("tool-hint").open) return;
  event.preventDefault();
  hints();
});
byId("share").addEventListener("click", () => {
  // The readers of a shared result are other people, so it must not say "you".
  handOnResult(seen.view, captionOf(seen.view, { ...seen.you, seats: [] }), seen.you);
});
byId("roll-cancel").addEventListener("click", leaveDice);
onSubmit("hand", takeHand);
onSubmit("typing", () => {
  settle();
  takeTyped(byId("typed").value.trim(), seen, commands(), typedFor);
});
onSubmit("many", () => actions.choose(byId("many-choice").value));
listen({
  keys: () => new Map(commands().map(([key, , does]) => [key, does])),
  digit: typeDigit,
  waits: () => selection.digits !== "",
  settle: () => selection.settle(),
  enter,
  isReady: () => Boolean(main().do),
});

// Dice do not roll while the page is hidden.
document.addEventListener("visibilitychange", () => document.hidden && settle());

// Start

onChange(() => draw()); // the digits on buttons appear and disappear
moves.fill(boot.log, boot.view);
caption.show(captionOf(seen.view, seen.you));
draw();
ending.stand(seen.view);
takeOver();
byId("status").textContent = ""; // without script it shows the position
setTimeout(arrived, ARRIVAL_MS);

/** Describes the position and focuses the main button, for players who use no mouse. */
function arrived() {
  isNew = false;
  if (!byId("entering").hidden) return; // the question for a name is enough to hear
  const newest = boot.log.at(-1);
  if (seen.view.number === boot.view.number) {
    announce(offer());
    announce(story.last());
    announce([...prompt(seen.view, seen.you, null, newest, settings), ...guide.words()]);
  } else announce([ended].filter(Boolean)); // the game has ended in the meantime
  leadToMain();
}

arriveBy(seen.api, {
  entered: (reply) => {
    seen.takeReply(reply, "enter");
    seen.ask();
  },
  refused: (error) => actions.refuse(error),
  isOwn: (key) => seen.you.links.join?.endsWith(`#${key}`),
});
addEventListener("hashchange", () => drawAddress(invitation(seen.view, seen.you)));
