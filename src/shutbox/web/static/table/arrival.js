// A player follows a link to a room where this device already has a seat or may watch. The script
// sends the key of the link, and asks for a name only if the seat is free.

import { onKey } from "../input/link_key.js";
import { query, post } from "../net/api.js";
import { byId } from "../view/dom.js";
import { nameIn, refuse } from "../view/field.js";
import { NamePrompt } from "../view/name_prompt.js";
import { CANNOT_BE_DONE, withName } from "../view/storage.js";

const TOO_MANY = 429;

/** Follows links to the room of a TablePage, except the own invitation in its address. */
export function arriveBy(page) {
  const form = byId("entering");
  const prompt = new NamePrompt(byId("entering-name"));

  async function enter(key, name) {
    try {
      const { invites } = name ? {} : await query(`${page.api}/invitation`, { key });
      if (invites) return askName(key, invites);
      const reply = await withName(name, post(`${page.api}/enter`, { key, name }));
      form.hidden = true;
      page.sync.takeReply(reply, "enter");
      page.sync.ask();
    } catch (error) {
      if (!form.hidden && error.status === CANNOT_BE_DONE) {
        refuse(prompt.field, error.message);
        return;
      }
      form.hidden ||= error.status < TOO_MANY; // if the server did not answer, the form can be sent again
      page.actions.refuse(error);
    }
  }

  function askName(key, invites) {
    form.hidden = false;
    form.onsubmit = (event) => {
      event.preventDefault();
      const name = nameIn(prompt.field);
      if (name) enter(key, name);
    };
    prompt.ask(invites);
  }

  const isOwn = (key) => page.you.links.join?.endsWith(`#${key}`);
  onKey((key) => enter(key, null), { isOwn });
}
