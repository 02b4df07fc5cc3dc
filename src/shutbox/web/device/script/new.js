// The form for a new table, which is opened on this device.

import { canOpen, gameCode } from "../pages/new.js";
import { byId } from "../view/dom.js";
import { openBy } from "./opening.js";

openBy(byId("new"), async () => {
  if (!(await canOpen())) return null; // the last choice is not answered yet
  const fields = new FormData(byId("new"));
  const names = fields.getAll("name");
  const seats = fields.getAll("who").map((who, i) => ({ who, name: names[i] }));
  return {
    game: gameCode(),
    format: fields.get("format").trim(),
    seats: seats.filter(({ who }) => who),
    dice: fields.get("dice"),
    hints: fields.get("hints"),
    coach: fields.get("coach") === "on",
    leaver: fields.get("leaver"),
    stand_in: fields.get("stand_in"),
  };
});
