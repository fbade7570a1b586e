// Stepping through a replay: board, clocks, moves, buttons and keys. Part of the page, and of a replay saved as a file.

import { badge, el, fill, plyAt, plyItem, pointedAt, sign, write } from "../dom.js";
import { boardOf, CARDS, endOf, hasPairs, ratioOf, titleOf } from "../games.js";
import { say } from "../later-texts.js";
import { Replay } from "../replay.js";
import { clockText } from "./players.js";

/** @typedef {import("../boards/board.js").Board} Board */
/** @typedef {import("../replay.js").Told} Told */
/** @typedef {import("../replay.js").Turn} Turn */

/** Milliseconds between two moves, and the name of the pace. */
const PACES = /** @type {const} */ ([
  [2000, say("paceSlow")],
  [1000, say("paceNormal")],
  [300, say("paceFast")],
]);
const KEYS = /** @type {Record<string, number>} */ ({
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
});

export class Stepper {
  /**
   * @param {Told} told
   * @param {Board} board
   * @param {number} ply the first ply to show
   * @param {(ply: number) => void} [went]
   */
  constructor(told, board, ply, went = () => {}) {
    this.replay = new Replay(told);
    this._board = board;
    this._went = went;
    this.ply = -1;
    /** The seat whose board is shown, if each seat had another. */
    this._seat = told.seats?.[0] ?? 0;
    this._timer = /** @type {ReturnType<typeof setInterval> | undefined} */ (undefined);
    this._pace = 1000;

    const names = told.names.map((name) => name ?? say("emptySeat"));
    this.names = names;
    this._strips = names.map((name, seat) => {
      const [beside, clock] = [el("span", { class: "soft what beside" }), el("span", { class: "clock" })];
      const choose =
        this.replay.boards > 1 &&
        told.seats?.includes(seat) !== false &&
        el("button", { class: "quiet whose", onclick: () => this._show(seat) }, say("itsBoard"));
      const own = choose || (told.clock && clock); // if each seat has a board, one clock is for all
      return {
        beside,
        clock,
        choose,
        strip: el(
          "div",
          { class: "strip" },
          badge(seat),
          el(
            "div",
            { class: "who" },
            el("div", { class: "called" }, el("span", { class: "name" }, name)),
            el("div", { class: "doing" }, beside),
          ),
          own,
        ),
      };
    });
    this._place = el("div", { class: "board-place" }, board);
    this._place.style.setProperty("--ratio", String(ratioOf(told.options)));
    this._scrub = el("input", {
      type: "range",
      class: "scrub",
      min: 0,
      max: this.replay.length,
      step: 1,
      "aria-label": say("moves"),
      oninput: () => this._pausedAt(Number(this._scrub.value)),
    });
    this._play = this._button(
      "play",
      "playOn",
      () => (this._timer === undefined ? this._start() : this._pause()),
      "primary",
    );
    this._steps = {
      first: this._button("first", "firstMovePlayed", () => this._pausedAt(0)),
      back: this._button("back", "stepBack", () => this._pausedAt(this.ply - 1)),
      on: this._button("on", "stepOn", () => this._pausedAt(this.ply + 1)),
      last: this._button("last", "lastMovePlayed", () => this._pausedAt(Infinity)),
    };
    const paces = el(
      "select",
      { "aria-label": say("pace"), onchange: () => this._setPace(Number(paces.value)) },
      ...PACES.map(([pace, name]) => el("option", { value: pace, selected: pace === this._pace }, name)),
    );
    const { first, back, on, last } = this._steps;
    this._where = el("p", { class: "where soft", role: "status" });
    this._result = el("p", { class: "result", hidden: true });
    const { turns } = this.replay;
    this._list = el("ol", {
      class: hasPairs(told.game, names.length) ? "moves pairs" : "moves",
      "aria-label": say("moves"),
      onclick: (/** @type {Event} */ event) => plyAt(event) && this._pausedAt(plyAt(event)),
    });
    pointedAt(
      this._list,
      () => turns,
      (moves) => board.light(moves),
    );
    this._items = turns.map((turn, at) => plyItem(turn, turns[at - 1], this.text(turn)));
    this._list.append(...(this._items.length ? this._items : [el("li", { class: "soft none" }, say("noMoves"))]));
    const [bottom, ...others] = this._strips;
    this.stage = el(
      "div",
      { class: "stage" },
      el("div", { class: "strips" }, ...others.map(({ strip }) => strip)),
      this._place,
      el("div", { class: "strips" }, bottom?.strip),
      el("div", { class: "steps" }, this._scrub, el("div", { class: "row" }, first, back, this._play, on, last, paces)),
    );
    this.status = el("section", { class: "status ended", "aria-label": say("state") }, this._where, this._result);
    this.moves = el("section", { class: "panel" }, el("h2", {}, say("moves")), this._list);
    this._keyed = (/** @type {KeyboardEvent} */ event) => this._key(event);
    addEventListener("keydown", this._keyed);
    this.go(ply);
  }

  /** The title of the replay. */
  get title() {
    const { game, options } = this.replay.told;
    return titleOf({ game, options });
  }

  leave() {
    this._pause();
    removeEventListener("keydown", this._keyed);
  }

  /** Show the position after this number of turns. @param {number} wanted */
  go(wanted) {
    const ply = Math.max(0, Math.min(Number.isNaN(wanted) ? 0 : wanted, this.replay.length));
    if (ply === this.replay.length) this._pause();
    if (ply === this.ply) return;
    this._items[this.ply - 1]?.firstElementChild?.removeAttribute("aria-current");
    this.ply = ply;
    this._draw();
    this._went(ply);
  }

  /** @param {number} seat */
  _show(seat) {
    this._seat = seat;
    this._draw();
  }

  _draw() {
    const { replay, ply, names } = this;
    const { told } = replay;
    const turn = replay.turn(ply);
    const seat = replay.boards > 1 ? this._seat : null;
    const view = replay.view(ply, this._seat);
    const isSeen = turn?.move !== undefined && (seat === null || turn.seat === seat);
    this._board.show({
      view,
      drawing: replay.drawing(ply, this._seat),
      seat: null,
      mayMove: false,
      legalMoves: [],
      last: isSeen ? { seat: turn.seat, move: turn.move } : undefined,
      ghost: null,
      waiting: [],
      names,
    });
    this._strips.forEach(({ strip, beside, clock, choose }, each) => {
      write(beside, CARDS[told.game]?.beside?.(view, each) ?? "");
      const left = this._clock(each);
      write(clock, left === null ? "" : clockText(left));
      strip.classList.toggle("to-move", !choose && replay.turn(ply + 1)?.seat === each);
      if (choose) choose.setAttribute("aria-pressed", String(each === this._seat));
    });
    this._scrub.value = String(ply);
    const where = turn ? say("moveOf", { at: ply, all: replay.length, move: this.text(turn) }) : say("atStart");
    this._scrub.setAttribute("aria-valuetext", where);
    write(this._where, where);
    const { first, back, on, last } = this._steps;
    for (const button of [first, back]) button.disabled = ply === 0;
    for (const button of [on, last]) button.disabled = ply === replay.length;
    this._play.disabled = replay.length === 0;
    const ended = ply === replay.length && told.outcome;
    this._result.hidden = !ended;
    if (ended) {
      const [winner] = told.outcome.winners ?? [];
      const { result, why } = endOf(told.outcome, names);
      fill(
        this._result,
        winner !== undefined && badge(winner),
        el("b", {}, result),
        el("span", { class: "soft" }, why),
      );
    }
    const item = this._items[ply - 1];
    item?.firstElementChild?.setAttribute("aria-current", "step");
    const list = this._list;
    requestAnimationFrame(() => (list.scrollTop = item ? item.offsetTop - list.offsetTop - list.clientHeight / 2 : 0));
  }

  /**
   * The milliseconds that a seat has left, by the last turn that says so.
   * @param {number} seat @returns {number | null}
   */
  _clock(seat) {
    const { told } = this.replay;
    for (let at = this.ply; at > 0; at -= 1) {
      const { clocks } = /** @type {Turn} */ (told.turns[at - 1]);
      if (clocks) return clocks[seat] ?? null;
    }
    const start = told.clock?.base ?? told.clock?.perMove;
    return start === undefined ? null : start * 1000;
  }

  /** @param {Turn} turn */
  text({ seat, move, tookBack, withdrew, drawn }) {
    const name = this.names[seat ?? 0] ?? "";
    return move
      ? say("moved", { name, move })
      : tookBack
        ? say("tookBack", { name })
        : withdrew
          ? say("withdrew", { name })
          : say(drawn ? "draw" : "aborted");
  }

  // Controls

  /**
   * @param {import("../dom.js").SignName} shown
   * @param {import("../later-texts.js").TextName} name
   * @param {() => void} onclick
   * @param {string} [kind]
   */
  _button(shown, name, onclick, kind = "quiet") {
    return el("button", { class: `${kind} step`, "aria-label": say(name), title: say(name), onclick }, sign(shown));
  }

  /** @param {number} ply */
  _pausedAt(ply) {
    this._pause();
    this.go(ply);
  }

  /** @param {number} pace */
  _setPace(pace) {
    this._pace = pace;
    if (this._timer === undefined) return;
    this._pause();
    this._start();
  }

  _start() {
    if (this.ply === this.replay.length) this.go(0);
    this._timer = setInterval(() => this.go(this.ply + 1), this._pace);
    this._drawPlay();
  }

  _pause() {
    clearInterval(this._timer);
    this._timer = undefined;
    this._drawPlay();
  }

  _drawPlay() {
    const runs = this._timer !== undefined;
    this._play.setAttribute("aria-label", say(runs ? "pauseHere" : "playOn"));
    this._play.title = say(runs ? "pauseHere" : "playOn");
    this._play.replaceChildren(sign(runs ? "pause" : "play"));
  }

  /** Handle free keys only: boards use the arrows, and fields have their own keys. @param {KeyboardEvent} event */
  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const within = /** @type {Element} */ (event.target).closest?.("input, select, textarea, dialog, [role=grid]");
    if (within) return;
    const by = KEYS[event.key];
    if (by !== undefined) this._pausedAt(this.ply + by);
    else if (event.key === " " && !(/** @type {Element} */ (event.target).closest("button, a"))) this._play.click();
    else return;
    event.preventDefault();
  }
}

/** Create the whole page of a replay that was saved as a file. @param {Told} told */
export function standAlone(told) {
  const board = /** @type {any} */ (document.createElement(`tablero-${boardOf(told.game)}`));
  board.dataset.game = told.game;
  const stepper = new Stepper(told, board, Number(location.hash.slice(1)), (ply) =>
    history.replaceState(null, "", `#${ply}`),
  );
  document.title = `${stepper.title} – ${say("title")}`;
  document.body.replaceChildren(
    el(
      "main",
      { class: "page table replay" },
      el("header", { class: "bar" }, el("b", {}, say("title")), el("h1", { class: "about" }, stepper.title)),
      stepper.stage,
      stepper.status,
      el("aside", { class: "side" }, stepper.moves),
    ),
  );
  addEventListener("hashchange", () => stepper.go(Number(location.hash.slice(1))));
}
