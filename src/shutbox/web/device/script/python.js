// Python and shutbox, as packed by `docs/engine.mjs`.

import { MARK } from "./mark.js";
import { loadPyodide } from "./pyodide.mjs";

const HERE = new URL("./", import.meta.url);
/** The compressed files and their types. They are small on every host. */
const PACKED = {
  "pyodide.asm.mjs": "text/javascript",
  "pyodide.asm.wasm": "application/wasm",
  "python.zip": "application/zip",
  "shutbox.zip": "application/zip",
};

const fetched = self.fetch;

async function unpacked(name) {
  const response = await fetched(new URL(`${name}.packed`, HERE));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const stream = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "Content-Type": PACKED[name] } });
}

// Pyodide loads its files with fetch.
self.fetch = (address, ...more) => {
  const name = String(address).slice(HERE.href.length);
  return name in PACKED ? unpacked(name) : fetched(address, ...more);
};

/** Returns a function that starts Python's program, with memory for a snapshot of `size` bytes. */
async function program(size) {
  const address = URL.createObjectURL(await (await unpacked("pyodide.asm.mjs")).blob());
  const { default: made } = await import(address);
  return async (settings) => {
    const module = await made(settings);
    if (size > module.HEAP8.length) module.growMemory(size); // Pyodide itself does not
    return module;
  };
}

// The memory of Python after all imports is saved on the device as a snapshot, for a start in a
// third of the time. A snapshot fits only this build. If it cannot be used, everything is imported
// again.

const SNAPSHOT = new URL(`snapshot-${MARK}`, HERE);
const open = () => caches.open("memory");

async function keptSnapshot() {
  try {
    return await (await (await open()).match(SNAPSHOT))?.arrayBuffer();
  } catch {
    return null; // this browser has no storage
  }
}

async function forgetSnapshots() {
  const cache = await open();
  for (const request of await cache.keys()) await cache.delete(request);
}

async function keepSnapshot(bytes) {
  try {
    await forgetSnapshots();
    await (await open()).put(SNAPSHOT, new Response(bytes));
  } catch {
    // There is not enough space.
  }
}

async function begun(library, how) {
  const python = await loadPyodide({
    createPyodideModule: await program(how._loadSnapshot?.byteLength ?? 0),
    indexURL: HERE.href,
    stdLibURL: `${HERE}python.zip`,
    ...how,
  });
  python.unpackArchive(await library, "zip", { extractDir: "/lib/shutbox" });
  return python;
}

/**
 * Starts Python with shutbox on its path. If there is `code`, runs it and saves a snapshot of the memory,
 * or loads the snapshot of an earlier run instead. Returns the Pyodide object.
 */
export async function begin(code = "") {
  const library = unpacked("shutbox.zip").then((reply) => reply.arrayBuffer());
  const snapshot = code && (await keptSnapshot());
  if (snapshot) {
    try {
      return await begun(library, { _loadSnapshot: snapshot });
    } catch (error) {
      console.warn(error);
      await forgetSnapshots();
    }
  }
  const python = await begun(library, { _makeSnapshot: Boolean(code) });
  python.runPython('import sys; sys.path.append("/lib/shutbox")');
  if (code) {
    python.runPython(code);
    keepSnapshot(python.makeMemorySnapshot());
  }
  return python;
}
