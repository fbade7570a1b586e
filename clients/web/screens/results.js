// Results in lines: players, winner, and date.

import { el, rating, svg } from "../dom.js";
import { picture, PLAYABLE } from "../games.js";
import { say, sayOr } from "../later-texts.js";
import { gameName, language, levelName } from "../texts.js";
import { strength } from "./players.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../protocol.d.ts").PastGame} PastGame */
/** @typedef {import("../protocol.d.ts").PastSeat} PastSeat */
/** @typedef {import("../protocol.d.ts").Player} Player */
/** @typedef {import("../protocol.d.ts").RatedAt} RatedAt */

const DAY_MS = 86_400_000;
/** The rating of a player who has none at this game and speed. */
const FIRST = { value: 1500, provisional: true };
const [MOVES_OF_A_GAME, BLITZ_SECONDS, RAPID_SECONDS] = [40, 8 * 60, 25 * 60];
const CLOCK = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
const SECONDS = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** A time by the reader's clock; long ago only the day. @param {number} at */
export function when(at) {
  return (Date.now() - at < DAY_MS / 2 ? CLOCK : DAY).format(at);
}

/** A time in the usual form for Minesweeper. @param {number} milliseconds */
export function seconds(milliseconds) {
  return say("seconds", { seconds: SECONDS.format(milliseconds / 1000) });
}

/** @param {string} speed */
export function speedName(speed) {
  return sayOr(`speed_${speed}`, "speed_none");
}

/** Create a player's name as a link to the player's page. @param {App} app @param {Player} player */
export function who(app, player) {
  const what = player.bot && say("botOnly");
  const level = player.level && levelName(player.level.replace(/^.*:/, ""));
  return [
    app.link(`player/${player.id}`, { class: "person" }, player.name),
    level || what ? el("span", { class: "soft what" }, ` ${level ? say("bot", { level }) : what}`) : null,
  ];
}

/**
 * Create the line of a finished game. On a player's page it says how the game ended for them.
 * @param {App} app
 * @param {PastGame} game
 * @param {string} [of]
 */
export function gameLine(app, game, of) {
  const seats = [...game.seats].sort((one, other) => (one.place ?? 0) - (other.place ?? 0));
  const own = seats.find((seat) => seat.player.id === of);
  const how = own ? outcome(game, own) : ({ win: "", draw: "draw" }[game.kind] ?? "other");
  const speed = game.speed && game.speed !== "none" ? ` · ${speedName(game.speed)}` : "";
  return el(
    "li",
    { class: "past" },
    picture(game.game),
    el(
      "div",
      { class: "who" },
      el("b", {}, gameName(game.game), el("span", { class: "soft" }, speed)),
      el(
        "span",
        { class: "seats" },
        ...seats.flatMap((seat, at) => [
          at > 0 && el("span", { class: "soft" }, " – "),
          ...who(app, seat.player),
          beside(seat),
        ]),
      ),
    ),
    how && el("span", { class: `how ${how}` }, sayOr(`how_${how}`, "how_other")),
    el("span", { class: "soft when" }, when(game.at)),
    PLAYABLE.includes(game.game) &&
      app.link(
        `replay/${game.room}`,
        { class: "button quiet", "aria-label": say("replayOf", { game: gameName(game.game), when: when(game.at) }) },
        say("replay"),
      ),
  );
}

/** @param {PastSeat} seat */
function beside({ value, milliseconds }) {
  if (milliseconds != null) return el("span", { class: "soft" }, ` ${seconds(milliseconds)}`);
  return value == null ? null : el("span", { class: "soft" }, " ", rating(value));
}

/** @param {PastGame} game @param {PastSeat} seat */
function outcome({ kind, seats }, { place }) {
  if (kind === "draw" || kind === "loss") return kind === "loss" ? "lost" : "draw";
  if (kind !== "win") return "other";
  return place === 1 ? "won" : seats.length > 2 && place != null ? "placed" : "lost";
}

/**
 * A player's rating for tables like this one.
 * @param {App} app
 * @param {import("../protocol.d.ts").Table} table
 * @param {string} player
 */
export async function ratingAt(app, { game, clock }, player) {
  const page = await app.line.ask("showPlayer", { player });
  const rated =
    page.type === "playerPage"
      ? page.ratings.find((each) => each.game === game && each.speed === speedOf(clock))
      : undefined;
  return strength(rated ?? FIRST);
}

/**
 * The speed of a clock, by the time for forty moves, as in docs/ratings.md.
 * @param {import("../protocol.d.ts").Clock | null | undefined} clock
 */
function speedOf(clock) {
  if (!clock) return "none";
  if (clock.days) return "correspondence";
  const all = (clock.base ?? 0) + MOVES_OF_A_GAME * (clock.perMove ?? clock.increment ?? 0);
  return all < BLITZ_SECONDS ? "blitz" : all < RAPID_SECONDS ? "rapid" : "slow";
}

/** Draw the history of a rating, with its uncertainty. @param {RatedAt} rated */
export function curve({ curve: points, game }) {
  const [width, height, edge] = [240, 64, 6];
  const low = Math.min(...points.map(({ value, deviation }) => value - deviation));
  const high = Math.max(...points.map(({ value, deviation }) => value + deviation));
  const x = (/** @type {number} */ at) =>
    edge + (points.length > 1 ? at / (points.length - 1) : 1) * (width - 2 * edge);
  const y = (/** @type {number} */ value) =>
    edge + (high === low ? 0.5 : (high - value) / (high - low)) * (height - 2 * edge);
  const line = (/** @type {(point: import("../protocol.d.ts").CurvePoint) => number} */ of) =>
    points.map((point, at) => `${x(at).toFixed(1)} ${y(of(point)).toFixed(1)}`);
  const upper = line(({ value, deviation }) => value + deviation);
  const lower = line(({ value, deviation }) => value - deviation).reverse();
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      class: "curve",
      role: "img",
      "aria-label": say("curve", {
        game: gameName(game),
        from: String(first.value),
        to: String(last.value),
        count: points.length,
      }),
    },
    svg("path", { class: "unsure", d: `M${upper.join("L")}L${lower.join("L")}Z` }),
    svg("path", { class: "course", d: `M${line(({ value }) => value).join("L")}` }),
    svg("circle", { class: "now", cx: x(points.length - 1), cy: y(last.value), r: 4.5 }),
  );
}
