// What may be picked, worked out from the offers alone: this page knows no rules. Nothing here
// touches the page.

/** The keys that go with what is picked: some offer takes them all. */
function pickable(offers, picked) {
  const found = new Set();
  for (const offer of offers) {
    if (!picked.every((key) => offer.takes.includes(key))) continue;
    for (const key of offer.takes) if (!picked.includes(key)) found.add(key);
  }
  return found;
}

/** The offers that take exactly what is picked. */
export function exact(offers, picked) {
  return offers.filter(
    (offer) =>
      picked.length > 0 &&
      offer.takes.length === picked.length &&
      picked.every((key) => offer.takes.includes(key)),
  );
}

/** What is picked after `key` was pressed; null if it does not go with the rest. */
export function toggled(offers, picked, key) {
  if (picked.includes(key)) return picked.filter((other) => other !== key);
  return pickable(offers, picked).has(key) ? [...picked, key] : null;
}

/**
 * The offer that a press on a tile takes at once, though nothing is picked: the only cover there is,
 * or, where that is wanted, the one tile that is all of `total`. Null where it only picks.
 */
export function atOnce(pieces, offers, picked, key, total = null) {
  const pressed = pieces.find((piece) => piece.key === key);
  if (picked.length || pressed?.kind !== "tile") return null;
  const [only] = offers;
  if (offers.length === 1 && only.takes.includes(key)) return only;
  const isWhole = total !== null && pressed.number === total;
  return (isWhole && offers.find(({ takes }) => takes.length === 1 && takes[0] === key)) || null;
}

/** The keys of pieces that may be pressed to pick one more. */
export function pressable(pieces, offers, picked) {
  const open = pickable(offers, picked);
  const leads = ({ key }) => open.has(standsFor(pieces, offers, picked, key));
  return new Set(pieces.filter(leads).map(({ key }) => key));
}

/**
 * The piece that is meant by a press on another: of equal dice the offers take only some, and
 * whichever is pressed stands for one that may be picked, or else for one that is.
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

/** The pips of what is picked. */
export function sum(pieces, picked) {
  const numbers = new Map(pieces.map(({ key, number }) => [key, number]));
  return picked.reduce((total, key) => total + (numbers.get(key) ?? 0), 0);
}

/**
 * A digit is typed; `waiting` are the digits before it. What comes of it: `keys` are pieces to be
 * pressed, `waiting` are digits that may yet become a longer number, `unknown` is a number that
 * nothing has.
 *
 * A number is taken at once if it cannot be the beginning of another that may be picked. If it
 * cannot go on with this digit, it was meant as it stood, and the digit begins the next one.
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

/** The offer that takes just the pieces whose digits were typed one after the other, such as `35`. */
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

/** The piece of a number: one that may be picked before one that is. */
export function meant(pieces, offers, picked, number) {
  const found = reachable(pieces, offers, picked).filter((piece) => piece.face === number);
  const fresh = found.find((piece) => !picked.includes(piece.key));
  return (fresh || found[0])?.key;
}

function reachable(pieces, offers, picked) {
  const open = pickable(offers, picked);
  return pieces.filter((piece) => open.has(piece.key) || picked.includes(piece.key));
}
