// The page after the player's data was deleted at the server: it also deletes what this browser has
// stored, except the settings, and ends the browser's push subscription.

import { changeSetting, takeOver } from "../view/settings.js";

const SETTINGS = "shutbox";

async function forget() {
  changeSetting("notes", false);
  for (const name of Object.keys(localStorage)) {
    if (name !== SETTINGS) localStorage.removeItem(name);
  }
  indexedDB.deleteDatabase("shutbox");
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}

takeOver();
forget().catch(() => {}); // a browser that blocks its storage has stored nothing
