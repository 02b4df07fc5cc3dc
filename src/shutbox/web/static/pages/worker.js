// Stands between the pages and the network, for anyone who has been here. Static files, whose addresses
// change with what is in them, are kept; pages and tables always come from the server, and where
// there is no network a page says so. `shutbox`, what this release is made of, is set before this.

const { release, shell, offline } = self.shutbox;
const NAME = `shutbox-${release}`;

addEventListener("install", (event) => {
  self.skipWaiting(); // no page is served from what is kept: the newer one may take over at once
  event.waitUntil(caches.open(NAME).then((kept) => kept.addAll([...shell, offline])));
});

addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/static/") && search.startsWith("?v=")) {
    event.respondWith(file(request));
  }
});

// A note that it is somebody's turn leads back to their table.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(backTo(event.notification.data.path));
});

async function backTo(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find(({ url }) => new URL(url).pathname === path);
  await (there ? there.focus() : self.clients.openWindow(path));
}

async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    // What was sent by a form is not sent again when somebody looks at the page once more.
    if (request.method !== "GET") return Response.redirect(offline, 303);
    const kept = await caches.match(offline);
    if (kept) return kept;
    throw error;
  }
}

async function file(request) {
  const kept = await caches.open(NAME);
  const found = await kept.match(request);
  if (found) return found;
  const answer = await fetch(request);
  // An address of another release is answered with what is there now, which is not kept.
  const isLasting = answer.headers.get("Cache-Control")?.includes("immutable");
  if (answer.ok && isLasting) await kept.put(request, answer.clone());
  return answer;
}
