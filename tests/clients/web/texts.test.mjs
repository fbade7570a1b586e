// What the page says in a language: numbers, lists and refusals.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const WEB = fileURLToPath(new URL("../../../clients/web", import.meta.url));

/**
 * The modules as a page has them whose reader prefers these languages: a copy of their own.
 * @param {string[]} languages
 * @param {string} [chosen]
 * @param {object | null} [within] the element with a language in the page
 */
async function texts(languages, chosen, within = null) {
  const folder = mkdtempSync(join(tmpdir(), "texts-"));
  after(() => rmSync(folder, { recursive: true }));
  cpSync(WEB, folder, { recursive: true });
  const fetched = [];
  Object.assign(globalThis, {
    document: { documentElement: {}, querySelector: () => within },
    fetch: async (/** @type {URL} */ url) => {
      fetched.push(url.pathname.replace(/.*\/languages\//, ""));
      return new Response(readFileSync(fileURLToPath(url)));
    },
  });
  Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => chosen ?? null }, configurable: true });
  Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
  const at = (/** @type {string} */ name) => pathToFileURL(join(folder, name)).href;
  const module = await import(at("texts.js"));
  return { ...module, fetched, lang: document.documentElement.lang, later: () => import(at("later-texts.js")) };
}

test("the first language that is here is spoken, and one that was chosen before all", async () => {
  for (const [languages, chosen, spoken] of [
    [["fr-CA", "en"], undefined, "fr"],
    [["de", "es-MX", "fr"], undefined, "es"],
    [["de"], undefined, "en"],
    [[], undefined, "en"],
    [["fr"], "es", "es"],
    [["fr"], "en", "en"],
    [["fr"], "tlh", "fr"],
  ]) {
    const { language, lang, fetched } = await texts(languages, chosen);
    assert.deepEqual([language, lang], [spoken, spoken]);
    assert.deepEqual(fetched, spoken === "en" ? [] : [`${spoken}.json`]);
  }
});

test("what came within the page is not fetched", async () => {
  const { say, fetched } = await texts(["fr"], undefined, {
    content: { textContent: '{"texts":{"back":"Re !"},"games":{}}' },
  });
  assert.deepEqual([say("back"), say("close"), fetched], ["Re !", "Close", []]);
});

test("a number decides as translators were told", async () => {
  const days = async (language) => [0, 1, 2, 1_000_000].map((number) => language.say("days", { number }));
  assert.deepEqual(await days(await texts(["en"])), [
    "0 days a move",
    "1 day a move",
    "2 days a move",
    "1,000,000 days a move",
  ]);
  assert.deepEqual(await days(await texts(["es"])), [
    "0 días por jugada",
    "1 día por jugada",
    "2 días por jugada",
    "1.000.000 días por jugada",
  ]);
  assert.deepEqual(
    (await days(await texts(["fr"]))).map((each) => each.replace(/\s/g, " ")),
    ["0 jour par coup", "1 jour par coup", "2 jours par coup", "1 000 000 jours par coup"],
  );
});

test("what only later screens say is known once the first of them is here", async () => {
  const french = await texts(["fr"]);
  assert.equal(french.sayIf("how_won"), "");
  const { say, sayOr } = await french.later();
  assert.deepEqual(
    [say("how_won"), sayOr("how_lost", "how_other"), say("back"), french.sayIf("how_won")],
    ["gagnée", "perdue", "Te revoilà en ligne.", "gagnée"],
  );
  assert.deepEqual(french.fetched, ["fr.json", "later/fr.json"]);
  const english = await texts(["en"]);
  assert.equal((await english.later()).say("gamesPlayed", { number: 1 }), "1 game");
  assert.deepEqual(english.fetched, []);
});

test("a refusal is said by its reason and fields, and in English where one of them is unknown here", async () => {
  const { refusal, fetched } = await texts(["fr"]);
  const said = (reason, fields) => refusal({ reason, fields, message: "In English." });
  assert.equal(await said("occupied", { cell: "b2" }), "La case b2 est occupée.");
  assert.equal(await said("seatTaken", { seat: 1 }), "Quelqu'un vient de prendre cette place.");
  assert.match(
    await said("wrongSeats", { game: "Connect Four", allowed: [2, 3, 4], seats: 9 }),
    /Puissance 4.*2, 3 ou 4/,
  );
  assert.equal(await said("occupied", {}), "In English.");
  assert.equal(await said("ofANewerServer", { cell: "b2" }), "In English.");
  assert.equal(await refusal({ reason: null, message: "In English." }), "In English.");
  assert.deepEqual(fetched, ["fr.json", "refusals/fr.json"]);
  const english = await texts(["en"]);
  assert.equal(
    await english.refusal({ reason: "occupied", fields: { cell: "b2" }, message: "In English." }),
    "In English.",
  );
  assert.equal(
    await english.refusal({ reason: "seatTaken", fields: {}, message: "In English." }),
    "Someone just took that seat.",
  );
  assert.deepEqual(english.fetched, []);
});

test("the last seconds and numbers are written as in the language", async () => {
  assert.equal((await texts(["en"])).tenths(9), "9.0");
  assert.equal((await texts(["fr"])).tenths(9.5), "9,5");
});
