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

async function program() {
  const address = URL.createObjectURL(await (await unpacked("pyodide.asm.mjs")).blob());
  return (await import(address)).default;
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
  const kept = await open();
  for (const request of await kept.keys()) await kept.delete(request);
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
    createPyodideModule: await program(),
    indexURL: HERE.href,
    stdLibURL: `${HERE}python.zip`,
    ...how,
  });
  python.unpackArchive(await library, "zip", { extractDir: "/lib/shutbox" });
  return python;
}

/**
 * Starts Python with shutbox on its path. Imports `module` if one is named, and saves a snapshot
 * with it.
 */
export async function begin(module = "") {
  const library = unpacked("shutbox.zip").then((reply) => reply.arrayBuffer());
  const snapshot = module && (await keptSnapshot());
  if (snapshot) {
    try {
      return await begun(library, { _loadSnapshot: snapshot });
    } catch (error) {
      console.warn(error);
      await forgetSnapshots();
    }
  }
  const python = await begun(library, { _makeSnapshot: Boolean(module) });
  python.runPython('import sys; sys.path.append("/lib/shutbox")');
  if (module) {
    python.runPython(`__import__("${module}"); None`);
    keepSnapshot(python.makeMemorySnapshot());
  }
  return python;
}
