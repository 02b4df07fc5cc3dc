// Where a thing can lie on the felt: beside the dice and the figures. Nothing here touches the page.

const STEP = 8; // pixels between two places that are tried
const APART = 4;

/**
 * Returns the left top corner of the free square that is nearest to `wish`, with its `size`: the first
 * of `sizes` that fits. Null if none does. `taken` are the rectangles that it must not touch.
 */
export function freeSpot({ wide, high, sizes, taken, wish }) {
  for (const size of sizes) {
    const touches = (x, y) => ({ left, top, right, bottom }) =>
      x < right + APART && x + size > left - APART && y < bottom + APART && y + size > top - APART;
    let nearest = null;
    for (let x = APART; x <= wide - size - APART; x += STEP) {
      for (let y = APART; y <= high - size - APART; y += STEP) {
        const far = Math.hypot(x + size / 2 - wish.x, y + size / 2 - wish.y);
        if (far < (nearest?.far ?? Infinity) && !taken.some(touches(x, y))) nearest = { x, y, size, far };
      }
    }
    if (nearest) return nearest;
  }
  return null;
}
