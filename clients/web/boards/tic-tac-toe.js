// Tic-tac-toe: nine cells, a1 at the bottom left.

import { svg, token } from "../dom.js";
import { say } from "../texts.js";
import { appears, Board, lineOf, winning } from "./board.js";

/** @typedef {import("./board.js").Place} Place */
/** @typedef {import("./board.js").Shown} Shown */

const CELL = 100;
const MARGIN = 10;
const COLUMNS = "abc";

/** The cells in the order of the view: a1, b1, c1, a2, … */
const NAMES = Array.from({ length: 9 }, (_, at) => `${COLUMNS[at % 3]}${Math.floor(at / 3) + 1}`);

/** @param {number} at @returns {[number, number]} */
const corner = (at) => [MARGIN + (at % 3) * CELL, MARGIN + (2 - Math.floor(at / 3)) * CELL];

/** @param {number} at @returns {[number, number]} */
function centre(at) {
  const [x, y] = corner(at);
  return [x + CELL / 2, y + CELL / 2];
}

class TicTacToeBoard extends Board {
  size() {
    return { width: 3 * CELL + 2 * MARGIN, height: 3 * CELL + 2 * MARGIN };
  }

  places() {
    return NAMES.map((name, at) => {
      const [x, y] = corner(at);
      return {
        name,
        row: 2 - Math.floor(at / 3),
        column: at % 3,
        x: x + 5,
        y: y + 5,
        width: CELL - 10,
        height: CELL - 10,
      };
    });
  }

  ground() {
    return NAMES.map((_, at) => {
      const [x, y] = corner(at);
      return svg("rect", { class: "hole", x: x + 5, y: y + 5, width: CELL - 10, height: CELL - 10, rx: 12 });
    });
  }

  blank() {
    return { cells: ".".repeat(9) };
  }

  /** @param {Shown} shown */
  pieces({ view, seat, ghost: played, planned }) {
    const ghost = played ?? planned;
    const pieces = NAMES.flatMap((name, at) => {
      const holder = view.cells[at];
      if (holder === "." && ghost !== name) return [];
      const whose = holder === "." ? (seat ?? 0) : Number(holder);
      const key = `${name} ${whose}`;
      return [
        {
          key,
          make: () => svg("g", {}, token(whose, ...centre(at), 36)),
          enters: appears,
          update: (/** @type {SVGElement} */ element) => element.classList.toggle("ghost", holder === "."),
        },
      ];
    });
    const line =
      view.outcome?.reason === "line"
        ? lineOf(3, 3, 3, (column, row) => (column < 0 || column > 2 ? undefined : view.cells[row * 3 + column]))
        : null;
    return line ? [...pieces, winning(line.map(([column, row]) => centre(row * 3 + column)))] : pieces;
  }

  /** @param {Place} place @param {Shown} shown */
  label(place, { view, names }) {
    const holder = view.cells[NAMES.indexOf(place.name)];
    return holder === "."
      ? say("cellFree", { cell: place.name })
      : say("cellOf", { cell: place.name, name: names[Number(holder)] });
  }

  /** @param {string} move @param {any} view */
  stillMeant(move, view) {
    return view.cells[NAMES.indexOf(move)] === ".";
  }

  /** Play by the digits of a number pad. @param {string} key */
  typed(key) {
    return /^[1-9]$/.test(key) ? (NAMES[Number(key) - 1] ?? null) : null;
  }
}

customElements.define("tablero-tic-tac-toe", TicTacToeBoard);
