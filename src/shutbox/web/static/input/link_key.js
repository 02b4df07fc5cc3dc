// The key of a link. It comes after the hash, which browsers do not send to servers, so it appears
// in no log. The script removes it from the address.

import { keyIn } from "../model/links.js";
import { byId } from "../view/dom.js";

/**
 * Calls `takes(key)` when the page is opened with a key or a key is put into its address.
 * `isOwn(key)` recognises the invitation that the page itself puts there. Keys have `length` characters.
 */
export function onKey(takes, { isOwn = () => false, length } = {}) {
  function arrive() {
    const key = keyIn(location.hash, length);
    if (!key || byId(key) || isOwn(key)) return; // a link to a part of this page is no key
    history.replaceState(null, "", location.pathname);
    takes(key);
  }

  addEventListener("hashchange", arrive);
  arrive();
}
