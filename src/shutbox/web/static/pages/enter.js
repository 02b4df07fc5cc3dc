// A player comes by a link: its key is sent, and a name is asked for only if the seat is free.

import "../view/language.js";
import { post } from "../net/api.js";
import { byId } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { NamePrompt } from "../view/name_prompt.js";
import { takeOver } from "../view/settings.js";
import { onKey } from "./link_key.js";

const CANNOT_BE_DONE = 422;

const form = byId("enter");
const { room } = form.dataset;
const prompt = new NamePrompt(byId("name"));

async function enter(name) {
  try {
    await post(`/api/rooms/${room}/enter`, { key: byId("key").value.trim(), name: name || null });
    location.replace(`/r/${room}`);
  } catch (error) {
    if (error.code === "name-needed") prompt.ask(error.body.invites);
    else if (prompt.isOpen && error.status === CANNOT_BE_DONE) {
      prompt.refuse(error.message.split("\n"));
    } else {
      say(error.message.split("\n"));
      byId("key").value = "";
      byId("key").closest(".field").hidden = false;
      byId("key").focus();
    }
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = prompt.isOpen ? prompt.take() : byId("name").value.trim();
  if (name || !prompt.isOpen) enter(name);
});
takeOver();

onKey((key) => {
  byId("key").value = key;
  byId("key").closest(".field").hidden = true; // nobody has to look at it
  enter("");
});
