// A press while dice are in the air lets them rest, and does nothing else.

const CLICK_MS = 400; // a click follows the end of its press sooner than that

/** Calls `skip()` at a press for which `moves(event)` says that something moves. */
export function skipByPress({ moves, skip }) {
  let swallows = false; // the click that belongs to the press
  const press = (event) => {
    swallows = false;
    if (event.ctrlKey || event.altKey || event.metaKey || !moves(event)) return;
    swallows = true;
    event.preventDefault();
    event.stopPropagation();
    skip();
  };
  const release = () => setTimeout(() => (swallows = false), CLICK_MS);
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, press, true);
  for (const name of ["pointerup", "pointercancel", "keyup"]) addEventListener(name, release, true);
  addEventListener(
    "click",
    (event) => {
      if (!swallows || !event.isTrusted) return;
      swallows = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}
