// The question for the name of a guest who opens the link of a free seat. It also describes the
// table.

import { gettext, separated } from "../model/messages.js";
import { el, set } from "./dom.js";
import { say } from "./live_region.js";

export class NamePrompt {
  /** `field` is the text field for the name. */
  constructor(field) {
    this.field = field;
    this.table = el("div", { class: "invites", id: `${field.id}-table` });
    field.form.noValidate = true; // this class reports missing input
  }

  /**
   * Shows the table's title, its players and other facts above the field. The field is filled with
   * the name that the host suggests.
   */
  ask({ title, players, says, name = "" }) {
    const names = separated(players);
    const sits = names ? [gettext("At the table: {names}.", { names })] : [];
    const lines = [...sits, ...says].map((line) => el("p", { text: line }));
    this.table.replaceChildren(el("p", {}, el("strong", { text: title })), ...lines);
    this.field.form.prepend(this.table);
    set(this.field, "aria-describedby", this.table.id);
    say([gettext("A seat is free for you. What is your name?")]);
    this.field.value = name;
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

  /** Returns the name that was typed. If it is empty, says so. */
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
