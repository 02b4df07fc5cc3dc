// The actions of the main button and the other buttons, computed from the view, the viewer's
// permissions and the picked pieces. Nothing here touches the page.

import { capital, gettext, ngettext, pgettext } from "./messages.js";
import { exact, sum } from "./picking.js";
import { hasRows } from "./rows.js";

/** The most choices that get a button each. If there are more, the page shows a drop-down list. */
const MOST_BUTTONS = 8;

/** Returns the label of a piece, followed by its face if it is a die that was thrown. */
export const named = ({ kind, label, face }) =>
  kind === "die" && face ? gettext("{label} {face}", { label, face }) : label;

/** Whether the game is running and waits for a player. */
function isOn({ phase, table }) {
  return Boolean(table) && phase === "playing" && table.does !== "over";
}

/** Whether the player of a seat has left, even if a computer player continues for them. */
export const hasLeft = ({ seats }, seat) => seats[seat]?.state === "left";

/**
 * Whether this viewer plays for a seat: it is theirs, and no computer player continues for them.
 */
export function plays({ seats }, you, seat) {
  return you.seats.includes(seat) && seats[seat].state === "taken" && !seats[seat].computer;
}

/** Whether the game waits for real dice that are thrown and typed at another screen. */
const liesElsewhere = ({ settings, table }, you) =>
  settings.dice === "hand" && table.does === "throw" && !you.may.types_dice;

/**
 * Whether it is this viewer's turn: at their own seat, or to throw real dice for a computer player.
 */
export function isMine(view, you) {
  if (!isOn(view) || liesElsewhere(view, you)) return false;
  return plays(view, you, view.table.seat) || throwsFor(view, you);
}

/**
 * Whether to alert a viewer who looks elsewhere: a player joined, or the viewer's turn began at a table
 * with friends. `kinds` are those of the events between the two views.
 */
export function isCalled(before, after, you, kinds) {
  if (kinds.includes("enter")) return true;
  const friends = after.seats.filter((seat, n) => !seat.computer && !you.seats.includes(n));
  return friends.length > 0 && isMine(after, you) && !isMine(before, you);
}

/** Returns the seats to greet when the player in `seat` has come. That player greets all others. */
export const greeted = ({ seats }, you, seat) =>
  you.seats.includes(seat) ? [...seats.keys()].filter((n) => !you.seats.includes(n)) : [seat];

/** Whether this viewer throws the next dice for a computer player, which has no hands. */
const throwsFor = ({ table }, you) =>
  table.does === "throw" && you.may.throw_for.includes(table.seat);

/** Whether this viewer may correct the dice that were typed last. */
export const mayCorrect = (view, you) =>
  you.may.types_dice &&
  (plays(view, you, view.table.correctable) || you.may.throw_for.includes(view.table.correctable));

/**
 * Whether this viewer may take the last choice back. A choice that ended the game cannot be taken
 * back.
 */
export const mayTakeBack = (view, you) => isOn(view) && plays(view, you, view.table.taker_back);

/** Whether this viewer may ask for a hint now. */
export const mayAskHint = (view, you) => isMine(view, you) && view.settings.hints !== "off";

/** Whether this viewer may let a computer player continue for the current player. */
export const mayStandInFor = ({ seats, table }, you) =>
  you.may.stand_in.includes(table.seat) && !seats[table.seat].computer;

/**
 * Whether this viewer may end the game because the current player has left or has done nothing for
 * a long time.
 */
export function mayEndFor(view, you) {
  const gone = view.seats.filter(({ state, computer }) => state === "left" && !computer);
  return you.may.end && (!gone.length || gone.includes(view.seats[view.table.seat]));
}

/** Whether the current player is away and this viewer may act on it. */
export function isAwaited(view, you) {
  if (!isOn(view) || isMine(view, you)) return false;
  return mayStandInFor(view, you) || mayEndFor(view, you);
}

/**
 * Returns the buttons that this viewer gets while the current player is away: the action `does` and the
 * text `says`. If another player has asked for a new game, the only one is to decline.
 */
export function awayMoves(view, you) {
  const isAsked = view.seats.some(({ again }, seat) => again && !you.seats.includes(seat));
  if (isAsked && you.may.decline.length) return [{ does: "decline", says: gettext("No more games") }];
  if (!isAwaited(view, you)) return [];
  const moves = [];
  if (mayStandInFor(view, you)) {
    moves.push({ does: "stand-in", says: gettext("Let a computer player take over") });
  }
  if (mayEndFor(view, you)) moves.push({ does: "end", says: gettext("End the game") });
  return moves;
}

/** Whether a player at this screen has asked for another game. */
const hasAsked = ({ seats }, you) => you.seats.some((seat) => seats[seat].again);

/**
 * Whether the choice between two views only decided how many or which dice to throw: it is still
 * the same seat and turn, and tiles and held dice are unchanged.
 */
export function onlyDice(before, after) {
  if (before.table?.does !== "choose" || after.table?.does !== "throw") return false;
  const stands = ({ game, seat, pieces, sheet }) => {
    const fixed = pieces.filter(({ kind, state }) => kind === "tile" || state === "held");
    const lies = fixed.map(({ key, state }) => `${key} ${state}`);
    return [game, seat, sheet?.rows.length, ...lies].join();
  };
  return stands(before.table) === stands(after.table);
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
const chooses = (view, you) => view.table?.does === "choose" && (view.table.early || isMine(view, you));

/** Returns the offers this viewer can choose from. The list is empty on another player's turn. */
export const offersFor = (view, you) => (chooses(view, you) ? view.table.offers : []);

/**
 * Returns how many pips are left to cover after the picked pieces. Null if this viewer has no target
 * to cover.
 */
export function leftToCover(view, you, picked) {
  const { table } = view;
  if (!chooses(view, you) || !table.target) return null;
  return table.target - sum(table.pieces, picked);
}

/** Returns the text of the button that throws: how many dice, or which if they are not all d6. */
export function throwWords({ throws_number: number, throws_word: count }) {
  return number
    ? ngettext("Throw one die", "Throw {count} dice", number, { count })
    : gettext("Throw {count}", { count });
}

/** Returns who plays next and what they do, for viewers who wait. */
export function dueWords({ seats, table }) {
  const { name } = seats[table.seat];
  return table.does === "throw" ? gettext("{name} to throw", { name }) : gettext("{name} to choose", { name });
}

/** Turns the text of a button into a sentence. */
export const sentence = (words) => gettext("{words}.", { words });

/**
 * Returns the main button: `says` is its text, and `do` its action: "throw", "hand", "choose" (with the
 * text of the offer in `choice`), "rematch", "places", "new", "come-back" or null. If it is null, `why`
 * is the sentence to say when the button is pressed, and `rests` is true if others play. `kept` is a cover
 * that waits until this seat is due.
 */
export function mainMove(view, you, picked, kept = null) {
  const { table } = view;
  const nothing = (says, why) => ({ says, do: null, why });
  if (view.phase === "waiting") {
    const why = gettext("The game starts when every seat is taken.");
    return nothing(gettext("Waiting for players"), why);
  }
  if (!isOn(view)) {
    if (you.may.rematch) return { says: pgettext("button", "Play again"), do: "rematch" };
    if (view.seats.some(({ again }, seat) => again === false && !you.seats.includes(seat))) {
      return { says: pgettext("button", "New table"), do: "new" };
    }
    if (hasAsked(view, you)) {
      const others = view.seats.filter(({ again, computer }, seat) => again === null && !computer && !you.seats.includes(seat));
      const says = others.length === 1 ? gettext("{name} to answer", others[0]) : gettext("Waiting for an answer");
      return nothing(says, sentence(says));
    }
    if (view.settings.dice === "day") return { says: pgettext("button", "All days"), do: "places" };
    return nothing(gettext("The game is over"), gettext("The game is over."));
  }
  if (kept) return nothing(dueWords(view), sentence(dueWords(view)));
  if (!isMine(view, you) && !table.early) {
    if (you.may.come_back.includes(table.seat)) {
      return { says: pgettext("button", "Come back"), do: "come-back" };
    }
    if (plays(view, you, table.seat)) {
      const why = gettext("The dice are at another screen; type them there.");
      return nothing(gettext("Waiting for the dice"), why);
    }
    return { ...nothing(dueWords(view), sentence(dueWords(view))), rests: true };
  }
  if (table.does === "throw") {
    if (view.settings.dice !== "hand") {
      return { says: throwWords(table), do: "throw" };
    }
    const { name } = view.seats[table.seat];
    return throwsFor(view, you)
      ? { says: gettext("{name}: take these dice", { name }), do: "hand" }
      : { says: gettext("Take these dice"), do: "hand" };
  }
  const offer =
    exact(table.offers, picked)[0] ||
    (picked.length ? null : table.offers.find((other) => other.text === table.default));
  if (offer) return { says: coverWords(table, offer), do: "choose", choice: offer.text };
  if (picksTiles(table)) {
    return nothing(toCover(table, picked), table.legal);
  }
  return nothing(pgettext("button", "Choose"), `${table.ask} ${table.legal}`.trim());
}

/** Returns what is left to cover, while the picked tiles are not a move yet. */
function toCover({ pieces, target }, picked) {
  if (!target) return pgettext("button", "Pick tiles");
  if (!picked.length) return gettext("Cover {target}", { target });
  return gettext("{number} more to cover", { number: target - sum(pieces, picked) });
}

/** Whether the viewer only has to press one of several buttons. */
export function isQuestion(view, you, picked) {
  const offers = offersFor(view, you);
  if (!offers.length || mainMove(view, you, picked).do) return false;
  return otherMoves(view, you, picked).buttons.length > 0 && !picksTiles(view.table);
}

const picksTiles = (table) => table.offers.some((offer) => takesTiles(table, offer));

/** Returns the offers that get their own button in `buttons`, and the others in `list`. */
export function otherMoves(view, you, picked) {
  const offers = offersFor(view, you);
  const main = mainMove(view, you, picked).choice;
  const others = offers.filter((offer) => !takesTiles(view.table, offer));
  const alone = others.length > MOST_BUTTONS ? others.filter((o) => !o.takes.length) : others;
  const exactOffers = exact(offers, picked);
  const all = [...exactOffers, ...alone.filter((offer) => !exactOffers.includes(offer))];
  const shown = all.filter((offer) => offer.text !== main);
  const few = shown.length <= MOST_BUTTONS;
  return {
    buttons: few ? shown : shown.filter((offer) => exactOffers.includes(offer)),
    list: few ? [] : shown.filter((offer) => !exactOffers.includes(offer)),
  };
}

/**
 * Returns a Map from an offer's text to the digit that chooses it: the number of dice to throw, or the
 * offer's position. Empty if digits pick pieces, or if there are more than `MOST_BUTTONS` offers.
 */
export function digitsOf(table, offers) {
  const picks = offers.filter((offer) => offer.takes.length);
  const isAsked = picks.length <= 1 && !picks.some((offer) => takesTiles(table, offer));
  if (!isAsked || offers.length > MOST_BUTTONS) return new Map();
  const isOfDice = offers.every(({ kind }) => kind === "dice");
  const digits = offers.map(({ count }, place) => (isOfDice ? count : place + 1));
  return new Map(offers.map(({ text }, place) => [text, String(digits[place])]));
}

function takesTiles(table, offer) {
  const tiles = new Set(table.pieces.filter((p) => p.kind === "tile").map((p) => p.key));
  return offer.takes.some((key) => tiles.has(key));
}

function coverWords(table, offer) {
  if (!takesTiles(table, offer)) return capital(offer.says);
  const taken = table.pieces.filter(({ key }) => offer.takes.includes(key));
  const isPlain = table.pieces.every(({ row }) => !row) && taken.every(({ kind }) => kind === "tile");
  // If the tiles are in two rows, a number alone does not identify a tile.
  const tiles = isPlain ? taken.map(({ face }) => face).join(" + ") : offer.says;
  return gettext("Cover {tiles}", { tiles });
}

/**
 * Returns the pieces as the last event left them: the final pieces of a turn that has just ended,
 * else the current ones.
 */
export const lying = ({ left, pieces }) => (left?.length ? left : pieces);

/** Whether the only player at this screen has won a match, alone or with others. */
export const hasWonHere = ({ winners, plates }, you) =>
  plates.length > 1 && you.seats.length === 1 && winners.includes(you.seats[0]);

/** Whether the game has a box and it is shut. A game with dice only has no box, and a row no lid. */
export const isShut = ({ shut, pieces, plates }) => shut && !hasRows({ plates }) && pieces.some(({ kind }) => kind === "tile");

/** Returns the seats that nobody has taken. */
export const freeSeats = ({ seats }) => seats.filter(({ state }) => state === "free");

/**
 * Returns the link for a friend to take a free seat. Null if no seat is free or this viewer cannot
 * invite.
 */
export const invitation = (view, { links }) => (freeSeats(view).length ? links.join : null);

/**
 * Returns the sounds for the event between two views, in the order of playing: "stuck", then "mine" or
 * "theirs". Empty unless the turn has passed to another seat and the game goes on.
 */
export function cuesOf(before, after, you, { kind, seat }) {
  const hasPassed = before.table && after.table && after.table.seat !== before.table.seat;
  const isOver = after.phase !== "playing" && before.phase === "playing"; // an end has sounds of its own
  if (!hasPassed || isOver) return [];
  const isStuck = kind === "throw" && before.table.seat === seat && !isShut(after.table);
  return [...(isStuck ? ["stuck"] : []), isMine(after, you) ? "mine" : "theirs"];
}
