// What a viewer can do: whether it is their turn, what the main button and the others do, and what
// is left to cover. It is computed from the view, the viewer `you` with the own seats and
// permissions, and the keys of the picked pieces. Nothing here touches the page.

import { capital, gettext, ngettext, pgettext } from "./messages.js";
import { exactOffers, sumOf } from "./picking.js";
import { hasRows } from "./rows.js";

/** The most choices that get a button each. If there are more, the page shows a drop-down list. */
const MOST_BUTTONS = 8;

/** Returns the label of a piece, followed by its face if it is a die that was thrown. */
export const pieceName = ({ kind, label, face }) =>
  kind === "die" && face ? gettext("{label} {face}", { label, face }) : label;

/** Whether the game is under way. */
const isRunning = ({ phase, table }) =>
  Boolean(table) && phase === "playing" && table.does !== "over";

/** Whether the player of a seat has left, even if a computer player continues for them. */
export const hasLeft = ({ seats }, seat) => seats[seat]?.state === "left";

/** Whether this viewer plays for a seat: it is theirs, and no computer player does it for them. */
export function plays({ seats }, you, seat) {
  return you.seats.includes(seat) && seats[seat].state === "taken" && !seats[seat].computer;
}

/** Whether the game waits for real dice that are thrown and typed at another screen. */
const waitsForOtherScreen = ({ settings, table }, you) =>
  settings.dice === "hand" && table.does === "throw" && !you.may.types_dice;

/** Whether it is this viewer's turn, at their seat or to throw real dice for a computer player. */
export function isMyTurn(view, you) {
  if (!isRunning(view) || waitsForOtherScreen(view, you)) return false;
  return plays(view, you, view.table.seat) || throwsForComputer(view, you);
}

/** Whether a seat is the only one of this viewer. */
export const isOnlySeat = ({ seats }, seat) => seats.length === 1 && seats[0] === seat;

/**
 * Whether to alert a viewer who looks elsewhere: a player joined, or the viewer's turn began at a
 * table with friends. `kinds` are those of the events between the two views.
 */
export function isCalled(before, after, you, kinds) {
  if (kinds.includes("enter")) return true;
  const friends = after.seats.filter((seat, n) => !seat.computer && !you.seats.includes(n));
  return friends.length > 0 && isMyTurn(after, you) && !isMyTurn(before, you);
}

/** Returns the seats to greet when the player in `seat` has come. That player greets all others. */
export const seatsToGreet = ({ seats }, you, seat) =>
  you.seats.includes(seat) ? [...seats.keys()].filter((n) => !you.seats.includes(n)) : [seat];

/** Whether this viewer throws the next dice for a computer player, which has no hands. */
const throwsForComputer = ({ table }, you) =>
  table.does === "throw" && you.may.throw_for.includes(table.seat);

/** Whether this viewer may correct the dice that were typed last. */
export const mayCorrect = (view, you) =>
  you.may.types_dice &&
  (plays(view, you, view.table.correctable) || you.may.throw_for.includes(view.table.correctable));

/** Whether this viewer may take the last choice back, which has not ended the game. */
export const mayTakeBack = (view, you) => isRunning(view) && plays(view, you, view.table.taker_back);

/** Whether this viewer may ask for a hint now. */
export const mayAskHint = (view, you) => isMyTurn(view, you) && view.settings.hints !== "off";

/** Whether this viewer may let a computer player continue for the current player. */
export const mayStandInFor = ({ seats, table }, you) =>
  you.may.stand_in.includes(table.seat) && !seats[table.seat].computer;

/** Whether this viewer may end the game, since the current player is away. */
export function mayEndFor(view, you) {
  const gone = view.seats.filter(({ state, computer }) => state === "left" && !computer);
  return you.may.end && (!gone.length || gone.includes(view.seats[view.table.seat]));
}

/** Whether the current player is away and this viewer may replace them or end the game. */
export function mayActForAbsent(view, you) {
  if (!isRunning(view) || isMyTurn(view, you)) return false;
  return mayStandInFor(view, you) || mayEndFor(view, you);
}

/**
 * Returns the buttons that this viewer gets while the current player is away: the action `does` and
 * the text `says`. If another player has asked for a new game, the only one is to decline.
 */
export function awayMoves(view, you) {
  const isAsked = view.seats.some(({ again }, seat) => again && !you.seats.includes(seat));
  if (isAsked && you.may.decline.length) return [{ does: "decline", says: gettext("No more games") }];
  if (!mayActForAbsent(view, you)) return [];
  const moves = [];
  if (mayStandInFor(view, you)) {
    moves.push({ does: "stand-in", says: gettext("Let a computer player take over") });
  }
  if (mayEndFor(view, you)) moves.push({ does: "end", says: gettext("End the game") });
  return moves;
}

/**
 * Whether the choice between two views only decided how many or which dice to throw: it is still
 * the same turn, and tiles and held dice are unchanged.
 */
export function choseOnlyDice(before, after) {
  if (before.table?.does !== "choose" || after.table?.does !== "throw") return false;
  const unchanged = ({ game, seat, pieces, sheet }) => {
    const fixed = pieces.filter(({ kind, state }) => kind === "tile" || state === "held");
    const states = fixed.map(({ key, state }) => `${key} ${state}`);
    return [game, seat, sheet?.rows.length, ...states].join();
  };
  return unchanged(before.table) === unchanged(after.table);
}

/**
 * Returns the sides of each die that is thrown next: of all dice that are not held, or of `count`
 * dice if a choice decides their number.
 */
export function sidesThrown({ pieces, thrown }, count = null) {
  const dice = pieces.filter(({ kind, state }) => kind === "die" && state !== "held");
  if (count === null) return dice.map(({ sides }) => sides);
  const sides = (dice[0] ?? thrown[0])?.sides ?? 6;
  return Array.from({ length: count }, () => sides);
}

/** Whether this viewer can choose: in their turn, or early, if a throw counts for all. */
const canChoose = (view, you) =>
  view.table?.does === "choose" && (view.table.early || isMyTurn(view, you));

/** Returns the offers this viewer can choose from. The list is empty on another player's turn. */
export const offersFor = (view, you) => (canChoose(view, you) ? view.table.offers : []);

/** Returns how many pips are left to cover after the picked pieces. Null if nothing is due here. */
export function leftToCover(view, you, picked) {
  if (!canChoose(view, you) || !view.table.target) return null;
  return view.table.target - sumOf(view.table.pieces, picked);
}

/** Returns the text of the button that throws: how many dice, or which if they are not all d6. */
export function throwWords({ throws_number: number, throws_word: count }) {
  return number
    ? ngettext("Throw one die", "Throw {count} dice", number, { count })
    : gettext("Throw {count}", { count });
}

/** Returns who plays next and what they do, for viewers who wait. */
function dueWords({ seats, table }) {
  const { name } = seats[table.seat];
  return table.does === "throw"
    ? gettext("{name} to throw", { name })
    : gettext("{name} to choose", { name });
}

/** Turns the text of a button into a sentence. */
export const sentence = (words) => gettext("{words}.", { words });

/** Returns a main button that does nothing; a press says the sentence `why`. */
export const idle = (says, why = sentence(says)) => ({ says, do: null, why });

/**
 * Returns the main button: `says` is its text, and `do` its action: "throw", "hand", "choose" (with
 * the text of the offer in `choice`), "rematch", "places", "new", "come-back" or null. If it is
 * null, `why` is the sentence to say when the button is pressed, and `rests` is true if others
 * play. `kept` is a cover that waits until this seat is due.
 */
export function mainMove(view, you, picked, kept = null) {
  if (view.phase === "waiting") {
    const why = gettext("The game starts when every seat is taken.");
    return idle(gettext("Waiting for players"), why);
  }
  if (!isRunning(view)) return moveAfterGame(view, you);
  if (kept) return idle(dueWords(view));
  if (!isMyTurn(view, you) && !view.table.early) return moveOfOthers(view, you);
  return view.table.does === "throw" ? throwMove(view, you) : chooseMove(view.table, picked);
}

/** Returns the main button after the game. */
function moveAfterGame({ seats, settings }, you) {
  if (you.may.rematch) return { says: pgettext("button", "Play again"), do: "rematch" };
  const others = seats.filter((_, seat) => !you.seats.includes(seat));
  if (others.some(({ again }) => again === false)) {
    return { says: pgettext("button", "New table"), do: "new" };
  }
  if (you.seats.some((seat) => seats[seat].again)) {
    const asked = others.filter(({ again, computer }) => again === null && !computer);
    const isOne = asked.length === 1;
    return idle(isOne ? gettext("{name} to answer", asked[0]) : gettext("Waiting for an answer"));
  }
  if (settings.dice === "day") return { says: pgettext("button", "All days"), do: "places" };
  return idle(gettext("The game is over"), gettext("The game is over."));
}

/** Returns the main button while others play, or where another screen has the dice. */
function moveOfOthers(view, you) {
  const { seat } = view.table;
  if (you.may.come_back.includes(seat)) {
    return { says: pgettext("button", "Come back"), do: "come-back" };
  }
  if (plays(view, you, seat)) {
    const why = gettext("The dice are at another screen; type them there.");
    return idle(gettext("Waiting for the dice"), why);
  }
  return { ...idle(dueWords(view)), rests: true };
}

/** Returns the main button of a player who throws. */
function throwMove(view, you) {
  if (view.settings.dice !== "hand") return { says: throwWords(view.table), do: "throw" };
  if (!throwsForComputer(view, you)) return { says: gettext("Take these dice"), do: "hand" };
  const { name } = view.seats[view.table.seat];
  return { says: gettext("{name}: take these dice", { name }), do: "hand" };
}

/** Returns the main button of a player who chooses: the offer that is picked, or the default one. */
function chooseMove(table, picked) {
  const { offers } = table;
  const preset = picked.length ? null : offers.find(({ text }) => text === table.default);
  const offer = exactOffers(offers, picked)[0] ?? preset;
  if (offer) return { says: offerWords(table, offer), do: "choose", choice: offer.text };
  if (picksTiles(table)) return idle(remainingWords(table, picked), table.legal);
  return idle(pgettext("button", "Choose"), `${table.ask} ${table.legal}`.trim());
}

/** Returns the text of the button while the picked tiles are not a move yet. */
function remainingWords({ pieces, target }, picked) {
  if (!target) return pgettext("button", "Pick tiles");
  if (!picked.length) return gettext("Cover {target}", { target });
  return gettext("{number} more to cover", { number: target - sumOf(pieces, picked) });
}

/** Whether the viewer only has to press one of several buttons. */
export function isQuestion(view, you, picked) {
  const offers = offersFor(view, you);
  if (!offers.length || mainMove(view, you, picked).do) return false;
  return otherMoves(view, you, picked).buttons.length > 0 && !picksTiles(view.table);
}

/** Whether an offer takes tiles, and not only dice. */
const takesTiles = ({ pieces }, { takes }) =>
  pieces.some(({ kind, key }) => kind === "tile" && takes.includes(key));

const picksTiles = (table) => table.offers.some((offer) => takesTiles(table, offer));

/**
 * Returns the offers that neither the main button makes nor a pick of tiles: those with a button of
 * their own in `buttons`, and the others in `list`. If they are many, only what is picked gets one.
 */
export function otherMoves(view, you, picked) {
  const offers = offersFor(view, you);
  const main = mainMove(view, you, picked).choice;
  const exact = exactOffers(offers, picked);
  const others = offers.filter((offer) => !takesTiles(view.table, offer));
  const isMany = others.length > MOST_BUTTONS; // then dice are picked on the board
  const listed = isMany ? others.filter(({ takes }) => !takes.length) : others;
  const shown = [...new Set([...exact, ...listed])].filter(({ text }) => text !== main);
  if (shown.length <= MOST_BUTTONS) return { buttons: shown, list: [] };
  return {
    buttons: shown.filter((offer) => exact.includes(offer)),
    list: shown.filter((offer) => !exact.includes(offer)),
  };
}

/**
 * Returns a Map from an offer's text to the digit that chooses it: the number of dice to throw, or
 * the offer's position. Empty if digits pick pieces, or if there are more than `MOST_BUTTONS`.
 */
export function digitsOf(table, offers) {
  const taking = offers.filter(({ takes }) => takes.length);
  const digitsPick = taking.length > 1 || taking.some((offer) => takesTiles(table, offer));
  if (digitsPick || offers.length > MOST_BUTTONS) return new Map();
  const isOfDice = offers.every(({ kind }) => kind === "dice");
  return new Map(offers.map(({ text, count }, i) => [text, String(isOfDice ? count : i + 1)]));
}

/** Returns the text of the button that makes an offer: which tiles it covers, or what it does. */
function offerWords(table, offer) {
  if (!takesTiles(table, offer)) return capital(offer.says);
  const taken = table.pieces.filter(({ key }) => offer.takes.includes(key));
  // If the tiles are in two rows, a number alone does not identify a tile.
  const isOneRow = table.pieces.every(({ row }) => !row);
  const isPlain = isOneRow && taken.every(({ kind }) => kind === "tile");
  const tiles = isPlain ? taken.map(({ face }) => face).join(" + ") : offer.says;
  return gettext("Cover {tiles}", { tiles });
}

/** Returns the pieces as the last event left them: those of a turn that has just ended, if any. */
export const lastPieces = ({ left, pieces }) => (left?.length ? left : pieces);

/** Whether the only player at this screen has won a match, alone or with others. */
export const hasWonHere = ({ winners, plates }, you) =>
  plates.length > 1 && you.seats.length === 1 && winners.includes(you.seats[0]);

/** Whether the game has a box and it is shut. A game with dice only has no box, and a row no lid. */
export const isShut = ({ shut, pieces, plates }) =>
  shut && !hasRows({ plates }) && pieces.some(({ kind }) => kind === "tile");

/** Returns the seats that nobody has taken. */
export const freeSeats = ({ seats }) => seats.filter(({ state }) => state === "free");

/** Returns the link to take a free seat. Null if none is free or this viewer cannot invite. */
export const invitation = (view, { links }) => (freeSeats(view).length ? links.join : null);

/**
 * Returns the sounds for the event between two views, in the order of playing: "stuck", then "mine"
 * or "theirs". Empty unless the turn has passed to another seat and the game goes on.
 */
export function cuesOf(before, after, you, { kind, seat }) {
  const hasPassed = before.table && after.table && after.table.seat !== before.table.seat;
  const isOver = after.phase !== "playing" && before.phase === "playing"; // an end has sounds of its own
  if (!hasPassed || isOver) return [];
  const isStuck = kind === "throw" && before.table.seat === seat && !isShut(after.table);
  return [...(isStuck ? ["stuck"] : []), isMyTurn(after, you) ? "mine" : "theirs"];
}
