// The page of a table: the one of the server, and a record that is made here.

import "../pages/table.js";
import { byId } from "../view/dom.js";
import { ask } from "./engine.js";

byId("record").addEventListener("click", async (event) => {
  event.preventDefault();
  const query = new URL(event.currentTarget.href).searchParams;
  const [room, game] = [query.get("room"), query.get("game")];
  const { body } = await ask("GET", `/api/rooms/${room}/record?game=${game}`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([body], { type: "text/plain" }));
  link.download = `shutbox-${room}-${game}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
});
