// The page's side of the engine, which starts at the first request and goes on when the page is
// left for another. Tables that the engine reports are stored so that the next page finds them at
// once.

import { gettext } from "../model/messages.js";
import { forgetTable, keepTable, language } from "./tables.js";
import "./to_server.js";

let starting = null;
let isBroken = false;
let asked = 0;
const waiting = new Map();
const listeners = new Map();

/** Starts the engine unless it is running. Returns the way to it. */
export function start() {
  starting ??= filesCached().then(begun);
  return starting;
}

/**
 * On the first visit, waits until the service worker has cached all files, so that the engine loads
 * them from the cache and nothing is fetched twice.
 */
async function filesCached() {
  const container = navigator.serviceWorker;
  if (!container || container.controller) return;
  const registration = await container.register(document.querySelector("[data-worker]").dataset.worker).catch(() => null);
  const coming = registration?.installing;
  if (!coming || registration.active) return;
  await new Promise((done) => {
    container.addEventListener("controllerchange", done, { once: true });
    coming.addEventListener("statechange", () => coming.state === "redundant" && done());
  });
}

function begun() {
  const { engine } = document.documentElement.dataset;
  const how = { type: "module", extendedLifetime: true }; // until the next page is there
  const worker = "SharedWorker" in window ? new SharedWorker(engine, how) : new Worker(engine, how);
  const port = worker.port ?? worker;
  port.onmessage = ({ data }) => {
    if (data.boot) keepTable(data);
    else if (data.message) listeners.get(data.room)?.hears(data.message);
    else if (data.refusal) listeners.get(data.room)?.refused(data.refusal);
    else if (data.gone) leaveGone(data.gone);
    else if (data.ready) document.documentElement.dataset.ready = "";
    else if (data.broken) refuseAll(data.broken);
    else answered(data);
  };
  worker.onerror = ({ message }) => refuseAll(message);
  let registration = null;
  navigator.serviceWorker?.ready.then((found) => (registration = found));
  addEventListener("pagehide", ({ persisted }) => {
    // A release that waits can only begin when the engine of the older has ended.
    if (!persisted) port.postMessage({ leaves: true, isOld: Boolean(registration?.waiting) });
  });
  return port;
}

/** Forgets a table that is no longer stored. If this page was drawn from its copy, reloads it. */
function leaveGone(room) {
  const isHere = new URLSearchParams(location.search).get("room") === room;
  if (forgetTable(room) && isHere) location.reload();
}

function answered(reply) {
  waiting.get(reply.id)(reply);
  waiting.delete(reply.id);
}

/** Refuses all requests, since the engine could not be loaded for lack of network or memory. */
function refuseAll(why) {
  if (why) console.error(why);
  isBroken = true;
  const message = gettext("The game could not be loaded. Reload the page.");
  for (const id of waiting.keys()) answered({ id, status: 500, body: { error: { message } } });
}

/** Sends a request to the engine. Returns its status and body. */
export async function ask(method, path, body) {
  const port = await start();
  asked += 1;
  const id = asked;
  port.postMessage({ id, method, path, body, language });
  return new Promise((done) => {
    waiting.set(id, done);
    if (isBroken) refuseAll();
  });
}

/**
 * Calls `hears` with every event of a room after `since`, and `refused` with the reason if a
 * computer player cannot act.
 */
export async function listen(room, since, { hears, refused }) {
  listeners.set(room, { hears, refused });
  (await start()).postMessage({ listen: room, since, language });
}
