// What the main button and the other buttons do, worked out from the view, from who is looking and
// from what is picked. Nothing here touches the page.

import { capital, gettext } from "./messages.js";
import { exact, sum } from "./picking.js";

/** The most choices that are buttons; more of them are a list to choose from. */
const MOST_BUTTONS = 8;

/** How a piece is called, with the face of a die that lies there. */
export const named = ({ kind, label, face }) =>
  kind === "die" && face ? gettext("{label} {face}", { label, face }) : label;

/** Whether somebody is due here. */
function isOn({ phase, table }) {
  return Boolean(table) && phase === "playing" && table.does !== "over";
}

/** Whether the player of a seat has left, even if a computer player goes on. */
export const hasLeft = ({ seats }, seat) => seats[seat]?.state === "left";

/** Whether this viewer plays for a seat: it is his, and nobody goes on for him. */
export function plays({ seats }, you, seat) {
  return you.seats.includes(seat) && seats[seat].state === "taken" && !seats[seat].computer;
}

/** Whether real dice are waited for that lie at another screen, and are typed there. */
const liesElsewhere = ({ settings, table }, you) =>
  settings.dice === "hand" && table.does === "throw" && !you.may.types_dice;

/** Whether this viewer is due: for a seat of his own, or to throw real dice for a computer. */
export function isMine(view, you) {
  if (!isOn(view) || liesElsewhere(view, you)) return false;
  return plays(view, you, view.table.seat) || throwsFor(view, you);
}

/** Whether somebody who looks elsewhere is called: a friend came, or one's turn after a friend's. */
export function isCalled(before, after, you, kinds) {
  if (kinds.includes("enter")) return true;
  const friends = after.seats.filter((seat, n) => !seat.computer && !you.seats.includes(n));
  return friends.length > 0 && isMine(after, you) && !isMine(before, you);
}

/** Whether the dice that are due are thrown for a computer player, who has no hands. */
const throwsFor = ({ table }, you) =>
  table.does === "throw" && you.may.throw_for.includes(table.seat);

/** Whether the dice that were typed last may be corrected here. */
export const mayCorrect = (view, you) =>
  you.may.types_dice &&
  (plays(view, you, view.table.correctable) || you.may.throw_for.includes(view.table.correctable));

/** Whether this viewer may take the last choice back: what has ended the game stands. */
export const mayTakeBack = (view, you) => isOn(view) && plays(view, you, view.table.taker_back);

/** Whether this viewer may ask for a hint now. */
export const mayAskHint = (view, you) => isMine(view, you) && view.settings.hints !== "off";

/** Whether a computer player may go on for the player who is due. */
export const mayStandInFor = ({ seats, table }, you) =>
  you.may.stand_in.includes(table.seat) && !seats[table.seat].computer;

/** Whether the game may be ended since the player who is due has left, or does nothing for long. */
export function mayEndFor(view, you) {
  const gone = view.seats.filter(({ state, computer }) => state === "left" && !computer);
  return you.may.end && (!gone.length || gone.includes(view.seats[view.table.seat]));
}

/** Whether the player who is due is away, and this viewer may do something about it. */
export function isAwaited(view, you) {
  if (!isOn(view) || isMine(view, you)) return false;
  return mayStandInFor(view, you) || mayEndFor(view, you);
}

/** What this viewer may do where who is due is away: what is done, and what the button says. */
export function awayMoves(view, you) {
  if (!isAwaited(view, you)) return [];
  const moves = [];
  if (mayStandInFor(view, you)) {
    moves.push({ does: "stand-in", says: gettext("Let a computer player go on") });
  }
  if (mayEndFor(view, you)) moves.push({ does: "end", says: gettext("End the game") });
  return moves;
}

/**
 * Whether a choice that led from one view to another said only how many dice, or which ones: the
 * same seat is to throw in the same turn, and what is not to be thrown is as it was.
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

/** The offers of this viewer: none while somebody else is due. */
export function offersFor(view, you) {
  return isMine(view, you) && view.table.does === "choose" ? view.table.offers : [];
}

/** What the pieces that are picked leave to cover; null where it has no meaning. */
export function leftToCover(view, you, picked) {
  const { table } = view;
  if (!isMine(view, you) || table.does !== "choose" || !table.target) return null;
  return table.target - sum(table.pieces, picked);
}

/** The sum of what is picked against the pips, in words; empty where it has no meaning. */
export function sumWords(table, picked) {
  if (!table?.target) return "";
  return gettext("{sum} of {target}", { sum: sum(table.pieces, picked), target: table.target });
}

/**
 * What the main button says and does: `do` is "throw", "hand", "choose", "rematch", "places",
 * "come-back" or null for nothing, and then `why` is what to say when it is pressed.
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
      const why = gettext("The dice lie at another screen, and are typed there.");
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

/** Whether all there is to do is to press one of some buttons. */
export function isQuestion(view, you, picked) {
  const offers = offersFor(view, you);
  if (!offers.length || mainMove(view, you, picked).do) return false;
  return otherMoves(view, you, picked).buttons.length > 0 && !picksTiles(view.table);
}

const picksTiles = (table) => table.offers.some((offer) => takesTiles(table, offer));

/** The offers that have a button or a line in the list of their own. */
export function otherMoves(view, you, picked) {
  const offers = offersFor(view, you);
  const main = mainMove(view, you, picked).choice;
  const others = offers.filter((offer) => !takesTiles(view.table, offer));
  const alone = others.length > MOST_BUTTONS ? others.filter((o) => !o.takes.length) : others;
  const also = exact(offers, picked);
  const all = [...also, ...alone.filter((offer) => !also.includes(offer))];
  const shown = all.filter((offer) => offer.text !== main);
  const few = shown.length <= MOST_BUTTONS;
  return {
    buttons: few ? shown : shown.filter((offer) => also.includes(offer)),
    list: few ? [] : shown.filter((offer) => !also.includes(offer)),
  };
}

/**
 * The digit for each offer of a question that is answered without picking anything, by the offer's
 * text: how many dice it throws, or its place. Empty where digits pick pieces.
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

/** The pieces as the last event left them: of a turn that has just ended, or those that lie there. */
export const lying = ({ left, pieces }) => (left?.length ? left : pieces);

/** Whether the player who has this screen alone has won a match, alone or with others. */
export const hasWonHere = ({ winners, plates }, you) =>
  plates.length > 1 && you.seats.length === 1 && winners.includes(you.seats[0]);

/** Whether a box lies shut there: a game of dice alone has none, however well it ended. */
export const isShut = ({ shut, pieces }) => shut && pieces.some(({ kind }) => kind === "tile");

/** The link that gives a friend a free seat; nothing where none is free, or this viewer invites nobody. */
export const invitation = ({ seats }, { links }) =>
  seats.some(({ state }) => state === "free") ? links.join : null;
