// Whoever comes by a link: its key stands after the hash, where no server and no log sees it. It is
// taken out of the address, sent, and a name is asked for only if the seat is free.

import "../view/language.js";
import { post } from "../net/api.js";
import { byId } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { NamePrompt } from "../view/name_prompt.js";
import { takeOver } from "../view/settings.js";

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

/** A link was followed, or put into the address of this very page. */
function arrive() {
  if (location.hash.length <= 1) return;
  byId("key").value = location.hash.slice(1);
  byId("key").closest(".field").hidden = true; // nobody has to look at it
  history.replaceState(null, "", location.pathname);
  enter("");
}

addEventListener("hashchange", arrive);
arrive();
