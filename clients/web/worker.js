// A worker that keeps a copy of the page and its files for times without a server. It is served beside the page because
// of its scope.
//
// Law: answers of the server come before copies. Only files of a version, which never change, are not fetched again.

/**
 * @typedef {Event & {request: Request, respondWith(answer: Promise<Response>): void, waitUntil(done: Promise<unknown>):
 *   void}} WorkerEvent
 */

const worker = /** @type {EventTarget & {skipWaiting(): Promise<void>, clients: {claim(): Promise<void>}}} */ (
  /** @type {unknown} */ (globalThis)
);
const HOME = new URL("./", location.href);
const KEPT = "tablero";
const FILE = /^assets\/([0-9a-f]+)\//;
const NAMED = /(?:href|src)="(assets\/[^"]+)"/g;
const ANYHOW = { ignoreVary: true };

worker.addEventListener("install", (event) => {
  /** @type {WorkerEvent} */ (event).waitUntil(Promise.all([worker.skipWaiting(), keepHome()]));
});
worker.addEventListener("activate", (event) => /** @type {WorkerEvent} */ (event).waitUntil(worker.clients.claim()));
worker.addEventListener("message", (event) => {
  const told = /** @type {WorkerEvent & MessageEvent<string[]>} */ (event);
  told.waitUntil(keep(told.data));
});
worker.addEventListener("fetch", (event) => {
  const asked = /** @type {WorkerEvent} */ (event);
  const { method, mode, url } = asked.request;
  if (method !== "GET" || !url.startsWith(HOME.href)) return;
  if (mode === "navigate") asked.respondWith(page(asked.request));
  else if (FILE.test(path(url))) asked.respondWith(file(asked.request));
});

/** @param {string} url */
const path = (url) => new URL(url).pathname.slice(HOME.pathname.length);

/** Store the first page and the files that it has just loaded. */
async function keepHome() {
  const answer = await fetch(HOME, { headers: { Accept: "text/html" } });
  if (!isPage(answer)) return;
  const kept = await caches.open(KEPT);
  await kept.put(HOME, answer.clone());
  const files = new Set([...(await answer.text()).matchAll(NAMED)].map(([, name]) => new URL(name ?? "", HOME).href));
  await kept.addAll([...files]);
}

/** Keeps what a page names for later. @param {string[]} files */
async function keep(files) {
  const kept = await caches.open(KEPT);
  const here = new Set((await kept.keys()).map(({ url }) => url));
  await kept.addAll(files.filter((file) => !here.has(file)));
}

/** @param {Response} answer */
const isPage = (answer) => answer.ok && (answer.headers.get("Content-Type") ?? "").startsWith("text/html");

/** A page from the server, or else its copy. All pages at the same depth are the same page. @param {Request} request */
async function page(request) {
  const like = path(request.url).includes("/") ? new URL("watch/", HOME) : HOME;
  try {
    const answer = await fetch(request);
    if (answer.status < 500) {
      if (isPage(answer)) await keepPage(like, answer.clone());
      return answer;
    }
    return (await caches.match(like, ANYHOW)) ?? answer;
  } catch (gone) {
    const copy = await caches.match(like, ANYHOW);
    if (copy) return copy;
    throw gone;
  }
}

/** Store a page, and remove the files of other versions. @param {URL} like @param {Response} answer */
async function keepPage(like, answer) {
  const [, version] = (await answer.clone().text()).match(/"assets\/([0-9a-f]+)\/main\.js"/) ?? [];
  if (!version) return; // one of the server's other pages
  const kept = await caches.open(KEPT);
  await kept.put(like, answer);
  for (const request of await kept.keys()) {
    const of = path(request.url).match(FILE)?.[1];
    if (of && of !== version) await kept.delete(request, ANYHOW);
  }
}

/** @param {Request} request */
async function file(request) {
  const kept = await caches.open(KEPT);
  const copy = await kept.match(request, ANYHOW);
  if (copy) return copy;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request, answer.clone());
  return answer;
}
