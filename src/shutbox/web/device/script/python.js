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
  return new Response(stream, { headers: { "Content-Type": PACKED[name] } }).blob();
}

/** Returns the translations of a language, a `.po` file. */
export const catalogue = async (language) => (await unpacked(`${language}.po`)).text();

// Everything is fetched and unpacked at the same time, and the interpreter compiled beside it.
const files = Object.fromEntries(Object.keys(PACKED).map((name) => [name, unpacked(name)]));
const reply = async (name) => new Response(await files[name]);
const interpreter = WebAssembly.compileStreaming(reply("pyodide.asm.wasm"));

// Pyodide loads its files with fetch.
self.fetch = (address, ...more) => {
  const name = String(address).slice(HERE.href.length);
  return name in files ? reply(name) : fetched(address, ...more);
};
WebAssembly.instantiateStreaming = async (_, imports) => {
  const module = await interpreter;
  return { module, instance: await WebAssembly.instantiate(module, imports) };
};

/** Returns a function that starts Python's program, with memory for a snapshot of `size` bytes. */
async function program(size) {
  const address = URL.createObjectURL(await files["pyodide.asm.mjs"]);
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

/** Writes the files of a zip that compresses nothing, in a tenth of the time that Python takes. */
function unzip({ FS }, zip, folder) {
  const view = new DataView(zip);
  for (let at = 0; view.getUint32(at, true) === 0x04034b50; ) {
    const from = at + 30 + view.getUint16(at + 26, true);
    const name = new TextDecoder().decode(zip.slice(at + 30, from));
    const size = view.getUint32(at + 18, true);
    FS.mkdirTree(`${folder}/${name}`.replace(/\/[^/]*$/, ""));
    FS.writeFile(`${folder}/${name}`, new Uint8Array(zip, from, size), { canOwn: true });
    at = from + size;
  }
}

async function begun(how) {
  const python = await loadPyodide({
    createPyodideModule: await program(how._loadSnapshot?.byteLength ?? 0),
    indexURL: HERE.href,
    stdLibURL: `${HERE}python.zip`,
    ...how,
  });
  unzip(python, await (await files["shutbox.zip"]).arrayBuffer(), "/lib/shutbox");
  return python;
}

/**
 * Starts Python with shutbox on its path. If there is `code`, runs it and saves a snapshot of the memory,
 * or loads the snapshot of an earlier run instead. Returns the Pyodide object.
 */
export async function begin(code = "") {
  const snapshot = code && (await keptSnapshot());
  if (snapshot) {
    try {
      return await begun({ _loadSnapshot: snapshot });
    } catch (error) {
      console.warn(error);
      await forgetSnapshots();
    }
  }
  const python = await begun({ _makeSnapshot: Boolean(code) });
  python.runPython('import sys; sys.path.append("/lib/shutbox")');
  if (code) {
    python.runPython(code);
    keepSnapshot(python.makeMemorySnapshot());
  }
  return python;
}
