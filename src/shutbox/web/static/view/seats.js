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

/** Returns the words after the name in the line of a seat. */
function seatWords(view, you, seat, number) {
  const words = [];
  if (you.seats.includes(number)) words.push(pgettext("seat", "you"));
  if (seat.computer) words.push(gettext("computer: {kind}", { kind: seat.computer }));
  if (seat.state === "free") words.push(pgettext("seat", "free"));
  if (seat.out) words.push(seat.out);
  else if (seat.state === "left") words.push(pgettext("seat", "has left"));
  if (seat.due && view.phase === "playing") words.push(pgettext("seat", "to play"));
  return separated(["", ...words]);
}

const nameOf = (seat, number) => seat.name || gettext("seat {number}", { number: number + 1 });

export class Seats {
  /** `kinds` are the computer players, as pairs of id and name. `does(what, body)` sends an action. */
  constructor(kinds, does) {
    Object.assign(this, { kinds, does });
    byId("seats").replaceChildren();
  }

  draw(view, you) {
    keyed(
      byId("seats"),
      [...view.seats.entries()],
      ([number]) => String(number),
      () => el("li", {}, el("bdi", { class: "who" }), el("span"), el("div")),
      (line, [number, seat]) => {
        const [name, words, actions] = line.children;
        set(line, "aria-current", seat.due && view.phase === "playing" ? "true" : null);
        text(name, seat.name || gettext("Seat {number}", { number: number + 1 }));
        text(words, seatWords(view, you, seat, number));
        rebuild(actions, this.seatParts(view, you, seat, number), UNDOES_LEAVING);
      },
    );
    const { watching } = view;
    const count = ngettext("{number} watching.", "{number} watching.", watching);
    text(byId("watching"), watching ? count : "");
    rebuild(byId("invites"), [...this.seatLinks(view, you), ...this.watchParts(you)]);
    rebuild(byId("actions"), this.roomButtons(you));
  }

  /** Returns the link for all free seats. Guests get the lowest free seat first. */
  seatLinks(view, you) {
    const { seats } = view;
    const address = invitation(view, you);
    if (!address) return [];
    const number = seats.findIndex(({ state }) => state === "free");
    const name = nameOf(seats[number], number);
    const [link, renews] = freeSeats(view).length > 1
      ? [gettext("Link for your friends"), gettext("New link for your friends")]
      : [gettext("Link ({name})", { name }), gettext("New link ({name})", { name })];
    return [this.linkPart(link, address, "free"), this.renewButton(number, renews)];
  }

  renewButton(seat, label) {
    return this.actionButton("renew", { seat }, pgettext("button", "New link"), label);
  }

  linksOfSeat(view, you, seat, number) {
    const name = nameOf(seat, number);
    const address = you.links.seats[number];
    const isFree = seat.state === "free";
    // The invitation leads to the only free seat, unless the host has no seat and may want it.
    const isInvitation = isFree && freeSeats(view).length === 1 && you.seats.length > 0;
    const links = [];
    if (address && !isInvitation) {
      links.push(this.linkPart(gettext("Link ({name})", { name }), address, number));
    }
    if (you.may.renew.includes(number) && !isFree) {
      links.push(this.renewButton(number, gettext("New link ({name})", { name })));
    }
    if (!links.length) return [];
    if (isFree) return [foldOf(gettext("{name}: a link of their own", { name }), links)];
    if (!you.seats.includes(number)) return links;
    // A player seldom needs the link of their own seat, and needs no name for the only one.
    const elsewhere = you.seats.length === 1
      ? gettext("Play on another device")
      : gettext("{name}: play on another device", { name });
    return [foldOf(elsewhere, links)];
  }

  seatParts(view, you, seat, number) {
    const { may } = you;
    const [name, isFree] = [nameOf(seat, number), seat.state === "free"];
    const links = this.linksOfSeat(view, you, seat, number);
    const isMine = you.seats.includes(number);
    const isOther = you.seats.length > 0 && !isMine && !isFree && !seat.computer;
    const act = (what, says, label) => this.actionButton(what, { seat: number }, says, label);
    return [
      ...(isFree ? [] : links),
      may.stand_in.includes(number) && isFree && this.standInForm(number, name, view.settings.stand_in),
      may.stand_in.includes(number) && !isFree &&
        act("stand-in", gettext("Let it play"), gettext("{name}: let it play, so that a computer player takes over", { name })),
      ...(isFree ? links : []),
      may.come_back.includes(number) &&
        act("come-back", pgettext("button", "Come back"), gettext("{name}: come back", { name })),
      may.name.includes(number) && view.phase !== "waiting" && this.nameForm(number, name),
      may.clear_name.includes(number) && !isMine &&
        act("clear-name", gettext("Clear the name"), gettext("{name}: clear the name", { name })),
      isOther && this.muteButton(view.room, number, name),
      may.leave.includes(number) &&
        act("leave", pgettext("button", "Leave"), gettext("{name}: leave this seat", { name })),
    ].filter(Boolean);
  }

  /** Returns the link for viewers, and the button to replace it. */
  watchParts({ may, links }) {
    const says = gettext("New watch link");
    return [
      links.watch && this.linkPart(gettext("Link to watch"), links.watch, WATCH),
      may.renew.includes(WATCH) && this.actionButton("renew", { seat: WATCH }, says, says),
    ].filter(Boolean);
  }

  roomButtons({ may }) {
    const says = may.give_up ? gettext("Give up this game") : gettext("End the game");
    return may.end || may.give_up ? [this.actionButton("end", {}, says, says)] : [];
  }

  /** Returns the form in which a player changes the name of a seat. */
  nameForm(seat, name) {
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

  linkPart(label, address, seat) {
    return { key: `link ${label} ${address}`, make: () => linkRow(label, address, seat) };
  }

  /** Returns the button that hides a player's name and phrases on this device, or shows them. */
  muteButton(room, seat, name) {
    const [says, label] = isMuted(room, seat)
      ? [pgettext("button", "Unmute"), gettext("{name}: unmute, which shows the name and the phrases again", { name })]
      : [pgettext("button", "Mute"), gettext("{name}: mute, which hides the name and the phrases on this device", { name })];
    return { key: label, make: () => button(says, label, () => mute(room, seat)) };
  }

  actionButton(what, body, says, label) {
    const press = () => this.does(what, body);
    return { key: `${what} ${label}`, make: () => button(says, label, press) };
  }

  /**
   * Returns a form to choose a computer player for a seat. `settled` is preselected: the one that
   * replaces absent players in this room.
   */
  standInForm(seat, name, settled) {
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
}

/** Returns a form of one row: a field with its label, and a button that sends it. */
function rowForm(words, field, says, send) {
  const label = el("label", { class: "grow" }, words, field);
  const form = el("form", { class: "row" }, label, el("button", { text: says }));
  onSubmit(form, send);
  return form;
}

function foldOf(says, parts) {
  const make = () =>
    el("details", {}, el("summary", { text: says }), ...parts.map((part) => part.make()));
  return { key: [says, ...parts.map(({ key }) => key)].join(" "), make };
}
