// A replay as one file without other files: the views, the modules that show them, and the look.
//
// Law: imports and exports of modules are separate statements, laid out by `make format`, because they are replaced
// here.

import { gameName, language } from "./texts.js";

/** @typedef {import("./replay.js").Told} Told */

/** The modules in the order in which they need each other. The board comes between the first and the last. */
const MODULES = [
  "texts.js",
  "later-texts.js",
  "dom.js",
  "boards/hands.js",
  "boards/board.js",
  "games.js",
  "replay.js",
  "screens/players.js",
];
const LAST = "screens/stepper.js";
const STYLES = ["style.css", "replay.css"];
/** The folders of a language's parts. */
const SPOKEN = ["", "later/"];
const IMPORT = /^import (?:\{\s+([^}]+?),?\s+\} from )?"([^"]+)";$/gm;
const EXPORT = /^export ((?:async )?(?:function|class|const) (\w+))/gm;
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** @param {string} name */
const at = (name) => new URL(name, import.meta.url);

/** @param {string} name */
async function text(name) {
  const answer = await fetch(at(name));
  if (!answer.ok) throw new Error(`no ${name}`);
  return answer.text();
}

/**
 * Wrap a module in a function that is called at once and returns the exports.
 * @param {string} name
 * @param {string} source
 */
export function inlined(name, source) {
  const names = [...source.matchAll(EXPORT)].map(([, , exported]) => exported);
  const body = source
    .replace(IMPORT, (_, imported, path) =>
      imported ? `const { ${imported.replace(/ as /g, ": ")} } = M[${JSON.stringify(resolved(name, path))}];` : "",
    )
    .replace(EXPORT, "$1")
    .replaceAll("import.meta.url", "location.href")
    .replaceAll("</script", "<\\/script");
  const module = `async (fetch, navigator) => {\n${body}\nreturn { ${names.join(", ")} };\n}`;
  return `M[${JSON.stringify(name)}] = await (${module})(saved, { languages: [document.documentElement.lang] });\n`;
}

/** @param {string} name @param {string} path */
function resolved(name, path) {
  return new URL(path, `file:///${name}`).pathname.slice(1);
}

/** JSON that can't end an element. @param {unknown} value */
function json(value) {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** JSON for an attribute in quotes. @param {unknown} value */
function attribute(value) {
  return JSON.stringify(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

/** @param {Told} told @param {string} board the name of the module with the game's board */
export async function fileOf(told, board) {
  const names = [...MODULES, `boards/${board}.js`, LAST];
  const [styles, sources, ...spoken] = await Promise.all([
    Promise.all(STYLES.map(text)),
    Promise.all(names.map(text)),
    ...(language === "en" ? [] : SPOKEN.map((part) => text(`languages/${part}${language}.json`).then(JSON.parse))),
  ]);
  // Only texts that need no server, from every part.
  const translation = spoken.length
    ? { texts: Object.assign({}, ...spoken.map(({ texts }) => texts)), games: spoken[0].games }
    : null;
  const modules = names.map((name, at) => inlined(name, /** @type {string} */ (sources[at])));
  const title = `Tablero – ${told.names.filter(Boolean).join(" – ")}`.replace(/[&<>]/g, "");
  return `<!doctype html>
<html lang="${language}" data-games="${attribute({ [told.game]: gameName(told.game) })}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
${styles.join("\n")}
</style>
</head>
<body>
<noscript>JavaScript</noscript>
<script type="application/json" id="translation">${json(translation)}</script>
<script type="application/json" id="replay">${json(told)}</script>
<script type="module">
const kept = (id) => JSON.parse(document.getElementById(id).textContent);
const saved = async () => ({ ok: true, json: async () => kept("translation") });
const M = { "line.js": { KEPT: { read() {}, write() {} } } };
${modules.join("")}M[${JSON.stringify(LAST)}].standAlone(kept("replay"));
</script>
</body>
</html>
`;
}
