// The players at a table: name, presence, and clock.

import { badge, el, fill, write } from "../dom.js";
import { CARDS } from "../games.js";
import { KEPT } from "../line.js";
import { levelName, say, tenths } from "../texts.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */

const SOON_MS = 10_000;
/** The key under which this device stores the name of a second player at it. */
export const SECOND = "tablero.second";

/** @param {Room} room @param {number} seat */
export function nameAt(room, seat) {
  if (seat === room.seats[1]) return KEPT.read("localStorage", SECOND) ?? say("secondPlayer");
  return room.table.seats[seat]?.name ?? say("emptySeat");
}

/** A rating, marked while it is provisional. @param {{value: number, provisional?: boolean}} rated */
export const strength = ({ value, provisional }) => `${value}${provisional ? "?" : ""}`;

/** Whether the others wait for the player of a seat. @param {Pick<Room, "table">} room @param {number} seat */
export const isAway = ({ table }, seat) =>
  table.members.some((member) => member.seats.includes(seat) && member.away != null);

export class Players {
  /** @param {App} app @param {Room} room */
  constructor(app, room) {
    this._app = app;
    this._room = room;
    this.above = el("div", { class: "strips" });
    this.below = el("div", { class: "strips" });
    /** @type {{seat: number, strip: HTMLElement, state: HTMLElement, clock: HTMLElement, beside: HTMLElement}[]} */
    this._strips = [];
    this._key = "";
    /** The alarms for low clocks of our seats, by seat. @type {Map<number, (left: number) => boolean>} */
    this._alarms = new Map();
  }

  /** @param {Record<string, any> | undefined} view the shown position, which may be a past one */
  draw(view) {
    const { table, seat, turn } = this._room;
    const key = JSON.stringify([table.seats, seat, Boolean(table.clock), table.rated, table.ratings]);
    if (key !== this._key) this._build(key);
    const says = CARDS[table.game]?.beside;
    for (const { seat: each, strip, beside } of this._strips) {
      write(beside, view && says ? says(view, each) : "");
      strip.classList.toggle("to-move", Boolean(turn && !turn.outcome && turn.seats.includes(each)));
      strip.classList.toggle("winner", Boolean(/** @type {any} */ (turn?.outcome)?.winners?.includes(each)));
    }
    this.tick();
  }

  /** @param {string} key */
  _build(key) {
    this._key = key;
    const { table, seat } = this._room;
    const bottom = seat ?? 0;
    const isForAll = CARDS[table.game]?.atOnce; // all players have one clock
    this._strips = table.seats.map((holder, each) => {
      const state = el("span", { class: "away" });
      const clock = el("span", { class: "clock", role: "timer", "aria-live": "off" });
      const what = !holder
        ? ""
        : holder.id === this._room.player
          ? this._room.seats.length === 1 && say("you")
          : holder.bot
            ? holder.level
              ? say("bot", { level: levelName(holder.level.replace(/^.*:/, "")) })
              : say("botOnly")
            : "";
      const beside = el("span", { class: "soft what beside" });
      const worth = table.rated && holder ? el("span", { class: "soft rating" }) : null;
      if (worth && holder) void this._rate(worth, holder.id, table.ratings?.[each]);
      const called = nameAt(this._room, each);
      const name = holder?.name === called ? nameOf(this._app, holder) : el("span", { class: "name" }, called);
      const strip = el(
        "div",
        { class: "strip" },
        badge(each),
        el(
          "div",
          { class: "who" },
          el("div", { class: "called" }, name, worth, what && el("span", { class: "soft what" }, what)),
          el("div", { class: "doing" }, beside, state),
        ),
        table.clock && (!isForAll || each === bottom) && clock,
      );
      return { seat: each, strip, state, clock, beside };
    });
    fill(this.above, ...this._strips.filter((each) => each.seat !== bottom).map(({ strip }) => strip));
    fill(this.below, ...this._strips.filter((each) => each.seat === bottom).map(({ strip }) => strip));
  }

  /** The element with the name on a seat, or else on the first one. @param {number | undefined} seat */
  nameAt(seat) {
    const { strip } = this._strips.find((each) => each.seat === seat) ?? this._strips[0] ?? {};
    return strip?.children[1];
  }

  /**
   * Show a player's rating beside the name.
   * @param {HTMLElement} place @param {string} player
   * @param {import("../protocol.d.ts").Moved | undefined} moved the change by this game
   */
  async _rate(place, player, moved) {
    if (moved) return write(place, strength(moved));
    const { ratingAt } = await import("./results.js");
    write(place, await ratingAt(this._app, this._room.table, player));
  }

  tick() {
    const now = this._app.line.serverNow;
    for (const { seat, state, clock } of this._strips) {
      write(state, awayText(this._room, seat, now));
      const left = this._left(seat, now);
      write(clock, left === null ? "" : clockText(left));
      clock.classList.toggle("soon", left !== null && left < SOON_MS);
      if (left !== null && this._room.seats.includes(seat) && this._alarm(seat)(left)) this._app.play("low");
    }
  }

  /** @param {number} seat */
  _alarm(seat) {
    const alarm = this._alarms.get(seat) ?? lowAlarm(this._room.table.clock ?? {});
    this._alarms.set(seat, alarm);
    return alarm;
  }

  /** The milliseconds left on a clock. @param {number} seat @param {number} now @returns {number | null} */
  _left(seat, now) {
    const { table, turn } = this._room;
    const told = turn?.clocks?.[seat];
    if (told === undefined || turn?.at == null) {
      const terms = table.clock;
      const all = terms ? (terms.base ?? terms.perMove ?? (terms.days ?? 0) * 86_400) : null;
      return all === null ? null : all * 1000;
    }
    const runs = turn.seats.includes(seat) && turn.firstMove == null && !turn.paused && !turn.outcome;
    return Math.max(0, told - (runs ? Math.max(0, now - turn.at) : 0));
  }
}

/**
 * Create a function that reports once when a clock falls low: below ten seconds, or below a sixth of its start if that
 * is less.
 * @param {Partial<import("../protocol.d.ts").Clock>} clock
 */
export function lowAlarm({ base, perMove }) {
  const low = Math.min(SOON_MS, ((base ?? perMove ?? Infinity) * 1000) / 6);
  let [wasHigh, isTold] = [false, false];
  return (/** @type {number} */ left) => {
    wasHigh ||= left >= low;
    const falls = wasHigh && !isTold && left < low;
    isTold ||= falls;
    return falls;
  };
}

/**
 * The text about a wait: absence, first move or pause. The clock already shows days for a first move.
 * @param {Pick<Room, "table" | "turn">} room @param {number} seat @param {number} now
 */
export function awayText({ table, turn }, seat, now) {
  const until = table.members.find((member) => member.seats.includes(seat))?.away;
  if (until != null) {
    const seconds = Math.ceil((until - now) / 1000);
    return seconds <= 0
      ? say("awayOver")
      : seconds > 120
        ? say("awayLong", { minutes: Math.ceil(seconds / 60) })
        : say("away", { seconds });
  }
  if (!turn || turn.outcome) return "";
  if (turn.firstMove != null && turn.at != null && turn.seats.includes(seat))
    return table.clock?.days
      ? ""
      : say("firstMove", { seconds: Math.max(0, Math.ceil((turn.at + turn.firstMove - now) / 1000)) });
  return turn.paused ? say("paused") : "";
}

/** Create a name that opens its player's page. @param {App} app @param {import("../protocol.d.ts").Player} player */
export function nameOf(app, { id, name }) {
  return el("button", { class: "name", title: say("about", { name }), onclick: () => void app.about(id) }, name);
}

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  if (milliseconds < SOON_MS) return tenths(Math.floor(milliseconds / 100) / 10);
  const seconds = Math.ceil(milliseconds / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (days) return say("clockLong", { days, hours });
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
