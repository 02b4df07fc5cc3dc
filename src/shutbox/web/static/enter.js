// Whoever comes by a link: its key stands after the hash, where no server and no log sees it. It is
// taken out of the address, sent, and a name is asked for only if the seat is free.

import { post } from "./api.js";
import { byId } from "./dom.js";
import { Naming } from "./naming.js";
import { takeOver } from "./settings.js";
import { say } from "./speak.js";

const CANNOT_BE_DONE = 422;

const form = byId("enter");
const { room } = form.dataset;
const naming = new Naming(byId("name"));

async function enter(name) {
  try {
    await post(`/api/rooms/${room}/enter`, { key: byId("key").value.trim(), name: name || null });
    location.replace(`/r/${room}`);
  } catch (error) {
    if (error.code === "name-needed") naming.ask(error.body.invites);
    else if (naming.isAsking && error.status === CANNOT_BE_DONE) {
      naming.refuse(error.message.split("\n"));
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
  const name = naming.isAsking ? naming.take() : byId("name").value.trim();
  if (name || !naming.isAsking) enter(name);
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
