// The first page: filters the boxes by the length of a turn and the share of luck as soon as a
// filter changes.

import "../view/language.js";
import { home } from "../model/addresses.js";
import { byId } from "../view/dom.js";
import { takeOver } from "../view/settings.js";

const form = byId("filter");

form.addEventListener("change", () => {
  const wanted = Object.entries(Object.fromEntries(new FormData(form))).filter(([, value]) => value);
  let number = 0;
  for (const box of byId("gallery").querySelectorAll("[data-length]")) {
    box.hidden = wanted.some(([name, value]) => box.dataset[name] !== value);
    if (!box.hidden) number += 1;
  }
  byId("none").hidden = number > 0;
  const query = String(new URLSearchParams(wanted));
  history.replaceState(null, "", query ? `?${query}#boxes` : home);
});

takeOver();
