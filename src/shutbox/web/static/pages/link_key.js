// The key of a link: it stands after the hash, where no server and no log sees it, and is taken out of
// the address.

import { byId } from "../view/dom.js";

/**
 * Calls `takes(key)` where a link was followed, or is put into the address of this very page;
 * `isOwn(key)` tells the invitation that this page shows there itself.
 */
export function onKey(takes, isOwn = () => false) {
  function arrive() {
    const key = location.hash.slice(1).replace(/[^\w-]+$/, ""); // a full stop of the message
    if (!key || byId(key) || isOwn(key)) return; // a link within the page is no key
    history.replaceState(null, "", location.pathname);
    takes(key);
  }

  addEventListener("hashchange", arrive);
  arrive();
}
