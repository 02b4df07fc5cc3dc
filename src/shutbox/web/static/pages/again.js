// The page of a server that cannot answer now: sends the request again after 1, 2 and 4 seconds.

import { byId } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

const PAUSES = [1000, 2000, 4000];
const NEW_MS = 15_000; // after this time, a refusal is the first one again
const NAME = "shutbox.again";

takeOver();
const [before, at] = JSON.parse(sessionStorage.getItem(NAME) ?? "[0, 0]"); // throws where it is blocked
const number = Date.now() - at < NEW_MS ? before : 0;
if (number < PAUSES.length) setTimeout(again, PAUSES[number]);

function again() {
  sessionStorage.setItem(NAME, JSON.stringify([number + 1, Date.now()]));
  byId("again").requestSubmit();
}
