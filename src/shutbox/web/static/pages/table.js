// The page of a table. Passes events to the modules that draw and speak, and input to those that
// pick pieces and send actions.

import "../view/language.js";
import { calmly } from "../input/calmly.js";
import { commandsFor } from "../input/commands.js";
import { Selection } from "../input/selection.js";
import { listen } from "../input/shortcuts.js";
import { skipByPress } from "../input/skipping.js";
import { Throwing } from "../input/throwing.js";
import { offer } from "../input/by_typing.js";
import { retelling } from "../input/retelling.js";
import { takeTyped } from "../input/typed.js";
import { captionOf } from "../model/caption.js";
import { cuesOf } from "../model/cues.js";
import { gettext, pgettext } from "../model/messages.js";
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
import { aimOf, awaited, begins, playAgainWords, prompt, envelopeWords, turnWords } from "../model/sentences.js";
import { Story } from "../model/story.js";
import { get, onUnsaved } from "../net/api.js";
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
import { drawPlates, drawRail, seriesWords } from "../view/plates.js";
import { answer, drawQuestions, hint, sayRules, showHelp } from "../view/questions.js";
import { forgetHint } from "../view/hint_rows.js";
import { RealDice } from "../view/real_dice.js";
import { Seats } from "../view/seats.js";
import { choose as changeSetting, onChange, settings, takeOver } from "../view/settings.js";
import { handOnResult, handOnTry } from "../view/share.js";
import { Showing } from "../view/showing.js";
import { drawSheet } from "../view/sheet.js";
import { drawAddress } from "../view/invite.js";
import { isHushed, veiled } from "../view/hush.js";
import { countFinished, offerInstall } from "../view/install_offer.js";
import { Lobby, drawPencils } from "../view/lobby.js";
import { scan } from "../view/scan.js";
import * as sound from "../view/sound.js";
import "../view/own_voice.js";
import { noteTurn } from "../view/turn_notice.js";
import { storedText, storeText, withName } from "../view/storage.js";
import { offerNotices } from "../view/turn_offer.js";
import { Verdict } from "../view/verdict.js";
import { Actions } from "./actions.js";
import { arriveBy } from "./arrival.js";
import "./push.js";
import { giveWord, see as seeWords } from "./words.js";

const ARRIVAL_MS = 400; // screen readers ignore what a page says while it loads

const boot = veiled(JSON.parse(byId("boot").textContent));
const WAITING = `shutbox.waiting/${boot.view.room}`; // the action that waits for a network
let offered = ""; // the last sentence about an absent player
let again = null; // sends an action again that the server could not save
let ended = ""; // the last sentence about what Enter does after the game
let isNew = true; // true until the page has described the position
let finalSeat = null; // the seat whose final board is shown, after its turn has ended
let finalBoardTimer = 0;
let wantsFocus = false; // true if the focus must go to the main button once there is one
let warned = ""; // the action after the game for which Enter was pressed once
let skips = false; // true if events are shown at once until it is this viewer's turn

const seen = new Sync(boot, {
  rest: (event) => (skips ? 0 : restOf(event, settings)),
  show,
  stand,
  draw,
  speech: { say, fill: (log, view) => [moves, story].forEach((one) => one.fill(heard(log), view)) },
  veil: veiled,
  refused: (error) => actions.refuse(error),
  seal: (view, you) => seeWords(`/api/rooms/${view.room}`, view, you),
  back: () => actions.sendWaiting(),
});
const actions = new Actions(seen, {
  say,
  advise: (lines) => {
    say(lines, { seen: true });
    caption.notice(lines.join(" "), { lasts: true });
  },
  ready: () => giveWord(seen.api, seen.view, seen.you),
  asks: (sides) => (sides ? throwing.pickUp(sides) : throwing.putDown()),
  sent: () => {
    for (const id of ["roll", "typed"]) byId(id).value = "";
  },
  withName,
  waiting: {
    get text() {
      return storedText(WAITING) ?? "";
    },
    set text(action) {
      storeText(WAITING, action);
    },
  },
});
const selection = new Selection(seen, {
  draw,
  ticks: (key, isPicked) => {
    const { number } = seen.view.table.pieces.find((piece) => piece.key === key);
    sound.tick(board.elementOf(key), number, isPicked);
  },
  choose: (choice) => actions.choose(choice),
});
const board = new Board((key) => hurry() || selection.press(key));
const showing = new Showing(board, { tell, nameOf: closerOf });
const throwing = new Throwing(seen, {
  board,
  showing,
  button: byId("go"),
  isFree: () => !actions.busy && !realDice.corrects && seen.events.isIdle,
  clear: showNextTurn,
  act: () => actions.act("throw"),
  press: () => go(),
});
const ending = new Ending(board);
const guide = new Guide({
  ask: () => get(`${seen.api}/hint`),
  advised: () => {
    draw();
    announce(guide.words());
  },
});
const story = new Story(heard(boot.log), () => settings.length);
const retold = retelling(story, seen);
const realDice = new RealDice();
const verdict = new Verdict({
  ask: () => get(`${seen.api}/verdict`),
  askDay: () => get("/api/today"),
  says: announce,
  warms: (words) => caption.show(words, { isWarm: true }),
});
const seats = new Seats({
  kinds: boot.kinds,
  does: (what, body) => actions.toRoom(what, body),
  says: (words) => say([words]),
});

const lobby = new Lobby({
  does: (what, body) => actions.toRoom(what, body),
  says: (words) => say([words]),
});

/** Returns the lines that this player wants to hear. */
function heard(lines) {
  return lines.filter((line) => !isHushed(line, boot.view.room));
}

// Drawing and speaking

function setView(next) {
  const [old, now] = [seen.view.table, next.table];
  const throwsOn = actions.choosing && onlyDice(seen.view, next);
  if (old?.version !== now?.version || old?.game !== now?.game) {
    clearTimeout(finalBoardTimer);
    finalSeat = null;
    selection.reset();
    realDice.correct(false);
    byId("advice").hidden = true;
    forgetHint();
    drawers.close("tool-hint");
    if (!throwsOn) throwing.putDown();
  }
  seen.view = next;
  skips &&= mayHurry(next, seen.you, settings);
}

/** Shows a view without the events before it. */
function stand(view) {
  showing.finish();
  const before = seen.view;
  setView(view);
  caption.show(captionOf(view, seen.you));
  draw();
  ending.stand(view);
  announce([...prompt(view, seen.you, before, null, settings), ...guide.words()]);
  noteTurn(before, view, seen.you);
  offerNotices(view, seen.you);
}

/**
 * Shows events: first what they move, then what they tell. Returns a promise if something moves.
 */
function show(events) {
  if (events.every(({ kind }) => kind === "say")) return hear(events);
  showing.finish();
  const how = throwing.howOf(events.at(-1));
  showNextTurn();
  return skips ? tell(events) : showing.begin(events, how);
}

/** Shows phrases. Nothing else changes, so neither do the box and its caption. */
function hear(events) {
  seen.view = events.at(-1).view;
  for (const event of heard(events)) {
    if (!moves.append(event, event.view)) continue;
    announce(story.add(event));
    caption.notice(event.says.join(" "));
  }
  draw();
  return null;
}

/** Rewrites the list of moves, the story and the rules after a player has changed a name. */
function tellAnew(reply) {
  const { log, view, rules } = veiled(reply);
  story.lines = [];
  for (const one of [moves, story]) one.fill(heard(log), view);
  writeRules(rules);
}

/** Writes the rules, which name the players. */
function writeRules({ lines }) {
  const places = byId("rules-lines").children;
  for (const [n, line] of lines.entries()) places[n].textContent = line;
}

/** Returns the name for the plate on the lid: the player of the event, or an empty text. */
function closerOf({ view, seat }) {
  if (seat === null) return "";
  const isOwn = view.seats.length > 1 && seen.you.seats.join() === String(seat);
  return isOwn ? pgettext("said", "You") : view.seats[seat].name;
}

/**
 * Shows everything that moves or waits at once. Returns whether dice were in the air, or anything
 * waited.
 */
const hurry = () => [showing.finish(), seen.events.hurry(), showing.finish()].includes(true);

/** Tells events: says all of them and draws the last. If the lid `isClosed`, they shut the box. */
function tell(events, isClosed = false) {
  const before = seen.view;
  const last = { ...events.findLast(({ kind }) => kind !== "say"), view: events.at(-1).view };
  for (const event of heard(events)) {
    if (moves.append(event, event.view)) announce(story.add(event));
  }
  guide.count(events, seen.you);
  setView(last.view);
  caption.show(captionOf(last.view, seen.you, before, last));
  if (last.kind === "name" && last.view.table) get(seen.api).then(tellAnew);
  if (["answer", "name"].includes(last.kind) && last.says.length) caption.notice(last.says.join(" "));
  const { table } = last.view;
  const shuts = table && isShut(table) && before.table?.version !== table.version;
  const look = skips ? 0 : finalBoardTime(last, settings);
  finalSeat = table?.left?.length && (shuts || look) ? before.table?.seat ?? null : null;
  if (finalSeat !== null && !shuts) finalBoardTimer = setTimeout(showNextTurn, look);
  draw();
  if (isCalled(before, last.view, seen.you, events.map(({ kind }) => kind))) sound.chime();
  noteTurn(before, last.view, seen.you);
  offerNotices(last.view, seen.you);
  const ends = last.view.phase === "over" && before.phase === "playing";
  if (ends && seen.you.seats.length) countFinished();
  offerInstall(last.view);
  if (ends) announce([seriesWords(last.view.seats, seen.you)].filter(Boolean));
  sound.cues(cuesOf(before, last.view, seen.you, last));
  if (shuts || ends) {
    const name = isShut(table) ? closerOf(last) : "";
    ending.begin(last.view, { name, isClosed, ends: showNextTurn });
  } else if (last.view.phase !== "over") ending.clear();
  const throwsNext = actions.choosing && onlyDice(before, last.view);
  if (seen.events.isIdle && !throwsNext) {
    announce([...prompt(last.view, seen.you, before, last, settings), ...guide.words()]);
  }
  return null;
}

/** Replaces the final board of a turn with the next turn's board. */
function showNextTurn() {
  if (finalSeat === null) return;
  finalSeat = null;
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
  drawPlates(view, you, finalSeat);
  drawPencils(you, view.phase, () => lobby.ask());
  lobby.draw(view, you);
  drawSheet(table);
  if (opens) wantsFocus = true;
  if (opens && !isNew) board.unveil();
  const may = awayMoves(view, you).map(({ does }) => does).join(" ");
  if (may !== offered) announce(awaited(view, you));
  offered = may;
  const enterWords = playAgainWords(view, you).join(" ");
  if (enterWords !== ended && !isNew) announce([enterWords].filter(Boolean));
  ended = enterWords;
  const names = { turn: turnWords(view, you), title: view.title };
  document.title = gettext("{turn}: {title}, shutbox", names);
  if (!table) return;
  const picked = selection.keys;
  const offers = offersFor(view, you);
  const open = pressable(table.pieces, offers, picked);
  const left = leftToCover(view, you, picked);
  const only = offers.length === 1 && !picked.length ? offers[0].takes : [];
  drawRail(view, you);
  const isFinal = finalSeat !== null;
  const pieces = isFinal ? lying(table) : table.pieces;
  const whose = isFinal ? "" : begins(view, you);
  const last = whose ? [] : table.thrown;
  const thrown = table.thrown_at;
  const rollsLeft = view.phase === "playing" ? table.rolls_left ?? null : null;
  const drawn = { open, picked, only, left, pot: table.pot, last, thrown, begins: whose, aim: whose && aimOf(view, you), rollsLeft };
  board.draw(pieces, drawn);
  const choose = (choice) => actions.choose(choice);
  drawMoves({ view, you, main: main(), picked, choose, goOn: (what) => actions.toRoom(what, bodyFor(what)) });
  drawQuestions(table, asked);
  drawPhrases();
  byId("typing").hidden = !you.seats.length;
  guide.draw(view, you, picked);
  drawRealDice();
  drawResult(view, you);
  verdict.draw(view, you);
  if (wantsFocus) leadToMain();
  scan(Boolean(main().do));
  throwing.byItself();
}

function drawPhrases() {
  byId("tool-say").hidden = !seen.you.may.say.length;
  byId("say").hidden = !settings.phrases;
  const words = settings.phrases ? gettext("Turn phrases off") : gettext("Turn phrases on");
  byId("hush").textContent = words;
}

function drawRealDice() {
  const { view, you } = seen;
  const byHand = view.settings.dice === "hand";
  realDice.draw(view.table, byHand && isMine(view, you) && view.table.does === "throw");
}

/** Focuses the main button once it can be pressed, if the focus is nowhere or on the whole page. */
function leadToMain() {
  const focused = document.activeElement;
  // A hidden part may still have the focus until the browser has drawn the page.
  const isNowhere = [document.body, byId("main")].includes(focused) || !focused?.checkVisibility();
  wantsFocus = isNowhere && !main().do && byId("offers").childElementCount === 0;
  if (isNowhere && !wantsFocus) focusMain();
}

// Actions of buttons and keys

const main = () =>
  again ? { do: "again", says: pgettext("button", "Try again") } : mainMove(seen.view, seen.you, selection.keys);

function go() {
  if (again) {
    again();
    return;
  }
  throwing.take();
  skips = mayHurry(seen.view, seen.you, settings);
  if (ending.skip() || hurry() || skips) return;
  const move = realDice.corrects ? { do: "hand" } : main();
  if (!move.do) say([move.why]);
  else if (move.do === "hand") takeHand();
  else if (move.do === "choose") actions.choose(move.choice);
  else if (move.do === "throw") actions.act("throw");
  else if (move.do === "new") location.assign("/new");
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
  if (what === "decline") return { game: table.game, seat: seen.you.may.decline[0] };
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
  showing.finish();
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
  showing.finish();
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
  say([settings.sound ? pgettext("said", "Sound on.") : pgettext("said", "Sound off.")]);
}

function asked(key) {
  showing.finish();
  if (key === "k") say(envelopeWords(seen.view));
  else if (seen.view.table) answer(seen.view.table, key);
}

async function hints() {
  showing.finish();
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

const meaning = () => [showing.isFlying, main().do, main().choice ?? seen.view.table?.throws].join(" ");
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
  if (verdict.day) {
    handOnTry(verdict.day);
    return;
  }
  // The readers of a shared result are other people, so it must not say "you".
  handOnResult(seen.view, captionOf(seen.view, { ...seen.you, seats: [] }), seen.you);
});
byId("roll-cancel").addEventListener("click", leaveDice);
onSubmit("hand", takeHand);
onSubmit("typing", () => {
  showing.finish();
  takeTyped(byId("typed").value.trim(), seen, commands(), typedFor);
});
onSubmit("many", () => actions.choose(byId("many-choice").value));
byId("say")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { seat } = event.target.elements;
  actions.toRoom("say", { seat: Number(seat.value), phrase: event.submitter.value });
  if (!matchMedia("(width < 60rem)").matches) return;
  drawers.close("tool-say"); // it covers what is said
  byId("show-say").focus();
});
byId("hush").addEventListener("click", () => changeSetting("phrases", !settings.phrases));
listen({
  keys: () => new Map(commands().map(([key, , does]) => [key, does])),
  digit: typeDigit,
  waits: () => selection.digits !== "",
  settle: () => selection.settle(),
  enter,
  isReady: () => Boolean(main().do),
});

onUnsaved((sentences) => {
  throwing.putDown();
  caption.notice(sentences.join(" "), { lasts: true });
  say(sentences);
  return new Promise((resolve) => {
    again = () => {
      again = null;
      byId("status").textContent = ""; // its sentence is no longer true
      draw();
      resolve();
    };
    draw();
  });
});

// A press lets dice in the air rest. Tiles that fall are told at once, and the press goes on.
skipByPress({
  moves: ({ type, key, target }) => {
    const isMain = type === "keydown" ? key === "Enter" : target.closest?.("#go");
    if (showing.isFalling) showing.finish();
    return showing.isFlying && !(isMain && mayHurry(seen.view, seen.you, settings));
  },
  skip: () => {
    sound.settle();
    showing.finish();
  },
});

// Dice do not fly while the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) showing.finish();
  throwing.byItself();
});

// Start

onChange(() => draw()); // the digits on buttons appear and disappear
moves.fill(heard(boot.log), boot.view);
writeRules(boot.rules);
caption.show(captionOf(seen.view, seen.you));
draw();
ending.stand(seen.view);
takeOver();
lobby.begin(seen.view, seen.you);
byId("status").textContent = ""; // without script it shows the position
setTimeout(arrived, ARRIVAL_MS);
actions.sendWaiting();

/** Describes the position and focuses the main button, for players who use no mouse. */
function arrived() {
  isNew = false;
  if (!byId("entering").hidden) return; // the question for a name is enough to hear
  const newest = boot.log.at(-1);
  if (seen.view.number - seen.quiet === boot.view.number) {
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
