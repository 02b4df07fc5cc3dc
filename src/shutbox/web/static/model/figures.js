// Figures as they are printed: one decimal, so that what stands there adds up. Nothing here touches
// the page.

import { capital, gettext } from "./messages.js";

const MINUS = "\u2212"; // a hyphen is not spoken

/** A number with one decimal; a half is rounded away from 0, as the server does. */
export const decimal = (number) => number.toFixed(1).replace("-", MINUS);

/** A change with its sign; none of zero. */
export function signed(number) {
  const size = decimal(Math.abs(number));
  if (size === "0.0") return size;
  return `${number > 0 ? "+" : MINUS}${size}`;
}

/** A number and its sign of percent stay on one line. */
const unbroken = (words) => words.replace(" %", "\u00a0%");

/** A number of percent. */
export const inPercent = (number) => unbroken(gettext("{number} %", { number }));

/** A chance in whole percent; what is hardly anything is not called nothing. */
export function percent(chance) {
  if (chance > 0 && chance < 0.005) return unbroken(gettext("under 1 %"));
  if (chance < 1 && chance > 0.995) return unbroken(gettext("over 99 %"));
  return inPercent(Math.round(chance * 100));
}

/** What a value is as it is printed, in tenths of a point or of a percent. */
const tenths = (value, isChance) =>
  Math.sign(value) * Math.round(Math.abs(value) * (isChance ? 1000 : 10));

const POINTS = 20; // so many tenths of a cost shorten a bar to its last fifth, at least
const SHARE = 100;

/**
 * The rows of a hint: for each choice what it takes, its figures as they are printed, and how long
 * its bar is, from 0 to 1. A cost is the difference of two values as they are printed.
 */
export function hintRows({ aim, chance, low_is_good: low, shuts, choices }, table) {
  const best = tenths(choices[0].value, chance);
  const values = choices.map(({ value }) => tenths(value, chance));
  const longest = Math.max(chance ? SHARE : POINTS, ...values.map((v) => Math.abs(v - best)));
  // Of two rows a number alone does not say which tile it is.
  const inRows = table.pieces.some(({ kind, row }) => kind === "tile" && row > 0);
  // What is the same whatever is chosen speaks for nothing.
  const differs = new Set(choices.map(({ shut }) => percent(shut))).size > 1;
  const unit = (number) => (chance ? inPercent(number) : number);
  return choices.map((choice, place) => {
    const apart = values[place] - best;
    const offer = table.offers.find(({ text }) => text === choice.text);
    const tiles = tilesOf(offer, table);
    const numbers = inRows ? "" : tiles.map(({ face }) => face).join("+");
    const figures = {
      name: numbers || capital(choice.says),
      value: unit(decimal(values[place] / 10)),
      cost: costOf(choice, apart, low ? 1 : -1, unit),
      shut: differs ? shutWords(percent(choice.shut), shuts, table) : "",
    };
    const { says, best: isBest } = choice;
    return {
      ...figures,
      text: choice.text,
      isBest,
      isWordy: !numbers,
      takes: tiles.map(({ key }) => key),
      length: 1 - (0.8 * Math.abs(apart)) / longest,
      spoken: spoken({ ...figures, choice: says }, aim),
    };
  });
}

function shutWords(chance, shuts, { pieces }) {
  const isBox = pieces.some(({ kind }) => kind === "tile");
  if (isBox) return gettext("shut {chance}", { chance });
  return gettext("{shuts} {chance}", { shuts, chance });
}

/** A row as it is called. */
function spoken(figures, aim) {
  const words = {
    mean: gettext("{choice}: {value} expected, {cost}", figures),
    win: gettext("{choice}: wins {value}, {cost}", figures),
  }[aim] ?? gettext("{choice}: {value}, {cost}", figures);
  return figures.shut ? gettext("{words}; {shut}", { words, ...figures }) : words;
}

/** What a choice costs, as it stands in its row. */
function costOf({ best, cost }, apart, sign, unit) {
  if (best) return gettext("best");
  if (apart) return unit(signed(apart / 10));
  return cost ? gettext("under {cost}", { cost: unit(signed(0.1 * sign)) }) : unit("0.0");
}

/** The tiles that an offer takes; none where it takes anything else. */
function tilesOf(offer, { pieces }) {
  const taken = (offer?.takes ?? []).map((key) => pieces.find((piece) => piece.key === key));
  return taken.every((piece) => piece?.kind === "tile") ? taken : [];
}

/** What is played for, above the rows. */
export function aimWords({ aim, chance }) {
  if (!chance) return gettext("Expected result, the best first.");
  if (aim === "win") return gettext("Share of the win, the best first.");
  return gettext("Chances, the best first.");
}

/** The bars of a distribution: where each stands, from 0 to 1, and how high it is. */
export function barsOf(distribution, score) {
  const scores = distribution.map(([one]) => one);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const most = Math.max(...distribution.map(([, chance]) => chance));
  return distribution.map(([one, chance]) => ({
    at: (one - low) / (high - low || 1),
    height: chance / most,
    isHere: one === score,
  }));
}
