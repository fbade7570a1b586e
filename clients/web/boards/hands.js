// The hands on a board: a press shows a move, and a click or a tap plays it.
//
// A press of a finger or a mouse draws its move at once. The browser reports a tap by a click. If the finger scrolls,
// zooms or waits instead, the drawing is removed at once.

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./board.js").Place} Place */

/** Maximum time until the click of a finger that was lifted. A mouse's click comes at once. */
const CLICK_MS = 300;
const HOLD_MS = 400;
/** Maximum pixels that a finger may move during a tap. */
const STILL = 15;
/** Time after scrolling in which the page still glides. A finger then stops it, and no click may follow. */
const GLIDES_MS = 100;

/** The element that scrolled last, and the time. */
let scrolled = { what: /** @type {EventTarget | null} */ (null), at: 0 };
addEventListener("scroll", ({ target, timeStamp }) => (scrolled = { what: target, at: timeStamp }), {
  capture: true,
  passive: true,
});

export class Hands {
  /** @param {Board} board @param {SVGElement} drawing the element with the places */
  constructor(board, drawing) {
    this._board = board;
    /** The pressed move until it is released, drawn as if it were played. @type {string | null} */
    this.pressed = null;
    /** Whether the last press was a finger's. */
    this.byTouch = false;
    /** The place and point where the press began. @type {{place: Place, x: number, y: number} | null} */
    this._began = null;
    /** Whether the press became another gesture, so that its click plays nothing. */
    this._isOff = false;
    /** The place that a first tap by touch asked about. @type {Place | null} */
    this.asked = null;
    this._end = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    this._hold = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    this._second = (/** @type {PointerEvent} */ event) => event.isPrimary || this.callOff();
    drawing.addEventListener("click", (event) => this._clicked(event));
    drawing.addEventListener("pointerdown", (event) => event.isPrimary && this._press(event));
    drawing.addEventListener("pointermove", (event) => this._move(event));
    drawing.addEventListener("pointerup", (event) => event.isPrimary && this._lift());
    drawing.addEventListener("pointercancel", () => this._finish());
    drawing.addEventListener("contextmenu", () => this.byTouch && this.callOff());
    drawing.addEventListener("pointerover", (event) => this._hover(event, board.placeUnder(event) ?? null));
    drawing.addEventListener("pointerleave", (event) => this._hover(event, null));
  }

  /** Cancel the current press, so that it plays nothing. */
  callOff() {
    this._isOff = true;
    this._release();
  }

  /** Set the place that needs a second tap, or null. @param {Place | null} place */
  _ask(place) {
    if (place === this.asked) return;
    this.asked = place;
    this._board.dispatchEvent(new Event("hint"));
  }

  /** Play the move at the asked place, as the second tap would. */
  confirm() {
    const place = this.asked;
    if (!place) return;
    this._board.tapped(place, true);
    this._ask(null);
    this._board.aim(null);
  }

  /** The place of the pressed move. */
  get place() {
    return this.pressed === null ? null : (this._began?.place ?? null);
  }

  /**
   * Forget the pressed move after it is played or cancelled. The board draws the position again.
   * @param {boolean} isPlayed
   */
  forget(isPlayed) {
    this.pressed = null;
    this._isOff = !isPlayed;
  }

  /**
   * Show the move of a click here. If a click plays nothing at once, a finger only aims.
   * @param {PointerEvent} event
   */
  _press(event) {
    clearTimeout(this._end);
    this._finish();
    this.byTouch = event.pointerType === "touch";
    const { _board: board, byTouch } = this;
    const place = board.placeUnder(event);
    if (!place || event.button) return;
    this._began = { place, x: event.clientX, y: event.clientY };
    this.pressed = byTouch && (this._asksFor(place) || this._glides(event.timeStamp)) ? null : board.foretold(place);
    if (byTouch) {
      board.aim(this.pressed === null ? place : null);
      addEventListener("pointerdown", this._second);
      this._hold = setTimeout(() => board.held(place) && this.callOff(), HOLD_MS);
    }
    if (this.pressed !== null) board.redraw();
  }

  /** Whether a tap here only shows what the next one plays. @param {Place} place */
  _asksFor(place) {
    return this.asked?.name !== place.name && this._board.asks(place);
  }

  /** Whether the page still glides when a finger comes down. @param {number} at */
  _glides(at) {
    return scrolled.what instanceof Node && scrolled.what.contains(this._board) && at - scrolled.at < GLIDES_MS;
  }

  /** @param {PointerEvent} event */
  _move({ pointerType, isPrimary, clientX, clientY }) {
    const began = this._began;
    if (pointerType === "touch" && isPrimary && began && Math.hypot(clientX - began.x, clientY - began.y) > STILL)
      this.callOff();
  }

  _lift() {
    clearTimeout(this._hold);
    this._end = setTimeout(() => this._finish(), this.byTouch ? CLICK_MS : 0);
  }

  /**
   * Aim at the place under a mouse. A pressed place that the mouse has left is released.
   * @param {PointerEvent} event
   * @param {Place | null} place
   */
  _hover({ pointerType }, place) {
    if (pointerType === "touch") return;
    this._board.aim(place);
    this._release();
  }

  /** Play the drawn move, even if the browser reports a neighbouring place for the finger. @param {Event} event */
  _clicked(event) {
    const { _board: board, byTouch } = this;
    const place = this._isOff ? null : (this.place ?? board.placeUnder(event));
    if (place) {
      const asks = byTouch && this._asksFor(place);
      board.tapped(place, !asks);
      if (byTouch) this._ask(asks ? place : null);
    }
    this._finish();
  }

  /** Finish the press: its move is played, or will not be. */
  _finish() {
    this._isOff = false;
    this._release();
  }

  /** Stop drawing the pressed move. */
  _release() {
    removeEventListener("pointerdown", this._second);
    clearTimeout(this._hold);
    this._began = null;
    if (this.byTouch) this._board.aim(this.asked);
    if (this.pressed === null) return;
    this.pressed = null;
    this._board.redraw();
  }
}
