// The page shown without a network. When the server answers again, the page that was asked for is
// loaded. Being online does not prove that the server can be reached, so the script requests a
// small file from it.

import { byId } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

const CHECK_MS = 3000;

function retry() {
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

async function check() {
  try {
    await fetch("/manifest.webmanifest", { cache: "no-store" });
    retry();
  } catch {
    // Not yet.
  }
}

byId("again").addEventListener("click", retry);
addEventListener("online", check);
setInterval(check, CHECK_MS);
takeOver();
