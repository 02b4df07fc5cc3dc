// Who sits here, the links to hand on, what may be done to a seat, and the score sheet. A part is
// made anew only when what it shows has changed, and then the focus goes where it was.

import { capital } from "../model/moves.js";
import { byId, el, keyed, set, text } from "./dom.js";

/** What a seat's line says besides the name. */
function seatWords(view, you, seat, number) {
  const words = [];
  if (you.seats.includes(number)) words.push("you");
  if (seat.computer) words.push(`computer: ${seat.computer}`);
  if (seat.state === "free") words.push("free");
  if (seat.out) words.push(seat.out);
  else if (seat.state === "left") words.push("has left");
  if (seat.due && view.phase === "playing") words.push("to play");
  return words.length ? `, ${words.join(", ")}` : "";
}

/** Whether what may be done to a seat stands in the lobby. */
const isInvited = (view, seat) => view.phase === "waiting" && seat.state === "free";

/** `does(what, body)` posts; `says(sentence)` speaks. */
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
      () => el("li", {}, el("span", { class: "who" }), el("span"), el("div")),
      (line, { seat, number }) => {
        const [name, words, actions] = line.children;
        set(line, "aria-current", seat.due && view.phase === "playing" ? "true" : null);
        text(name, seat.name || `Seat ${number + 1}`);
        text(words, seatWords(view, you, seat, number));
        remade(actions, isInvited(view, seat) ? [] : this.ofSeat(view, you, seat, number));
      },
    );
    text(byId("watching"), view.watching ? `${view.watching} watching.` : "");
    const beat = view.table?.answers.find((answer) => answer.key === "n");
    text(byId("beat"), beat && view.phase === "playing" ? beat.says : "");
    remade(byId("actions"), this.ofRoom(you));
    this.drawFree(view, you);
    const sheet = view.table?.sheet;
    byId("sheet-panel").hidden = !sheet;
    if (sheet) remade(byId("sheet"), sheetParts(sheet));
  }

  /** While a seat is free, its link is what there is to do, and stands where the box will be. */
  drawFree(view, you) {
    const lobby = byId("lobby");
    if (!lobby) return;
    lobby.hidden = view.phase !== "waiting";
    const parts = view.seats.flatMap((seat, number) =>
      isInvited(view, seat) ? this.ofSeat(view, you, seat, number) : [],
    );
    remade(byId("invite"), parts);
  }

  ofSeat(view, you, seat, number) {
    const { may } = you;
    const name = seat.name || `seat ${number + 1}`;
    const parts = [];
    const address = you.links.seats[number];
    const links = [];
    if (address) links.push(this.link(`Link for ${name}`, address));
    if (may.renew.includes(number)) {
      links.push(this.doing("renew", { seat: number }, "New link", `New link for ${name}`));
    }
    // The link of one's own seat is seldom wanted, so it is folded away.
    const isOwn = links.length > 0 && you.seats.includes(number);
    parts.push(...(isOwn ? [folded(`Play ${name} on another device`, links)] : links));
    if (may.stand_in.includes(number)) parts.push(this.standIn(number, name));
    if (may.come_back.includes(number)) {
      parts.push(this.doing("come-back", { seat: number }, "Come back", `Come back as ${name}`));
    }
    if (may.leave.includes(number)) {
      parts.push(this.doing("leave", { seat: number }, "Leave", `Leave the seat of ${name}`));
    }
    return parts;
  }

  ofRoom({ may, links }) {
    const parts = [];
    if (links.watch) parts.push(this.link("Link to watch", links.watch));
    if (may.renew.includes(-1)) {
      parts.push(this.doing("renew", { seat: -1 }, "New watch link", "New link to watch"));
    }
    if (may.end) {
      parts.push(this.doing("end", {}, "End the game", "End the game"));
    }
    return parts;
  }

  link(label, address) {
    const make = () => {
      const field = el("input", { readonly: true, value: address, onfocus: () => field.select() });
      const copy = async () => {
        const copied = await navigator.clipboard?.writeText(address).then(
          () => true,
          () => false,
        );
        if (!copied) field.focus();
        this.says(copied ? "Link copied." : "The link is selected; copy it from there.");
      };
      return el(
        "div",
        { class: "row" },
        el("label", { class: "grow" }, label, field),
        button("Copy", `Copy: ${label}`, copy),
      );
    };
    return { key: `link ${label} ${address}`, make };
  }

  doing(what, body, says, label) {
    const press = () => this.does(what, body);
    return { key: `${what} ${label}`, make: () => button(says, label, press) };
  }

  standIn(seat, name) {
    const make = () => {
      const kinds = this.kinds.map((kind) => el("option", { value: kind, text: capital(kind) }));
      const choice = el("select", {}, ...kinds);
      const onsubmit = (event) => {
        event.preventDefault();
        this.does("stand-in", { seat, computer: choice.value });
      };
      const label = el("label", { class: "grow" }, `Computer player for ${name}`, choice);
      return el("form", { class: "row", onsubmit }, label, el("button", { text: "Let it play" }));
    };
    return { key: `stand-in ${name}`, make };
  }
}

function button(says, label, onclick) {
  return el("button", { type: "button", text: says, "aria-label": label, onclick });
}

function folded(says, parts) {
  const make = () =>
    el("details", {}, el("summary", { text: says }), ...parts.map((part) => part.make()));
  return { key: [says, ...parts.map(({ key }) => key)].join(" "), make };
}

/**
 * Keeps the parts that are there already. If the one with the focus goes, the button that undoes it
 * has it, or else the main button.
 */
function remade(parent, parts) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  keyed(parent, parts, (part) => part.key, (part) => part.make(), () => {});
  if (!focused || focused.isConnected) return;
  const undoes = parent.querySelector("[data-key^=come-back]");
  // In the lobby there is no main button, but perhaps another seat.
  const others = [byId("go"), ...document.querySelectorAll("#invite button")];
  (undoes || others.find((other) => other.checkVisibility()) || byId("main")).focus();
}

function sheetParts({ columns, rows, totals, chips, pot }) {
  const noted = chips || rows.some((row) => row.note); // otherwise the column would be empty
  const note = (words) => (noted ? [el("td", { class: "note", text: words })] : []);
  const head = (scope, words) => el("th", { scope, text: words });
  const cells = (values) => values.map((value) => el("td", { text: value }));
  const body = rows.map((row) => {
    const scores = row.cells.map((cell, seat) => {
      const won = row.won.includes(seat);
      return el("td", { class: won ? "won" : null, text: (cell || "–") + (won ? " (won)" : "") });
    });
    return el("tr", {}, head("row", row.round), ...scores, ...note(row.note));
  });
  const foot = [el("tr", {}, head("row", "Total"), ...cells(totals), ...note(""))];
  if (chips) {
    const inPot = note(`${pot} in the pot`);
    foot.push(el("tr", {}, head("row", "Chips"), ...cells(chips), ...inPot));
  }
  const heads = ["Round", ...columns].map((words) => head("col", words));
  if (noted) heads.push(el("th", { scope: "col", class: "note", text: "What happened" }));
  return [
    ["caption", () => el("caption", { text: "Rounds that are over" }), ""],
    ["head", () => el("thead", {}, el("tr", {}, ...heads)), JSON.stringify([columns, noted])],
    ["body", () => el("tbody", {}, ...body), JSON.stringify([rows, noted])],
    ["foot", () => el("tfoot", {}, ...foot), JSON.stringify([totals, chips, pot, noted])],
  ].map(([name, make, shows]) => ({ key: name + shows, make }));
}
