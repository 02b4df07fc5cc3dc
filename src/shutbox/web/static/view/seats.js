// The seats, the links to share, and the actions on a seat. A part is rebuilt only if its content
// has changed, and the focus returns to where it was.

import { gettext, ngettext, pgettext, separated } from "../model/messages.js";
import { freeSeats, invitation } from "../model/moves.js";
import { button, byId, el, keyed, onSubmit, rebuild, set, text } from "./dom.js";
import { limit, nameIn, refuse } from "./field.js";
import { isMuted, mute } from "./hush.js";
import { linkRow } from "./invite.js";

const WATCH = -1; // the watch link has this in place of a seat
const UNDOES_LEAVING = "[data-key^=come-back]"; // the button

/** Returns the seats of a view, each with its `number`, what it is `called`, `isFree` and `isOwn`. */
const seatsFor = ({ seats }, you) =>
  seats.map((seat, number) => ({
    ...seat,
    number,
    called: seat.name || gettext("seat {number}", { number: number + 1 }),
    isFree: seat.state === "free",
    isOwn: you.seats.includes(number),
  }));

/** Returns the words after the name in the line of a seat. If it `isDue`, its player acts next. */
function seatWords({ isOwn, isFree, computer, out, state }, isDue) {
  const words = [];
  if (isOwn) words.push(pgettext("seat", "you"));
  if (computer) words.push(gettext("computer: {kind}", { kind: computer }));
  if (isFree) words.push(pgettext("seat", "free"));
  if (out) words.push(out);
  else if (state === "left") words.push(pgettext("seat", "has left"));
  if (isDue) words.push(pgettext("seat", "to play"));
  return separated(["", ...words]);
}

/**
 * A part of the list is an object with a `key`, and `make()` that returns its element. It is made
 * again only if the key is another one.
 */
export class Seats {
  /**
   * `kinds` are the computer players, as pairs of id and name. `does(what, body, refused)` sends an
   * action on a seat or on the room, as `Actions.toRoom` does.
   */
  constructor(kinds, does) {
    Object.assign(this, { kinds, does });
    byId("seats").replaceChildren();
  }

  /** Draws the seats with their actions, the viewers, the links, and the actions on the room. */
  draw(view, you) {
    keyed(
      byId("seats"),
      seatsFor(view, you),
      ({ number }) => String(number),
      () => el("li", {}, el("bdi", { class: "who" }), el("span"), el("div")),
      (line, seat) => {
        const [name, words, actions] = line.children;
        const isDue = seat.due && view.phase === "playing";
        set(line, "aria-current", isDue ? "true" : null);
        text(name, seat.name || gettext("Seat {number}", { number: seat.number + 1 }));
        text(words, seatWords(seat, isDue));
        rebuild(actions, this.seatParts(view, you, seat), UNDOES_LEAVING);
      },
    );
    const { watching } = view;
    const count = ngettext("{number} watching.", "{number} watching.", watching);
    text(byId("watching"), watching ? count : "");
    rebuild(byId("invites"), [...this.invitationParts(view, you), ...this.watchParts(you)]);
    rebuild(byId("actions"), this.roomParts(you));
  }

  /** Returns the link for all free seats. Guests get the lowest free seat first. */
  invitationParts(view, you) {
    const address = invitation(view, you);
    if (!address) return [];
    const [{ number, called: name }, ...others] = seatsFor(view, you).filter(({ isFree }) => isFree);
    const [link, renews] = others.length
      ? [gettext("Link for your friends"), gettext("New link for your friends")]
      : [gettext("Link ({name})", { name }), gettext("New link ({name})", { name })];
    return [linkPart(link, address, "free"), this.renewPart(number, renews)];
  }

  /** Returns the link for viewers, and the button to replace it. */
  watchParts({ may, links }) {
    const says = gettext("New watch link");
    return [
      links.watch && linkPart(gettext("Link to watch"), links.watch, WATCH),
      may.renew.includes(WATCH) && this.actionPart("renew", { seat: WATCH }, says),
    ].filter(Boolean);
  }

  /** Returns the button that ends the game, for a viewer who may. */
  roomParts({ may }) {
    const says = may.give_up ? gettext("Give up this game") : gettext("End the game");
    return may.end || may.give_up ? [this.actionPart("end", {}, says)] : [];
  }

  /** Returns the links and the actions of a seat, in their order. */
  seatParts(view, you, seat) {
    const { may } = you;
    const { number, called: name, isFree, isOwn } = seat;
    const act = (what, says, label) => this.actionPart(what, { seat: number }, says, label);
    const links = this.linkParts(view, you, seat);
    const isOther = you.seats.length > 0 && !isOwn && !isFree && !seat.computer;
    return [
      ...(isFree ? [] : links),
      may.stand_in.includes(number) && (isFree
        ? this.standInPart(number, name, view.settings.stand_in)
        : act("stand-in", gettext("Let it play"), gettext("{name}: let it play, so that a computer player takes over", { name }))),
      ...(isFree ? links : []),
      may.come_back.includes(number) &&
        act("come-back", pgettext("button", "Come back"), gettext("{name}: come back", { name })),
      may.name.includes(number) && view.phase !== "waiting" && this.namePart(number, name),
      may.clear_name.includes(number) && !isOwn &&
        act("clear-name", gettext("Clear the name"), gettext("{name}: clear the name", { name })),
      isOther && mutePart(view.room, number, name),
      may.leave.includes(number) &&
        act("leave", pgettext("button", "Leave"), gettext("{name}: leave this seat", { name })),
    ].filter(Boolean);
  }

  /** Returns the link of a seat and the button to replace it, folded if they are seldom needed. */
  linkParts(view, you, { number, called: name, isFree, isOwn }) {
    const address = you.links.seats[number];
    // The invitation leads to the only free seat, unless the host has no seat and may want it.
    const isInvitation = isFree && freeSeats(view).length === 1 && you.seats.length > 0;
    const links = [];
    if (address && !isInvitation) {
      links.push(linkPart(gettext("Link ({name})", { name }), address, number));
    }
    if (you.may.renew.includes(number) && !isFree) {
      links.push(this.renewPart(number, gettext("New link ({name})", { name })));
    }
    if (!links.length) return [];
    if (isFree) return [foldOf(gettext("{name}: a link of their own", { name }), links)];
    if (!isOwn) return links;
    // A player seldom needs the link of their own seat, and needs no name for the only one.
    const elsewhere = you.seats.length === 1
      ? gettext("Play on another device")
      : gettext("{name}: play on another device", { name });
    return [foldOf(elsewhere, links)];
  }

  /** Returns the form in which a player changes the name of a seat. */
  namePart(seat, name) {
    const make = () => {
      const told = el("p", { class: "told", id: `seat-${seat}-told`, role: "alert" });
      const field = el("input", { autocomplete: "nickname", "aria-describedby": told.id });
      field.value = name;
      limit(field);
      const refused = ({ message }) => refuse(field, message);
      const send = () => nameIn(field) && this.does("name", { seat, name: nameIn(field) }, refused);
      const form = rowForm(pgettext("field", "Name"), field, pgettext("button", "Change"), send);
      form.append(told);
      return form;
    };
    return foldOf(gettext("{name}: another name", { name }), [{ key: name, make }]);
  }

  /**
   * Returns a form to choose a computer player for a seat. `settled` is preselected: the one that
   * replaces absent players in this room.
   */
  standInPart(seat, name, settled) {
    const make = () => {
      const kinds = this.kinds.map(([value, text]) =>
        el("option", { value, text, selected: value === settled }),
      );
      const choice = el("select", {}, ...kinds);
      const words = gettext("{name}: nobody free? Choose a computer player", { name });
      const send = () => this.does("stand-in", { seat, computer: choice.value });
      return rowForm(words, choice, gettext("Let it play"), send);
    };
    return { key: `stand-in ${name}`, make };
  }

  /** Returns the button that replaces the link of a seat. */
  renewPart(seat, label) {
    return this.actionPart("renew", { seat }, pgettext("button", "New link"), label);
  }

  /** Returns a button with the text `says` and the accessible name `label` that sends an action. */
  actionPart(what, body, says, label = says) {
    return { key: `${what} ${label}`, make: () => button(says, label, () => this.does(what, body)) };
  }
}

/** Returns a link with the buttons to pass it on. */
const linkPart = (label, address, seat) =>
  ({ key: `link ${label} ${address}`, make: () => linkRow(label, address, seat) });

/** Returns the button that hides a player's name and phrases on this device, or shows them. */
function mutePart(room, seat, name) {
  const [says, label] = isMuted(room, seat)
    ? [pgettext("button", "Unmute"), gettext("{name}: unmute, which shows the name and the phrases again", { name })]
    : [pgettext("button", "Mute"), gettext("{name}: mute, which hides the name and the phrases on this device", { name })];
  return { key: label, make: () => button(says, label, () => mute(room, seat)) };
}

/** Returns a form of one row: a field with its label, and a button that sends it. */
function rowForm(words, field, says, send) {
  const label = el("label", { class: "grow" }, words, field);
  const form = el("form", { class: "row" }, label, el("button", { text: says }));
  onSubmit(form, send);
  return form;
}

/** Returns a part that unfolds, and then shows the others. */
function foldOf(says, parts) {
  const make = () =>
    el("details", {}, el("summary", { text: says }), ...parts.map((part) => part.make()));
  return { key: [says, ...parts.map(({ key }) => key)].join(" "), make };
}
