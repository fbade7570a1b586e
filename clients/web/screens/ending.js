// The end of a game on one card: winner, reason, score of the evening, ratings, time, and the next steps.

import { badge, el, fill, write } from "../dom.js";
import { CARDS } from "../games.js";
import { say, sayOr } from "../later-texts.js";
import { sayIf } from "../texts.js";
import { nameAt, strength } from "./players.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {{moves: number, milliseconds: number}} Length length of a game */

const SLIDE_MS = 250;
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The result for this player; null for a watcher, and for a player of both sides.
 * @param {any} outcome
 * @param {number[]} own
 * @returns {"won" | "lost" | "drawn" | null}
 */
export function verdict({ kind, winners = [] }, own) {
  const [mine] = own.length === 1 ? own : [];
  if (mine === undefined || kind === "aborted") return null;
  return kind === "draw" ? "drawn" : winners.includes(mine) ? "won" : "lost";
}

/**
 * The reason of the end, in the words of the game if it has its own.
 * @param {Pick<import("../protocol.d.ts").Table, "game" | "options">} table
 * @param {any} outcome
 */
export function reasonOf({ game, options }, { reason }) {
  const { connect } = /** @type {Record<string, any>} */ (options);
  return sayIf([game, reason, connect].filter(Boolean).join(":"));
}

/**
 * The games won by each of two players in a row of rematches, including this one; null in a first game.
 * @param {Pick<import("../protocol.d.ts").Table, "seats" | "won">} table
 * @param {any} outcome
 * @returns {number[] | null}
 */
export function scoreOf({ seats, won }, { winners = [] }) {
  if (!won || seats.length !== 2 || seats[0]?.id === seats[1]?.id) return null;
  return seats.map((holder, seat) => (won[holder?.id ?? ""] ?? 0) + (winners.includes(seat) ? 1 : 0));
}

/**
 * The button that leads to the next game; null for a watcher.
 * @param {Room} room
 * @returns {{state: "ask" | "answer" | "waits" | "anew", offer?: string, seat?: number} | null}
 */
export function nextOf({ seats, table, offers }) {
  if (!seats.length) return null;
  if (table.seats.some((holder) => holder && !table.members.some(({ player }) => player.id === holder.id)))
    return { state: "anew" };
  const offered = [...offers.values()].filter(({ what }) => what === "rematch");
  const theirs = offered.find(({ seat }) => !seats.includes(seat));
  if (theirs) return { state: "answer", offer: theirs.offer, seat: theirs.seat };
  return { state: offered.length ? "waits" : "ask" };
}

/** A time in minutes and seconds. @param {number} milliseconds */
function timeOf(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A rating before and after a game. @param {import("../protocol.d.ts").Moved} moved */
export function movedText({ value, provisional, was }) {
  const now = strength({ value, provisional });
  if (value === was) return `${now}, ${say("unmoved")}`;
  return `${was} → ${now} (${value < was ? "−" : "+"}${Math.abs(value - was)})`;
}

export class Ending {
  /**
   * @param {App} app
   * @param {Room} room
   * @param {HTMLElement} place
   * @param {() => Length} length
   * @param {() => void} leave
   * @param {HTMLElement} chat the chat's button from the actions, which the card replaces
   */
  constructor(app, room, place, length, leave, chat) {
    this._app = app;
    this._room = room;
    this._place = place;
    this._length = length;
    this._leave = leave;
    this._chat = chat;
    this._key = "";
    this._next = el("div", { class: "next" });
    this._facts = el("dl", { class: "facts" });
    /** The time of a game without turns, and its rank. */
    this._time = el("p", { class: "soft" });
  }

  /** @param {any} outcome @param {{result: string, why: string}} told */
  draw(outcome, told) {
    const { epoch, turn } = this._room;
    const key = `${epoch} ${turn?.seq}`;
    if (key !== this._key) this._build(key, outcome, told);
    this._drawFacts();
    this._drawNext();
  }

  /** @param {string} key @param {any} outcome @param {{result: string, why: string}} told */
  _build(key, outcome, { result, why }) {
    this._key = key;
    const { _room: room, _app: app } = this;
    const { table, seats } = room;
    const how = verdict(outcome, seats);
    const [winner] = outcome.winners ?? [];
    const score = scoreOf(table, outcome);
    const card = el(
      "div",
      { class: `verdict ${how ?? ""}` },
      el(
        "p",
        { class: "headline" },
        winner !== undefined && badge(winner),
        el("b", {}, result),
        el("span", { class: "soft" }, reasonOf(table, outcome) || why),
      ),
      score && this._score(score),
      how === "lost" && el("p", { class: "soft small" }, this._consolation(outcome)),
      this._next,
      this._facts,
      this._time,
      el(
        "div",
        { class: "row" },
        app.link(`replay/${room.id}`, { class: "button quiet" }, say("watchReplay")),
        el("button", { class: "quiet", onclick: () => void this._share() }, say("share")),
        el("button", { class: "quiet", onclick: () => this._leave() }, say("newGame")),
        this._chat,
      ),
    );
    this._slide(() => fill(this._place, card));
    if (room.turn?.milliseconds != null) void this._tellTime();
  }

  async _tellTime() {
    const module = await this._app.part(import("./best-time.js"));
    if (module) write(this._time, await module.timeTold(this._app, this._room));
  }

  /**
   * Move the page below in a short slide. The panel moves only its own part, as the actions above it go.
   * @param {() => void} change
   */
  _slide(change) {
    const below = [...(this._place.parentElement?.querySelectorAll(".side, .side > .panel") ?? [])];
    const before = below.map((each) => each.getBoundingClientRect().top);
    change();
    const gone = below.map((each, at) => (before[at] ?? 0) - each.getBoundingClientRect().top);
    if (CALM.matches) return;
    for (const [at, each] of below.entries()) {
      const by = (gone[at] ?? 0) - (at > 0 ? (gone[0] ?? 0) : 0);
      if (by) each.animate([{ transform: `translateY(${by}px)` }, {}], { duration: SLIDE_MS, easing: "ease-out" });
    }
  }

  /** The score, our own side first. @param {number[]} score */
  _score(score) {
    const [first] = this._room.seats;
    const order = first === 1 ? [1, 0] : [0, 1];
    const [one = 0, other = 1] = order;
    const name = (/** @type {number} */ seat) => el("span", {}, badge(seat), nameAt(this._room, seat));
    return el(
      "p",
      { class: "score" },
      name(one),
      el("b", {}, order.map((seat) => score[seat]).join(" : ")),
      name(other),
    );
  }

  /** @param {any} outcome */
  _consolation({ reason }) {
    return sayOr(`lost_${reason}`, this._room.table.seats.length > 1 ? "lost_other" : "lost_alone");
  }

  _drawFacts() {
    const { table } = this._room;
    const { moves, milliseconds } = this._length();
    const lines = [
      ...(table.ratings ?? []).map((moved, seat) => [nameAt(this._room, seat), movedText(moved)]),
      moves > 0 && !CARDS[table.game]?.atOnce && [say("moves"), String(moves)],
      moves > 1 && !CARDS[table.game]?.atOnce && [say("took"), timeOf(milliseconds)],
    ].filter((line) => line !== false);
    const key = JSON.stringify(lines);
    if (this._facts.dataset.key === key) return;
    this._facts.dataset.key = key;
    fill(
      this._facts,
      ...lines.map(([what, value]) => el("div", {}, el("dt", {}, what ?? ""), el("dd", {}, value ?? ""))),
    );
  }

  _drawNext() {
    const { _room: room, _app: app } = this;
    const next = nextOf(room);
    const key = JSON.stringify([next, room.table.members.length]);
    if (this._next.dataset.key === key) return;
    this._next.dataset.key = key;
    const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
      el("button", { class: "primary", onclick }, text);
    const gone = room.table.seats.find(
      (holder) => holder && !room.table.members.some(({ player }) => player.id === holder.id),
    );
    const ask = (/** @type {string} */ type, /** @type {object} */ fields) =>
      void app.ask(type, { room: room.id, seat: room.seat, ...fields });
    if (!next) fill(this._next, el("p", { class: "soft small" }, say("watchingNow")));
    else if (next.state === "anew")
      fill(
        this._next,
        el("p", { class: "soft small" }, say("leftTable", { name: gone?.name })),
        button(say("playAnew"), () => void this._playAnew()),
      );
    else if (next.state === "answer")
      fill(
        this._next,
        button(say("playRematch", { name: nameAt(room, next.seat ?? 0) }), () =>
          ask("answer", { offer: next.offer, yes: true }),
        ),
      );
    else if (next.state === "waits")
      fill(this._next, el("button", { class: "primary", disabled: true }, say("rematchAsked")));
    else
      fill(
        this._next,
        button(say(room.table.seats.length > 1 ? "rematch" : "playAgain"), () => ask("offer", { what: "rematch" })),
      );
  }

  /** Create a table with the same settings, and with the same computer player if there was one. */
  _playAnew() {
    const { game, options, seats, private: isPrivate, watchers, rated, clock } = this._room.table;
    const bot = seats.length === 2 ? seats.find((holder) => holder?.bot)?.level : undefined;
    const more = { clock: clock ?? undefined, rated: rated || undefined };
    return this._app.create(
      { game, options, seats: seats.length, private: isPrivate, watchers, ...more },
      bot ?? undefined,
    );
  }

  async _share() {
    (await this._app.forms())?.share(this._app, this._room);
  }
}
