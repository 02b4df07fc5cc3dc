// The service worker: caches the files of the site, so that it works without a network. The build
// writes `shutbox`, the contents of this release, above this script.

const { release, files, languages } = self.shutbox;
// Another folder of the same host can have a site with its own cache.
const SITE = `shutbox-${registration.scope}-`;
const NAME = SITE + release;

addEventListener("install", (event) => {
  event.waitUntil(store());
});

/** Stores the files of all languages, and those of the languages in use here. */
async function store() {
  const pages = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  const kept = await caches.match(`${registration.scope}language`); // of the page that keeps the site
  const used = new Set([...pages.map(({ url }) => languageOf(url)), await kept?.text()]);
  await add([...files, ...[...used].flatMap((language) => languages[language] ?? [])]);
}

/** Returns the language of a page, the name of its folder; any other text for a page in English. */
const languageOf = (url) => url.slice(registration.scope.length).split("/")[0];

async function add(names) {
  // The browser's HTTP cache can hold files of the previous release.
  const fresh = names.map((file) => new Request(file, { cache: "no-cache" }));
  await (await caches.open(NAME)).addAll(fresh);
}

addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

async function forgetOthers() {
  const names = (await caches.keys()).filter((name) => name.startsWith(SITE));
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answer(event));
});

// A notification of a turn leads back to the game.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: "window" }).then(([page]) => page?.focus()));
});

async function answer(event) {
  const { request } = event;
  const cache = await caches.open(NAME);
  const found = await cache.match(request, { ignoreSearch: true });
  if (found) return found;
  const ofLanguage = request.mode === "navigate" && languages[languageOf(request.url)];
  // An address of nothing leads home when no host can say that it is wrong.
  const reply = await fetch(request).catch((error) => {
    if (request.mode !== "navigate" || ofLanguage) throw error;
    return Response.redirect("./index.html", 303);
  });
  if (reply.ok && ofLanguage) event.waitUntil(add(ofLanguage)); // it was chosen since
  // Sounds are fetched at the first press, and heard without a network from then on.
  if (reply.ok && new URL(request.url).pathname.includes("/static/sounds/")) {
    await cache.put(request, reply.clone());
  }
  return reply;
}
