// Connect Four: columns to drop tokens into. A move is the number of a column, counted from the left.

import { svg, token } from "../dom.js";
import { say } from "../texts.js";
import { animate, Board, lineOf, winning } from "./board.js";

/** @typedef {import("./board.js").Place} Place */
/** @typedef {import("./board.js").Shown} Shown */
/** @typedef {{columns: number, rows: number, connect: number, stacks: string[], outcome?: {reason: string}}} View */

const CELL = 100;
const MARGIN = 12;

/** @param {any} view @param {number} column @param {number} row @returns {[number, number]} */
const centre = (view, column, row) => [MARGIN + (column + 0.5) * CELL, MARGIN + (view.rows - row - 0.5) * CELL];

/** Let a token fall from above the board, with a small bounce. @param {SVGElement} element @param {number} cells */
function falls(element, cells) {
  const at = (/** @type {number} */ share) => `translateY(${-cells * CELL * share}px)`;
  const frames = [
    { transform: at(1), easing: "cubic-bezier(0.5, 0, 1, 0.8)" },
    { transform: "none", offset: 0.75, easing: "ease-out" },
    { transform: at(0.04), offset: 0.87, easing: "ease-in" },
    { transform: "none" },
  ];
  animate(element, frames, 80 + 90 * Math.sqrt(cells));
}

class ConnectFourBoard extends Board {
  constructor() {
    super();
    this._aim = svg("g", { class: "aim" });
  }

  /** @param {any} view */
  size({ columns, rows }) {
    return { width: columns * CELL + 2 * MARGIN, height: rows * CELL + 2 * MARGIN };
  }

  /** @param {any} options */
  blank(options) {
    return { ...options, stacks: Array(options.columns).fill("") };
  }

  /** @param {any} view */
  places({ columns, rows }) {
    return Array.from({ length: columns }, (_, column) => ({
      name: String(column + 1),
      row: 0,
      column,
      x: MARGIN + column * CELL + 3,
      y: 6,
      width: CELL - 6,
      height: rows * CELL + 2 * MARGIN - 12,
    }));
  }

  /** The frame has holes, so that tokens fall behind the frame. @param {any} view */
  front(view) {
    const { width, height } = this.size(view);
    const radius = CELL * 0.41;
    let holes = "";
    for (let column = 0; column < view.columns; column += 1) {
      for (let row = 0; row < view.rows; row += 1) {
        const [x, y] = centre(view, column, row);
        const half = `a${radius} ${radius} 0 1 0 `;
        holes += `M${x - radius} ${y}${half}${2 * radius} 0${half}${-2 * radius} 0Z`;
      }
    }
    const [right, bottom] = [width - 2, height - 2];
    const upper = `M22 2H${right - 20}Q${right} 2 ${right} 22V${bottom - 20}`;
    const lower = `Q${right} ${bottom} ${right - 20} ${bottom}H22Q2 ${bottom} 2 ${bottom - 20}V22Q2 2 22 2Z`;
    const frame = upper + lower;
    return [svg("path", { class: "frame", "fill-rule": "evenodd", d: frame + holes })];
  }

  /** @param {any} view */
  ground(view) {
    const { width, height } = this.size(view);
    return [svg("rect", { class: "hole", x: 8, y: 6, width: width - 16, height: height - 12, rx: 16 }), this._aim];
  }

  /** A ghost is drawn at the place where its token will land. @param {Shown} shown */
  pieces({ view, seat, ghost: played, planned, last }) {
    const ghost = played ?? planned;
    const pieces = view.stacks.flatMap((/** @type {string} */ stack, /** @type {number} */ column) => {
      const tokens = ghost === String(column + 1) ? `${stack}${seat ?? 0}` : stack;
      return [...tokens].map((digit, row) => ({
        key: `${column} ${row} ${digit}`,
        make: () => svg("g", {}, token(Number(digit), ...centre(view, column, row), 43)),
        update: (/** @type {SVGElement} */ element) => {
          element.classList.toggle("ghost", row >= stack.length);
          element.classList.toggle("last", last?.move === String(column + 1) && row === stack.length - 1);
        },
        enters: (/** @type {SVGElement} */ element) => falls(element, view.rows - row - 0.5),
      }));
    });
    const line =
      view.outcome?.reason === "line"
        ? lineOf(view.columns, view.rows, view.connect, (column, row) => view.stacks[column]?.[row])
        : null;
    return line ? [...pieces, winning(line.map(([column, row]) => centre(view, column, row)))] : pieces;
  }

  /** @param {string} move @param {any} view @param {string[]} moves */
  spot(move, view, moves) {
    const row = moves.filter((each) => each === move).length - 1;
    const [cx, cy] = centre(view, Number(move) - 1, row);
    return svg("circle", { cx, cy, r: 43 });
  }

  /** The token at the place where it would land. @param {Place | null} place */
  aim(place) {
    super.aim(place);
    const shown = this._shown;
    this._aim.replaceChildren(
      ...(place && shown && this._does(place.name)
        ? [token(shown.seat ?? 0, ...centre(shown.view, place.column, shown.view.stacks[place.column].length), 43)]
        : []),
    );
  }

  /** @param {string} move @param {any} view */
  stillMeant(move, view) {
    return /^\d+$/.test(move) && view.stacks[Number(move) - 1]?.length < view.rows;
  }

  /** @param {Place} place @param {Shown} shown */
  label(place, { view }) {
    const count = view.stacks[place.column].length;
    if (count === view.rows) return say("columnFull", { column: place.name });
    return count
      ? say("tokensIn", { column: place.name, count, rows: view.rows })
      : say("column", { column: place.name });
  }

  /** @param {string} key @param {Shown} shown */
  typed(key, { view }) {
    return /^[1-9]$/.test(key) && Number(key) <= view.columns ? key : null;
  }
}

customElements.define("tablero-connect-four", ConnectFourBoard);
