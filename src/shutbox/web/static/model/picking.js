// The pieces that may be picked, computed from the offers alone. The script knows no rules. Nothing
// here touches the page.

/**
 * Returns the keys that can be added to the picked ones, so that at least one offer takes them all.
 */
function pickable(offers, picked) {
  const found = new Set();
  for (const offer of offers) {
    if (!picked.every((key) => offer.takes.includes(key))) continue;
    for (const key of offer.takes) if (!picked.includes(key)) found.add(key);
  }
  return found;
}

/** Returns the offers that take exactly the picked keys. */
export function exact(offers, picked) {
  return offers.filter(
    (offer) =>
      picked.length > 0 &&
      offer.takes.length === picked.length &&
      picked.every((key) => offer.takes.includes(key)),
  );
}

/**
 * Returns the picked keys after `key` was pressed. Null if no offer takes it together with the
 * others.
 */
export function toggled(offers, picked, key) {
  if (picked.includes(key)) return picked.filter((other) => other !== key);
  return pickable(offers, picked).has(key) ? [...picked, key] : null;
}

/**
 * Returns the offer to make at once when a tile is pressed and nothing is picked yet: the only
 * cover that exists, or the tile that equals `total` if that setting is on. Null if the press only
 * picks the tile.
 */
export function atOnce(pieces, offers, picked, key, total = null) {
  const pressed = pieces.find((piece) => piece.key === key);
  if (picked.length || pressed?.kind !== "tile") return null;
  const [only] = offers;
  if (offers.length === 1 && only.takes.includes(key)) return only;
  const isWhole = total !== null && pressed.number === total;
  return (isWhole && offers.find(({ takes }) => takes.length === 1 && takes[0] === key)) || null;
}

/** Returns the keys of the pieces that can be pressed to pick one more. */
export function pressable(pieces, offers, picked) {
  const open = pickable(offers, picked);
  const leads = ({ key }) => open.has(standsFor(pieces, offers, picked, key));
  return new Set(pieces.filter(leads).map(({ key }) => key));
}

/**
 * Returns the piece to pick or unpick when a piece is pressed. Of several equal dice the offers
 * name only some. A press on any of them stands for one that can be picked, or else for one that is
 * picked.
 */
export function standsFor(pieces, offers, picked, key) {
  const open = pickable(offers, picked);
  if (open.has(key) || picked.includes(key)) return key;
  const pressed = pieces.find((piece) => piece.key === key);
  const same = ["kind", "label", "face", "state"];
  const equal = pieces
    .filter((piece) => piece.kind === "die" && same.every((name) => piece[name] === pressed[name]))
    .map((piece) => piece.key);
  return equal.find((other) => open.has(other)) ?? equal.find((o) => picked.includes(o)) ?? key;
}

/** Returns the total of the picked pieces. */
export function sum(pieces, picked) {
  const numbers = new Map(pieces.map(({ key, number }) => [key, number]));
  return picked.reduce((total, key) => total + (numbers.get(key) ?? 0), 0);
}

/**
 * Handles a typed digit. `waiting` holds the digits typed before it. Returns `keys`, the pieces to
 * press; `waiting`, the digits that may still become a longer number; and `unknown`, a number that
 * no piece has.
 *
 * A number is taken at once if it cannot be the beginning of another number that can be picked. If
 * this digit cannot continue the number, the number is taken as it was and the digit begins the
 * next one.
 */
export function digit(pieces, offers, picked, waiting, typed) {
  const number = waiting + typed;
  const faces = reachable(pieces, offers, picked).map((piece) => piece.face);
  if (faces.some((face) => face.length > number.length && face.startsWith(number))) {
    return { keys: [], waiting: number, unknown: "" };
  }
  if (faces.includes(number)) {
    return { keys: [meant(pieces, offers, picked, number)], waiting: "", unknown: "" };
  }
  if (waiting && faces.includes(waiting)) {
    const key = meant(pieces, offers, picked, waiting);
    const now = toggled(offers, picked, key) || picked;
    const next = digit(pieces, offers, now, "", typed);
    return { ...next, keys: [key, ...next.keys] };
  }
  return { keys: [], waiting: "", unknown: number };
}

/**
 * Returns the offer that takes exactly the pieces whose numbers were typed in a row, such as `35`.
 * Null if there is none.
 */
export function spelled(pieces, offers, typed) {
  let [keys, waiting] = [[], ""];
  const take = (key) => (keys = toggled(offers, keys, key) ?? keys);
  for (const sign of typed) {
    const found = digit(pieces, offers, keys, waiting, sign);
    if (found.unknown) return null;
    found.keys.forEach(take);
    ({ waiting } = found);
  }
  if (waiting) take(meant(pieces, offers, keys, waiting));
  return exact(offers, keys)[0] ?? null;
}

/**
 * Returns the key of the piece with this number: first one that is not picked yet, else one that is.
 * Undefined if no piece that can be pressed has the number.
 */
export function meant(pieces, offers, picked, number) {
  const found = reachable(pieces, offers, picked).filter((piece) => piece.face === number);
  const fresh = found.find((piece) => !picked.includes(piece.key));
  return (fresh || found[0])?.key;
}

function reachable(pieces, offers, picked) {
  const open = pickable(offers, picked);
  return pieces.filter((piece) => open.has(piece.key) || picked.includes(piece.key));
}
