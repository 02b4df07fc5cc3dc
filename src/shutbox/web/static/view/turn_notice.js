// A note of the system that it is one's turn, while the page is out of sight and for those who want
// it: once a turn, and gone as soon as they are back. The worker shows it where there is one, since
// a phone lets no page do so itself.

import { isCalled, isMine } from "../model/moves.js";
import { turnWords } from "../model/sentences.js";
import { settings } from "./settings.js";

const TAG = `turn ${location.pathname}`;
let isThere = false;
let own = null; // the note that the page shows itself

const worker = () => navigator.serviceWorker?.getRegistration();

/** A turn has come, after a friend's: it is noted. Or it is over, and so is its note. */
export function noteTurn(before, view, you) {
  if (isCalled(before, view, you, [])) notify(turnWords(view, you), view.title);
  else if (!isMine(view, you)) dismiss();
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
  if (!document.hidden) dismiss(); // somebody was quicker
}

async function dismiss() {
  if (!isThere) return;
  isThere = false;
  own?.close();
  own = null;
  const shown = await (await worker())?.getNotifications({ tag: TAG });
  shown?.forEach((note) => note.close());
}

document.addEventListener("visibilitychange", () => document.hidden || dismiss());
