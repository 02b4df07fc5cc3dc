// Protection against double clicks on a button whose meaning changes: if the meaning has changed
// between the two clicks, the second one is ignored.

const DOUBLE_MS = 300; // two slower presses both count

/** Returns a click listener. `meaning()` is what the button does now, `does(event)` does it. */
export function calmly(meaning, does) {
  let at = 0;
  let meant = "";
  return (event) => {
    const means = meaning();
    const isSecondHalf = event.detail > 1 && event.timeStamp - at < DOUBLE_MS;
    at = event.timeStamp;
    if (isSecondHalf && means !== meant) return;
    meant = means;
    does(event);
  };
}
