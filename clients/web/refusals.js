// The reasons of refusals in the reader's language. Fetched with the first refusal.

import { FIELD, filled, GAMES, gameName, more, own } from "./texts.js";

/** @typedef {import("./texts.js").Told} Told */

/**
 * Refusals that need another sentence here, because the server's is for typed commands.
 * @type {Record<string, string>}
 */
const REFUSALS = {
  wrongCode: "No table has this code. Check it with the person who sent it.",
  noSuchRoom: "This table is closed.",
  neverARoom: "This table is closed or never existed.",
  seatTaken: "Someone just took that seat.",
  playedElsewhere: "You're playing this seat in another window.",
  otherPly: "The game has moved on. Look again.",
  botsBusy: "All bots of this kind are busy. Try again soon.",
  noSuchBot: "This bot isn't here now.",
  noWatchers: "Only the players can see this table.",
};

const translation = await more("refusals/");

/** Our names of games, by the names in the server's sentences. */
const TITLES = new Map(Object.entries(GAMES).map(([game, title]) => [/** @type {unknown} */ (title), gameName(game)]));

/**
 * The sentence for the server's reason and fields. An unknown reason keeps the server's sentence.
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

/** Add the sentence about a wrong record, which is part of a refusal. @param {Record<string, unknown>} fields */
function withComplaint(fields) {
  const { wrong, wrongFields, complaint } =
    /** @type {{wrong?: string, wrongFields?: Record<string, unknown>, complaint?: string}} */ (fields);
  if (!wrong || complaint === undefined) return fields;
  return {
    ...fields,
    complaint: inWords({ reason: wrong, fields: wrongFields, message: complaint }).replace(/\.$/, ""),
  };
}
