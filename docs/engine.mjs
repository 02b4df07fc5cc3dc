// Packs the engine of the static site, and plays a game with the result, to find missing modules:
// `node docs/engine.mjs PYODIDE SOURCE TARGET PACKAGES`.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodide, source, target, packages] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));

async function packed() {
  const python = await loadPyodide({ indexURL: pyodide });
  const scripts = dirname(fileURLToPath(import.meta.url));
  const places = { source, target, packages, scripts, examples: resolve(source, "../examples") };
  for (const [place, path] of Object.entries(places)) {
    python.FS.mkdirTree(`/${place}`);
    python.mountNodeFS(`/${place}`, path);
  }
  python.runPython(`
import sys
from pathlib import Path
sys.dont_write_bytecode = True
sys.path.append("/scripts")
import pack_engine as engine
library = next(path for path in sys.path if path.endswith(".zip"))
engine.pack("/target/python.zip", engine.of_python(library))
game = Path("/examples/template_game.py")
files = [*engine.of_shutbox(Path("/source"), game), *engine.of_packages(Path("/packages"))]
engine.pack("/target/shutbox.zip", files)
`);
}

/** A database in memory. */
class Memory {
  rows = [];
  seeds = {};
  room = "";

  async read(room, after) {
    return JSON.stringify(this.rows.filter(([number]) => number > after));
  }

  async append(room, rows, gid, seed) {
    this.rows.push(...JSON.parse(rows));
    this.room = room;
    if (gid) this.seeds[gid] = seed;
    return true;
  }

  async rooms() {
    return JSON.stringify([this.room]);
  }

  async seed(gid) {
    return this.seeds[gid] ?? "";
  }
}

async function played() {
  const python = await loadPyodide({ indexURL: pyodide, stdLibURL: `${target}/python.zip` });
  python.unpackArchive(new Uint8Array(readFileSync(`${target}/shutbox.zip`)), "zip", { extractDir: "/lib/shutbox" });
  python.globals.set("store", new Memory());
  python.globals.set("post", () => {});
  const device = python.runPython(`
import sys
sys.path.append("/lib/shutbox")
from shutbox.web.device.device import Device, draw_for_site
draw_for_site()
Device(store, post)
`);
  async function ask(method, path, body) {
    const { status, body: found } = JSON.parse(await device.ask(method, path, JSON.stringify(body)));
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(found)}`);
    return found;
  }
  const seats = [{ who: "me" }, { who: "computer:perfect" }];
  const action = () => crypto.randomUUID();
  const opens = { action: action(), game: "classic", seats, coach: true };
  const { view: opened } = await ask("POST", "/api/rooms", opens);
  const at = `/api/rooms/${opened.room}`;
  for (;;) {
    const { view } = await ask("GET", at);
    if (view.phase === "over") break;
    const { game, version, seat, does, offers } = view.table;
    if (seat !== 0) {
      await new Promise((done) => setTimeout(done)); // the computer player acts
      continue;
    }
    if (does === "choose") await ask("GET", `${at}/hint`);
    const choice = does === "choose" ? offers[0].text : "";
    await ask("POST", `${at}/act`, { action: action(), game, version, seat, do: does, choice });
  }
  await ask("GET", `${at}/verdict`);
  const record = await ask("GET", `${at}/record?game=1`);
  await device.ask("POST", "/api/records", record);
  const of = `room=${opened.room}&game=1`;
  const pages = [`review.html?${of}`, `dice.html?${of}`, `record.txt?${of}`];
  pages.push("games.html", "fair.html", "practice.html", "analysis.html");
  pages.push("position.html?text=classic:1.2.3/1%2B2");
  for (const page of pages) {
    const { status, body } = JSON.parse(await device.ask("GET", page, ""));
    if (status !== 200) throw new Error(`${page}: ${body}`);
  }
  const text = new URLSearchParams({ text: record });
  const { status, body } = JSON.parse(await device.ask("POST", "review.html", String(text)));
  if (status !== 200) throw new Error(`a record: ${body}`);
}

await packed();
await played();
