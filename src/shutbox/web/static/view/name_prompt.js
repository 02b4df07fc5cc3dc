// The question for the name of a guest who opens the link of a free seat. It also describes the
// table.

import { gettext, listed, ngettext } from "../model/messages.js";
import { el, set, text } from "./dom.js";
import { limit } from "./field.js";
import { say } from "./live_region.js";
import { rememberedName } from "./storage.js";

/** Returns who invites the guest: the players who sit at the table. */
function invitedWords(players) {
  if (!players.length) return gettext("You are invited to Shut the Box.");
  return ngettext(
    "{names} invites you to Shut the Box.",
    "{names} invite you to Shut the Box.",
    players.length,
    { names: listed(players) },
  );
}

export class NamePrompt {
  /** `field` is the text field for the name. `heading` says who invites, if the page has one. */
  constructor(field, heading = null) {
    Object.assign(this, { field, heading });
    this.table = el("div", { class: "invites", id: `${field.id}-table` });
    field.form.noValidate = true; // this class reports missing input
    this.told = `${field.id}-told`;
    limit(field);
  }

  /**
   * Shows the table's title, its players and other facts above the field. The field is filled with
   * the name that the host suggests.
   */
  ask({ title, players, says, name = "" }) {
    const invited = invitedWords(players);
    const words = this.heading ? says : [invited, ...says];
    const heading = el("p", {}, el("strong", { text: title }));
    this.table.replaceChildren(heading, ...words.map((line) => el("p", { text: line })));
    if (this.heading) text(this.heading, invited.replace(/[.。]$/, ""));
    this.field.form.prepend(this.table);
    set(this.field, "aria-describedby", `${this.table.id} ${this.told}`);
    say([invited, gettext("What is your name?")]);
    this.field.value = name || rememberedName();
    this.field.focus();
    this.field.select();
  }

  get isOpen() {
    return this.table.isConnected;
  }

  /** Removes the question. */
  close() {
    this.table.remove();
  }
}
