// The base of every board: an SVG drawing with places to tap, or to reach with keys.
//
// Law: a board knows no rules. Legal moves are in `legalMoves`, and everything drawn comes from the view. README.md in
// the folder above lists the methods of a board.

import { fill, mark, svg } from "../dom.js";
import { gameName, say } from "../texts.js";
import { Hands } from "./hands.js";

/**
 * A place to tap: a rectangle, or the polygon of `points`. `row` counts from the top, `column` from the left. Arrow
 * keys use them, but skip places that are `forPointer`.
 * @typedef {{name: string, row: number, column: number, x: number, y: number, width: number, height: number,
 *   points?: string, kind?: string, forPointer?: boolean}} Place
 */
/**
 * A piece of the drawing. Equal keys keep their element. `enters` animates a piece that a turn brought, even in
 * place of its ghost. Pieces with `over` are drawn above all others.
 * @typedef {{key: string, make: () => SVGElement, update?: (element: SVGElement) => void,
 *   enters?: (element: SVGElement, wasGhost: boolean) => void, over?: boolean}} Piece
 */
/**
 * The data that a board shows.
 * @typedef {object} Shown
 * @property {Record<string, any>} view
 * @property {string} [drawing] the view as text, for a game without a board
 * @property {number | null} seat the seat of the player; null for a watcher
 * @property {boolean} mayMove whether this seat may move now
 * @property {readonly string[] | null} legalMoves this seat's; null if the server doesn't list them
 * @property {{seat?: number | null, move?: string | null} | undefined} last the last turn
 * @property {string | null} ghost our move without an answer
 * @property {boolean} [mayPlan] whether a move may be chosen for our next turn
 * @property {string | null} [planned] the planned move
 * @property {readonly string[]} waiting our next moves, in games without turns
 * @property {readonly string[]} names players' names by seat
 * @property {{began: number, took: number | null} | null} [time] in a game without turns, the server time of its start,
 *   and its duration in milliseconds
 */

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  k: [-1, 0],
  j: [1, 0],
  h: [0, -1],
  l: [0, 1],
});
/**
 * Maximum number of new pieces to animate: an edge and two boxes. More come from several turns, which the reader has
 * not watched.
 */
const MOST_NEW = 3;

export class Board extends HTMLElement {
  constructor() {
    super();
    this._shown = /** @type {Shown | null} */ (null);
    this._key = "";
    /** @type {Map<string, {place: Place, cell: SVGElement}>} */
    this._places = new Map();
    this._at = "";
    /** The place under the pointer or the keyboard. @type {Place | null} */
    this._aimed = null;
    /** @type {Map<string, SVGElement>} */
    this._pieces = new Map();
    /** Whether nothing was drawn yet. The first pieces are not animated. */
    this._isBlank = true;
    /** Whether the board is part of a lesson, where the player's choices for games don't count. */
    this.isLesson = false;
    this._ground = svg("g", { class: "ground", "aria-hidden": "true" });
    this._drawn = svg("g", { class: "pieces", "aria-hidden": "true" });
    this._front = svg("g", { class: "front", "aria-hidden": "true" });
    this._cells = svg("g", { class: "places" });
    this._lit = svg("g", { class: "lit", "aria-hidden": "true" });
    this._svg = svg("svg", { role: "grid" }, this._ground, this._drawn, this._front, this._cells, this._lit);
    this._hands = new Hands(this, this._svg);
    this._svg.addEventListener("keydown", (event) => this._keyed(/** @type {KeyboardEvent} */ (event)));
    // The drawing would take the focus itself if it listened.
    this.addEventListener("focusin", (event) => this._focused(event));
  }

  // Methods for the board of one game

  /**
   * The size of the drawing for this view. A change builds the drawing anew.
   * @param {Record<string, any>} view
   * @returns {{width: number, height: number}}
   */
  size(view) {
    throw new Error("not drawn");
  }

  /** The places to tap. @param {Record<string, any>} view @returns {Place[]} */
  places(view) {
    throw new Error("not drawn");
  }

  /** The fixed drawings under the pieces. @param {Record<string, any>} view @returns {SVGElement[]} */
  ground(view) {
    return [];
  }

  /** The fixed drawings over the pieces. @param {Record<string, any>} view @returns {SVGElement[]} */
  front(view) {
    return [];
  }

  /** The drawings that change with a move. @param {Shown} shown @returns {Piece[]} */
  pieces(shown) {
    return [];
  }

  /** The name of a place, and its content. @param {Place} place @param {Shown} shown @returns {string} */
  label(place, shown) {
    return place.name;
  }

  /**
   * The move of a tap on this place; null if a tap does nothing.
   * @param {Place} place
   * @param {Shown} shown
   * @returns {string | null}
   */
  move(place, shown) {
    return place.name;
  }

  /** The place of a move, used to mark the last one. @param {string} move @returns {string} */
  placeOf(move) {
    return move;
  }

  /**
   * The drawing for a move chosen in the list of moves.
   * @param {string} move @param {Record<string, any>} view @param {string[]} moves the moves up to it
   * @returns {SVGElement | null}
   */
  spot(move, view, moves) {
    const { x, y, width, height } = this._places.get(this.placeOf(move))?.place ?? {};
    return width === undefined ? null : svg("rect", { x, y, width, height, rx: 12 });
  }

  /**
   * The move of a key other than arrows and Enter.
   * @param {string} key
   * @param {Shown} shown
   * @returns {string | null}
   */
  typed(key, shown) {
    return null;
  }

  /** A text that changes when places move without a change of size. @param {Shown} shown @returns {string} */
  layout(shown) {
    return "";
  }

  /** Whether a first tap by touch only shows what the second one plays. @param {Place} place @returns {boolean} */
  asks(place) {
    return false;
  }

  /**
   * Handle a long press on a place. Returns whether the board has an action for it.
   * @param {Place} place
   * @returns {boolean}
   */
  held(place) {
    return false;
  }

  /** The text for screen readers about the last move, beyond its name. @param {Shown} shown @returns {string} */
  tells(shown) {
    return "";
  }

  /**
   * Whether a planned move still makes sense in this view.
   * @param {string} move
   * @param {Record<string, any>} view
   * @returns {boolean}
   */
  stillMeant(move, view) {
    return true;
  }

  /** Whether a first tap by touch shows a move that the next tap plays. */
  get asked() {
    const { asked } = this._hands;
    return asked !== null && this._shown !== null && this._does(this.move(asked, this._shown));
  }

  /** The next step for a finger, if it isn't obvious. The event `hint` announces changes. */
  get hint() {
    return this.asked ? say("placeIt") : "";
  }

  /** Play the move that the first tap shows. */
  confirm() {
    this._hands.confirm();
  }

  /** The view of an empty board. @param {any} options @returns {Record<string, any>} */
  blank(options) {
    throw new Error("not drawn");
  }

  /** Show the board before the game. Returns whether it does. @param {import("../protocol.d.ts").Table} table */
  waits({ options }) {
    this.show({
      view: this.blank(options),
      seat: null,
      mayMove: false,
      legalMoves: [],
      last: undefined,
      ghost: null,
      waiting: [],
      names: [],
    });
    return true;
  }

  /** Update times. Called several times a second. @param {number} now the server's time */
  tick(now) {}

  /**
   * The explanation of the end, if it says more than the reason of the outcome.
   * @param {any} outcome @param {any} view
   */
  why(outcome, view) {
    return "";
  }

  /** Handle a key of this board only. Returns whether it did. @param {string} key @returns {boolean} */
  handles(key) {
    return false;
  }

  /** Whether a tap on this move does something. @param {string | null} move */
  _does(move) {
    const shown = this._shown;
    if (!shown || move === null) return false;
    if (shown.mayMove) return shown.legalMoves?.includes(move) ?? true;
    return Boolean(shown.mayPlan && this.stillMeant(move, shown.view));
  }

  // Called by the table

  /** @param {Shown} shown */
  show(shown) {
    const before = this._shown;
    this._shown = shown;
    const { width, height } = this.size(shown.view);
    const key = `${width} ${height} ${this.layout(shown)}`;
    if (key === this._key && before && isGhostOnly(before, shown)) this._showGhost(shown);
    else {
      const pressed = this._hands.place;
      if (pressed && this.foretold(pressed) !== this._hands.pressed) this._hands.forget(false);
      if (key !== this._key) this._build(key, width, height, shown);
      this.classList.toggle("plans", shown.planned != null);
      this.redraw();
      for (const { place, cell } of this._places.values()) this._mark(place, cell, shown);
    }
    this.aim((this._aimed && this._places.get(this._aimed.name)?.place) || null);
  }

  /**
   * Draw only our move now, and the rest with its answer, because a tap's frame has little time.
   * @param {Shown} shown
   */
  _showGhost(shown) {
    const move = /** @type {string} */ (shown.ghost);
    if (this._hands.pressed !== move) this._draw(shown);
    this._hands.forget(true);
    const at = this._places.get(this.placeOf(move));
    if (at) this._mark(at.place, at.cell, shown);
  }

  /** Show the place of the last of these moves, whatever is there now. @param {string[]} moves */
  light(moves) {
    const move = moves.at(-1);
    const drawn = move !== undefined && this._shown ? this.spot(move, this._shown.view, moves) : null;
    this._lit.replaceChildren(...(drawn ? [drawn] : []));
  }

  connectedCallback() {
    if (!this._svg.isConnected) this.append(this._svg);
  }

  /** Move the keyboard focus to its last place on the board. */
  focus() {
    this._places.get(this._at)?.cell.focus();
  }

  /**
   * Set the place under the pointer or the keyboard, or null. A board may draw extras for it.
   * @param {Place | null} place
   */
  aim(place) {
    const before = this._aimed;
    this._aimed = place;
    if (before) this._places.get(before.name)?.cell.classList.remove("aimed");
    if (place) this._places.get(place.name)?.cell.classList.add("aimed");
  }

  // Drawing

  /** @param {string} key @param {number} width @param {number} height @param {Shown} shown */
  _build(key, width, height, shown) {
    this._key = key;
    const hadFocus = this._cells.contains(document.activeElement);
    this._hands.asked = null;
    this._svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.style.setProperty("--ratio", String(width / height));
    this._svg.setAttribute("aria-label", say("board", { game: gameName(this.dataset.game ?? "") }));
    fill(this._ground, ...this.ground(shown.view));
    fill(this._front, ...this.front(shown.view));
    this._pieces.clear();
    this._isBlank = true;
    this._drawn.replaceChildren();
    this._lit.replaceChildren();
    this._places.clear();
    /** @type {Map<number, SVGElement>} */
    const rows = new Map();
    const forPointer = svg("g", { "aria-hidden": "true" });
    for (const place of this.places(shown.view).sort((one, other) => one.column - other.column)) {
      const { x, y, width: wide, height: high, points, kind = "" } = place;
      const area = points
        ? svg("polygon", { points })
        : svg("rect", { x, y, width: wide, height: high, rx: Math.min(wide, high) * 0.12 });
      const named = { class: `place ${kind}`, "data-place": place.name };
      const cell = svg("g", place.forPointer ? named : { ...named, role: "gridcell", tabindex: "-1" }, area);
      this._places.set(place.name, { place, cell });
      if (place.forPointer) {
        forPointer.append(cell);
        continue;
      }
      if (!rows.has(place.row)) rows.set(place.row, svg("g", { role: "row" }));
      rows.get(place.row)?.append(cell);
    }
    this._cells.replaceChildren(...[...rows].sort(([one], [other]) => one - other).map(([, row]) => row), forPointer);
    if (!this._places.has(this._at)) this._at = this._places.keys().next().value ?? "";
    this._places.get(this._at)?.cell.setAttribute("tabindex", "0");
    if (hadFocus) this.focus();
  }

  /** @param {Shown} shown */
  _draw(shown) {
    /** @type {Map<string, SVGElement>} */
    const kept = new Map();
    /** @type {(() => void)[]} */
    const news = [];
    for (const { key, make, update, enters, over } of this.pieces(shown)) {
      const known = this._pieces.get(key);
      const wasGhost = Boolean(known?.classList.contains("ghost"));
      const element = known ?? make();
      update?.(element);
      kept.set(key, element);
      if (!known) (over ? this._front : this._drawn).append(element);
      if (enters && (wasGhost || !known) && !element.classList.contains("ghost"))
        news.push(() => enters(element, wasGhost));
    }
    for (const [key, element] of this._pieces) if (!kept.has(key)) element.remove();
    this._pieces = kept;
    if (!this._isBlank && news.length <= MOST_NEW) for (const enter of news) enter();
    this._isBlank = false;
  }

  /** @param {Place} place @param {SVGElement} cell @param {Shown} shown */
  _mark(place, cell, shown) {
    const legal = this._does(this.move(place, shown));
    // The successors of an unanswered move are unknown, so the marks of the moves before it stay.
    if (shown.ghost === null) cell.classList.toggle("legal", legal);
    cell.classList.toggle("last", shown.last?.move != null && this.placeOf(shown.last.move) === place.name);
    cell.classList.toggle("planned", shown.planned != null && this.placeOf(shown.planned) === place.name);
    cell.classList.toggle("ghost", shown.ghost !== null && this.placeOf(shown.ghost) === place.name);
    if (place.forPointer) return;
    mark(cell, "aria-label", this.label(place, shown));
    mark(cell, "aria-disabled", shown.mayMove ? String(!legal) : null);
  }

  // Called by the hands

  /** @param {Event} event @returns {Place | undefined} */
  placeUnder(event) {
    const cell = /** @type {Element} */ (event.target).closest(".place");
    return this._places.get(cell?.getAttribute("data-place") ?? "")?.place;
  }

  /**
   * The move of a click here; null if a click plays nothing at once.
   * @param {Place} place
   * @returns {string | null}
   */
  foretold(place) {
    const shown = this._shown;
    const move = shown?.mayMove ? this.move(place, shown) : null;
    return this._does(move) ? move : null;
  }

  /** Draw the position, with the pressed move as if it were played. */
  redraw() {
    const { pressed } = this._hands;
    if (this._shown) this._draw(pressed === null ? this._shown : { ...this._shown, ghost: pressed });
  }

  /** @param {Place} place @param {boolean} plays */
  tapped(place, plays) {
    if (!place.forPointer && place.name !== this._at) this._walkTo(place, false);
    if (plays) this._choose(place);
  }

  // Keyboard

  /** @param {Event} event */
  _focused(event) {
    const place = this.placeUnder(event);
    if (place) this._walkTo(place, false);
  }

  /** @param {KeyboardEvent} event */
  _keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this._shown) return;
    const place = this._places.get(this._at)?.place;
    const step = STEPS[event.key];
    const move = this.typed(event.key, this._shown);
    if (move !== null) this._play(move);
    else if (step && place) this._walkTo(this.next(place, step), true);
    else if ((event.key === "Enter" || event.key === " ") && place) this._choose(place);
    else if (!this.handles(event.key)) return;
    event.preventDefault();
  }

  /**
   * The nearest place in this direction, or the same one at the edge.
   * @param {Place} from
   * @param {[number, number]} step
   */
  next(from, [down, right]) {
    let best = from;
    let least = Infinity;
    for (const { place } of this._places.values()) {
      if (place.forPointer) continue;
      const along = (place.row - from.row) * down + (place.column - from.column) * right;
      const aside = Math.abs((place.row - from.row) * right) + Math.abs((place.column - from.column) * down);
      if (along > 0 && along + 2 * aside < least) [best, least] = [place, along + 2 * aside];
    }
    return best;
  }

  /** @param {Place} place @param {boolean} focus */
  _walkTo(place, focus) {
    this._places.get(this._at)?.cell.setAttribute("tabindex", "-1");
    this._at = place.name;
    const cell = this._places.get(place.name)?.cell;
    cell?.setAttribute("tabindex", "0");
    if (focus) cell?.focus();
    if (focus) this.aim(place);
  }

  /** @param {Place} place */
  _choose(place) {
    const move = this._shown && this.move(place, this._shown);
    if (move) this._play(move);
  }

  /** @param {string} move */
  _play(move) {
    this.dispatchEvent(new CustomEvent("move", { detail: move, bubbles: true }));
  }
}

/** Whether our own move is the only change. @param {Shown} before @param {Shown} shown */
function isGhostOnly(before, shown) {
  return (
    before.mayMove &&
    shown.ghost !== null &&
    shown.view === before.view &&
    shown.seat === before.seat &&
    shown.last === before.last &&
    before.planned == null &&
    shown.planned == null
  );
}

/**
 * Animate a piece, unless the reader prefers reduced motion. Nothing waits for the animation.
 * @param {Element} element @param {Keyframe[]} frames @param {number} duration in milliseconds
 * @param {number} [delay] milliseconds in the first frame before it starts
 * @returns {Animation | undefined}
 */
export function animate(element, frames, duration, delay = 0) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
  return element.animate(frames, { duration, delay, fill: "backwards", easing: "ease-out" });
}

/** Let a token grow in its cell. @param {SVGElement} element @param {boolean} wasGhost */
export function appears(element, wasGhost) {
  animate(element, [wasGhost ? { transform: "scale(1.2)" } : { transform: "scale(0.5)", opacity: 0.3 }, {}], 160);
}

/** The winning line, which draws itself. @param {[number, number][]} ends @returns {Piece} */
export function winning(ends) {
  const d = `M${ends.map((end) => end.join(" ")).join("L")}`;
  return {
    key: d,
    over: true,
    make: () => svg("path", { class: "winning", d, pathLength: 1 }),
    enters: (element) => animate(element, [{ strokeDasharray: "0 1" }, { strokeDasharray: "1 0" }], 500, 150),
  };
}

/**
 * The winning line: `length` equal digits in a row on the final board.
 * @param {number} columns @param {number} rows @param {number} length
 * @param {(column: number, row: number) => string | undefined} at
 * @returns {[number, number][] | null} the first and the last cell of the line
 */
export function lineOf(columns, rows, length, at) {
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows; row += 1) {
      const digit = at(column, row);
      if (digit !== "0" && digit !== "1") continue;
      for (const [right, up] of /** @type {[number, number][]} */ ([
        [1, 0],
        [0, 1],
        [1, 1],
        [1, -1],
      ])) {
        if (at(column - right, row - up) === digit) continue;
        let far = 1;
        while (at(column + far * right, row + far * up) === digit) far += 1;
        if (far >= length)
          return [
            [column, row],
            [column + (far - 1) * right, row + (far - 1) * up],
          ];
      }
    }
  }
  return null;
}
