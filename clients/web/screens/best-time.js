// The time of a game without turns at its end, and its rank among the best times.

import { say } from "../later-texts.js";
import { seconds } from "./results.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */

/**
 * The list of best times that a won game counts for, if any.
 * @param {Record<string, any>} options @returns {string | null}
 */
export function courseOf({ mode, level, firstDig, noGuess }) {
  if (mode !== "solo" || !level || firstDig === "cell") return null;
  return noGuess ? `${level}-no-guess` : level;
}

/** The sentence about a finished game's time, with its rank for the player. @param {App} app @param {Room} room */
export async function timeTold(app, { table, turn, player, seat }) {
  const took = turn?.milliseconds;
  if (took == null) return "";
  const time = seconds(took);
  const course = courseOf(table.options);
  if (!course || seat === null || /** @type {any} */ (turn?.outcome)?.kind !== "win") return time;
  const answer = await app.line.ask("showTimes", { course });
  const own = answer.type === "times" && answer.times.find((each) => each.player.id === player);
  if (!own) return time;
  const { place, milliseconds } = own;
  return milliseconds === took
    ? say("timePlaced", { time, place })
    : say("timeBehind", { time, place, best: seconds(milliseconds) });
}
