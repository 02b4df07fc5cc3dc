// The key of a link. It comes after the hash, which browsers do not send to servers, so it appears
// in no log. The script removes it from the address.

import { byId } from "../view/dom.js";

/**
 * Calls `takes(key)` when the page is opened with a key or a key is put into its address.
 * `isOwn(key)` recognises the invitation that the page itself puts there.
 */
export function onKey(takes, isOwn = () => false) {
  function arrive() {
    const key = location.hash.slice(1).replace(/[^\w-]+$/, ""); // the full stop of a message
    if (!key || byId(key) || isOwn(key)) return; // a link to a part of this page is no key
    history.replaceState(null, "", location.pathname);
    takes(key);
  }

  addEventListener("hashchange", arrive);
  arrive();
}
