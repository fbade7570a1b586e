// Why something was refused, in the language spoken: fetched when something is, for only then somebody reads it.

import { FIELD, filled, GAMES, gameName, more, own } from "./texts.js";

/** @typedef {import("./texts.js").Told} Told */

/** Refusals whose own sentence is meant for somebody who types commands. @type {Record<string, string>} */
const REFUSALS = {
  wrongCode: "No table has this code. Check it with whoever gave it to you.",
  noSuchRoom: "That table has closed.",
  neverARoom: "That table has closed, or never was.",
  seatTaken: "Somebody sat down there just before you.",
  playedElsewhere: "You play this seat in another window.",
  otherPly: "The game has moved on; look again.",
  botsBusy: "Every bot of this kind is busy; try again soon.",
  noSuchBot: "No such bot is here now.",
  noWatchers: "This table is for its players alone.",
};

const translation = await more("refusals/");

/** By what the server calls a game in a sentence, what we call it. */
const TITLES = new Map(Object.entries(GAMES).map(([game, title]) => [/** @type {unknown} */ (title), gameName(game)]));

/**
 * What a server tells, by its reason and fields; a reason unknown here says so itself.
 * @param {Told} told
 * @returns {string}
 */
export function inWords({ reason, fields: told = {}, message }) {
  const fields = withComplaint(told);
  const sentence = own(translation?.refusals, reason ?? "") ?? own(REFUSALS, reason ?? "");
  if (!sentence || [...sentence.matchAll(FIELD)].some(([, name]) => !Object.hasOwn(fields, name ?? ""))) return message;
  return filled(
    sentence,
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, TITLES.get(value) ?? value])),
  );
}

/** What is wrong with a record is a sentence of its own within a refusal. @param {Record<string, unknown>} fields */
function withComplaint(fields) {
  const { wrong, wrongFields, complaint } =
    /** @type {{wrong?: string, wrongFields?: Record<string, unknown>, complaint?: string}} */ (fields);
  if (!wrong || complaint === undefined) return fields;
  return {
    ...fields,
    complaint: inWords({ reason: wrong, fields: wrongFields, message: complaint }).replace(/\.$/, ""),
  };
}
