// Installing the page as an application: a manifest, and a worker if the origin is secure.

import { boardOf, CARDS } from "./games.js";
import { language } from "./texts.js";

const WORKER = new URL("worker.js", document.baseURI).href;

/** Offer the installation. Call this once, when the page has nothing else to do. */
export function offerToInstall() {
  const own = document.createElement("link");
  own.rel = "manifest";
  own.href = new URL("manifest.webmanifest", import.meta.url).href;
  const picture = document.createElement("link");
  picture.rel = "apple-touch-icon";
  picture.href = new URL("icon-whole.png", import.meta.url).href;
  document.head.append(own, picture);
  if (isSecureContext && "serviceWorker" in navigator)
    navigator.serviceWorker
      .register(address())
      .then(keepLessons)
      .catch(() => undefined);
}

/** How each game is played can be read without the server, too: by the form of a new table. */
async function keepLessons() {
  const { active } = await navigator.serviceWorker.ready;
  const games = Object.keys(CARDS).filter((game) => CARDS[game]?.lessons);
  const files = [
    "screens/forms.js",
    "screens/lessons.js",
    "later-look.js",
    "later.css",
    "later-texts.js",
    ...(language === "en" ? [] : [`languages/later/${language}.json`]),
    ...games.flatMap((game) => [`boards/${boardOf(game)}.js`, `lessons/${game}.${language}.json`]),
  ];
  active?.postMessage(files.map((file) => new URL(file, import.meta.url).href));
}

/** The worker's address. The page's policy allows only this one script to be named by a string. @returns {string} */
function address() {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes
    ? trustedTypes.createPolicy("tablero-worker", { createScriptURL: () => WORKER }).createScriptURL("")
    : WORKER;
}
