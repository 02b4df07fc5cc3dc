// The engine: Python in a worker, which all pages of this browser share. It goes on from page to
// page; where a browser has no shared workers, each page starts its own. It answers requests as a
// server would, and stores events before they are shown.

import { begin, catalogue } from "./python.js";
import * as store from "./store.js";

const BEGINS = `
from shutbox.engine.messages import FOLDER, use
from shutbox.web.device.device import Device, draw_for_site
draw_for_site()
`;

const pages = new Map();
let opened = 0;
let spoken = "en";
let learned = Promise.resolve();

/** Sends a text of JSON to a page, or to all of them. */
function post(text, page) {
  const data = JSON.parse(text);
  for (const [number, port] of pages) if (!page || page === number) port.postMessage(data);
}

async function beginning() {
  const python = await begin(BEGINS);
  python.globals.set("store", store);
  python.globals.set("post", post);
  const device = python.runPython("Device(store, post)");
  store.onOther((room) => device.look(room));
  return { python, device };
}

const begun = beginning();

function serve(port) {
  opened += 1;
  const page = opened;
  pages.set(page, port);
  port.onmessage = ({ data }) => answer(page, port, data);
  begun.then(
    () => port.postMessage({ ready: true }),
    (error) => {
      port.postMessage({ broken: String(error) });
      close(); // so that the next page begins anew
    },
  );
}

/** Makes the engine speak the language of a page, and fetches its sentences if they are not here. */
function speak(python, language) {
  if (language !== spoken) {
    spoken = language;
    learned = learned.catch(() => {}).then(() => learn(python, language.replace("-", "_")));
  }
  return learned;
}

async function learn({ FS, globals }, language) {
  const folder = String(globals.get("FOLDER"));
  FS.mkdirTree(folder);
  if (language !== "en") FS.writeFile(`${folder}/${language}.po`, await catalogue(language));
  globals.get("use")(language);
}

async function answer(page, port, { id, method, path, body, language, listen, since, leaves, isOld }) {
  if (leaves) {
    pages.delete(page);
    if (isOld && !pages.size) close();
  }
  const { python, device } = await begun;
  if (leaves) {
    device.leave(page);
    return;
  }
  try {
    await speak(python, language);
  } catch (error) {
    spoken = "";
    port.postMessage({ broken: String(error) });
    return;
  }
  if (listen) device.listen(listen, since, page);
  else {
    try {
      port.postMessage({ id, ...JSON.parse(await device.ask(method, path, body ?? "")) });
    } catch (error) {
      console.error(error);
      port.postMessage({ id, status: 500, body: { error: { message: "" } } });
    }
  }
}

if ("onconnect" in self) addEventListener("connect", ({ ports }) => serve(ports[0]));
else serve(self);
