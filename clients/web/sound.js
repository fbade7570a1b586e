// What is heard: tones that the browser makes, so that there is nothing to fetch.

import { KEPT } from "./line.js";

/** @typedef {"move" | "turn" | "low" | "won" | "lost" | "end" | "said"} Sound */

/**
 * Each tone by its pitch in hertz, when it begins, and how long it takes, in seconds.
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
/** What is heard unless sound is off: it asks for a move, or ends a game of one's own. @type {Set<Sound>} */
const OF_ONES_OWN = new Set(["turn", "low", "won", "lost"]);
const LOUDNESS = 0.14;
/**
 * What comes in a burst, as after a lost line, is heard once: each sound for itself, so that a move does not hide that
 * it is one's turn.
 */
const APART_MS = 120;

/** When each was heard last. */
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
