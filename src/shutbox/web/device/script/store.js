// The events of every table, stored on this device under their numbers in their rooms, and the seeds
// of sealed dice. What is stored never changes. If several pages store an event with the same
// number, only the first succeeds.

const NAME = "shutbox";
const EVENTS = "events";
const SEEDS = "~"; // before the gid, instead of a room; every room sorts before it

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

const answered = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

/** Returns the ids of up to `most` rooms as JSON, the room with the newest event first. */
export async function rooms(most) {
  const events = (await database()).transaction(EVENTS).objectStore(EVENTS);
  const found = [];
  for (let before = SEEDS; ; before = found.at(-1).room) {
    // Events have numbers from 1, so this is the last event of the room before.
    const cursor = await answered(events.openCursor(IDBKeyRange.upperBound([before, 0]), "prev"));
    if (!cursor) break;
    found.push(cursor.value);
  }
  return JSON.stringify(found.sort((a, b) => b.at - a.at).slice(0, most).map(({ room }) => room));
}

/** Returns the stored seed of the sealed dice with this `gid`. Empty if there is none. */
export async function seed(gid) {
  const events = (await database()).transaction(EVENTS).objectStore(EVENTS);
  return (await answered(events.get([SEEDS + gid, 1])))?.entry ?? "";
}

/** Returns what is stored of each try at the box of a day, as JSON: its place, a number and a text. */
export async function days() {
  const events = (await database()).transaction(EVENTS).objectStore(EVENTS);
  const rows = await answered(events.getAll(IDBKeyRange.bound([`${SEEDS}day `], [`${SEEDS}day!`])));
  return JSON.stringify(rows.map(({ room, number, entry }) => [room, number, entry]));
}

/** Returns the events of a room after a number, as JSON: number, time and text of each. */
export async function read(room, after) {
  const events = (await database()).transaction(EVENTS).objectStore(EVENTS);
  const rows = await answered(events.getAll(IDBKeyRange.bound([room, after + 1], [room, Infinity])));
  return JSON.stringify(rows.map(({ number, at, entry }) => [number, at, entry]));
}

/**
 * Stores events, and with a `gid` the seed of these dice, all or none. Resolves when they are on
 * disk. Returns false if the first number already exists, or if the event before it is missing
 * because the user has cleared the data.
 */
export async function append(room, rows, gid, seed) {
  const transaction = (await database()).transaction(EVENTS, "readwrite", { durability: "strict" });
  const events = transaction.objectStore(EVENTS);
  const added = JSON.parse(rows);
  const before = added[0][0] - 1;
  const last = before ? events.getKey([room, before]) : null;
  if (last) last.onsuccess = () => last.result || transaction.abort();
  if (gid) events.add({ room: SEEDS + gid, number: 1, at: 0, entry: seed });
  for (const [number, at, entry] of added) events.add({ room, number, at, entry });
  const isStored = await new Promise((done, failed) => {
    transaction.oncomplete = () => done(true);
    const isRefused = () => !transaction.error || transaction.error.name === "ConstraintError";
    transaction.onabort = () => (isRefused() ? done(false) : failed(transaction.error));
  });
  if (isStored) others.postMessage(room);
  return isStored;
}
