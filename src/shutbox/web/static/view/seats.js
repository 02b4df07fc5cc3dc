// The seats, the links to share, and the actions on a seat. A part is rebuilt only if its content
// has changed, and the focus returns to where it was.

import { gettext, ngettext, separated } from "../model/messages.js";
import { invitation } from "../model/moves.js";
import { button, byId, el, focusMain, keyed, set, text } from "./dom.js";
import { linkRow } from "./invite.js";

/** Returns the words after the name in the line of a seat. */
function seatWords(view, you, seat, number) {
  const words = [];
  if (you.seats.includes(number)) words.push(gettext("you"));
  if (seat.computer) words.push(gettext("computer: {kind}", { kind: seat.computer }));
  if (seat.state === "free") words.push(gettext("free"));
  if (seat.out) words.push(seat.out);
  else if (seat.state === "left") words.push(gettext("has left"));
  if (seat.due && view.phase === "playing") words.push(gettext("to play"));
  return separated(["", ...words]);
}

/** Whether the actions of a seat are shown in the lobby. */
const isInvited = (view, seat) => view.phase === "waiting" && seat.state === "free";

const freeSeats = (seats) => seats.filter(({ state }) => state === "free").length;
const nameOf = (seat, number) => seat.name || gettext("seat {number}", { number: number + 1 });

/** Returns what the game waits for: the one free seat, or all of them. */
function beginsWords(view, you) {
  const { seats } = view;
  if (!invitation(view, you)) return gettext("The game begins when every seat is taken.");
  if (freeSeats(seats) > 1) {
    return gettext("One link for all of them. The game begins when every seat is taken.");
  }
  const name = seats.find(({ state }) => state === "free").name || gettext("your friend");
  return gettext("The game begins when {name} opens this link.", { name });
}

/** The list of seats. `does(what, body)` sends an action, and `says(sentence)` speaks. */
export class Seats {
  constructor({ kinds, does, says }) {
    Object.assign(this, { kinds, does, says });
    byId("seats").replaceChildren();
  }

  draw(view, you) {
    const seats = view.seats.map((seat, number) => ({ seat, number }));
    keyed(
      byId("seats"),
      seats,
      ({ number }) => String(number),
      () => el("li", {}, el("bdi", { class: "who" }), el("span"), el("div")),
      (line, { seat, number }) => {
        const [name, words, actions] = line.children;
        set(line, "aria-current", seat.due && view.phase === "playing" ? "true" : null);
        text(name, seat.name || gettext("Seat {number}", { number: number + 1 }));
        text(words, seatWords(view, you, seat, number));
        remade(actions, isInvited(view, seat) ? [] : this.ofSeat(view, you, seat, number));
      },
    );
    const { watching } = view;
    const count = ngettext("{number} watching.", "{number} watching.", watching);
    text(byId("watching"), watching ? count : "");
    remade(byId("invites"), this.toWatch(you));
    remade(byId("actions"), this.ofRoom(you));
    this.drawFree(view, you);
  }

  /** Draws the lobby while a seat is free, with its link where the box will be. */
  drawFree(view, you) {
    const lobby = byId("lobby");
    if (!lobby) return;
    lobby.hidden = view.phase !== "waiting";
    // The game begins as soon as every seat is taken. Until that view arrives, nothing changes.
    if (view.phase === "waiting" && view.seats.every(({ state }) => state !== "free")) return;
    const ofFree = view.seats.flatMap((seat, number) =>
      isInvited(view, seat) ? this.ofSeat(view, you, seat, number) : [],
    );
    remade(byId("invite"), [...this.toSeat(view, you), ...ofFree]);
    byId("invite").querySelector("[data-kind=link] > button")?.classList.add("main");
    text(byId("begins"), beginsWords(view, you));
  }

  /** Returns the link for all free seats. Guests get the lowest free seat first. */
  toSeat(view, you) {
    const { seats } = view;
    const address = invitation(view, you);
    if (!address) return [];
    const number = seats.findIndex(({ state }) => state === "free");
    const name = freeSeats(seats) > 1 ? gettext("your friends") : nameOf(seats[number], number);
    return [
      this.link(gettext("Link for {name}", { name }), address, "free"),
      this.renewal(number, name),
    ];
  }

  renewal(seat, name) {
    const label = gettext("New link for {name}", { name });
    return this.action("renew", { seat }, gettext("New link"), label);
  }

  ofSeat(view, you, seat, number) {
    const { may } = you;
    const name = nameOf(seat, number);
    const parts = [];
    const address = you.links.seats[number];
    const isFree = seat.state === "free";
    // The invitation leads to the only free seat, unless the host has no seat and may want this
    // one.
    const isInvitation = isFree && freeSeats(view.seats) === 1 && you.seats.length > 0;
    const links = [];
    if (address && !isInvitation) {
      links.push(this.link(gettext("Link for {name}", { name }), address, number));
    }
    if (may.renew.includes(number) && !isFree) links.push(this.renewal(number, name));
    // A player seldom needs the link of their own seat, so it is folded.
    const isOwn = links.length > 0 && you.seats.includes(number);
    // A player with one seat does not need a name to tell seats apart.
    const isAlone = you.seats.length === 1;
    const elsewhere = isAlone
      ? gettext("Play on another device")
      : gettext("Play {name} on another device", { name });
    const only = gettext("A link only for {name}", { name });
    if (!isFree) parts.push(...(isOwn ? [folded(elsewhere, links)] : links));
    if (may.stand_in.includes(number)) {
      const label = gettext("Let a computer player take over for {name}", { name });
      const says = gettext("Let it play");
      parts.push(
        isFree
          ? this.standIn(number, name, view.settings.stand_in)
          : this.action("stand-in", { seat: number }, says, label),
      );
    }
    if (isFree && links.length) parts.push(folded(only, links));
    if (may.come_back.includes(number)) {
      const label = gettext("Come back as {name}", { name });
      parts.push(this.action("come-back", { seat: number }, gettext("Come back"), label));
    }
    if (may.leave.includes(number)) {
      const label = gettext("Leave the seat of {name}", { name });
      parts.push(this.action("leave", { seat: number }, gettext("Leave"), label));
    }
    return parts;
  }

  /** Returns the link for viewers, and the button to replace it. */
  toWatch({ may, links }) {
    const parts = [];
    if (links.watch) parts.push(this.link(gettext("Link to watch"), links.watch, -1));
    if (may.renew.includes(-1)) {
      const label = gettext("New link to watch");
      parts.push(this.action("renew", { seat: -1 }, gettext("New watch link"), label));
    }
    return parts;
  }

  ofRoom({ may }) {
    const says = gettext("End the game");
    return may.end ? [this.action("end", {}, says, says)] : [];
  }

  link(label, address, seat) {
    const make = () => linkRow({ label, address, seat, says: this.says });
    return { key: `link ${label} ${address}`, make };
  }

  action(what, body, says, label) {
    const press = () => this.does(what, body);
    return { key: `${what} ${label}`, make: () => button(says, label, press) };
  }

  /**
   * Returns a form to choose a computer player for a seat. `settled` is preselected: the computer
   * player that replaces absent players in this room.
   */
  standIn(seat, name, settled) {
    const make = () => {
      const kinds = this.kinds.map(([value, text]) =>
        el("option", { value, text, selected: value === settled }),
      );
      const choice = el("select", {}, ...kinds);
      const onsubmit = (event) => {
        event.preventDefault();
        this.does("stand-in", { seat, computer: choice.value });
      };
      const words = gettext("Computer player for {name}", { name });
      const label = el("label", { class: "grow" }, words, choice);
      const press = el("button", { text: gettext("Let it play") });
      return el("form", { class: "row", onsubmit }, label, press);
    };
    return { key: `stand-in ${name}`, make };
  }
}

function folded(says, parts) {
  const make = () =>
    el("details", {}, el("summary", { text: says }), ...parts.map((part) => part.make()));
  return { key: [says, ...parts.map(({ key }) => key)].join(" "), make };
}

/**
 * Rebuilds the parts that have changed. If the focused part disappears, the button that undoes the
 * action gets the focus, or else the main button.
 */
export function remade(parent, parts) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  keyed(parent, parts, (part) => part.key, (part) => part.make(), () => {});
  if (!focused || focused.isConnected) return;
  const undoes = parent.querySelector("[data-key^=come-back]");
  if (undoes) undoes.focus();
  // The lobby has no main button, but may have another seat.
  else if (!focusMain()) (document.querySelector("#invite button") || byId("main")).focus();
}
