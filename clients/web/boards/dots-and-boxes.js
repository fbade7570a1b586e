// Dots and Boxes: edges between dots. A move is the dot at an edge's left or lower end, followed by `h` or `v`.

import { svg, token } from "../dom.js";
import { say } from "../texts.js";
import { animate, Board } from "./board.js";

/** @typedef {import("./board.js").Place} Place */
/** @typedef {import("./board.js").Shown} Shown */
/** @typedef {import("./board.js").Piece} Piece */
/** @typedef {{rows: number, columns: number, horizontal: string[], vertical: string[], owners: string[]}} View */

const CELL = 100;
const MARGIN = 44;

/** @param {number} column */
const letter = (column) => String.fromCharCode(97 + column);

/** @param {any} view @param {number} column @param {number} row @returns {[number, number]} */
const dot = (view, column, row) => [MARGIN + column * CELL, MARGIN + (view.rows - row) * CELL];

/** @param {string} edge @returns {{column: number, row: number, right: number, up: number}} */
function parse(edge) {
  const [right, up] = edge.endsWith("h") ? [1, 0] : [0, 1];
  return { column: edge.charCodeAt(0) - 97, row: Number(edge.slice(1, -1)) - 1, right, up };
}

class DotsAndBoxesBoard extends Board {
  constructor() {
    super();
    this._aim = svg("g", { class: "aim" });
  }

  /** @param {any} view */
  size({ rows, columns }) {
    return { width: columns * CELL + 2 * MARGIN, height: rows * CELL + 2 * MARGIN };
  }

  /** @param {any} options */
  blank({ rows, columns }) {
    const free = ".".repeat(columns);
    const [horizontal, vertical] = [Array(rows + 1).fill(free), Array(rows).fill(`${free}.`)];
    return { rows, columns, horizontal, vertical, owners: Array(rows).fill(free) };
  }

  /** For each edge, the area that is nearer to this edge than to any other. @param {any} view @returns {Place[]} */
  places(view) {
    return edges(view).map((name) => {
      const { column, row, right, up } = parse(name);
      const [x, y] = dot(view, column, row);
      const [endX, endY] = [x + right * CELL, y - up * CELL];
      const [midX, midY, half] = [(x + endX) / 2, (y + endY) / 2, CELL / 2];
      const corners = [
        [x, y],
        [midX - up * half, midY - right * half],
        [endX, endY],
        [midX + up * half, midY + right * half],
      ];
      return {
        name,
        row: 2 * (view.rows - row) - up,
        column: 2 * column + right,
        points: corners.join(" "),
        x: Math.min(x, endX),
        y: Math.min(y, endY),
        width: CELL,
        height: CELL,
      };
    });
  }

  /** @param {any} view */
  ground(view) {
    const lines = edges(view).map((name) => svg("path", { class: "faint", d: this._line(view, name) }));
    const names = [];
    for (let column = 0; column <= view.columns; column += 1) {
      const [x, y] = dot(view, column, 0);
      names.push(svg("text", { class: "coordinate", x, y: y + 34 }, letter(column)));
    }
    for (let row = 0; row <= view.rows; row += 1) {
      const [x, y] = dot(view, 0, row);
      names.push(svg("text", { class: "coordinate", x: x - 30, y: y + 6 }, String(row + 1)));
    }
    return [...lines, ...names, this._aim];
  }

  /** @param {any} view */
  front(view) {
    const dots = [];
    for (let column = 0; column <= view.columns; column += 1) {
      for (let row = 0; row <= view.rows; row += 1) {
        const [cx, cy] = dot(view, column, row);
        dots.push(svg("circle", { class: "dot", cx, cy, r: 9 }));
      }
    }
    return dots;
  }

  /** @param {Shown} shown */
  pieces({ view, last, ghost: played, planned }) {
    const ghost = played ?? planned;
    const boxes = view.owners.flatMap((/** @type {string} */ owners, /** @type {number} */ row) =>
      [...owners].flatMap((owner, column) => {
        if (owner === ".") return [];
        const [x, y] = dot(view, column, row + 1);
        return [
          {
            key: `box ${column} ${row}`,
            make: () =>
              svg(
                "g",
                {},
                svg("rect", {
                  class: `box seat-${owner}`,
                  x: x + 6,
                  y: y + 6,
                  width: CELL - 12,
                  height: CELL - 12,
                  rx: 8,
                }),
                token(Number(owner), x + CELL / 2, y + CELL / 2, 22),
              ),
            enters: pops,
          },
        ];
      }),
    );
    const drawn = edges(view)
      .filter((name) => isDrawn(view, name) || name === ghost)
      .map((name) => ({
        key: name,
        make: () => svg("path", { class: "edge", d: this._line(view, name) }),
        update: (/** @type {SVGElement} */ element) => {
          element.classList.toggle("ghost", !isDrawn(view, name));
          element.classList.toggle("newest", last?.move === name);
        },
        enters: draws,
      }));
    return [...boxes, ...drawn];
  }

  /** @param {any} view @param {string} edge */
  _line(view, edge) {
    const { column, row, right, up } = parse(edge);
    return `M${dot(view, column, row).join(" ")}L${dot(view, column + right, row + up).join(" ")}`;
  }

  /** @param {string} move @param {any} view */
  spot(move, view) {
    return svg("path", { d: this._line(view, move) });
  }

  /** The edge that a click would draw. @param {Place | null} place */
  aim(place) {
    super.aim(place);
    const shown = this._shown;
    this._aim.replaceChildren(
      ...(place && shown && this._does(place.name)
        ? [svg("path", { class: `edge seat-${shown.seat ?? 0}`, d: this._line(shown.view, place.name) })]
        : []),
    );
  }

  /** @param {string} move @param {any} view */
  stillMeant(move, view) {
    return edges(view).includes(move) && !isDrawn(view, move);
  }

  /** Ask on phones, where small edges are close together. */
  asks() {
    return this.getBoundingClientRect().width / ((this._shown?.view.columns ?? 0) + 1) < 56;
  }

  /**
   * The next edge: along the line, or around the corner when moving across.
   * @param {Place} from
   * @param {[number, number]} step
   */
  next(from, [down, right]) {
    const isFlat = from.column % 2 === 1;
    const ahead = isFlat ? [[0, 2 * right]] : [[2 * down, 0]];
    const corners = isFlat
      ? [
          [down, down],
          [down, -down],
        ]
      : [
          [right, right],
          [-right, right],
        ];
    for (const [rows = 0, columns = 0] of (isFlat ? right : down) ? ahead : corners) {
      const [row, column] = [from.row + rows, from.column + columns];
      for (const { place } of this._places.values()) if (place.row === row && place.column === column) return place;
    }
    return from;
  }

  /** @param {Place} place @param {Shown} shown */
  label(place, { view }) {
    return say(isDrawn(view, place.name) ? "edgeDrawn" : "edgeFree", { edge: place.name });
  }
}

/** Draw an edge from dot to dot. In place of its ghost, the edge only pulses. @type {NonNullable<Piece["enters"]>} */
function draws(edge, wasGhost) {
  const frame = wasGhost ? { strokeWidth: "18px" } : { strokeDasharray: `0 ${CELL}` };
  animate(edge, [frame, wasGhost ? {} : { strokeDasharray: `${CELL} 0` }], 180);
}

/** Let a box pop up when its last edge is drawn. @param {SVGElement} box */
function pops(box) {
  const frames = [{ transform: "scale(0.2)", opacity: 0 }, { transform: "scale(1.1)", offset: 0.7 }, {}];
  animate(box, frames, 260, 120);
}

/** All edges of a grid. @param {any} view @returns {string[]} */
function edges({ rows, columns }) {
  const names = [];
  for (let row = 0; row <= rows; row += 1) {
    for (let column = 0; column <= columns; column += 1) {
      if (column < columns) names.push(`${letter(column)}${row + 1}h`);
      if (row < rows) names.push(`${letter(column)}${row + 1}v`);
    }
  }
  return names;
}

/** @param {any} view @param {string} edge */
function isDrawn(view, edge) {
  const { column, row, right } = parse(edge);
  return (right ? view.horizontal : view.vertical)[row][column] !== ".";
}

customElements.define("tablero-dots-and-boxes", DotsAndBoxesBoard);
