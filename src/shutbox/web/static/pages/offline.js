// The page shown without a network. When the server answers again, the page that was asked for is
// loaded. Being online does not prove that the server can be reached, so the script requests a
// small file from it.

import { byId } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

const LOOKS_MS = 3000;

function again() {
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

async function look() {
  try {
    await fetch("/manifest.webmanifest", { cache: "no-store" });
    again();
  } catch {
    // Not yet.
  }
}

byId("again").addEventListener("click", again);
addEventListener("online", look);
setInterval(look, LOOKS_MS);
takeOver();
