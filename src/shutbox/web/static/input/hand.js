// Throwing by hand: a press on the main button or on the felt picks the dice up, and they shake as
// long as it lasts. A tap throws from the right; a line drawn with the finger throws along it.

const HOLD_MS = 250; // a shorter press is a tap
const FULL_MS = 1500; // a press as long as this throws with full strength
const LINE_PX = 24; // a shorter line has no direction
const LEAST_MS = 30;
const CLICK_MS = 150; // a click follows the end of its press sooner than that

/**
 * Listens on the main `button` and the `felt`. `mayThrow()` says whether a press is a throw.
 * `picksUp()` is called when it begins, `aims(heading)` while a line is drawn, `drops()` if it is
 * abandoned, and `throws(how)` when it ends. `how` has a `strength` from 0 to 1 and, after a line, a
 * `heading` in radians. It is null for a tap. On the button, a press without a line ends with a click of
 * that button instead of a call of `throws`, and `howOf()` returns its `how` once.
 */
export function throwByHand({ button, felt, mayThrow, picksUp, aims, drops, throws }) {
  let hold = null;
  let how = null;
  let swallows = false; // the click of a press on the button that drew a line or was abandoned

  const begin = (event) => {
    swallows = false;
    const other = event.currentTarget === felt && event.target.closest("button");
    if (!event.isPrimary || event.button || other || !mayThrow()) return;
    hold = { id: event.pointerId, x: event.clientX, y: event.clientY, at: event.timeStamp, on: event.currentTarget };
    hold.on.setPointerCapture(event.pointerId);
    picksUp();
  };

  const lineOf = ({ clientX, clientY }) => {
    const [x, y] = [clientX - hold.x, clientY - hold.y];
    const length = Math.hypot(x, y);
    return length > LINE_PX ? { length, heading: Math.atan2(y > 0 ? y * 0.25 : y, x) } : null;
  };

  const abandon = () => {
    if (!hold) return;
    hold = null;
    drops();
  };

  const end = (event) => {
    if (!hold || event.pointerId !== hold.id) return;
    const { at, on } = hold;
    const line = lineOf(event);
    const time = event.timeStamp - at;
    how = time > HOLD_MS ? { strength: Math.min(1, time / FULL_MS) } : null;
    if (line) {
      const strength = Math.min(1, line.length / Math.max(LEAST_MS, time) / 2);
      how = { heading: line.heading, strength };
    }
    if (line || on === felt) {
      swallows = on === button;
      hold = null;
      throws(how);
    } else {
      const mine = hold;
      setTimeout(() => hold === mine && abandon(), CLICK_MS); // no click came
    }
  };

  for (const place of [button, felt]) {
    place.addEventListener("pointerdown", begin);
    place.addEventListener("pointermove", (event) => {
      const line = hold && lineOf(event);
      if (line) aims(line.heading);
    });
    place.addEventListener("pointerup", end);
    place.addEventListener("pointercancel", abandon); // the page is scrolled instead
  }
  const leave = ({ key }) => {
    if (key !== "Escape" || !hold) return;
    swallows = hold.on === button;
    abandon();
  };
  addEventListener("keydown", leave, true);
  button.addEventListener("contextmenu", (event) => hold && event.preventDefault());
  button.addEventListener("click", (event) => {
    if (!swallows || !event.detail) return;
    swallows = false;
    event.stopImmediatePropagation();
  });

  return {
    /** Ends the hold of a press that has become a click, and returns how it throws. */
    howOf: () => {
      const found = hold ? how : null;
      hold = null;
      how = null;
      return found;
    },
  };
}
