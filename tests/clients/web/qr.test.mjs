// QR codes: the sums are of codes that OpenCV's detector has read back.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

// What draws it asks what the reader speaks.
Object.assign(globalThis, { document: { documentElement: {}, querySelector: () => null } });
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { encoded } = await import("../../../clients/web/qr.js");

const TEXT = "http://192.168.1.20:8470/ABCD-EFGH#" + "x1y2z3".repeat(40);
const READ_BACK = {
  1: "848f621f7ecfca7e",
  14: "2f21934e0b544607",
  20: "382a50ce3780d4bd",
  40: "065aa89833d7dfe4",
  62: "8744967455d08ae7",
  80: "fc344b344afa3753",
  106: "21f33a8ad5111dd7",
  120: "d941edd3933cce9b",
  150: "5903c0e4de661ff0",
  180: "abd77eabe634b3ef",
  200: "5833d86ec7cad364",
  213: "5b76b96aff273806",
};

for (const [length, sum] of Object.entries(READ_BACK)) {
  test(`a text of ${length} bytes is drawn as it was when a detector read it`, () => {
    const drawn = encoded(TEXT.slice(0, Number(length))).map((line) => line.map(Number).join("")).join("\n");
    assert.equal(createHash("sha256").update(drawn).digest("hex").slice(0, 16), sum);
  });
}

test("a text that does not fit is refused", () => {
  assert.throws(() => encoded("x".repeat(214)), RangeError);
});

test("a longer text takes a larger code, and each is a square of the sizes that there are", () => {
  const sizes = [1, 14, 15, 213].map((length) => encoded("x".repeat(length)).length);
  assert.deepEqual(sizes, [21, 21, 25, 57]);
});
