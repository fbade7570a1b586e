import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { document: { documentElement: {}, querySelector: () => null } });
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { pointedAt } = await import("../../../clients/web/dom.js");

test("a move that is pointed at is told with those that stood before it", () => {
  const turns = [{ move: "4" }, { move: "3" }, { tookBack: 2 }, { move: "4" }, { withdrew: "resign" }];
  const items = turns.map(() => ({}));
  let told;
  const list = Object.assign(new EventTarget(), { children: items });
  pointedAt(
    list,
    () => turns,
    (moves) => (told = moves),
  );
  const point = (at, type = "pointerover", pointerType = "mouse") => {
    list.closest = () => ({ parentElement: items[at] });
    list.dispatchEvent(Object.assign(new Event(type), { pointerType }));
    return told;
  };
  assert.deepEqual(
    turns.map((_, at) => point(at)),
    [["4"], ["4", "3"], [], ["4"], []],
  );
  assert.deepEqual(point(0, "pointerover", "touch"), []);
  assert.deepEqual([point(0), point(0, "pointerleave")], [["4"], []]);
});
