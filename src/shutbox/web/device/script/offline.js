// The service worker: caches the files of the site, so that it works without a network. The build
// writes `shutbox`, the contents of this release, above this script.

const { release, files } = self.shutbox;
// Another folder of the same host can have a site with its own cache.
const SITE = `shutbox-${registration.scope}-`;
const NAME = SITE + release;

addEventListener("install", (event) => {
  // The browser's HTTP cache can hold files of the previous release.
  const fresh = files.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(fresh)));
});

addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

async function forgetOthers() {
  const names = (await caches.keys()).filter((name) => name.startsWith(SITE));
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answer(event.request));
});

// A notification of a turn leads back to the game.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: "window" }).then(([page]) => page?.focus()));
});

async function answer(request) {
  const cache = await caches.open(NAME);
  const found = await cache.match(request, { ignoreSearch: true });
  if (found) return found;
  // An address of nothing leads home when no host can say that it is wrong.
  const reply = await fetch(request).catch((error) => {
    if (request.mode !== "navigate") throw error;
    return Response.redirect("./index.html", 303);
  });
  // Sounds are fetched at the first press, and heard without a network from then on.
  if (reply.ok && new URL(request.url).pathname.includes("/static/sounds/")) {
    await cache.put(request, reply.clone());
  }
  return reply;
}
