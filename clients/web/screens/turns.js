// What was played at a table: the list of moves, the steps through it, and looking back while the game goes on.

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

/** Keys that lead through the game so far, where they are free. */
const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity });

export class Turns {
  /**
   * @param {App} app @param {Room} room
   * @param {() => void} changed another position is to be shown
   * @param {(moves: string[]) => void} light the last of these moves is pointed at
   */
  constructor(app, room, changed, light) {
    this._app = app;
    this._room = room;
    this._changed = changed;
    this._epoch = room.epoch;
    /** As far as we have heard. @type {Turn[]} */
    this._all = [];
    /** Those of them that are in the list. @type {Turn[]} */
    this._drawn = [];
    /** The game so far, after the first look back. @type {import("./past.js").Past | null} */
    this._past = null;
    /** Where to, while the server is asked. @type {number | null} */
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
    /** Says over the board that this is not now. */
    this.looking = el("div", { class: "looking" });
    this._keyed = (/** @type {KeyboardEvent} */ event) => this._key(event);
    addEventListener("keydown", this._keyed);
  }

  leave() {
    removeEventListener("keydown", this._keyed);
  }

  /** Asks what was played that we have not heard of: before we came, while we were away, or kept back until the end. */
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
    // It may have another number by now.
    if (shown) await this._look(this._all.findLastIndex(({ seq }) => seq <= shown.seq) + 1);
  }

  /** The server has gone back to an older copy of its database: what we have heard may not have happened. */
  _startAnew() {
    this._epoch = this._room.epoch;
    this._all = [];
    this._past = null;
  }

  /** @param {import("../protocol.d.ts").NextPlayer} turn */
  hear({ seq, ply, at, last }) {
    if (last) this._take([{ seq, ply, at: at ?? this._app.line.serverNow, ...last }]);
  }

  /** How many moves have been played, and how long that took from the first one on. */
  get length() {
    const moves = this._all.filter(({ move }) => move != null);
    return { moves: moves.length, milliseconds: (this._all.at(-1)?.at ?? 0) - (this._all[0]?.at ?? 0) };
  }

  /** Takes what we may know already: of a pause we hear with the turn before it. @param {Turn[]} turns */
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

  /** Whether the board shows what was. */
  get isPast() {
    return this._past?.ply != null;
  }

  /** What the board shows. @param {Shown} now @returns {Shown} */
  shownOf(now) {
    return this._past?.over(now) ?? now;
  }

  /** Shows what is. */
  goOn() {
    void this._look(Infinity);
  }

  /** Shows what is, at once. */
  forget() {
    if (this._past?.ply == null) return;
    this._past.ply = null;
    this._changed();
  }

  /** After how many turns the game is shown. */
  get _ply() {
    return this._goal ?? this._past?.ply ?? this._all.length;
  }

  /** Shows the game as it was after so many turns; after all of them, as it is. @param {number} ply */
  async _look(ply) {
    const goal = Math.max(0, Math.min(ply, this._all.length));
    this._goal = goal;
    const module = await this._app.part(import("./past.js"));
    if (module) this._past ??= new module.Past(this._app, this._room);
    if (this._goal !== goal) return; // something else is wanted by now, and modules may come in any order
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

  /** Whether an earlier position is shown, or about to be. */
  get looksBack() {
    return this._ply < this._all.length;
  }

  /** Adds what is new to the list; it is made anew where earlier turns came in late, or the game went back. */
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
    // Within the frame, where the layout is due anyway.
    if (items.length) requestAnimationFrame(() => (this.list.scrollTop = this.list.scrollHeight));
  }

  /** One listener for all of them: a long game leaves less behind. @param {Event} event */
  _chosen(event) {
    const ply = plyAt(event);
    if (ply) void this._look(ply);
  }
}

/** Whether this is the turn before, told once more: another move or takeback has a higher ply.
 * @param {Turn} turn @param {Turn | undefined} before */
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
