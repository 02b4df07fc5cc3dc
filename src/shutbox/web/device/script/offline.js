// Stands between the pages and the network: all that they are made of is kept, so that they are there
// without a network, too. `shutbox`, what this release is made of, is set before this.

const { release, files } = self.shutbox;
// Another folder of the same host may have a site of its own, with what it keeps.
const SITE = `shutbox-${registration.scope}-`;
const NAME = SITE + release;

addEventListener("install", (event) => {
  // What a host lets browsers keep for a while may be of the release before.
  const fresh = files.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((kept) => kept.addAll(fresh)));
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

// A note that it is somebody's turn leads back to the game.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: "window" }).then(([page]) => page?.focus()));
});

async function answer(request) {
  const kept = await caches.open(NAME);
  return (await kept.match(request, { ignoreSearch: true })) ?? fetch(request);
}
