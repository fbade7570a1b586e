// What the card at the end of a game says, and which button leads on.
import assert from "node:assert/strict";
import test from "node:test";

const document = { documentElement: {}, querySelector: () => null };
const matchMedia = () => ({ matches: false });
Object.assign(globalThis, { document, matchMedia, addEventListener: () => undefined, HTMLElement: Object });
globalThis.customElements ??= { define: () => undefined };
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { movedText, nextOf, reasonOf, scoreOf, verdict } = await import("../../../clients/web/screens/ending.js");

const [ANA, BEN] = [{ id: "ana" }, { id: "ben" }];
const WON = { kind: "win", winners: [0], reason: "line" };

for (const [outcome, own, said] of [
  [WON, [0], "won"],
  [WON, [1], "lost"],
  [WON, [], null],
  [WON, [0, 1], null],
  [{ kind: "draw", winners: [] }, [1], "drawn"],
  [{ kind: "loss", winners: [] }, [0], "lost"],
  [{ kind: "aborted", winners: [] }, [0], null],
])
  test(`who holds the seats ${own} of ${outcome.kind} by ${outcome.winners} has ${said}`, () =>
    assert.equal(verdict(outcome, own), said));

for (const [game, options, reason, said] of [
  ["tic-tac-toe", {}, "line", "three in a row"],
  ["connect-four", { connect: 4 }, "line", "four in a row"],
  ["connect-four", { connect: 9 }, "line", ""],
  ["quoridor", {}, "goal", "reached the far side"],
  ["quoridor", {}, "resign", ""],
  ["othello", {}, "line", ""],
])
  test(`${game} ${JSON.stringify(options)} ends by ${reason} with the words "${said}"`, () =>
    assert.equal(reasonOf({ game, options }, { reason }), said));

for (const [what, seats, won, score] of [
  ["a first game", [ANA, BEN], undefined, null],
  ["a second game", [ANA, BEN], { ben: 1 }, [1, 1]],
  ["a rematch after draws", [BEN, ANA], {}, [1, 0]],
  ["three players", [ANA, BEN, { id: "cy" }], { ana: 1 }, null],
  ["one player on both seats", [ANA, ANA], { ana: 1 }, null],
])
  test(`the score of ${what} is ${score}`, () => assert.deepEqual(scoreOf({ seats, won }, WON), score));

for (const [moved, said] of [
  [{ value: 1662, provisional: true, was: 1500 }, "1500 → 1662? (+162)"],
  [{ value: 1491, was: 1500 }, "1500 → 1491 (−9)"],
  [{ value: 1500, was: 1500 }, "1500, unchanged"],
])
  test(`a rating of ${moved.value} after ${moved.was} is told as ${said}`, () => assert.equal(movedText(moved), said));

/** @param {number[]} seats */
function over(seats, here = ["ana", "ben"], offers = []) {
  const members = here.map((id) => ({ player: { id } }));
  const table = { seats: [ANA, BEN], members };
  return { seats, table, offers: new Map(offers.map((offer) => [offer.offer, offer])) };
}

for (const [why, room, next] of [
  ["a watcher", over([]), null],
  ["nobody has asked", over([0]), { state: "ask" }],
  ["we have asked", over([0], undefined, [{ offer: "o", what: "rematch", seat: 0 }]), { state: "waits" }],
  [
    "the other has asked",
    over([0], undefined, [{ offer: "o", what: "rematch", seat: 1 }]),
    { state: "answer", offer: "o", seat: 1 },
  ],
  ["the other has left", over([0], ["ana"]), { state: "anew" }],
])
  test(`the one button, for ${why}: ${next?.state}`, () => assert.deepEqual(nextOf(room), next));
