// Asks whoever comes by the link of a free seat for a name, and tells what table it leads to.

import { gettext, separated } from "../model/messages.js";
import { el, set } from "./dom.js";
import { say } from "./live_region.js";

export class NamePrompt {
  /** `field` is the one for the name. */
  constructor(field) {
    this.field = field;
    this.table = el("div", { class: "invites", id: `${field.id}-table` });
    field.form.noValidate = true; // what is missing is said here
  }

  /**
   * Asks: the title of the table, who sits there and what to know stand above the field, which
   * holds what the host calls the guest.
   */
  ask({ title, players, says, name = "" }) {
    const names = separated(players);
    const sits = names ? [gettext("At the table: {names}.", { names })] : [];
    const lines = [...sits, ...says].map((line) => el("p", { text: line }));
    this.table.replaceChildren(el("p", {}, el("strong", { text: title })), ...lines);
    this.field.form.prepend(this.table);
    set(this.field, "aria-describedby", this.table.id);
    say([gettext("A seat is free for you. Who are you?")]);
    this.field.value = name;
    this.field.focus();
    this.field.select();
  }

  get isOpen() {
    return this.table.isConnected;
  }

  /** Asks no more. */
  close() {
    this.table.remove();
  }

  /** The name that was typed; empty, and it is said, where it is missing. */
  take() {
    const name = this.field.value.trim();
    if (name) set(this.field, "aria-invalid", null);
    else this.refuse([gettext("Type a name first.")]);
    return name;
  }

  /** Says what is wrong with the name. */
  refuse(sentences) {
    set(this.field, "aria-invalid", "true");
    set(this.field, "aria-describedby", `status ${this.table.id}`);
    say(sentences);
    this.field.focus();
  }
}
