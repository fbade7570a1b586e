// QR codes (ISO/IEC 18004) of short texts: bytes, error correction M, versions 1 to 10, drawn as one SVG path.

import { svg } from "./dom.js";

/** By version, from 1: error correction bytes of a block, and the data bytes of each block. @type {[number, number[]][]} */
const BLOCKS = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];
/** Where the middles of alignment patterns are, by version. */
const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const QUIET = 4;

/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** @param {string} text @param {string} label */
export function qrCode(text, label) {
  const modules = encoded(text);
  const size = modules.length + 2 * QUIET;
  const path = modules.flatMap((line, row) => line.flatMap((dark, column) => (dark ? [`M${column + QUIET} ${row + QUIET}h1v1h-1z`] : []))).join("");
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}

/** The dark modules, row by row. @param {string} text @returns {boolean[][]} */
export function encoded(text) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex(([, blocks], at) => sum(blocks) * 8 >= 4 + (at < 9 ? 8 : 16) + bytes.length * 8) + 1;
  if (!version) throw new RangeError("too long for a QR code");
  const [correction, blocks] = /** @type {[number, number[]]} */ (BLOCKS[version - 1]);
  const codewords = interleaved(padded(bytes, version, sum(blocks)), correction, blocks);
  const candidates = MASKS.map((_, mask) => drawn(version, codewords, mask));
  return candidates.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
}

/** Mode, length, bytes and filling. @param {Uint8Array} bytes @param {number} version @param {number} size */
function padded(bytes, version, size) {
  /** @type {number[]} */
  const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ width) => {
    for (let at = width - 1; at >= 0; at -= 1) bits.push((value >> at) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, size * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const made = Array.from({ length: bits.length / 8 }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(""), 2));
  for (let at = 0; made.length < size; at += 1) made.push(at % 2 ? 0x11 : 0xec);
  return made;
}

/** The blocks byte by byte in turn, then their error correction. @param {number[]} data @param {number} correction @param {number[]} sizes */
function interleaved(data, correction, sizes) {
  let start = 0;
  const blocks = sizes.map((size) => data.slice(start, (start += size)));
  const checks = blocks.map((block) => remainder(block, correction));
  const longest = Math.max(...sizes);
  return [
    ...Array.from({ length: longest }, (_, at) => blocks.flatMap((block) => block.slice(at, at + 1))).flat(),
    ...Array.from({ length: correction }, (_, at) => checks.map((check) => check[at] ?? 0)).flat(),
  ];
}

/** Reed and Solomon's, over bytes with 0x11d. @param {number[]} block @param {number} degree */
function remainder(block, degree) {
  let divisor = [1];
  for (let power = 0, root = 1; power < degree; power += 1, root = times(root, 2)) {
    divisor = [...divisor, 0].map((each, at) => each ^ times(divisor[at - 1] ?? 0, root));
  }
  const left = [...block, ...Array(degree).fill(0)];
  for (let at = 0; at < block.length; at += 1) {
    const factor = left[at];
    divisor.forEach((each, further) => (left[at + further] ^= times(each, factor)));
  }
  return left.slice(block.length);
}

/** @param {number} one @param {number} other */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** @param {number} version @param {number[]} codewords @param {number} mask */
function drawn(version, codewords, mask) {
  const size = version * 4 + 17;
  /** @type {(boolean | undefined)[][]} */
  const fixed = Array.from({ length: size }, () => Array(size).fill(undefined));
  const set = (/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean} */ dark) => {
    const line = fixed[row];
    if (line && column >= 0 && column < size) line[column] = dark;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [row, column] of /** @type {[number, number][]} */ ([[3, 3], [3, size - 4], [size - 4, 3]])) {
    square(4, (down, right, ring) => set(row + down, column + right, ring !== 2 && ring !== 4));
  }
  const middles = ALIGNED[version - 1] ?? [];
  const last = middles.length - 1;
  middles.forEach((row, i) => middles.forEach((column, j) => {
    const isFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
    if (!isFinder) square(2, (down, right, ring) => set(row + down, column + right, ring !== 1));
  }));
  about(version, mask, size, set);
  let at = 0;
  return zigzag(size, fixed, (row, column) => {
    const bit = ((codewords[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
    at += 1;
    return (bit === 1) !== (MASKS[mask]?.(row, column) ?? false);
  });
}

/** Every module around a middle, and in which ring it is. @param {number} reach @param {(down: number, right: number, ring: number) => void} visit */
function square(reach, visit) {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1) visit(down, right, Math.max(Math.abs(down), Math.abs(right)));
  }
}

/** Format and version, twice each. @param {number} version @param {number} mask @param {number} size @param {(row: number, column: number, dark: boolean) => void} set */
function about(version, mask, size, set) {
  const format = checked(mask, 10, 0x537) ^ 0x5412; // error correction M is 00
  const bit = (/** @type {number} */ bits, /** @type {number} */ at) => ((bits >> at) & 1) === 1;
  for (let at = 0; at < 15; at += 1) {
    const dark = bit(format, at);
    if (at < 6) set(at, 8, dark);
    else if (at < 8) set(at + 1, 8, dark);
    else if (at === 8) set(8, 7, dark);
    else set(8, 14 - at, dark);
    if (at < 8) set(8, size - 1 - at, dark);
    else set(size - 15 + at, 8, dark);
  }
  set(size - 8, 8, true);
  if (version < 7) return;
  const told = checked(version, 12, 0x1f25);
  for (let at = 0; at < 18; at += 1) {
    const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
    set(near, far, bit(told, at));
    set(far, near, bit(told, at));
  }
}

/** @param {number} value @param {number} degree @param {number} divisor */
function checked(value, degree, divisor) {
  let left = value;
  for (let at = 0; at < degree; at += 1) left = (left << 1) ^ ((left >> (degree - 1)) * divisor);
  return (value << degree) | left;
}

/** Fills what is free, two columns at a time from the right, up and down. @param {number} size @param {(boolean | undefined)[][]} fixed @param {(row: number, column: number) => boolean} next */
function zigzag(size, fixed, next) {
  const modules = fixed.map((line) => [...line]);
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let at = 0; at < size; at += 1) {
      const row = up ? size - 1 - at : at;
      for (const column of [right, right - 1]) {
        const line = /** @type {(boolean | undefined)[]} */ (modules[row]);
        if (line[column] === undefined) line[column] = next(row, column);
      }
    }
  }
  return /** @type {boolean[][]} */ (modules);
}

/** How hard this would be to read. @param {boolean[][]} modules */
function penalty(modules) {
  const size = modules.length;
  const turned = modules.map((_, at) => modules.map((line) => line[at] ?? false));
  let points = 0;
  for (const line of [...modules, ...turned]) {
    const text = line.map(Number).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    for (const pattern of ["10111010000", "00001011101"]) {
      for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) points += 40;
    }
  }
  for (let row = 1; row < size; row += 1) {
    for (let column = 1; column < size; column += 1) {
      const dark = modules[row]?.[column];
      if (dark === modules[row - 1]?.[column] && dark === modules[row]?.[column - 1] && dark === modules[row - 1]?.[column - 1]) points += 3;
    }
  }
  const dark = modules.flat().filter(Boolean).length / size ** 2;
  return points + Math.floor(Math.abs(dark * 20 - 10)) * 10;
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((all, each) => all + each, 0);
}
