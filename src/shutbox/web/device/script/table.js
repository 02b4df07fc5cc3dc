// The page of a table: the server's page, with a record that is made on this device.

import "../pages/table.js";
import { get } from "../net/api.js";
import { byId, el } from "../view/dom.js";
import { say } from "../view/live_region.js";

byId("record").addEventListener("click", (event) => {
  event.preventDefault();
  const query = new URL(event.currentTarget.href).searchParams;
  download(query.get("room"), query.get("game")).catch(({ message }) => say(message.split("\n")));
});

async function download(room, game) {
  const record = await get(`/api/rooms/${room}/record?game=${game}`);
  const href = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
  el("a", { href, download: `shutbox-${room}-${game}.txt` }).click();
  URL.revokeObjectURL(href);
}
