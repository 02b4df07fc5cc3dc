// Presses on a button that never moves and whose meaning changes: the second half of a double click
// does not do what it has come to mean by then.

const DOUBLE_MS = 300; // who presses it calmly twice means both

/** A listener for clicks: `meaning()` tells what the button means now, and `does(event)` does it. */
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
