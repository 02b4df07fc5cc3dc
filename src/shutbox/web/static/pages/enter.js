// A player follows a link to a room. The script sends the key of the link, and asks for a name only
// if the seat is free. If the link has lost its key on the way, the player can paste the whole
// link.

import "../view/language.js";
import { keyIn, plainLink } from "../model/links.js";
import { gettext } from "../model/messages.js";
import { ask, post } from "../net/api.js";
import { byId, text } from "../view/dom.js";
import { say } from "../view/live_region.js";
import { NamePrompt } from "../view/name_prompt.js";
import { takeOver } from "../view/settings.js";
import { withName } from "../view/storage.js";
import { onKey } from "./link_key.js";

const CANNOT_BE_DONE = 422;

const form = byId("enter");
const { room } = form.dataset;
const prompt = new NamePrompt(byId("name"), byId("title"));
const hides = (id, hidden) => (byId(id).closest(".field").hidden = hidden);
const mayPaste = () => Boolean(navigator.clipboard?.readText);

async function enter(name) {
  const key = byId("key").value;
  if (!navigator.cookieEnabled) return askLink(gettext("This browser keeps no cookies"), cookieWords());
  try {
    const { invites } = name ? {} : await ask(`/api/rooms/${room}/invitation`, { key });
    if (invites) return askName(invites, key);
    await withName(name, post(`/api/rooms/${room}/enter`, { key, name: name || null }));
    location.replace(`/r/${room}`);
  } catch (error) {
    if (prompt.isOpen && error.status === CANNOT_BE_DONE) {
      prompt.refuse(error.message.split("\n"));
    } else if (error.code === "no-free-seat") offerToWatch(key);
    else askLink(gettext("A shutbox table"), error.message.split("\n"));
  }
}

const cookieWords = () => [
  gettext("Allow them for this site, then follow the link again: a cookie tells the server which seat is yours."),
];

/** Follows the link only to watch. */
async function watch() {
  try {
    await post(`/api/rooms/${room}/enter`, { key: byId("key").value, watch: true });
    location.replace(`/r/${room}`);
  } catch (error) {
    askLink(gettext("A shutbox table"), error.message.split("\n"));
  }
}

/** Says that the last chair is taken, and offers to watch. */
function offerToWatch(key) {
  askLink(gettext("Somebody took the last chair"), [gettext("You can still watch the game.")]);
  byId("key").value = key;
  for (const id of ["paste", "come"]) byId(id).hidden = true;
  hides("key", true);
  byId("watch").hidden = false;
}

/** Asks for a name. The address stays the invitation, so that a reload asks again. */
function askName(invites, key) {
  history.replaceState(null, "", `#${key}`);
  byId("door").classList.remove("lost");
  hides("name", false);
  for (const [id, hidden] of [["paste", true], ["come", false], ["watch", false]]) byId(id).hidden = hidden;
  prompt.ask(invites);
}

/** Says why this link does not work, and asks for another one. */
function askLink(title, sentences) {
  history.replaceState(null, "", location.pathname);
  prompt.close();
  byId("door").classList.add("lost");
  byId("watch").hidden = true;
  text(byId("title"), title);
  byId("key").value = "";
  hides("name", true);
  askToPaste(mayPaste());
  byId("title").focus();
  say(sentences);
}

/**
 * Asks to paste a link: with a button if the browser lets the page read the clipboard, else into a
 * field.
 */
function askToPaste(byButton) {
  byId("paste").hidden = !byButton;
  byId("come").hidden = byButton;
  hides("key", byButton);
}

const missing = () =>
  askLink(gettext("This link is missing its end"), [
    gettext("Ask for it again, or copy the whole link and paste it here."),
  ]);

/** Follows a pasted link, which may be surrounded by the text of a message. */
function follow(pasted) {
  const key = keyIn(pasted);
  const [, another] = /\/r\/([a-z0-9]{1,16})(?![a-z0-9])/.exec(plainLink(pasted)) ?? [];
  if (!key) return missing();
  if (another && another !== room && pasted.includes(location.host)) return location.assign(`/r/${another}#${key}`);
  byId("key").value = key;
  hides("key", true);
  return enter("");
}

byId("paste").addEventListener("click", async () => {
  const pasted = await navigator.clipboard.readText().catch(() => "");
  if (pasted.trim()) follow(pasted);
  else {
    askToPaste(false);
    byId("key").focus();
  }
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter === byId("watch")) watch();
  else if (!prompt.isOpen) follow(byId("key").value);
  else {
    const name = prompt.take();
    if (name) enter(name);
  }
});
takeOver();

let hasKey = false;
onKey((key) => {
  hasKey = true;
  follow(key);
});
if (!hasKey) missing();
