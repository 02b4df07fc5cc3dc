// A player comes by a link to a table where this device is known already: its key is sent, and a name
// is asked for only if the seat is free.

import { ask, post } from "../net/api.js";
import { byId } from "../view/dom.js";
import { NamePrompt } from "../view/name_prompt.js";
import { onKey } from "./link_key.js";

const CANNOT_BE_DONE = 422;
const TOO_MANY = 429;

/**
 * `entered` gets the reply once the link has opened something, `refused` why it did not; `isOwn` tells
 * the invitation that this viewer hands on and does not follow.
 */
export function arriveBy(api, { entered, refused, isOwn }) {
  const form = byId("entering");
  const prompt = new NamePrompt(byId("entering-name"));

  async function enter(key, name) {
    try {
      const { invites } = name ? {} : await ask(`${api}/invitation`, { key });
      if (invites) return askName(key, invites);
      const reply = await post(`${api}/enter`, { key, name });
      form.hidden = true;
      entered(reply);
    } catch (error) {
      if (!form.hidden && error.status === CANNOT_BE_DONE) {
        prompt.refuse(error.message.split("\n"));
        return;
      }
      form.hidden ||= error.status < TOO_MANY; // what is not answered now can be sent again
      refused(error);
    }
  }

  function askName(key, invites) {
    form.hidden = false;
    form.onsubmit = (event) => {
      event.preventDefault();
      const name = prompt.take();
      if (name) enter(key, name);
    };
    prompt.ask(invites);
  }

  onKey((key) => enter(key, null), isOwn);
}
