// The game kept on this device, to be played without a network: the site without a server, which the
// server has in a folder of its own. Its own service worker stores it.

import { gettext } from "../model/messages.js";
import { byId, insecureWords, text } from "./dom.js";

/** Returns whether the site in the folder `site` of this server is stored on this device. */
async function isKept(site) {
  const worker = await navigator.serviceWorker?.getRegistration(site).catch(() => null);
  return Boolean(worker?.active && new URL(worker.scope).pathname === site);
}

function showKept() {
  byId("site-keep").hidden = true;
  byId("site-link").hidden = false;
  text(byId("site-told"), gettext("The game is on this device."));
  if (!byId("alone")) return;
  byId("alone").hidden = false;
  byId("again").classList.replace("main", "quiet");
}

/** Stores the site, if that is not done yet, and shows the progress. */
async function keep(site) {
  const button = byId("site-keep");
  button.setAttribute("aria-busy", "true");
  text(byId("site-told"), gettext("The game is being loaded. One moment…"));
  try {
    // The service worker stores the pages in this language, too.
    const chosen = new Response(document.documentElement.lang);
    await (await caches.open("shutbox-language")).put(`${site}language`, chosen);
    const { installing, waiting, active } = await navigator.serviceWorker.register(`${site}sw.js`);
    const worker = installing ?? waiting ?? active;
    while (!["activated", "redundant"].includes(worker.state)) {
      await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
    }
    if (!(await isKept(site))) throw new Error(worker.state);
    showKept();
  } catch {
    text(byId("site-told"), gettext("That did not work. Is there enough space on this device?"));
  } finally {
    button.removeAttribute("aria-busy");
  }
}

const part = byId("site-part");
if (part) {
  const { site } = part.dataset;
  part.hidden = isSecureContext && !navigator.serviceWorker;
  byId("site-keep").disabled = !isSecureContext;
  if (!isSecureContext) text(byId("site-told"), insecureWords());
  byId("site-keep").addEventListener("click", () => keep(site));
  addEventListener("appinstalled", () => keep(site));
  isKept(site).then((is) => {
    if (is) showKept();
    else if (matchMedia("(display-mode: standalone)").matches) keep(site);
  });
}
