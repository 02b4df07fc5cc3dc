// The pieces that may be picked, computed from the offers alone. The script knows no rules. Nothing
// here touches the page.

/** Returns the keys that can be added to the picked ones, so that some offer takes them all. */
function addableKeys(offers, picked) {
  const taking = offers.filter(({ takes }) => picked.every((key) => takes.includes(key)));
  return new Set(taking.flatMap(({ takes }) => takes).filter((key) => !picked.includes(key)));
}

/** Returns the offers that take exactly the picked keys. */
export function exactOffers(offers, picked) {
  const sized = offers.filter(({ takes }) => picked.length && takes.length === picked.length);
  return sized.filter(({ takes }) => picked.every((key) => takes.includes(key)));
}

/** Returns the picked keys after `key` was pressed. Null if no offer takes it with the others. */
export function pickedAfter(offers, picked, key) {
  if (picked.includes(key)) return picked.filter((other) => other !== key);
  return addableKeys(offers, picked).has(key) ? [...picked, key] : null;
}

/**
 * Returns the offer to make at once when a tile is pressed and nothing is picked yet: the only
 * cover that exists, or the tile that equals `total` if that setting is on. Null if the press only
 * picks the tile.
 */
export function offerAtOnce(pieces, offers, picked, key, total = null) {
  const pressed = pieces.find((piece) => piece.key === key);
  if (picked.length || pressed?.kind !== "tile") return null;
  const [only] = offers;
  if (offers.length === 1 && only.takes.includes(key)) return only;
  const isWhole = total !== null && pressed.number === total;
  return (isWhole && offers.find(({ takes }) => takes.length === 1 && takes[0] === key)) || null;
}

/** Returns the keys of the pieces that can be pressed to pick one more. */
export function pressableKeys(pieces, offers, picked) {
  const open = addableKeys(offers, picked);
  const leads = ({ key }) => open.has(keyToPick(pieces, offers, picked, key));
  return new Set(pieces.filter(leads).map(({ key }) => key));
}

/**
 * Returns the key of the piece to pick or unpick when that with `key` is pressed. Of several equal
 * dice the offers name only some: a press on any of them is for one that can be picked, or else for
 * one that is picked.
 */
export function keyToPick(pieces, offers, picked, key) {
  const open = addableKeys(offers, picked);
  if (open.has(key) || picked.includes(key)) return key;
  const pressed = pieces.find((piece) => piece.key === key);
  const same = ["kind", "label", "face", "state"];
  const equal = pieces
    .filter((piece) => piece.kind === "die" && same.every((name) => piece[name] === pressed[name]))
    .map((piece) => piece.key);
  const isPicked = (other) => picked.includes(other);
  return equal.find((other) => open.has(other)) ?? equal.find(isPicked) ?? key;
}

/** Returns the sum of the numbers of the picked pieces. */
export function sumOf(pieces, picked) {
  const numbers = new Map(pieces.map(({ key, number }) => [key, number]));
  return picked.reduce((total, key) => total + (numbers.get(key) ?? 0), 0);
}

/**
 * Reads a typed digit. `waiting` holds the digits typed before it. Returns `keys`, those of the
 * pieces to press; `waiting`, the digits that may still become a longer number, or ""; and
 * `unknown`, a number that no piece has, or "".
 *
 * In a box of ten tiles, 0 is the 10. A number is taken at once if it cannot be the beginning of
 * another number that can be picked. If this digit cannot continue the number, the number is taken
 * as it was and the digit begins the next one.
 */
export function readDigit(pieces, offers, picked, waiting, typed) {
  const faces = pressablePieces(pieces, offers, picked).map((piece) => piece.face);
  const isTen = waiting + typed === "0" && faces.includes("10") && !faces.includes("0");
  const number = isTen ? "10" : waiting + typed;
  if (faces.some((face) => face.length > number.length && face.startsWith(number))) {
    return { keys: [], waiting: number, unknown: "" };
  }
  if (faces.includes(number)) {
    return { keys: [keyOfNumber(pieces, offers, picked, number)], waiting: "", unknown: "" };
  }
  if (waiting && faces.includes(waiting)) {
    const key = keyOfNumber(pieces, offers, picked, waiting);
    const now = pickedAfter(offers, picked, key) || picked;
    const next = readDigit(pieces, offers, now, "", typed);
    return { ...next, keys: [key, ...next.keys] };
  }
  return { keys: [], waiting: "", unknown: number };
}

/** Returns the offer for the pieces whose numbers were typed in a row, such as `35`; null if none. */
export function offerSpelled(pieces, offers, typed) {
  let [keys, waiting] = [[], ""];
  const take = (key) => (keys = pickedAfter(offers, keys, key) ?? keys);
  for (const sign of typed) {
    const picks = readDigit(pieces, offers, keys, waiting, sign);
    if (picks.unknown) return null;
    picks.keys.forEach(take);
    ({ waiting } = picks);
  }
  if (waiting) take(keyOfNumber(pieces, offers, keys, waiting));
  return exactOffers(offers, keys)[0] ?? null;
}

/**
 * Returns the key of a piece with this number, if possible one that is not picked yet. Undefined if
 * no piece that can be pressed has the number.
 */
export function keyOfNumber(pieces, offers, picked, number) {
  const choices = pressablePieces(pieces, offers, picked).filter((piece) => piece.face === number);
  const fresh = choices.find((piece) => !picked.includes(piece.key));
  return (fresh || choices[0])?.key;
}

/** Returns the pieces that can be picked or put back. */
function pressablePieces(pieces, offers, picked) {
  const open = addableKeys(offers, picked);
  return pieces.filter((piece) => open.has(piece.key) || picked.includes(piece.key));
}
