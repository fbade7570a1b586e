// What stands beside a player's name while the others wait.
import assert from "node:assert/strict";
import test from "node:test";

const document = { documentElement: {}, querySelector: () => null };
Object.assign(globalThis, { document, addEventListener: () => undefined, HTMLElement: Object });
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { awayText } = await import("../../../clients/web/screens/players.js");

const DAYS_MS = 3 * 86_400_000;

for (const [why, clock, turn, said] of [
  ["a first move is due soon", { base: 300 }, { firstMove: 30_000 }, "first move within 28 s"],
  ["its clock has days, and says so itself", { days: 3 }, { firstMove: DAYS_MS }, ""],
  ["the other one is to move", { base: 300 }, { firstMove: 30_000, seats: [1] }, ""],
  ["the game is paused", { base: 300 }, { paused: true }, "The game is paused."],
  ["the game is over", { base: 300 }, { paused: true, outcome: { kind: "draw" } }, ""],
])
  test(`beside a name is ${said || "nothing"} where ${why}`, () => {
    const room = { table: { members: [], clock }, turn: { seats: [0], at: 1000, ...turn } };
    assert.equal(awayText(room, 0, 3000), said);
  });
