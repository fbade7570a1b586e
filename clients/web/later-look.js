// The look of settings and of pages about people. The first of these screens fetches it and waits for it.

import { el } from "./dom.js";

const sheet = el("link", { rel: "stylesheet", href: new URL("later.css", import.meta.url).href });
const fetched = new Promise((resolve) => {
  sheet.onload = sheet.onerror = resolve;
});
document.head.append(sheet);
await fetched;
