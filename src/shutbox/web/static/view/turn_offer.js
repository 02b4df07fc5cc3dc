// The offer to tell the player when it is their turn, made once per device: during the first long
// wait for another person. Only a press on it opens the browser's own question.

import { isMyTurn } from "../model/moves.js";
import { byId } from "./dom.js";
import { allowNotes } from "./settings.js";
import { storedText, storeText } from "./storage.js";

const NAME = "shutbox-notify"; // set once the offer was answered
const WAIT_MS = 8000;
const offer = byId("notify");
let timer = 0;

/** Makes the offer after a while if this viewer waits for another person. */
export function offerNotices(view, you) {
  const due = view.table?.seat ?? null;
  const waits = view.phase === "playing" && you.seats.length > 0 && !isMyTurn(view, you);
  const isPerson = due !== null && !view.seats[due].computer;
  clearTimeout(timer);
  if (!(waits && isPerson)) offer.hidden = true;
  else if (canAsk()) timer = setTimeout(() => (offer.hidden = !canAsk()), WAIT_MS);
}

function canAsk() {
  return globalThis.Notification?.permission === "default" && !storedText(NAME);
}

function answered() {
  storeText(NAME, "answered");
  offer.hidden = true;
  byId("stage").focus();
}

byId("notify-yes").addEventListener("click", () => {
  answered();
  allowNotes(true);
});
byId("notify-no").addEventListener("click", answered);
