// The hands on a board: what a press shows before it is let go, and what a click or a tap plays.
//
// A press draws the move that it is about to play, a finger's as well as a mouse's. Whether a finger has tapped, the
// browser says
// by a click; when it scrolls, pinches or rests instead, what was drawn goes at once.

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./board.js").Place} Place */

/** A click follows a finger that lifts by then, or not at all; one of a mouse comes with it. */
const CLICK_MS = 300;
const HOLD_MS = 400;
/** A finger that goes further than this many pixels does not tap. */
const STILL = 15;
/** What has scrolled within this time still glides: a finger stops it, and no click may follow. */
const GLIDES_MS = 100;

/** What has scrolled last, and when. */
let scrolled = { what: /** @type {EventTarget | null} */ (null), at: 0 };
addEventListener("scroll", ({ target, timeStamp }) => (scrolled = { what: target, at: timeStamp }), {
  capture: true,
  passive: true,
});

export class Hands {
  /** @param {Board} board @param {SVGElement} drawing where its places are */
  constructor(board, drawing) {
    this._board = board;
    /** A move that is pressed and not let go yet, drawn as if it were played. @type {string | null} */
    this.pressed = null;
    /** Whether the last press was a finger's. */
    this.byTouch = false;
    /** Where it began. @type {{place: Place, x: number, y: number} | null} */
    this._began = null;
    /** Whether it has turned into something else, so that a click after it plays nothing. */
    this._isOff = false;
    /** What a first tap by touch has asked about. @type {Place | null} */
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

  /** The press under way plays nothing any more. */
  callOff() {
    this._isOff = true;
    this._release();
  }

  /** Another place is asked about, or none. @param {Place | null} place */
  _ask(place) {
    if (place === this.asked) return;
    this.asked = place;
    this._board.dispatchEvent(new Event("hint"));
  }

  /** Where the pressed move is. */
  get place() {
    return this.pressed === null ? null : (this._began?.place ?? null);
  }

  /**
   * The pressed move is not to be played any more, or played: the board draws what is instead.
   * @param {boolean} isPlayed
   */
  forget(isPlayed) {
    this.pressed = null;
    this._isOff = !isPlayed;
  }

  /**
   * Shows what a click here is going to play; where it plays nothing at once, a finger aims.
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

  /** Whether the page moves under a finger that comes down. @param {number} at */
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
   * What is under a mouse; what it has left is not pressed any more.
   * @param {PointerEvent} event
   * @param {Place | null} place
   */
  _hover({ pointerType }, place) {
    if (pointerType === "touch") return;
    this._board.aim(place);
    this._release();
  }

  /** Plays what was drawn, also where the browser takes a neighbour for the goal of the finger. @param {Event} event */
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

  /** What was pressed is played by now, or not at all. */
  _finish() {
    this._isOff = false;
    this._release();
  }

  /** Draws nothing as if it were played. */
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
