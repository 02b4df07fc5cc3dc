// What is kept on this device: the events of every table, each under its number in its room. What is
// kept is kept for ever; one page of the browser alone is the first with each number.

const NAME = "shutbox";
const EVENTS = "events";

let opening = null;

/** The database; a browser that keeps nothing refuses it when it is asked. */
function database() {
  opening ??= new Promise((done, failed) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(EVENTS, { keyPath: ["room", "number"] });
    };
    request.onsuccess = () => {
      // Who clears what the browser keeps of this site closes it, too.
      request.result.onclose = () => (opening = null);
      done(request.result);
    };
    request.onerror = () => failed(request.error);
  });
  return opening;
}

const others = new BroadcastChannel(NAME);

/** Calls `look(room)` when another page has played on in it. */
export function onOther(look) {
  others.onmessage = ({ data }) => look(data);
}

/** The events of a room after a number, as JSON: number, time and text of each. */
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
 * Keeps such events, all or none, and comes back once they are on the disk. False where there is one
 * of this number already, or none before it, since somebody has cleared them.
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
