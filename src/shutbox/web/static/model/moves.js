// The actions of the main button and the other buttons, computed from the view, the viewer's
// permissions and the picked pieces. Nothing here touches the page.

import { capital, gettext } from "./messages.js";
import { exact, sum } from "./picking.js";

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
 * Whether to alert a viewer who looks elsewhere: a friend joined, or the turn passed from a friend
 * to the viewer.
 */
export function isCalled(before, after, you, kinds) {
  if (kinds.includes("enter")) return true;
  const friends = after.seats.filter((seat, n) => !seat.computer && !you.seats.includes(n));
  return friends.length > 0 && isMine(after, you) && !isMine(before, you);
}

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
 * Returns what this viewer may do while the current player is away: the action and the text of its
 * button.
 */
export function awayMoves(view, you) {
  if (!isAwaited(view, you)) return [];
  const moves = [];
  if (mayStandInFor(view, you)) {
    moves.push({ does: "stand-in", says: gettext("Let a computer player take over") });
  }
  if (mayEndFor(view, you)) moves.push({ does: "end", says: gettext("End the game") });
  return moves;
}

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

/** Returns the offers this viewer can choose from. The list is empty on another player's turn. */
export function offersFor(view, you) {
  return isMine(view, you) && view.table.does === "choose" ? view.table.offers : [];
}

/**
 * Returns how many pips are left to cover after the picked pieces. Null if there is no target to
 * cover.
 */
export function leftToCover(view, you, picked) {
  const { table } = view;
  if (!isMine(view, you) || table.does !== "choose" || !table.target) return null;
  return table.target - sum(table.pieces, picked);
}

/** Returns the sum of the picked pieces and the target in words. Empty if there is no target. */
export function sumWords(table, picked) {
  if (!table?.target) return "";
  return gettext("{sum} of {target}", { sum: sum(table.pieces, picked), target: table.target });
}

/**
 * Returns the text and the action of the main button. `do` is "throw", "hand", "choose", "rematch",
 * "places", "come-back" or null. If it is null, `why` is the sentence to say when the button is
 * pressed.
 */
export function mainMove(view, you, picked) {
  const { table } = view;
  const nothing = (says, why) => ({ says, do: null, why });
  if (view.phase === "waiting") {
    const why = gettext("The game begins when every seat is taken.");
    return nothing(gettext("Waiting for players"), why);
  }
  if (!isOn(view)) {
    if (you.may.rematch) return { says: gettext("Play again"), do: "rematch" };
    if (view.settings.dice === "day") return { says: gettext("Your place"), do: "places" };
    return nothing(gettext("The game is over"), gettext("The game is over."));
  }
  if (!isMine(view, you)) {
    if (you.may.come_back.includes(table.seat)) {
      return { says: gettext("Come back"), do: "come-back" };
    }
    if (plays(view, you, table.seat)) {
      const why = gettext("The dice are at another screen; type them there.");
      return nothing(gettext("Waiting for the dice"), why);
    }
    const { name } = view.seats[table.seat];
    const why = gettext("{name}'s turn.", { name });
    return nothing(gettext("Waiting for {name}", { name }), why);
  }
  if (table.does === "throw") {
    if (view.settings.dice !== "hand") {
      return { says: gettext("Throw {dice}", { dice: table.throws }), do: "throw" };
    }
    const { name } = view.seats[table.seat];
    return throwsFor(view, you)
      ? { says: gettext("Take these dice for {name}", { name }), do: "hand" }
      : { says: gettext("Take these dice"), do: "hand" };
  }
  const offer =
    exact(table.offers, picked)[0] ||
    (picked.length ? null : table.offers.find((other) => other.text === table.default));
  if (offer) return { says: putDown(table, offer), do: "choose", choice: offer.text };
  if (picksTiles(table)) {
    const { target } = table;
    const says = target
      ? gettext("Pick tiles: {sum} of {target}", { sum: sum(table.pieces, picked), target })
      : gettext("Pick tiles");
    return nothing(says, table.legal);
  }
  return nothing(gettext("Choose one"), `${table.ask} ${table.legal}`.trim());
}

/** Whether the viewer only has to press one of several buttons. */
export function isQuestion(view, you, picked) {
  const offers = offersFor(view, you);
  if (!offers.length || mainMove(view, you, picked).do) return false;
  return otherMoves(view, you, picked).buttons.length > 0 && !picksTiles(view.table);
}

const picksTiles = (table) => table.offers.some((offer) => takesTiles(table, offer));

/** Returns the offers that get their own button, and those for the drop-down list. */
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
 * Returns the digit that chooses each offer, by the offer's text: the number of dice to throw, or
 * the offer's position. Empty if digits pick pieces.
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

function putDown(table, offer) {
  const isCover = takesTiles(table, offer);
  return isCover ? gettext("Put down {tiles}", { tiles: offer.says }) : capital(offer.says);
}

/**
 * Returns the pieces as the last event left them: the final pieces of a turn that has just ended,
 * else the current ones.
 */
export const lying = ({ left, pieces }) => (left?.length ? left : pieces);

/** Whether the only player at this screen has won a match, alone or with others. */
export const hasWonHere = ({ winners, plates }, you) =>
  plates.length > 1 && you.seats.length === 1 && winners.includes(you.seats[0]);

/** Whether the game has a box and it is shut. A game with dice only has no box. */
export const isShut = ({ shut, pieces }) => shut && pieces.some(({ kind }) => kind === "tile");

/**
 * Returns the link for a friend to take a free seat. Null if no seat is free or this viewer cannot
 * invite.
 */
export const invitation = ({ seats }, { links }) =>
  seats.some(({ state }) => state === "free") ? links.join : null;
