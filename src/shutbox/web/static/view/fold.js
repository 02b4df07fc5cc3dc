// On a narrow screen the questions are folded away, so that who plays is not far below the box.

import { byId } from "./dom.js";

const narrow = matchMedia("(width < 48rem)");

function fold() {
  const questions = byId("questions");
  if (!questions.contains(document.activeElement)) questions.open = !narrow.matches;
}

narrow.addEventListener("change", fold);
fold();
