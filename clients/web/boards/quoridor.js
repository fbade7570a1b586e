// Quoridor: a pawn to move, or a wall to place. A step names its cell. A wall names the cell at its lower left,
// followed by `h` or `v`.
//
// A mouse places walls in the grooves between cells. Keyboard and touch have a mode for walls, whose targets are the
// points where four cells meet.

import { el, svg, token, write } from "../dom.js";
import { say } from "../texts.js";
import { animate, Board } from "./board.js";

/** @typedef {import("./board.js").Place} Place */
/** @typedef {import("./board.js").Shown} Shown */

const CELL = 100;
const GROOVE = 22;
const MARGIN = 36;
/** Distance from the middle of a groove up to which the mouse chooses the groove. */
const REACH = 20;

class QuoridorBoard extends Board {
  constructor() {
    super();
    this._aim = svg("g", { class: "aim" });
    /** The direction of the wall being placed; null while the pawn moves. @type {"h" | "v" | null} */
    this._laying = null;
    /** Whether a finger is placing a wall. */
    this._byFinger = false;
    this._flipped = false;
    const lay = (/** @type {PointerEvent} */ { pointerType }) => {
      this._byFinger = pointerType === "touch";
      this._switch(this._laying ? null : "h");
    };
    this._layWalls = el("button", { class: "quiet", "aria-pressed": "false", onclick: lay }, say("layWall"));
    this._turnWall = el(
      "button",
      { class: "quiet", onclick: () => this._switch(this._laying === "h" ? "v" : "h") },
      say("turnWall"),
    );
    this._turnBoard = el("button", { class: "quiet", onclick: () => this._turn() }, say("turnBoard"));
    this._tools = el("div", { class: "row tools" }, this._layWalls, this._turnWall, this._turnBoard);
  }

  connectedCallback() {
    super.connectedCallback();
    if (!this._tools.isConnected) this.append(this._tools);
  }

  /** @param {any} view */
  size({ size }) {
    return { width: size * CELL + 2 * MARGIN, height: size * CELL + 2 * MARGIN };
  }

  /** @param {any} options */
  blank({ size, walls }) {
    const middle = letter(size >> 1);
    return { size, pawns: [`${middle}1`, `${middle}${size}`], walls: [], wallsLeft: [walls, walls] };
  }

  layout() {
    return `${this._flipped} ${this._laying !== null}`;
  }

  /** @param {Shown} shown */
  show(shown) {
    if (shown.seat !== null) this.classList.remove("turned");
    this._flipped = shown.seat === 1 || this.classList.contains("turned"); // each player walks up
    const plays = shown.seat !== null && !shown.view.outcome;
    this._tools.classList.toggle("unused", shown.seat !== null && !plays);
    this._layWalls.hidden = shown.seat === null;
    this._turnBoard.hidden = shown.seat !== null;
    const left = shown.view.wallsLeft[shown.seat ?? 0];
    this._layWalls.disabled = !left;
    if (!left || !plays) this._laying = null;
    // Changing the mode rebuilds the board, so the frame of the answer comes first.
    else if (this._laying && this._hasPlaced(shown.view))
      requestAnimationFrame(() => setTimeout(() => this._switch(null)));
    // A finger would take the pressed button for an "OK", so it says what it does.
    const cancels = this._laying !== null && this._byFinger;
    write(this._layWalls, say(!left ? "noWallsLeft" : cancels ? "cancel" : "layWall"));
    this._layWalls.setAttribute("aria-pressed", String(this._laying !== null && !cancels));
    this._turnWall.hidden = this._laying === null;
    write(this._turnWall, say(this._laying === "h" ? "turnWallUp" : "turnWallFlat"));
    super.show(shown);
  }

  /** Whether our wall was placed. Then the next move is the pawn's. @param {any} view */
  _hasPlaced({ wallsLeft }) {
    const { view, seat } = this._shown ?? { seat: null };
    return seat !== null && wallsLeft[seat] < view?.wallsLeft[seat];
  }

  get hint() {
    return super.hint || (this._laying && this._byFinger ? say("wallHint") : "");
  }

  /** Turn the board for a spectator. */
  _turn() {
    this.classList.toggle("turned");
    this._switch(null);
  }

  /** @param {"h" | "v" | null} laying */
  _switch(laying) {
    this._laying = laying;
    if (this._shown) this.show(this._shown);
    this.dispatchEvent(new Event("hint"));
  }

  /**
   * The upper left corner of a cell.
   * @param {any} view
   * @param {number} column
   * @param {number} row
   * @returns {[number, number]}
   */
  _corner(view, column, row) {
    const [right, down] = this._flipped ? [view.size - 1 - column, row] : [column, view.size - 1 - row];
    return [MARGIN + right * CELL, MARGIN + down * CELL];
  }

  /** @param {any} view @param {string} name @returns {[number, number]} */
  _centre(view, name) {
    const [x, y] = this._corner(view, ...at(name));
    return [x + CELL / 2, y + CELL / 2];
  }

  /**
   * The point where four cells meet.
   * @param {any} view @param {number} column @param {number} row @returns {[number, number]}
   */
  _junction(view, column, row) {
    const [x, y] = this._corner(view, column, row);
    return this._flipped ? [x, y + CELL] : [x + CELL, y];
  }

  /** @param {any} view @returns {Place[]} */
  places(view) {
    const last = view.size - 1;
    /** @type {Place[]} */
    const places = [];
    const row = (/** @type {number} */ each) => (this._flipped ? each : last - each);
    const column = (/** @type {number} */ each) => (this._flipped ? last - each : each);
    if (!this._laying) {
      for (const [each, other] of pairs(view.size)) {
        const [x, y] = this._corner(view, each, other);
        places.push({
          name: cell(each, other),
          row: row(other),
          column: column(each),
          kind: "cell",
          x: x + GROOVE / 2,
          y: y + GROOVE / 2,
          width: CELL - GROOVE,
          height: CELL - GROOVE,
        });
      }
    }
    for (const [each, other] of pairs(last)) {
      const [x, y] = this._junction(view, each, other);
      const here = {
        row: row(other),
        column: column(each),
        width: CELL,
        height: CELL,
        x: x - CELL / 2,
        y: y - CELL / 2,
      };
      if (this._laying) places.push({ ...here, name: cell(each, other), kind: "junction" });
      else {
        for (const way of "hv") {
          const [far, near, reach] = [CELL / 2, REACH * 0.7, REACH];
          const points = /** @type {[number, number][]} */ ([
            [-far, -reach],
            [-near, -reach],
            [0, 0],
            [near, -reach],
            [far, -reach],
            [far, reach],
            [near, reach],
            [0, 0],
            [-near, reach],
            [-far, reach],
          ]);
          places.push({
            ...here,
            name: cell(each, other) + way,
            kind: "groove",
            forPointer: true,
            points: points
              .map(([along, across]) => (way === "h" ? [x + along, y + across] : [x + across, y + along]))
              .join(" "),
          });
        }
      }
    }
    return places;
  }

  /** @param {any} view */
  ground(view) {
    const { width, height } = this.size(view);
    const cells = pairs(view.size).map(([column, row]) => {
      const [x, y] = this._corner(view, column, row);
      return svg("rect", {
        class: "hole",
        x: x + GROOVE / 2,
        y: y + GROOVE / 2,
        width: CELL - GROOVE,
        height: CELL - GROOVE,
        rx: 9,
      });
    });
    const names = [];
    for (let each = 0; each < view.size; each += 1) {
      const [x] = this._corner(view, each, 0);
      const [, y] = this._corner(view, 0, each);
      names.push(
        svg("text", { class: "coordinate", x: x + CELL / 2, y: height - 10 }, letter(each)),
        svg("text", { class: "coordinate", x: 18, y: y + CELL / 2 + 7 }, String(each + 1)),
      );
    }
    const goals = [0, 1].map((seat) => {
      const [x, y] = this._corner(view, this._flipped ? view.size - 1 : 0, seat === 0 ? view.size - 1 : 0);
      const isAbove = (seat === 0) !== this._flipped;
      return svg("rect", {
        class: `goal seat-${seat}`,
        x: x + 4,
        y: isAbove ? y - 4 : y + CELL - 4,
        width: view.size * CELL - 8,
        height: 8,
        rx: 4,
      });
    });
    return [
      svg("rect", { class: "frame", x: 2, y: 2, width: width - 4, height: height - 4, rx: 18 }),
      ...cells,
      ...names,
      ...goals,
      this._aim,
    ];
  }

  /** @param {Shown} shown */
  pieces({ view, ghost: played, planned, last, seat, mayMove, legalMoves }) {
    const ghost = played ?? (planned && isWall(planned) ? planned : null); // a planned step is drawn at its goal
    const walls = ghost && isWall(ghost) && !view.walls.includes(ghost) ? [...view.walls, ghost] : view.walls;
    const laid = walls.map((/** @type {string} */ name) => ({
      key: `${this._flipped} ${name}`,
      make: () => this._wall(view, name, "wall"),
      enters: (/** @type {SVGElement} */ element, /** @type {boolean} */ wasGhost) => slides(element, name, wasGhost),
      update: (/** @type {SVGElement} */ element) => {
        element.classList.toggle("ghost", name === ghost && !view.walls.includes(name));
        element.classList.toggle("newest", last?.move === name);
      },
    }));
    const pawns = view.pawns.map((/** @type {string} */ where, /** @type {number} */ each) => ({
      key: `pawn ${each}`,
      make: () => svg("g", { class: "pawn" }, token(each, 0, 0, 30)),
      update: (/** @type {SVGElement} */ element) => {
        const moves = ghost !== null && !isWall(ghost) && each === seat;
        const [x, y] = this._centre(view, moves ? ghost : where);
        element.style.transform = `translate(${x}px, ${y}px)`;
        element.classList.toggle("ghost", moves);
      },
    }));
    const steps = mayMove && !this._laying ? (legalMoves ?? []).filter((move) => !isWall(move) && move !== ghost) : [];
    const dots = steps.map((name) => ({
      key: `step ${name}`,
      make: () => {
        const [cx, cy] = this._centre(view, name);
        return svg("circle", { class: "reach", cx, cy, r: 12 });
      },
    }));
    return [...laid, ...dots, ...pawns];
  }

  /** @param {any} view @param {string} name @param {string} kind */
  _wall(view, name, kind) {
    const [x, y] = this._junction(view, ...at(name));
    const [half, thick] = [CELL - GROOVE / 2, 7];
    const flat = name.endsWith("h");
    return svg(
      "rect",
      flat
        ? { class: kind, x: x - half, y: y - thick, width: 2 * half, height: 2 * thick, rx: thick }
        : { class: kind, x: x - thick, y: y - half, width: 2 * thick, height: 2 * half, rx: thick },
    );
  }

  /** @param {string} move @param {any} view */
  spot(move, view) {
    if (isWall(move)) return this._wall(view, move, "");
    const [cx, cy] = this._centre(view, move);
    return svg("circle", { cx, cy, r: 36 });
  }

  /** The wall at its place, and whether it is legal. @param {Place | null} place */
  aim(place) {
    super.aim(place);
    const shown = this._shown;
    const move = place && (shown?.mayMove || shown?.mayPlan) ? this.move(place) : null;
    const legal = this._does(move);
    const isLaid = move !== null && shown?.view.walls.includes(move);
    this._aim.replaceChildren(
      ...(move && shown && isWall(move) && !isLaid
        ? [this._wall(shown.view, move, legal ? `wall seat-${shown.seat ?? 0}` : "wall forbidden")]
        : []),
    );
  }

  /** Whether the wall still crosses no other, or the cell is still free. @param {string} move @param {any} view */
  stillMeant(move, view) {
    if (!isWall(move)) return /^[a-z]\d+$/.test(move) && !view.pawns.includes(move);
    const across = move.slice(0, -1) + (move.endsWith("h") ? "v" : "h");
    return /^[a-z]\d+[hv]$/.test(move) && !view.walls.includes(move) && !view.walls.includes(across);
  }

  /** @param {Place} place */
  asks(place) {
    return place.kind !== "cell";
  }

  /** @param {Place} place */
  move(place) {
    return place.kind === "junction" ? place.name + this._laying : place.name;
  }

  /** @param {string} move */
  placeOf(move) {
    return this._laying ? move.slice(0, -1) : move;
  }

  /** Handle the keys: `w` switches the mode for walls, `r` turns a wall. @param {string} key */
  handles(key) {
    if (key === "w" && !this._layWalls.disabled) this._switch(this._laying ? null : "h");
    else if (key === "r" && this._laying) this._switch(this._laying === "h" ? "v" : "h");
    else if (key === "Escape" && this._laying) this._switch(null);
    else return false;
    this.focus();
    const place = this._places.get(this._at)?.place;
    if (place && this._laying) this.aim(place);
    return true;
  }

  /** @param {Place} place @param {Shown} shown */
  label(place, { view, names }) {
    if (place.kind !== "cell") {
      const wall = this.move(place);
      return say(view.walls.includes(wall) ? "wallStands" : "wallPlace", { wall });
    }
    const pawn = view.pawns.indexOf(place.name);
    return pawn < 0 ? say("cellFree", { cell: place.name }) : say("cellOf", { cell: place.name, name: names[pawn] });
  }
}

/**
 * Let a wall slide along its groove. In place of its ghost, the wall only settles.
 * @param {SVGElement} wall @param {string} name
 * @param {boolean} wasGhost
 */
function slides(wall, name, wasGhost) {
  const from = name.endsWith("h") ? `translateX(${-CELL}px)` : `translateY(${CELL}px)`;
  animate(wall, [wasGhost ? { transform: "scale(1.12)" } : { transform: from, opacity: 0 }, {}], 200);
}

/** @param {number} column */
const letter = (column) => String.fromCharCode(97 + column);

/** @param {number} column @param {number} row */
const cell = (column, row) => `${letter(column)}${row + 1}`;

/** @param {string} name the name of a cell or a wall @returns {[number, number]} */
const at = (name) => [name.charCodeAt(0) - 97, Number.parseInt(name.slice(1), 10) - 1];

/** @param {string} move */
const isWall = (move) => /[hv]$/.test(move);

/** @param {number} size @returns {[number, number][]} columns and rows, upper rows first */
function pairs(size) {
  return Array.from({ length: size * size }, (_, each) => [each % size, size - 1 - Math.floor(each / size)]);
}

customElements.define("tablero-quoridor", QuoridorBoard);
