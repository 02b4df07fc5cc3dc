// The service worker, for browsers that have visited before. It caches static files, whose
// addresses change with their content. Pages and tables always come from the server. Without a
// network it answers with a page that says so. The server writes `shutbox`, the contents of this
// release, above this script.

const { release, shell, offline } = self.shutbox;
const NAME = `shutbox-${release}`;

addEventListener("install", (event) => {
  self.skipWaiting(); // no page comes from the cache, so the newer worker can take over at once
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll([...shell, offline])));
});

addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

async function forgetOthers() {
  // The site that this device keeps has its own caches, with a path in their names.
  const isOlder = (name) => name.startsWith("shutbox-") && !name.includes("/") && name !== NAME;
  const names = await caches.keys();
  await Promise.all(names.filter(isOlder).map((name) => caches.delete(name)));
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

// The server pushes a message when it is the player's turn and no page is open.
addEventListener("push", (event) => event.waitUntil(told(event.data.json())));

async function told({ path, title }) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isSeen = ({ url, visibilityState }) =>
    visibilityState === "visible" && new URL(url).pathname === path;
  if (pages.some(isSeen)) return; // a page open at another process of the server
  await navigator.setAppBadge?.();
  const { turn, icon } = self.shutbox;
  const how = { body: title, tag: `turn ${path}`, icon, data: { path } };
  await self.registration.showNotification(turn, how);
}

// A notification of a turn leads back to its table.
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
    // A reload of the offline page must not send a form again.
    if (request.method !== "GET") return Response.redirect(offline, 303);
    const cached = await caches.match(offline);
    if (cached) return cached;
    throw error;
  }
}

async function file(request) {
  const cache = await caches.open(NAME);
  const stored = await cache.match(request);
  if (stored) return stored;
  const answer = await fetch(request);
  // For an address of another release, the server sends its current file, which must not be cached.
  const isLasting = answer.headers.get("Cache-Control")?.includes("immutable");
  if (answer.ok && isLasting) await cache.put(request, answer.clone());
  return answer;
}
