// The sounds of the game: takes from one file of samples, each placed between left and right and
// varied a little in pitch. A take is never played twice in a row. The file is fetched at the first
// press, since browsers block sound until then. Hands feel a short buzz.

import { TAKES } from "../model/takes.js";
import { byId, onGesture } from "./dom.js";
import { onChange, settings } from "./settings.js";

const NOTES = { // in hertz, by the cues of `cuesOf` and others; `stuck` is a take
  mine: [523, 784], theirs: [262], called: [660, 880], refused: [196, 165], hint: [587, 740, 880], skipped: [988, 494],
};
const [NOTE_MS, DIE_MS, TILE_MS, STUCK_MS] = [130, 90, 40, 700]; // from a sound to the next
const BUZZES = { // in ms: it vibrates, pauses, vibrates
  pick: 8, shake: 6, land: [14, 40, 8], tile: 12, lid: [30, 20, 60], stuck: [18, 60, 18, 60, 30], knock: 20,
};
const MOST_LEFT = 0.6; // no sound comes from one ear alone
const RATTLES_MS = [95, 70]; // between two knocks in the hand: at least, and more by chance

let context = null;
let out = null;
let samples = null;
let coming = []; // sources that have not begun
let hushes = 0; // how often sounds were dropped
const last = {}; // the take that was played last, by name
let rattling = null;

const loudness = () => (settings.sound ? settings.volume ** 2 : 0);

/** Creates the audio context and fetches the samples at the first press. */
async function load() {
  if (context || !loudness()) return;
  const Context = globalThis.AudioContext || globalThis.webkitAudioContext;
  if (!Context) return;
  context = new Context();
  out = new GainNode(context, { gain: loudness() });
  out.connect(context.destination);
  try {
    const reply = await fetch(byId("sound").dataset.samples);
    samples = await context.decodeAudioData(await reply.arrayBuffer());
  } catch {
    // There is no network, or this browser cannot read the file: the game goes on without.
  }
}

onGesture(load);
onChange(() => out?.gain.setTargetAtTime(loudness(), context.currentTime, 0.02));

/** Whether sounds are heard now. Resumes a context that the browser has suspended. */
function isAudible() {
  if (!context || !loudness()) return false;
  if (context.state === "suspended") context.resume();
  return true;
}

/** Returns where an element is across the window, from 0 to 1. */
function placeOf(element) {
  const { left, width } = element.getBoundingClientRect();
  return (left + width / 2) / innerWidth;
}

/** Does something after `delay` ms, unless `hush` comes first. */
function later(delay, does) {
  const now = hushes;
  setTimeout(() => now === hushes && does(), delay);
}

/**
 * Plays a take of a sound after `delay` ms, if the samples have loaded by then, at a place `pan`
 * from 0 on the left to 1 on the right. It fades after some `seconds`.
 */
export function play(name, how = {}) {
  const { gain = 1, pan = 0.5, rate = 1, delay = 0, seconds = Infinity } = how;
  if (!isAudible()) return;
  if (!samples) {
    if (delay) later(delay, () => play(name, { ...how, delay: 0 }));
    return;
  }
  const takes = TAKES[name];
  let take = Math.floor(Math.random() * takes.length);
  if (take === last[name]) take = (take + 1) % takes.length;
  last[name] = take;
  const [from, length] = takes[take];
  const playbackRate = rate * (0.99 + 0.02 * Math.random()); // less than the step between two tiles
  const source = new AudioBufferSourceNode(context, { buffer: samples, playbackRate });
  const loud = new GainNode(context, { gain: Math.min(1, gain) ** 1.2 });
  source.connect(loud).connect(panner(pan)).connect(out);
  const start = context.currentTime + delay / 1000;
  if (seconds < length) loud.gain.setTargetAtTime(0, start + seconds, 0.03);
  begin(source, start, from, Math.min(length, seconds + 0.2));
}

/** Starts a source, which `hush` stops before that. */
function begin(source, start, ...part) {
  source.start(start, ...part);
  coming = coming.filter((sound) => sound.start > context.currentTime);
  coming.push({ source, start });
}

const panner = (place) =>
  new StereoPannerNode(context, { pan: MOST_LEFT * Math.max(-1, Math.min(1, 2 * place - 1)) });

/** Drops the sounds and the buzzes that have not begun. */
export function hush() {
  hushes += 1;
  for (const { source, start } of coming) if (start > context.currentTime) source.stop();
  coming = [];
}

/** Vibrates in the pattern `name` after `delay` ms, if the device can and the player wants it. */
function buzz(name, delay = 0) {
  if (!settings.haptics || !navigator.userActivation?.hasBeenActive) return;
  later(delay, () => navigator.vibrate?.(BUZZES[name]));
}

/** Plays dice that are picked up, and then rattle in the hand until `rest` or a throw. */
export function pickUp() {
  play("pick", { gain: 0.7 });
  buzz("pick");
  rest();
  rattle();
}

function rattle() {
  const [least, more] = RATTLES_MS;
  rattling = setTimeout(() => {
    play("hand", { gain: 0.3 + Math.random() * 0.4 });
    buzz("shake");
    rattle();
  }, least + Math.random() * more);
}

/** Ends the rattling. */
export function rest() {
  clearTimeout(rattling);
}

/** Plays the hits of a throw, as `planThrow` returns them, on a felt at their times and places. */
export function playHits(hits, felt) {
  rest();
  const { left, width } = felt.getBoundingClientRect();
  for (const { on, at, force, x } of hits) {
    play(on, { gain: force, pan: (left + x * width) / innerWidth, delay: at });
  }
  if (hits.length) buzz("land", hits[0].at);
}

/** Plays dice that come to rest, from left to right: a throw that was skipped, or is not seen. */
export function settle(dice) {
  rest();
  hush();
  dice.forEach((_, n) => play("felt", { gain: 0.5, pan: (n + 1) / (dice.length + 1), delay: n * DIE_MS }));
}

/** Returns how much faster than its take a tile sounds: each a semitone above the one before. */
const pitchOf = (number) => 2 ** (((number || 6) - 6) / 12);

/** Plays a tile that lands after `delay` ms. `number` is its face. */
export function clack(tile, number, delay) {
  play("tile", { pan: placeOf(tile), rate: pitchOf(number), delay });
  buzz("tile", delay);
}

/** Plays the tiles as a run, each at its pitch and place; one that is down is silence. */
export function playTiles(pieces, board) {
  const tiles = pieces.filter(({ kind }) => kind === "tile");
  const note = ({ key, number }, n) => [370 * pitchOf(number), n * TILE_MS, placeOf(board.elementOf(key))];
  ring(tiles.map(note).filter((_, n) => tiles[n].state === "up"), TILE_MS);
}

/** Plays a piece that is picked, or put back. */
export function tick(piece, number, isPicked) {
  play(isPicked ? "tick" : "tock", { gain: 0.6, pan: placeOf(piece), rate: pitchOf(number) });
  if (isPicked) buzz("pick");
}

/** Plays the lid that shuts the box, then the latch and the notes. */
export function slam() {
  play("lid", { delay: 430 });
  play("latch", { gain: 0.8, delay: 560 });
  play("win", { delay: 760 });
  buzz("lid", 430);
}

/** Plays two knocks on the lid, and then its hinges if it `moves`. */
export function openLid(moves) {
  play("wood", { gain: 0.5 });
  play("wood", { gain: 0.4, delay: 140 });
  if (moves) play("creak", { delay: 300 });
  buzz("knock");
}

/** Plays the lid that tiles have caught, and then the notes. */
export function catchLid() {
  play("lid", { gain: 0.35, rate: 1.25, delay: 360 });
  play("stuck", { delay: 760 });
  buzz("stuck", 360);
}

/** Plays the end of a match in rows: the notes, and before them the bar if a row `isShut`. */
export function endRows(isShut) {
  if (isShut) play("latch", { gain: 0.8 });
  play(isShut ? "win" : "stuck", { delay: 200 });
  buzz(isShut ? "lid" : "stuck");
}

/** Plays the sounds that come before words: "stuck", and then the notes of all other names. */
export function playCues(...names) {
  const isStuck = names.includes("stuck");
  if (isStuck) play("stuck", { gain: 0.7 });
  const notes = names.flatMap((name) => NOTES[name] ?? []);
  ring(notes.map((frequency, n) => [frequency, n * NOTE_MS + (isStuck ? STUCK_MS : 0), 0.5]), 180);
}

/** Plays the sound of a refusal, and returns its `words`, which are said after it. */
export function refuse(words) {
  playCues("refused");
  return words;
}

/** Plays notes of `lengthMs`. Each has a frequency, a delay in ms and a place from 0 to 1. */
function ring(notes, lengthMs) {
  if (!isAudible()) return;
  const now = context.currentTime; // it goes on while this runs
  for (const [frequency, delay, place] of notes) {
    const source = new OscillatorNode(context, { type: "sine", frequency });
    const gain = new GainNode(context, { gain: 0 });
    const start = now + delay / 1000;
    gain.gain.setValueAtTime(0.2, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + lengthMs / 1000);
    source.connect(gain).connect(panner(place)).connect(out);
    begin(source, start);
    source.stop(start + lengthMs / 1000);
  }
}
