// The chairs of a new table: one plate for each player, over the fields of the plain form. A plate
// is removed and renamed in place; a new player takes the first free chair.

import { capital, gettext, listed, ngettext, pgettext } from "../model/messages.js";
import { set, text } from "./dom.js";
import { limit } from "./field.js";

const choice = (row) => row.querySelector("select");
const field = (row) => row.querySelector("input");

/** Whether the content of a field is refused. */
const isWrong = (input) => input.getAttribute("aria-invalid") === "true";

export class NewSeats {
  /** `rows` are the chairs, `adds` the buttons for players. Calls `changed()` after each change. */
  constructor(rows, adds, changed) {
    Object.assign(this, { rows, adds, changed });
    for (const add of adds) add.addEventListener("click", () => this.addPlayer(add.dataset.who));
    for (const row of rows) {
      row.querySelector(".pen").addEventListener("click", () => this.rename(row));
      row.querySelector(".cross").addEventListener("click", () => this.remove(row));
      field(row).addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault(); // the name is done, not the table
        if (this.finishNaming(row)) row.querySelector(".pen").focus();
      });
      field(row).addEventListener("blur", () => this.finishNaming(row));
      limit(field(row));
      if (isWrong(field(row))) row.dataset.naming = "";
    }
    this.draw();
  }

  /** The chairs that have a player, in their order. */
  get taken() {
    return this.rows.filter((row) => choice(row).value);
  }

  /** The name on the first plate. */
  get first() {
    return this.taken[0].querySelector("bdi").textContent;
  }

  /** Fills the chairs in order: `whos` are the values of their fields, `names` the typed names. */
  fill(whos, names) {
    this.rows.forEach((row, i) => {
      choice(row).value = whos[i] ?? "";
      field(row).value = names[i] ?? "";
    });
    this.draw();
  }

  /** Seats a player in the first free chair. `seated` is the value of its field, such as `here`. */
  addPlayer(seated) {
    const isHere = this.taken.some((row) => choice(row).value === "me");
    const free = this.rows.find((row) => !choice(row).value);
    if (!free) return;
    choice(free).value = seated === "here" && !isHere ? "me" : seated;
    field(free).value = "";
    this.draw();
    this.changed();
  }

  /** Frees a chair. */
  remove(row) {
    choice(row).value = "";
    field(row).value = "";
    delete row.dataset.naming;
    this.draw();
    this.changed();
    this.taken.at(-1).querySelector(".cross:not([hidden]), .pen:not([hidden])")?.focus();
  }

  /** Shows the field for the name in place of the plate. */
  rename(row) {
    row.dataset.naming = "";
    field(row).focus();
    field(row).select();
  }

  /** Shows the plate in place of the field, unless the name is refused. Returns whether it did. */
  finishNaming(row) {
    if (!("naming" in row.dataset) || isWrong(field(row))) return false;
    delete row.dataset.naming;
    this.draw();
    return true;
  }

  /** Draws the plates of all chairs from their fields. */
  draw() {
    const number = this.taken.length;
    for (const row of this.rows) {
      const seated = choice(row).value;
      row.hidden = !seated;
      if (seated) this.drawRow(row, seated, number);
    }
    for (const add of this.adds) set(add, "disabled", number === this.rows.length);
  }

  /** Draws the plate of a chair, whose field has the value `seated`, among `number` that are taken. */
  drawRow(row, seated, number) {
    const bot = this.adds.find((add) => add.dataset.who === seated)?.dataset;
    const id = seated.split(":")[1];
    const face = row.querySelector("use");
    const hasFace = document.getElementById(`face-${id}`) !== null;
    row.dataset.kind = { me: "person", here: "person", link: "chair" }[seated] ?? "robot";
    if (hasFace) {
      row.dataset.kind = "character";
      face.setAttribute("href", `#face-${id}`);
    }
    const name = field(row).value.trim();
    const player = gettext("Player {number}", { number: this.rows.indexOf(row) + 1 });
    const usual = { me: pgettext("player", "You"), here: player, link: gettext("A free chair") };
    const shown = name || (usual[seated] ?? bot?.name ?? id);
    const hints = {
      me: name ? gettext("you, at this screen") : gettext("at this screen"),
      here: gettext("at this screen"),
      link: gettext("a friend, by link"),
    };
    const [pen, cross] = row.querySelectorAll("button");
    text(row.querySelector("b"), [...shown][0].toUpperCase());
    text(row.querySelector("bdi"), shown);
    text(row.querySelector("small"), hints[seated] ?? bot?.about ?? pgettext("player", "Computer"));
    text(pen.lastElementChild, gettext("Name ({name})", { name: shown }));
    text(cross.lastElementChild, gettext("Remove ({name})", { name: shown }));
    pen.hidden = seated.startsWith("computer");
    cross.hidden = number === 1;
  }

  /** Returns who plays, as a short answer and as a sentence. */
  words() {
    const names = this.taken.map((row) => {
      const seated = choice(row).value;
      const usual = {
        me: pgettext("player", "you"),
        here: gettext("a player at this screen"),
        link: gettext("a friend by link"),
      };
      return field(row).value.trim() || (usual[seated] ?? row.querySelector("bdi").textContent);
    });
    const [name, other] = names;
    const isMe = choice(this.taken[0]).value === "me" && !field(this.taken[0]).value.trim();
    const all = capital(listed(names));
    const number = names.length;
    if (number === 1) {
      const alone = isMe ? gettext("You play alone.") : gettext("{name} plays.", { name: all });
      return { answer: isMe ? pgettext("step", "Alone") : all, sentence: alone };
    }
    if (number > 2) {
      const answer = ngettext("{number} player", "{number} players", number, { number });
      return { answer, sentence: gettext("{names} play.", { names: all }) };
    }
    const sentence = isMe
      ? gettext("You and {name} play.", { name: other })
      : gettext("{name} plays {other}.", { name, other });
    return { answer: isMe ? gettext("You and {name}", { name: other }) : all, sentence };
  }
}
