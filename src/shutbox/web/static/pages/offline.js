// The page that is shown without network: once the server answers again, what was wanted is asked
// for anew. That there is a network says little, so the server is asked for something small.

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
