// Looking back during a game: the past views come from the server with the first look back.
//
// Law: it has the same turns as the list of moves. If the game hides something, both leave out turns that we have not
// heard.

import { el, fill } from "../dom.js";
import { Replay } from "../replay.js";
import { refusal, say } from "../texts.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../boards/board.js").Shown} Shown */

export class Past {
  /** @param {App} app @param {Room} room */
  constructor(app, room) {
    this._app = app;
    this._room = room;
    this._replay = /** @type {Replay | null} */ (null);
    this._fetching = /** @type {Promise<string | null> | null} */ (null);
    /** The last wanted ply. It counts two quick key presses as two steps. */
    this._wanted = 0;
    /** The number of turns shown; null for the current position. @type {number | null} */
    this.ply = null;
  }

  /**
   * Show the game after `ply` turns. Returns the reason if that fails.
   * @param {number} ply
   * @param {number} all
   * @returns {Promise<string | null>}
   */
  async go(ply, all) {
    this._wanted = ply;
    if (ply >= all) {
      this.ply = null;
      return null;
    }
    if (!this._replay || this._replay.length < ply || this._isOutdated(this._replay)) {
      this._fetching ??= this._fetch().finally(() => (this._fetching = null));
      const why = await this._fetching;
      if (why) return why;
    }
    if (this._wanted === ply) this.ply = Math.min(ply, this._replay?.length ?? 0);
    return null;
  }

  /** Whether the replay left out turns that all players see after the end. @param {Replay} replay */
  _isOutdated(replay) {
    return !replay.told.outcome && Boolean(this._room.turn?.outcome);
  }

  /** Fetch the replay. Returns the reason if that fails. @returns {Promise<string | null>} */
  async _fetch() {
    const told = /** @type {any} */ (await this._app.fetched(`api/rooms/${encodeURIComponent(this._room.id)}/replay`));
    if (told === null) return say("noAnswer");
    if ("reason" in told) return refusal(told);
    this._replay = new Replay(told);
    return null;
  }

  /** The board's data for the past position instead of the current one. @param {Shown} now @returns {Shown} */
  over(now) {
    const { ply, _replay: replay } = this;
    if (ply === null || !replay) return now;
    const last = replay.turn(ply);
    const isSeen = replay.boards === 1 || last?.seat === now.seat;
    return {
      ...now,
      view: replay.view(ply, now.seat ?? undefined),
      drawing: replay.drawing(ply, now.seat ?? undefined),
      last: isSeen ? last : undefined,
      mayMove: false,
      legalMoves: now.legalMoves && [],
      ghost: null,
      waiting: [],
      mayPlan: false,
      planned: null,
    };
  }

  /**
   * Draw the bar that says that the board shows the past.
   * @param {HTMLElement} bar
   * @param {number} all
   * @param {string} move the last move
   * @param {() => void} back
   */
  draw(bar, all, move, back) {
    const key = this.ply === null ? "" : `${this.ply} ${all}`;
    if (bar.dataset.key === key) return;
    bar.dataset.key = key;
    if (this.ply === null) bar.replaceChildren();
    else
      fill(
        bar,
        el("p", { role: "status" }, this.ply ? say("moveOf", { at: this.ply, all, move }) : say("atStart")),
        el("button", { class: "primary", onclick: back }, say("backToGame")),
      );
  }
}
