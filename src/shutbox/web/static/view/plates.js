// The plates above the box: the players and their figures, to see at a glance. The spoken list of
// players is in the drawer with their links.

import { gettext } from "../model/messages.js";
import { byId, drawn, el, keyed, set, text } from "./dom.js";

/** Draws the plates of a view. The server draws the first ones. */
export function drawPlates(view) {
  const { seats, table, phase } = view;
  const list = byId("plates");
  const size = seats.length === 1 ? " solo" : seats.length === 2 ? " pair" : "";
  set(list, "class", `plates${seats.length > 4 ? " many" : size}`);
  keyed(
    list,
    seats.map((seat, number) => ({ seat, number, figure: table?.plates[number] })),
    ({ number }) => String(number),
    () => el("li", {}, drawn("draw-plate")),
    (plate, { seat, number, figure }) => {
      const stands = figure?.won ? "won" : figure?.leads ? "leads" : "";
      set(plate, "class", ["plate", `c${number % 6}`, stands].join(" ").trim());
      set(plate, "aria-current", seat.due && phase === "playing" ? "true" : null);
      const name = seat.name || gettext("Seat {number}", { number: number + 1 });
      drawFace(plate.querySelector(".face"), name, seat.face);
      text(plate.querySelector("bdi"), name);
      text(plate.querySelector(".name .away"), leads(figure));
      const total = figure?.total ?? null;
      const words = total === null ? "" : gettext("total {total}", { total });
      text(plate.querySelector(".total"), words);
      plate.querySelector(".chips").hidden = (figure?.chips ?? null) === null;
      text(plate.querySelector(".chips .n"), String(figure?.chips ?? ""));
      text(plate.querySelector(".now .n"), figure ? String(figure.points ?? "–") : "");
      text(plate.querySelector("small"), figure?.says ?? "");
    },
  );
}

/** Draws the face of a computer player, or the initial of any other name. */
export function drawFace(place, name, face) {
  const [first] = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  text(place.querySelector(".initial"), first ?? "");
  place.querySelector(".initial").hidden = face !== "";
  place.querySelector(".character").toggleAttribute("hidden", face === "");
  set(place.querySelector("use"), "href", face ? `#face-${face}` : null);
}

/** Returns what the crown and the brass plate mean, for screen readers. */
function leads(figure) {
  if (figure?.won) return gettext(", has won");
  return figure?.leads ? gettext(", leads") : "";
}

/** Draws the rail: the round, and the score to beat. */
export function drawRail({ table, phase }) {
  const { round, rounds, beat, beat_says } = table;
  const of = gettext("Round {round} of {rounds}", { round, rounds });
  const words = rounds ? of : gettext("Round {round}", { round });
  text(byId("round"), round ? words : "");
  byId("tag").hidden = beat === null || phase !== "playing";
  text(byId("tag").firstElementChild, String(beat ?? ""));
  text(byId("tag").lastElementChild, beat_says);
  text(byId("score"), table.score);
  const says = table.answers.find(({ key }) => key === "n")?.says ?? "";
  text(byId("beat"), phase === "playing" ? says : "");
}
