// Waiting for friends: the closed box with the invitation on its lid, and the question for the
// player's own name.

import { gettext, ngettext, pgettext } from "../model/messages.js";
import { freeSeats, invitation } from "../model/moves.js";
import { byId, onSubmit, set, text } from "./dom.js";
import { limit, nameIn, refuse } from "./field.js";
import { copyLink, shareLink } from "./invite.js";
import { hasShareMenu } from "./share.js";
import { rememberedName } from "./storage.js";

const COPIED_MS = 2000;

/** Whether the only player at this screen has no name yet, and may take one. */
const isUnnamed = (view, you) =>
  you.seats.length === 1 && you.may.name.length > 0 && !view.seats[you.seats[0]].named;

/** Returns what the game waits for. */
function beginsWords(view, you) {
  const free = freeSeats(view).length;
  const facts = { all: view.seats.length };
  if (!invitation(view, you)) return gettext("The box opens when every chair is taken.");
  if (view.seats.length === 2) return gettext("The box opens when your friend sits down.");
  return ngettext("{number} of {all} chairs is free.", "{number} of {all} chairs are free.", free, facts);
}

export class Lobby {
  /** `does(what, body)` sends an action. */
  constructor(does) {
    Object.assign(this, { does, address: "", isOpen: false, given: "" });
    if (!byId("lobby")) return;
    byId("send-link")?.addEventListener("click", () => this.send());
    byId("copy-link")?.addEventListener("click", () => this.copy());
    byId("mail-link")?.addEventListener("click", () => this.name());
    onSubmit(byId("naming"), () => nameIn(byId("own-name")) && this.name());
    byId("naming").noValidate = true;
    limit(byId("own-name"));
    const fill = ({ target: { elements: { seat, computer } } }) =>
      this.does("stand-in", { seat: Number(seat.value), computer: computer.value });
    if (byId("fill")) onSubmit(byId("fill"), fill);
    // Without a share menu, the main button copies the link, and the other one writes an email.
    if (!hasShareMenu() && byId("send-link")) {
      byId("copy-link").hidden = true;
      byId("mail-link").hidden = false;
      text(byId("send-link").lastElementChild, pgettext("button", "Copy link"));
    }
  }

  /** Draws the lobby while a seat is free. */
  draw(view, you) {
    const lobby = byId("lobby");
    if (!lobby) return;
    lobby.hidden = view.phase !== "waiting";
    // The game begins as soon as every seat is taken. Until that view arrives, nothing changes.
    if (lobby.hidden || !freeSeats(view).length) return;
    const address = invitation(view, you);
    const isAsked = isUnnamed(view, you) || this.isOpen;
    Object.assign(this, { view, you });
    const isLeft = !isAsked && byId("naming").contains(document.activeElement);
    byId("naming").hidden = !isAsked;
    if (isLeft) (byId("send-link") ?? byId("main")).focus();
    const card = byId("qr-card"); // not at an address that no other device reaches
    if (card) card.hidden = isAsked || !address;
    text(byId("begins"), beginsWords(view, you));
    const free = view.seats.findIndex(({ state }) => state === "free");
    if (byId("fill")) byId("fill").elements.seat.value = free;
    if (!address || address === this.address) return;
    if (this.address && card) byId("qr").src = `/r/${view.room}/qr?seat=free&now=${view.number}`; // it has changed
    this.address = address;
    byId("link-join").value = address;
    const words = { subject: this.words(), body: address };
    const query = Object.entries(words).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    set(byId("mail-link"), "href", `mailto:?${query.join("&")}`);
  }

  /** Sends the name that this device remembers, if there is one and the player has no name yet. */
  begin(view, you) {
    if (!byId("lobby") || !isUnnamed(view, you)) return;
    const name = rememberedName();
    byId("own-name").value = name;
    if (name) this.name();
  }

  /** Opens the question for another name. */
  ask() {
    this.isOpen = true;
    this.draw(this.view, this.you);
    byId("own-name").value = this.view.seats[this.you.seats[0]].name;
    byId("own-name").focus();
  }

  /** Sends the name in the field, if the question is open. */
  async name() {
    const field = byId("own-name");
    if (byId("naming").hidden || !field.value.trim()) return;
    const name = nameIn(field);
    if (!name) return;
    Object.assign(this, { isOpen: false, given: name });
    await this.does("name", { seat: this.you.seats[0], name }, ({ message }) => {
      Object.assign(this, { isOpen: true, given: "" });
      this.draw(this.view, this.you);
      refuse(field, message);
    });
  }

  /** Returns the sentence that goes with the link. */
  words() {
    const own = this.view.seats[this.you.seats[0]];
    const name = own?.named ? own.name : this.given; // the server may not have answered yet
    return name ? gettext("{name} invites you to Shut the Box.", { name }) : gettext("Play Shut the Box with me.");
  }

  /** Sends the name, and then shares the link, or copies it without a share menu. */
  async send() {
    await this.name();
    return hasShareMenu() ? shareLink(this.words(), this.address) : this.copy();
  }

  /** Sends the name, and then copies the link. */
  async copy() {
    await this.name();
    const done = await copyLink(this.address, byId("link-join"));
    const label = byId(hasShareMenu() ? "copy-link" : "send-link").lastElementChild;
    if (done) text(label, pgettext("button", "Copied"));
    setTimeout(() => text(label, pgettext("button", "Copy link")), COPIED_MS);
  }
}

/** Shows the pencil on the plates of seats whose name the viewer may change. */
export function drawPencils(you, phase, press) {
  for (const [number, plate] of [...byId("plates").children].entries()) {
    const pen = plate.querySelector(".pen");
    pen.hidden = phase !== "waiting" || !you.may.name.includes(number) || you.seats.length > 1;
    pen.onclick = press;
  }
}
