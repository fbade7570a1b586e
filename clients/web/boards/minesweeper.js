// Minesweeper: cells to dig or flag, and open numbers to dig around. A move is an action and a cell, such as `dig c4`.
//
// A board has up to 2,500 cells, so each is drawn once and repainted only when it changes. The look of a cell tells
// which actions it has; the server knows the rest.

import { el, svg, write } from "../dom.js";
import { KEPT } from "../line.js";
import { say } from "../texts.js";
import { animate, Board } from "./board.js";

/** @typedef {import("./board.js").Place} Place */
/** @typedef {import("./board.js").Shown} Shown */

const CELL = 100;
const MARGIN = 12;
const FLAG = "M36 20V80M22 80H52M36 21L78 38L36 55Z";
const MINE = "M50 20V80M20 50H80M29 29L71 71M71 29L29 71M30 50a20 20 0 1 0 40 0a20 20 0 1 0 -40 0Z";
const CROSS = "M22 22L78 78M78 22L22 78";
/** Milliseconds that a wave takes from one cell to the next. Long ways go faster. */
const WAVE_MS = 28;
const WHOLE_WAVE_MS = 420;

/** The key under which this browser stores whether taps flag. */
const FLAGGING = "tablero.flagging";
/** Maximum zoom by two fingers. */
const MOST_ZOOM = 3;

class MinesweeperBoard extends Board {
  constructor() {
    super();
    this._flagging = false;
    /** The time at which the race starts, during its countdown. @type {number | null} */
    this._starts = null;
    this._zoom = 1;
    /** The two fingers at the start of zooming. */
    this._pinch = this._pinchOf(/** @type {any} */ ([]));
    /** The current look of each cell, by its name. @type {Map<string, string>} */
    this._looks = new Map();
    this._built = "";
    /** The covered field before a race. */
    this._blank = /** @type {any} */ (null);
    /** Whether the field is shown for the first time after a countdown. */
    this._begins = false;
    /** The data painted last, including the cells of unanswered moves. @type {Shown | null} */
    this._painted = null;
    this._waitedOn = /** @type {string[]} */ ([]);
    this._left = el("p");
    this._clock = el("p", { role: "timer", "aria-live": "off" });
    this._countdown = el("p", { class: "countdown", role: "status" });
    this._flagMode = el(
      "button",
      {
        class: "quiet",
        "aria-pressed": "false",
        title: say("tapsFlag"),
        onclick: () => {
          this._switch();
          if (!this.isLesson) KEPT.write("localStorage", FLAGGING, this._flagging ? "yes" : undefined);
        },
      },
      svg(
        "svg",
        { viewBox: "12 12 76 76", class: "flag-icon", "aria-hidden": "true" },
        svg("path", { class: "flag", d: FLAG }),
      ),
      say("flagMode"),
    );
    this._tools = el(
      "div",
      { class: "row tools" },
      el("div", { class: "mines-left" }, this._left, this._clock),
      this._flagMode,
    );
    this._apart = el("p", { class: "soft small" }, say("boardsApart"));
    this._scroller = el("div", { class: "minefield" }, this._svg);
    /** Lids that cover cells for a moment although they are open. */
    this._lids = svg("g", { class: "front", "aria-hidden": "true" });
    this._svg.append(this._lids);
    this._field = el("div", { class: "field" }, this._scroller, this._countdown);
    this._svg.addEventListener("contextmenu", (event) => this._secondary(event));
    this._scroller.addEventListener("scroll", () => this._cut(), { passive: true });
    this._scroller.addEventListener("touchstart", ({ touches }) => (this._pinch = this._pinchOf(touches)), {
      passive: true,
    });
    this._scroller.addEventListener("touchmove", (event) => this._pinched(event), { passive: false });
    this._scroller.addEventListener("touchend", () => (this._pinch = null));
    new ResizeObserver(() => this._cut()).observe(this._scroller);
  }

  connectedCallback() {
    if (this._field.isConnected) return;
    this.append(this._tools, this._field, this._apart);
    if (KEPT.read("localStorage", FLAGGING) && !this.isLesson) this._switch();
  }

  /** @param {any} view */
  size({ width, height }) {
    return { width: width * CELL + 2 * MARGIN, height: height * CELL + 2 * MARGIN };
  }

  /** @param {any} view @returns {Place[]} */
  places({ width, height }) {
    return Array.from({ length: width * height }, (_, each) => {
      const [row, column] = [Math.floor(each / width), each % width];
      return {
        name: cellName(column, height - 1 - row),
        row,
        column,
        x: MARGIN + column * CELL + 3,
        y: MARGIN + row * CELL + 3,
        width: CELL - 6,
        height: CELL - 6,
      };
    });
  }

  /** @param {any} view */
  ground(view) {
    const { width, height } = this.size(view);
    return [svg("rect", { class: "frame", x: 2, y: 2, width: width - 4, height: height - 4, rx: 18 })];
  }

  /** @param {Shown} shown */
  show(shown) {
    const { view, seat } = shown;
    const plays = seat !== null && !view.outcome && view.players[seat].out === null;
    this.classList.toggle("plays", plays);
    this.style.setProperty("--columns", String(view.width));
    this.classList.toggle("small", view.width <= 9); // the whole field fits on any phone
    const flags = (view.cells ?? []).reduce(
      (/** @type {number} */ sum, /** @type {string} */ row) => sum + row.split("F").length - 1,
      0,
    );
    write(this._left, say("minesLeft", { count: view.mines - flags }));
    this._tools.hidden = !view.cells;
    this._begins = this._blank !== null && shown.view !== this._blank;
    if (this._begins) this._starts = this._blank = null;
    this._flagMode.hidden = !plays;
    this._apart.hidden = view.cells !== null || Boolean(view.field);
    super.show(shown);
  }

  // Times

  /** Show a covered field with a number during the countdown of a race. @param {any} table */
  blank({ width, height, mines }) {
    const cells = Array(height).fill("#".repeat(width));
    this._blank = { mode: "race", width, height, mines, cells, players: [] };
    return this._blank;
  }

  /** While a race is counted down, a number lies over the field. @param {import("../protocol.d.ts").Table} table */
  waits(table) {
    this._starts = table.starts ?? null;
    return super.waits(table);
  }

  /** @param {number} now */
  tick(now) {
    const left = this._starts === null ? "" : Math.max(1, Math.ceil((this._starts - now) / 1000));
    write(this._countdown, String(left));
    const time = this._starts === null && this._shown?.time;
    write(this._clock, time ? say("timeSoFar", { time: minutes(time.took ?? now - time.began) }) : "");
  }

  /** The winner's lead, if a race ended because all players were out. @param {any} outcome @param {any} view */
  why({ reason, winners }, { mode, players, width, height, mines }) {
    if (mode !== "race" || reason !== "out" || !winners.length) return "";
    const [opened, next] = players
      .map((/** @type {any} */ each) => each.opened)
      .sort((/** @type {number} */ one, /** @type {number} */ other) => other - one);
    return say(opened === next ? "firstInRace" : "aheadInRace", { opened, safe: width * height - mines });
  }

  // Two fingers

  /** Mark the edges beyond which the field continues. */
  _cut() {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = this._scroller;
    const { classList } = this._field;
    classList.toggle("cut-left", scrollLeft > 1);
    classList.toggle("cut-right", scrollLeft + clientWidth < scrollWidth - 1);
    classList.toggle("cut-top", scrollTop > 1);
    classList.toggle("cut-bottom", scrollTop + clientHeight < scrollHeight - 1);
  }

  /** The distance of two fingers, the place between them, and the zoom. @param {TouchList} touches */
  _pinchOf([one, other]) {
    if (!one || !other) return null;
    const [across, down] = [one.clientX - other.clientX, one.clientY - other.clientY];
    const [x, y] = [other.clientX + across / 2, other.clientY + down / 2];
    return { apart: Math.hypot(across, down), x, y, zoom: this._zoom };
  }

  /** Zoom the field around the place between two fingers. @param {TouchEvent} event */
  _pinched(event) {
    const { _pinch: began, _scroller: scroller } = this;
    const now = this._pinchOf(event.touches);
    if (!began || !now) return;
    event.preventDefault();
    const { left, top } = scroller.getBoundingClientRect();
    const [x, y] = [now.x - left, now.y - top];
    const before = this._svg.clientWidth;
    const least = Math.min(1, (scroller.clientWidth / before) * this._zoom);
    this._zoom = Math.min(MOST_ZOOM, Math.max(least, (began.zoom * now.apart) / began.apart));
    scroller.style.height = `${scroller.offsetHeight}px`; // the page below keeps its place
    this.style.setProperty("--zoom", String(this._zoom));
    const grown = this._svg.clientWidth / before;
    scroller.scrollTo((scroller.scrollLeft + x) * grown - x, (scroller.scrollTop + y) * grown - y);
    this._cut();
  }

  _switch() {
    this._flagging = !this._flagging;
    this.classList.toggle("flagging", this._flagging);
    this._flagMode.setAttribute("aria-pressed", String(this._flagging));
  }

  // The look of cells

  /** Paint only the cells that changed, instead of using pieces. @param {Shown} shown */
  _draw(shown) {
    const isNew = this._built !== this._key;
    if (isNew) this._looks.clear();
    this._built = this._key;
    const last = shown.last?.move ? this.placeOf(shown.last.move) : "";
    const waiting = new Map(
      [shown.ghost, ...shown.waiting].map((move) => (move ? [this.placeOf(move), move] : ["", ""])),
    );
    const isOld = !isNew && this._painted?.view === shown.view && this._painted.last === shown.last;
    const changed = isOld ? new Set([...this._waitedOn, ...waiting.keys()]) : this._places.keys();
    this._painted = shown;
    this._waitedOn = [...waiting.keys()];
    /** @type {Place[]} */
    const opened = [];
    for (const name of changed) {
      const at = this._places.get(name);
      if (!at) continue;
      const { place, cell } = at;
      const look = lookOf(shown.view, place);
      const move = waiting.get(place.name) ?? "";
      const key = `${look} ${move} ${place.name === last}`;
      const before = this._looks.get(place.name);
      if (before === key) continue;
      if (before?.startsWith("#") && /^\d/.test(look)) opened.push(place);
      this._looks.set(place.name, key);
      paint(cell, place, look, move);
      cell.classList.toggle("last", place.name === last);
      cell.setAttribute("aria-label", this.label(place, shown));
    }
    if (isNew || this._begins) this._goToOpening(shown.view);
    if (!isNew && opened.length) this._wave(opened, this._places.get(last)?.place ?? opened[0]);
  }

  /**
   * Open cells one after another from the dug one: a lid over each distance fades in turn. The cells below are open
   * already and can be played.
   * @param {Place[]} opened @param {Place | undefined} dug
   */
  _wave(opened, dug) {
    /** @type {Map<number, string>} */
    const rings = new Map();
    for (const { row, column, x, y } of opened) {
      const far = Math.round(Math.hypot(row - (dug?.row ?? row), column - (dug?.column ?? column)));
      rings.set(far, `${rings.get(far) ?? ""}M${x + 10} ${y + 10}h74v74h-74Z`);
    }
    const step = Math.min(WAVE_MS, WHOLE_WAVE_MS / Math.max(...rings.keys()));
    for (const [far, d] of rings) {
      const lid = svg("path", { class: "lid", d, opacity: 0 });
      this._lids.append(lid);
      const fades = animate(lid, [{ opacity: 1 }, {}], 120, far * step);
      if (fades) fades.onfinish = () => lid.remove();
      else lid.remove();
    }
  }

  /** Nothing to do: painting has set the marks. */
  _mark() {}

  /** Scroll to cells that are open from the start, or else to the middle. @param {any} view */
  _goToOpening(view) {
    const middle = this._places.get(cellName(view.width >> 1, view.height >> 1))?.place;
    const open = [...this._places.values()].find(({ place }) => /\d/.test(lookOf(view, place)))?.place ?? middle;
    if (!open) return;
    this._walkTo(open, false);
    requestAnimationFrame(() => this._scrollTo(open, 0.5));
  }

  /** @param {Place} place @param {boolean} focus */
  _walkTo(place, focus) {
    super._walkTo(place, focus);
    this._scrollTo(place, 0);
  }

  /**
   * Scroll to a place, because browsers don't scroll to parts of a drawing.
   * @param {Place} place
   * @param {number} inset the share of the visible part to keep around it
   */
  _scrollTo(place, inset) {
    const { clientWidth, clientHeight } = this._scroller;
    const { left, top } = this._scroller.getBoundingClientRect();
    const cell = this._places.get(place.name)?.cell.getBoundingClientRect();
    if (!cell) return;
    const [width, height] = [
      Math.max(0, clientWidth - cell.width) * inset,
      Math.max(0, clientHeight - cell.height) * inset,
    ];
    const by = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ room) =>
      from < 0 ? from : to > room ? to - room : 0;
    this._scroller.scrollBy(
      by(cell.left - left - width, cell.right - left + width, clientWidth),
      by(cell.top - top - height, cell.bottom - top + height, clientHeight),
    );
  }

  /** @param {Place} place @param {Shown} shown */
  label(place, { view }) {
    const look = lookOf(view, place);
    const text =
      look === "#"
        ? "cellCovered"
        : look === "F"
          ? "cellFlag"
          : look === "wrong"
            ? "cellWrongFlag"
            : look === "*"
              ? "cellHit"
              : look === "mine"
                ? "cellMine"
                : look.endsWith("0")
                  ? "cellEmpty"
                  : "cellNumber";
    return say(text, { cell: place.name, number: look.slice(-1) });
  }

  /** @param {Shown} shown */
  tells(shown) {
    const place = shown.last?.move ? this._places.get(this.placeOf(shown.last.move))?.place : undefined;
    return place ? this.label(place, shown) : "";
  }

  // Actions on a cell

  /** @param {string} move */
  placeOf(move) {
    return move.slice(move.indexOf(" ") + 1);
  }

  /** @param {Place} place @param {Shown} shown */
  move(place, shown) {
    return this._flagging && "#F".includes(this._look(place, shown))
      ? this._flag(place, shown)
      : this._dig(place, shown);
  }

  /** The dig for a covered cell, or around an open number. @param {Place} place @param {Shown} shown */
  _dig(place, shown) {
    const look = this._look(place, shown);
    if (look === "#") return `dig ${place.name}`;
    return /^[1-8]$/.test(look) ? this._chord(place, shown) : null;
  }

  /** @param {Place} place @param {Shown} shown */
  _flag(place, shown) {
    const look = this._look(place, shown);
    return look === "#" ? `flag ${place.name}` : look === "F" ? `unflag ${place.name}` : null;
  }

  /** @param {Place} place @param {Shown} shown */
  _chord(place, shown) {
    const { view } = shown;
    return this._look(place, shown) && around(place, view).some((each) => lookOf(view, each) === "#")
      ? `chord ${place.name}`
      : null;
  }

  /** The look of a cell, with the actions that are still possible. @param {Place} place @param {Shown} shown */
  _look(place, { view }) {
    return this.classList.contains("plays") ? lookOf(view, place) : "";
  }

  /** @param {string} move @param {any} view */
  stillMeant(move, view) {
    const place = this._places.get(this.placeOf(move))?.place;
    const look = place ? lookOf(view, place) : "";
    return move.startsWith("unflag") ? look === "F" : move.startsWith("chord") ? /^[1-8]$/.test(look) : look === "#";
  }

  // Hands

  /** @param {string} key @param {Shown} shown */
  typed(key, shown) {
    const place = this._places.get(this._at)?.place;
    if (!place) return null;
    if (key === "Enter" || key === " ") return this._dig(place, shown);
    if (key === "f") return this._flag(place, shown);
    return key === "c" ? this._chord(place, shown) : null;
  }

  /** Handle the keys. They always dig, even while taps flag. @param {string} key */
  handles(key) {
    if (key === "n") this._walkToUnknown();
    return "nfc".includes(key);
  }

  /** Go to the next covered cell beside an open one, or else to the next covered one. */
  _walkToUnknown() {
    const view = this._shown?.view;
    const places = [...this._places.values()].map(({ place }) => place);
    const here = places.findIndex(({ name }) => name === this._at);
    const covered = [...places.slice(here + 1), ...places.slice(0, here + 1)].filter(
      (place) => lookOf(view, place) === "#",
    );
    const next =
      covered.find((place) => around(place, view).some((each) => /^\d$/.test(lookOf(view, each)))) ?? covered[0];
    if (next) this._walkTo(next, true);
  }

  /** @param {Place} from @param {[number, number]} step */
  next(from, [down, right]) {
    const { height } = this._shown?.view ?? { height: 0 };
    return this._places.get(cellName(from.column + right, height - 1 - from.row - down))?.place ?? from;
  }

  /** Flag a cell by a long press, or dig while taps flag. @param {Place} place */
  held(place) {
    this._walkTo(place, false);
    const move = this._flagging && this._shown && this._dig(place, this._shown);
    if (move) this._play(move);
    else this._flagHere(place);
    navigator.vibrate?.(20);
    return true;
  }

  /** Flag by the secondary mouse button. A long press causes this event as well. @param {Event} event */
  _secondary(event) {
    const place = this.placeUnder(event);
    if (!place) return;
    event.preventDefault();
    if (this._hands.byTouch) return;
    this._walkTo(place, false);
    this._flagHere(place);
  }

  /** @param {Place} place */
  _flagHere(place) {
    const move = this._shown && this._flag(place, this._shown);
    if (move) this._play(move);
  }
}

/**
 * The look of a cell: `#` covered, `F` a flag, `0` to `8` open, `*` a dug mine. At the end also `mine` for a mine that
 * was not dug, `wrong` for a flag without a mine, and `shown 0` to `shown 8` for cells never opened.
 * @param {any} view @param {{row: number, column: number}} place
 * @returns {string}
 */
function lookOf(view, { row, column }) {
  const line = view.height - 1 - row;
  const own = view.cells?.[line]?.[column] ?? "#";
  const truth = view.field?.[line]?.[column];
  if (truth === undefined || /[\d*]/.test(own)) return own;
  if (own === "F") return truth === "*" ? "F" : "wrong";
  return truth === "*" ? "mine" : `shown ${truth}`;
}

/** @param {SVGElement} cell @param {Place} place @param {string} look @param {string} move the unanswered move */
function paint(cell, place, look, move) {
  const ghost = move !== "" && !move.startsWith("chord");
  const unflags = move.startsWith("unflag");
  const open = /^(\*|\d|shown)/.test(look);
  const kinds = {
    covered: !open,
    open,
    hit: look === "*",
    wrong: look === "wrong",
    shown: look.startsWith("shown"),
    ghost,
    digging: move.startsWith("dig"),
  };
  for (const [kind, is] of Object.entries(kinds)) cell.classList.toggle(kind, is);
  while (cell.lastChild !== cell.firstChild) cell.lastChild?.remove();
  const [x, y] = [place.x - 3, place.y - 3];
  const drawing = (/** @type {string} */ kind, /** @type {string} */ d) =>
    svg("path", { class: kind, d, transform: `translate(${x} ${y})` });
  const digit = look.slice(-1);
  if (look === "*" || look === "mine") cell.append(drawing("mine", MINE));
  else if ((look === "F" && !unflags) || look === "wrong" || move.startsWith("flag"))
    cell.append(drawing("flag", FLAG));
  else if (/[1-8]/.test(digit))
    cell.append(svg("text", { class: `digit digit-${digit}`, x: x + CELL / 2, y: y + 72 }, digit));
  if (look === "wrong") cell.append(drawing("crossed", CROSS));
}

/** The time as on clocks: 1:05. @param {number} milliseconds */
function minutes(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The cells beside this one. @param {{row: number, column: number}} place @param {any} view */
function around({ row, column }, view) {
  return [-1, 0, 1]
    .flatMap((down) => [-1, 0, 1].map((right) => ({ row: row + down, column: column + right })))
    .filter(
      (each) =>
        (each.row !== row || each.column !== column) &&
        each.row >= 0 &&
        each.column >= 0 &&
        each.row < view.height &&
        each.column < view.width,
    );
}

/** The name of a column: a to z, then aa, ab, … @param {number} column @returns {string} */
function columnName(column) {
  return (column < 26 ? "" : columnName(Math.floor(column / 26) - 1)) + String.fromCharCode(97 + (column % 26));
}

/** @param {number} column @param {number} row counted from below */
const cellName = (column, row) => `${columnName(column)}${row + 1}`;

customElements.define("tablero-minesweeper", MinesweeperBoard);
