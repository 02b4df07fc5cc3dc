// The page's side of the engine. It starts at the first request. Tables that the engine reports are
// stored so that the next page finds them at once.

import { gettext } from "../model/messages.js";
import { forgetTable, keepTable } from "./tables.js";
import "./to_server.js";

let starting = null;
let isBroken = false;
let asked = 0;
const waiting = new Map();
const listeners = new Map();

/** Starts the engine unless it is running. Returns its worker. */
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
  const registration = await container.register("sw.js").catch(() => null);
  const coming = registration?.installing;
  if (!coming || registration.active) return;
  await new Promise((done) => {
    container.addEventListener("controllerchange", done, { once: true });
    coming.addEventListener("statechange", () => coming.state === "redundant" && done());
  });
}

function begun() {
  const { engine } = document.documentElement.dataset;
  const worker = new Worker(engine, { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.boot) keepTable(data);
    else if (data.message) listeners.get(data.room)?.hears(data.message);
    else if (data.refusal) listeners.get(data.room)?.refused(data.refusal);
    else if (data.gone) forgetTable(data.gone) && location.reload(); // the page was drawn from the deleted copy
    else if (data.ready) document.documentElement.dataset.ready = "";
    else if (data.broken) refuseAll(data.broken);
    else answered(data);
  });
  worker.addEventListener("error", ({ message }) => refuseAll(message));
  return worker;
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
  const worker = await start();
  asked += 1;
  const id = asked;
  worker.postMessage({ id, method, path, body });
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
  (await start()).postMessage({ listen: room, since });
}
