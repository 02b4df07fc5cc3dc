// The offer to install the page, after the third game that was finished on this device. Only a press
// on it opens the browser's own question. Browsers without such a question get no offer.

import { byId } from "./dom.js";
import { storedText, storeText } from "./storage.js";

const NAME = "shutbox-install"; // the number of finished games, or that the offer was answered
const ANSWERED = "answered";
const GAMES = 3;
const offer = byId("install");
let question = null;
let isOver = false;

function draw() {
  const count = storedText(NAME);
  offer.hidden = !(isOver && question && count !== ANSWERED && Number(count) >= GAMES);
}

/** Counts a game that this viewer has played to its end. */
export function countFinished() {
  const count = storedText(NAME);
  if (count !== ANSWERED) storeText(NAME, String(Number(count) + 1));
}

/** Shows the offer while no game is being played. */
export function offerInstall(view) {
  isOver = view.phase === "over";
  draw();
}

function answered() {
  storeText(NAME, ANSWERED);
  draw();
  byId("stage").focus();
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // not in the middle of a game
  question = event;
  draw();
});
byId("install-yes").addEventListener("click", () => {
  question.prompt();
  answered();
});
byId("install-no").addEventListener("click", answered);
