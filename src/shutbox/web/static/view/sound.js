// Synthesised sounds: wood and dice are short filtered noise with a low thump. Nothing sounds
// before the first press, since browsers block sound until then.

import { onGesture } from "./dom.js";
import { settings } from "./settings.js";

const NOTES = { stuck: [330, 220], mine: [523, 784], theirs: [262] };

let context = null;
let noise = null;

/** Creates the audio context at the first press. */
function wake() {
  if (!settings.sound || context) return;
  const Context = globalThis.AudioContext || globalThis.webkitAudioContext;
  if (!Context) return;
  context = new Context();
  noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
}

onGesture(wake);

/** Plays dice on baize: a few knocks for each die. */
export function rattle(dice) {
  const knocks = Math.min(5 + 2 * dice, 16);
  for (let i = 0; i < knocks; i += 1) {
    const at = 0.5 * (i / knocks) ** 0.8 + Math.random() * 0.03;
    knock(at, 1900 + Math.random() * 1700, 0.035, 0.32 * (1 - i / (knocks * 1.6)));
  }
}

/** Plays tiles that fall on wood. */
export function clack(tiles) {
  for (let i = 0; i < Math.min(tiles, 6); i += 1) {
    const at = 0.3 + i * 0.07;
    knock(at, 1100 - i * 60, 0.06, 0.5);
    thump(at, 210, 0.08, 0.3);
  }
}

/** Plays the lid. */
export function slam() {
  knock(0.4, 500, 0.2, 0.9);
  thump(0.4, 80, 0.35, 0.9);
  knock(0.52, 900, 0.05, 0.25);
}

/**
 * Plays the sounds that accompany the spoken text: two falling notes when a player is stuck, two
 * rising ones for the player's own turn, one low note for another player's turn.
 */
export function cues(names) {
  const notes = names.flatMap((name) => NOTES[name]);
  notes.forEach((frequency, place) => thump(0.7 + place * 0.14, frequency, 0.18, 0.2));
}

/** Plays two notes when a guest has come or the player's turn begins. */
export function chime() {
  thump(0, 660, 0.25, 0.25);
  thump(0.16, 880, 0.4, 0.25);
}

function ready() {
  if (!settings.sound || !context) return false;
  if (context.state === "suspended") context.resume();
  return true;
}

function knock(at, frequency, length, loudness) {
  if (!ready()) return;
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency, Q: 2.2 });
  source.connect(filter).connect(fading(at, length, loudness)).connect(context.destination);
  source.start(context.currentTime + at, Math.random() * 0.8, length * 1.5);
}

function thump(at, frequency, length, loudness) {
  if (!ready()) return;
  const source = new OscillatorNode(context, { type: "sine", frequency });
  source.connect(fading(at, length, loudness)).connect(context.destination);
  source.start(context.currentTime + at);
  source.stop(context.currentTime + at + length * 1.5);
}

function fading(at, length, loudness) {
  const gain = new GainNode(context, { gain: 0 });
  const start = context.currentTime + at;
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  return gain;
}
