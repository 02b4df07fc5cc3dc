// The events of every table, stored on this device under their numbers in their rooms. Stored
// events never change. If several pages store an event with the same number, only the first
// succeeds.

const NAME = "shutbox";
const EVENTS = "events";

let opening = null;

/** Returns the database. Rejects if the browser has no storage. */
function database() {
  opening ??= new Promise((done, failed) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(EVENTS, { keyPath: ["room", "number"] });
    };
    request.onsuccess = () => {
      // If the user clears the site's data, the browser closes the database.
      request.result.onclose = () => (opening = null);
      done(request.result);
    };
    request.onerror = () => failed(request.error);
  });
  return opening;
}

const others = new BroadcastChannel(NAME);

/** Calls `look(room)` when another page has added events to a room. */
export function onOther(look) {
  others.onmessage = ({ data }) => look(data);
}

/** Returns the events of a room after a number, as JSON: number, time and text of each. */
export async function read(room, after) {
  const events = (await database()).transaction(EVENTS).objectStore(EVENTS);
  const request = events.getAll(IDBKeyRange.bound([room, after + 1], [room, Infinity]));
  const rows = await new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  return JSON.stringify(rows.map(({ number, at, entry }) => [number, at, entry]));
}

/**
 * Stores events, all or none, and resolves when they are on disk. Returns false if the first number
 * already exists, or if the event before it is missing because the user has cleared the data.
 */
export async function keep(room, rows) {
  const kept = (await database()).transaction(EVENTS, "readwrite", { durability: "strict" });
  const events = kept.objectStore(EVENTS);
  const added = JSON.parse(rows);
  const before = added[0][0] - 1;
  const last = before ? events.getKey([room, before]) : null;
  if (last) last.onsuccess = () => last.result || kept.abort();
  for (const [number, at, entry] of added) events.add({ room, number, at, entry });
  const isKept = await new Promise((done, failed) => {
    kept.oncomplete = () => done(true);
    const isRefused = () => !kept.error || kept.error.name === "ConstraintError";
    kept.onabort = () => (isRefused() ? done(false) : failed(kept.error));
  });
  if (isKept) others.postMessage(room);
  return isKept;
}
