// The subscription of this browser to Web Push, by which the server announces the player's turn even
// if no page is open. Without a service worker, a push service or a key of the server, only open
// pages do so.

import { get, post } from "../net/api.js";
import { onChange, settings } from "../view/settings.js";
import { storedText, storeText } from "../view/storage.js";

const NAME = "shutbox-push"; // the endpoint that the server knows

const manager = async () => (await navigator.serviceWorker?.getRegistration())?.pushManager;

const asBase64 = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_");

/** Subscribes, or renews a subscription that the browser has changed. Failures are ignored. */
async function subscribe() {
  try {
    const push = await manager();
    if (!push) return;
    const known = await push.getSubscription();
    if (known && known.endpoint === storedText(NAME)) return;
    const { key } = await get("/api/push");
    if (!key) return;
    await known?.unsubscribe(); // it may be for an older key of the server
    const subscription = await push.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const [p256dh, auth] = ["p256dh", "auth"].map((name) => asBase64(subscription.getKey(name)));
    await post("/api/push", { endpoint: subscription.endpoint, p256dh, auth });
    storeText(NAME, subscription.endpoint);
  } catch {
    // Open pages announce the turn, as before.
  }
}

/** Ends the subscription, at the server and in the browser. Failures are ignored. */
async function unsubscribe() {
  if (!storedText(NAME)) return;
  storeText(NAME, "");
  try {
    await (await (await manager())?.getSubscription())?.unsubscribe();
    await post("/api/push/stop", {});
  } catch {
    // The push service tells the server that this subscription has ended.
  }
}

let isWanted = settings.notes;
if (isWanted) subscribe();
onChange(() => {
  if (settings.notes === isWanted) return;
  isWanted = settings.notes;
  if (isWanted) subscribe();
  else unsubscribe();
});
