// A player follows a link to a room. The script sends the key of the link, and asks for a name only
// if the seat is free. If the link has lost its key on the way, the player can paste the whole
// link.

import "../view/language.js";
import { onKey } from "../input/link_key.js";
import { keyIn, pageIn, plainLink } from "../model/links.js";
import { gettext, pgettext } from "../model/messages.js";
import { query, post, untilAnswered } from "../net/api.js";
import { byId, onSubmit, text } from "../view/dom.js";
import { nameIn, refuse } from "../view/field.js";
import { say } from "../view/live_region.js";
import { NamePrompt } from "../view/name_prompt.js";
import { takeOver } from "../view/settings.js";
import { CANNOT_BE_DONE, withName } from "../view/storage.js";

const KEY_LENGTH = 22;
const OF_THE_LINK = ["not-allowed", "unknown-room", "closed"];

const form = byId("enter");
const { room } = form.dataset;
const api = `/api/rooms/${room}`;
const play = byId("come").textContent;
const prompt = new NamePrompt(byId("name"), byId("title"));

/** Shows only these fields and buttons. */
function show(...shown) {
  const partOf = (id) => byId(id).closest(".field") ?? byId(id);
  for (const id of ["key", "name", "paste", "come", "watch"]) partOf(id).hidden = !shown.includes(id);
  text(byId("come"), play);
}

/**
 * Follows the link: with a name, or only to watch, or else to ask for a name if one is needed. The
 * address stays the invitation, so that a reload asks again.
 */
async function enter(name, watch = false) {
  const key = byId("key").value;
  byId("door").classList.remove("refused");
  history.replaceState(null, "", `#${key}`);
  try {
    const { invites } = name || watch ? {} : await untilAnswered(query(`${api}/invitation`, { key }), say);
    if (invites) return askName(invites);
    const sent = post(`${api}/enter`, { key, name: name || null, watch });
    await withName(name, untilAnswered(sent, say));
    location.replace(`/r/${room}`);
  } catch (error) {
    const sentences = error.message.split("\n");
    if (prompt.isOpen && error.status === CANNOT_BE_DONE) refuse(prompt.field, error.message);
    else if (error.code === "no-free-seat") offerToWatch(key);
    else if (OF_THE_LINK.includes(error.code)) askLink(gettext("A shutbox table"), sentences);
    else offerAgain(sentences);
  }
}

/** Says why the link could not be followed now. Key and name stay, to try again. */
function offerAgain(sentences) {
  show("come", "watch", prompt.isOpen && "name");
  text(byId("come"), pgettext("button", "Try again"));
  byId("door").classList.add("refused");
  say(sentences);
}

/** Says that the last chair is taken, and offers to watch. */
function offerToWatch(key) {
  askLink(gettext("Somebody took the last chair"), [gettext("You can still watch the game.")]);
  byId("key").value = key;
  show("watch");
}

/** Shows the card of a link that does not work, or the invitation. */
function showLost(is) {
  byId("door").classList.toggle("lost", is);
  byId("title").parentElement.classList.toggle("refusal", is);
}

/** Asks for a name. */
function askName(invites) {
  showLost(false);
  show("name", "come", "watch");
  prompt.ask(invites);
}

/** Says why this link does not work, and asks for another one. */
function askLink(title, sentences) {
  history.replaceState(null, "", location.pathname);
  prompt.close();
  showLost(true);
  text(byId("title"), title);
  byId("key").value = "";
  askToPaste(Boolean(navigator.clipboard?.readText));
  byId("title").focus();
  say(sentences);
}

/** Asks to paste a link: by a button, if the browser lets the page read it, or into a field. */
const askToPaste = (byButton) => show(...(byButton ? ["paste"] : ["key", "come"]));

const missing = () =>
  askLink(gettext("This link lost its end"), [
    gettext("The last part is missing. Copy the whole message and paste it here."),
  ]);

/** Follows a pasted link, which may be surrounded by the text of a message. */
function follow(pasted) {
  const [key, page] = [keyIn(pasted), pageIn(pasted)];
  if (key.length < KEY_LENGTH) return missing();
  if (page && page !== `/r/${room}` && plainLink(pasted).includes(location.host)) {
    return location.assign(`${page}#${keyIn(pasted, 24)}`);
  }
  byId("key").value = key;
  show("name", "come", "watch");
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

onSubmit(form, ({ submitter }) => {
  if (submitter === byId("watch")) enter("", true);
  else if (!prompt.isOpen) follow(byId("key").value);
  else {
    const name = nameIn(prompt.field);
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
