// What stands beside a player's name while the others wait, and when a clock is low.
import assert from "node:assert/strict";
import test from "node:test";

const document = { documentElement: {}, querySelector: () => null };
Object.assign(globalThis, { document, addEventListener: () => undefined, HTMLElement: Object });
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { awayText, isAway, lowAlarm, strength } = await import("../../../clients/web/screens/players.js");

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

for (const [clock, lefts, told] of [
  [{ base: 300 }, [300, 11, 10, 9.9, 9, 0], 9.9],
  [{ base: 30, increment: 5 }, [30, 5, 4.9, 9.8, 4.8], 4.9],
  [{ perMove: 12 }, [12, 2, 1.9, 12, 1.9], 1.9],
  [{ days: 3 }, [259200, 10, 9], 9],
  [{ base: 300 }, [9, 8], null], // a page that was opened then
])
  test(`a clock of ${JSON.stringify(clock)} is low ${told === null ? "unheard" : `at ${told} s, once`}`, () => {
    const isLow = lowAlarm(clock);
    assert.deepEqual(
      lefts.filter((left) => isLow(left * 1000)),
      told === null ? [] : [told],
    );
  });

test("a player is away whom the others wait for, and nobody else is", () => {
  const members = [
    { seats: [0], away: 43_000 },
    { seats: [1], away: null },
  ];
  assert.deepEqual(
    [0, 1].map((seat) => isAway({ table: { members } }, seat)),
    [true, false],
  );
});

test("an unsure rating is marked", () => {
  assert.deepEqual([strength({ value: 1662, provisional: true }), strength({ value: 1811 })], ["1662?", "1811"]);
});
