// A system notification when the player's turn begins while the page is hidden, if the player has
// turned it on. It appears once a turn and closes when the player is back. The service worker shows
// it if there is one, since phones do not let a page do so.

import { isCalled, isMyTurn } from "../model/moves.js";
import { turnWords } from "../model/sentences.js";
import { settings } from "./settings.js";

const TAG = `turn ${location.pathname}`;
let isThere = true;
let own = null; // the notification shown by the page itself

const worker = () => navigator.serviceWorker?.getRegistration();

/** Notifies of this viewer's turn at a table with friends, and no longer than that. */
export function noteTurn(before, view, you) {
  if (isCalled(before, view, you, [])) notify(turnWords(view, you), view.title);
  else if (!isMyTurn(view, you)) dismiss();
}

async function notify(title, body) {
  if (!settings.notes || !document.hidden) return;
  isThere = true;
  const { href } = document.querySelector("link[rel='apple-touch-icon']");
  const how = { body, tag: TAG, icon: href, data: { path: location.pathname } };
  const shows = await worker();
  if (shows) await shows.showNotification(title, how);
  else {
    own = new Notification(title, how);
    own.onclick = () => focus();
  }
  if (!document.hidden) dismiss(); // the player came back in the meantime
}

async function dismiss() {
  if (!isThere) return;
  navigator.clearAppBadge?.();
  isThere = false;
  own?.close();
  own = null;
  const shown = await (await worker())?.getNotifications({ tag: TAG });
  shown?.forEach((note) => note.close());
}

// While the page is hidden or closed, a push can show one, too.
document.addEventListener("visibilitychange", () => {
  isThere ||= document.hidden;
  if (!document.hidden) dismiss();
});
if (!document.hidden) dismiss();
