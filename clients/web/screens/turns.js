// The moves at a table: their list, stepping through them, and looking back during the game.

import { el, plyAt, plyItem, pointedAt, sign } from "../dom.js";
import { hasPairs } from "../games.js";
import { say } from "../texts.js";
import { nameAt } from "./players.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../boards/board.js").Shown} Shown */
/**
 * @typedef {{seq: number, ply: number, at?: number | null, seat?: number | null, move?: string | null, withdrew?:
 *   string | null, tookBack?: number | null}} Turn
 */

/** Keys for stepping through the game, if the board doesn't use them. */
const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity });

export class Turns {
  /**
   * @param {App} app @param {Room} room
   * @param {() => void} changed called when another position is shown
   * @param {(moves: string[]) => void} light called with the moves up to the one under the pointer
   */
  constructor(app, room, changed, light) {
    this._app = app;
    this._room = room;
    this._changed = changed;
    this._epoch = room.epoch;
    /** All turns that we have heard. @type {Turn[]} */
    this._all = [];
    /** The turns that are in the list. @type {Turn[]} */
    this._drawn = [];
    /** The replay so far, after the first look back. @type {import("./past.js").Past | null} */
    this._past = null;
    /** The wanted ply, while the server is asked. @type {number | null} */
    this._goal = null;
    this.list = el("ol", {
      class: hasPairs(room.table.game, room.table.seats.length) ? "moves pairs" : "moves",
      tabindex: "0",
      "aria-label": say("moves"),
      onclick: (/** @type {Event} */ event) => this._chosen(event),
    });
    pointedAt(this.list, () => this._all, light);
    const step = (
      /** @type {import("../dom.js").SignName} */ shown,
      /** @type {import("../texts.js").TextName} */ name,
      /** @type {number} */ by,
    ) =>
      el(
        "button",
        {
          class: "quiet step",
          "aria-label": say(name),
          title: say(name),
          onclick: () => void this._look(this._ply + by),
        },
        sign(shown),
      );
    this.steps = el(
      "div",
      { class: "row steps", role: "group", "aria-label": say("lookBack") },
      step("first", "firstMovePlayed", -Infinity),
      step("back", "stepBack", -1),
      step("on", "stepOn", 1),
      step("last", "lastMovePlayed", Infinity),
    );
    /** The bar over the board while it shows the past. */
    this.looking = el("div", { class: "looking" });
    this._keyed = (/** @type {KeyboardEvent} */ event) => this._key(event);
    addEventListener("keydown", this._keyed);
  }

  leave() {
    removeEventListener("keydown", this._keyed);
  }

  /** Fetch the turns that we have not heard: from before we came, while we were away, or hidden until the end. */
  async recall() {
    if (this._epoch !== this._room.epoch) this._startAnew();
    const shown = this._all[(this._past?.ply ?? 0) - 1];
    /** @type {Turn[]} */
    const told = [];
    /** @type {number | undefined} */
    let after = 0;
    while (after !== undefined) {
      const page = await this._app.line.ask("showHistory", { room: this._room.id, after });
      if (page.type !== "history") break;
      told.push(...page.turns);
      after = page.more ?? undefined;
    }
    this._take(told);
    this._changed();
    // The ply may have another number now.
    if (shown) await this._look(this._all.findLastIndex(({ seq }) => seq <= shown.seq) + 1);
  }

  /** Start over, because the server returned to an older copy of its database and our turns may not count. */
  _startAnew() {
    this._epoch = this._room.epoch;
    this._all = [];
    this._past = null;
  }

  /** @param {import("../protocol.d.ts").NextPlayer} turn */
  hear({ seq, ply, at, last }) {
    if (last) this._take([{ seq, ply, at: at ?? this._app.line.serverNow, ...last }]);
  }

  /** The number of moves, and the time since the first one. */
  get length() {
    const moves = this._all.filter(({ move }) => move != null);
    return { moves: moves.length, milliseconds: (this._all.at(-1)?.at ?? 0) - (this._all[0]?.at ?? 0) };
  }

  /** Add turns. Some may be known: a pause comes with the turn before it. @param {Turn[]} turns */
  _take(turns) {
    const all = new Map([...turns, ...this._all].map((turn) => [turn.seq, turn]));
    const told = [...all.values()].filter(
      ({ move, withdrew, tookBack }) => move != null || withdrew != null || tookBack != null,
    );
    told.sort((one, other) => one.seq - other.seq);
    this._all = told.filter((turn, at) => !isRepeated(turn, told[at - 1]));
  }

  /** @param {Omit<Turn, "seq" | "ply">} turn */
  text({ seat, move, tookBack, withdrew }) {
    const name = nameAt(this._room, seat ?? 0);
    return move
      ? say("moved", { name, move })
      : tookBack
        ? say("tookBack", { name })
        : withdrew
          ? say("withdrew", { name })
          : "";
  }

  // Looking back

  /** Whether the board shows a past position. */
  get isPast() {
    return this._past?.ply != null;
  }

  /** The board's data: the current position or a past one. @param {Shown} now @returns {Shown} */
  shownOf(now) {
    return this._past?.over(now) ?? now;
  }

  /** Return to the current position. */
  goOn() {
    void this._look(Infinity);
  }

  /** Return to the current position, at once. */
  forget() {
    if (this._past?.ply == null) return;
    this._past.ply = null;
    this._changed();
  }

  /** The number of turns in the shown position. */
  get _ply() {
    return this._goal ?? this._past?.ply ?? this._all.length;
  }

  /** Show the game after this number of turns. After all turns, show the current position. @param {number} ply */
  async _look(ply) {
    const goal = Math.max(0, Math.min(ply, this._all.length));
    this._goal = goal;
    const module = await this._app.part(import("./past.js"));
    if (module) this._past ??= new module.Past(this._app, this._room);
    if (this._goal !== goal) return; // another ply is wanted now, and modules may come in any order
    const why = await this._past?.go(goal, this._all.length);
    if (why) this._app.note(why);
    if (this._goal === goal) this._goal = null;
    this._changed();
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const by = STEPS[event.key];
    const { target } = event;
    const isWanted = target instanceof Element && target.closest("input, select, textarea, dialog, [role=grid]");
    if (
      by === undefined ||
      isWanted ||
      !this._all.length ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented
    )
      return;
    event.preventDefault();
    void this._look(this._ply + by);
  }

  // Drawing

  draw() {
    const { _ply: ply, _all: all } = this;
    this._drawList();
    this.steps.classList.toggle("unused", !all.length);
    this._past?.draw(this.looking, all.length, this.text(all[ply - 1] ?? {}), () => this.goOn());
    const shown = ply < all.length ? this.list.children[ply - 1]?.firstElementChild : null;
    const before = this.list.querySelector("[aria-current]");
    if (shown === before) return;
    before?.removeAttribute("aria-current");
    shown?.setAttribute("aria-current", "step");
  }

  /** Whether a past position is shown, or is about to be. */
  get looksBack() {
    return this._ply < this._all.length;
  }

  /** Add new turns to the list. Builds the list anew if earlier turns came late, or if the game went back. */
  _drawList() {
    const drawn = this._drawn;
    const isLonger = drawn.length > 0 && drawn.every((turn, at) => turn === this._all[at]);
    const from = isLonger ? drawn.length : 0;
    const items = this._all.slice(from).map((turn, at) => plyItem(turn, this._all[from + at - 1], this.text(turn)));
    if (isLonger) this.list.append(...items);
    else if (items.length) this.list.replaceChildren(...items);
    else if (drawn.length || !this.list.firstChild)
      this.list.replaceChildren(el("li", { class: "soft none" }, say("noMoves")));
    this._drawn = this._all;
    // Inside the frame, where a layout is due anyway.
    if (items.length) requestAnimationFrame(() => (this.list.scrollTop = this.list.scrollHeight));
  }

  /** Handle a click on any turn, because one listener for all uses less memory in a long game. @param {Event} event */
  _chosen(event) {
    const ply = plyAt(event);
    if (ply) void this._look(ply);
  }
}

/**
 * Whether a turn is only the one before, told again. Another move or takeback has a higher ply.
 * @param {Turn} turn @param {Turn | undefined} before
 */
function isRepeated(turn, before) {
  return (
    before !== undefined &&
    turn.ply <= before.ply &&
    turn.seat === before.seat &&
    turn.move === before.move &&
    turn.withdrew === before.withdrew &&
    turn.tookBack === before.tookBack
  );
}
