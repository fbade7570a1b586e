import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, Replay } from "../../../clients/web/replay.js";

Object.assign(globalThis, { document: { documentElement: {}, querySelector: () => null } });
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { inlined } = await import("../../../clients/web/export.js");

test("a change makes a new value and leaves the old one", () => {
  const before = { cells: "......", scores: [0, 0], deep: { list: [1, 2] } };
  const whole = JSON.stringify(before);
  for (const [change, after] of [
    [[["cells"], 2, "01"], { ...before, cells: "..01.." }],
    [[["scores", 1], 5], { ...before, scores: [0, 5] }],
    [[["deep", "list", 2], 3], { ...before, deep: { list: [1, 2, 3] } }],
    [[["deep", "list", 1]], { ...before, deep: { list: [1] } }],
    [[["deep"]], { cells: "......", scores: [0, 0] }],
    [[[], { a: 1 }], { a: 1 }],
  ]) {
    assert.deepEqual(changed(before, change), after);
    assert.equal(JSON.stringify(before), whole);
  }
});

test("a view of any ply can be had in any order", () => {
  const turns = Array.from({ length: 300 }, (_, at) => ({ at, changes: [[[["n"], at + 1]], [[["m"], -at]]] }));
  const replay = new Replay({
    game: "g",
    options: {},
    names: [],
    clock: null,
    room: null,
    started: null,
    outcome: null,
    views: [{ n: 0 }, { m: 1 }],
    turns,
  });
  for (const ply of [300, 0, 1, 299, 64, 63, 65, 128, 7, 8, 300]) assert.equal(replay.view(ply).n, ply);
  assert.equal(replay.view(5, 1).m, -4);
  assert.equal(replay.view(5, 7).n, 5);
  assert.equal(replay.turn(0), undefined);
  assert.equal(replay.turn(3).at, 2);
  assert.equal(replay.boards, 2);
});

test("views of some seats are those seats' own", () => {
  const turns = [{ at: 0, changes: [[[["n"], 1]], [[["n"], 2]]] }];
  const replay = new Replay({
    game: "g",
    options: {},
    names: [],
    clock: null,
    room: null,
    started: null,
    outcome: null,
    seats: [1, 3],
    views: [{ n: "of 1" }, { n: "of 3" }],
    turns,
  });
  assert.deepEqual(
    [1, 3].map((seat) => replay.view(0, seat).n),
    ["of 1", "of 3"],
  );
  assert.deepEqual(
    [1, 3].map((seat) => replay.view(1, seat).n),
    [1, 2],
  );
});

test("drawings come beside the views, of a seat where each has its own", () => {
  const turns = [{ at: 0, changes: [[], []], drawings: ["1 of 1", "1 of 3"] }];
  const replay = new Replay({
    game: "g",
    options: {},
    names: [],
    clock: null,
    room: null,
    started: null,
    outcome: null,
    seats: [1, 3],
    views: [{}, {}],
    drawings: ["of 1", "of 3"],
    turns,
  });
  assert.deepEqual(
    [0, 1].map((ply) => replay.drawing(ply, 3)),
    ["of 3", "1 of 3"],
  );
  assert.equal(replay.drawing(1, 0), "1 of 1");
  assert.equal(new Replay({ ...replay.told, drawings: undefined, turns: [] }).drawing(0), undefined);
});

test("a module becomes a function of what it imports", async () => {
  const source = [
    'import { a } from "../x.js";',
    'import {\n  b as c,\n} from "../x.js";',
    'import "./y.js";',
    "export const sum = a + c;",
    "export function twice() {",
    "  return 2 * sum;",
    "}",
    "",
  ].join("\n");
  const made = new Function(
    "M",
    "saved",
    "document",
    `return (async () => { ${inlined("in/z.js", source)} return M["in/z.js"]; })();`,
  );
  const { sum, twice } = await made({ "x.js": { a: 1, b: 2 } }, null, { documentElement: { lang: "en" } });
  assert.deepEqual([sum, twice()], [3, 6]);
});
