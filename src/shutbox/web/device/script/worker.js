// The engine: Python in a web worker. It answers requests as a server would, and stores events
// before they are shown.

import { begin } from "./python.js";
import * as store from "./store.js";

const BEGINS = `
from shutbox.web.device.device import Device, draw_for_site
draw_for_site()
`;

async function opened() {
  const python = await begin(BEGINS);
  python.globals.set("store", store);
  python.globals.set("post", (text) => postMessage(JSON.parse(text)));
  const device = python.runPython("Device(store, post)");
  store.onOther((room) => device.look(room));
  return device;
}

const beginning = opened();
beginning.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ broken: String(error) }),
);

addEventListener("message", async ({ data }) => {
  const device = await beginning;
  if (data.listen) {
    device.listen(data.listen, data.since);
    return;
  }
  const { id, method, path, body } = data;
  try {
    postMessage({ id, ...JSON.parse(await device.ask(method, path, body ?? "")) });
  } catch (error) {
    console.error(error);
    postMessage({ id, status: 500, body: { error: { message: "" } } });
  }
});
