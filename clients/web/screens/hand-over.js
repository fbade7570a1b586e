// The link to another device, and whether it was used.

import { say } from "../later-texts.js";
import { passedOn } from "./forms.js";

/** @typedef {import("../main.js").App} App */

const LOOK_MS = 1000;

/** Show a link that works once and for a minute, and report whether it was used. @param {App} app */
export async function handOver(app) {
  const before = new Set((await devices(app)).map(({ id }) => id));
  const answer = await app.ask("handOver");
  if (answer?.type !== "handedOver") return;
  const dialog = passedOn(app, say("onPhone"), say("onPhoneLine"), `#go=${answer.code}`);
  for (;;) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    const came = (await devices(app)).find(({ id }) => !before.has(id));
    const isLate = app.line.serverNow > answer.until;
    if (!dialog.element.open) return;
    if (came) return dialog.end(say("goesOnThere", { device: came.device || say("otherDevice") }));
    if (isLate) return dialog.end(say("linkExpired"));
  }
}

/** @param {App} app */
async function devices(app) {
  const answer = await app.line.ask("listTokens");
  return answer.type === "tokens" ? answer.tokens : [];
}
