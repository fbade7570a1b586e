// When an action of the bar at a table is grey, and why.
import assert from "node:assert/strict";
import test from "node:test";

const document = { documentElement: {}, querySelector: () => null };
Object.assign(globalThis, { document, addEventListener: () => undefined });
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { hindrance } = await import("../../../clients/web/screens/actions.js");

const TABLE = {
  seats: [{ id: "ana" }, { id: "ben" }],
  members: [{ player: { id: "ana" } }, { player: { id: "ben" } }],
};
/** Ana has seat 0, and both have moved. */
const ROOM = { turn: { ply: 2, last: { seat: 1 } }, seats: [0], table: TABLE, offers: new Map() };
const offered = (seat, what) => ({ offers: new Map([["o", { seat, what }]]) });

for (const [what, when, room, why] of [
  ["takeback", "both have moved", {}, null],
  ["takeback", "there is no position yet", { turn: undefined }, "noMoveOfYours"],
  ["takeback", "nobody has moved", { turn: { ply: 0 } }, "noMoveOfYours"],
  ["takeback", "only the other has moved", { turn: { ply: 1, last: { seat: 1 } } }, "noMoveOfYours"],
  ["takeback", "only we have moved", { turn: { ply: 1, last: { seat: 0 } } }, null],
  ["takeback", "the game is rated", { table: { ...TABLE, rated: true } }, "noTakebackRated"],
  ["takeback", "it is offered", offered(0, "takeback"), "mine_takeback"],
  ["draw", "both have moved", {}, null],
  ["draw", "nobody has moved", { turn: { ply: 0 } }, "noMoves"],
  ["draw", "we have offered it", offered(0, "draw"), "mine_draw"],
  ["draw", "the other has offered it", offered(1, "draw"), null],
  ["draw", "we have offered something else", offered(0, "takeback"), null],
  ["pause", "nobody has moved", { turn: { ply: 0 } }, null],
  ["rematch", "both are here", {}, null],
])
  test(`${what} is ${why ?? "possible"} where ${when}`, () => {
    assert.equal(hindrance({ ...ROOM, ...room }, what), why);
  });
