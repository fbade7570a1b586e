// What makes the page an application of its device: a manifest, and a worker where the origin is secure.

const WORKER = new URL("worker.js", document.baseURI).href;

/** To be called once, when nothing is left to be done for what is shown. */
export function offerToInstall() {
  const own = document.createElement("link");
  own.rel = "manifest";
  own.href = new URL("manifest.webmanifest", import.meta.url).href;
  const picture = document.createElement("link");
  picture.rel = "apple-touch-icon";
  picture.href = new URL("icon-whole.png", import.meta.url).href;
  document.head.append(own, picture);
  if (isSecureContext && "serviceWorker" in navigator)
    navigator.serviceWorker.register(address()).catch(() => undefined);
}

/** The page's policy lets only this one script be named by a text. @returns {string} */
function address() {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes
    ? trustedTypes.createPolicy("tablero-worker", { createScriptURL: () => WORKER }).createScriptURL("")
    : WORKER;
}
