// Sounds: tones made by the browser, so that nothing is fetched.

import { KEPT } from "./line.js";

/** @typedef {"move" | "turn" | "low" | "won" | "lost" | "end" | "said"} Sound */

/**
 * The tones of each sound: pitch in hertz, start, and length in seconds.
 * @type {Record<Sound, [number, number, number][]>}
 */
const TONES = {
  move: [[196, 0, 0.06]],
  turn: [
    [523, 0, 0.1],
    [784, 0.09, 0.16],
  ],
  low: [
    [988, 0, 0.07],
    [988, 0.14, 0.07],
    [988, 0.28, 0.07],
  ],
  won: [
    [523, 0, 0.12],
    [659, 0.11, 0.12],
    [784, 0.22, 0.32],
  ],
  lost: [
    [440, 0, 0.16],
    [349, 0.15, 0.3],
  ],
  end: [
    [523, 0, 0.14],
    [392, 0.13, 0.14],
    [523, 0.26, 0.3],
  ],
  said: [[880, 0, 0.05]],
};
/** Sounds played unless sound is off: they ask for a move, or end our own game. @type {Set<Sound>} */
const OF_ONES_OWN = new Set(["turn", "low", "won", "lost"]);
const LOUDNESS = 0.14;
/**
 * Minimum time between two plays of the same sound. After a lost connection many come at once. Each sound has its own
 * limit, so that a move doesn't hide our turn.
 */
const APART_MS = 120;

/** The last time of each sound. */
const heardAt = /** @type {Partial<Record<Sound, number>>} */ ({});

/** @param {AudioContext} context @param {Sound} sound */
export function play(context, sound) {
  const wanted = KEPT.read("localStorage", "tablero.sound") ?? "turn";
  if (wanted === "off" || (wanted === "turn" && !OF_ONES_OWN.has(sound))) return;
  if (performance.now() - (heardAt[sound] ?? -Infinity) < APART_MS) return;
  heardAt[sound] = performance.now();
  for (const [pitch, begin, length] of TONES[sound]) tone(context, pitch, context.currentTime + begin, length);
}

/** @param {AudioContext} context @param {number} pitch @param {number} at @param {number} length */
function tone(context, pitch, at, length) {
  const source = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(LOUDNESS, at + 0.012);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(loudness).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}
