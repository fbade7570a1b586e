// How others come to a table that waits for them: its link, its code, and the computer.

import { el, fill, write } from "../dom.js";
import { LEVELS } from "../games.js";
import { levelName, say } from "../texts.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */

/** @param {App} app @param {Room} room */
export function sharePanel(app, room) {
  const code = room.code ?? "";
  const link = new URL(code, document.baseURI).href;
  const free = room.table.seats.flatMap((holder, seat) => (holder ? [] : [seat]));
  const levels = LEVELS.map((level) => el("button", {
    class: "quiet", onclick: () => void app.ask("invite", { room: room.id, seat: free[0], bot: `${room.table.game}:${level}` }),
  }, levelName(level)));
  return el("section", { class: "panel share" },
    el("h2", {}, el("span", { class: "spinner" }), say("waiting", { number: free.length })),
    el("p", { class: "soft" }, say("waitingFriend")),
    passOn(link),
    /^(localhost|127\.|\[::1\])/.test(location.hostname) && el("p", { class: "soft small" }, say("thisMachineOnly")),
    el("p", { class: "soft" }, say("orCode"), " ", el("b", { class: "code" }, code)),
    room.seats.length > 0 && !room.table.rated && el("p", { class: "soft" }, say("twoHere"), " ",
      el("button", { class: "link", onclick: () => void app.ask("join", { room: room.id, seat: free[0] }) }, say("playBoth"))),
    room.seats.length > 0 && el("p", { class: "soft" }, say("inviteComputer")),
    room.seats.length > 0 && el("div", { class: "row" }, ...levels));
}

/** A link to copy, to share, or to be read by a phone's camera. @param {string} link */
function passOn(link) {
  const field = el("input", { readonly: true, value: link, "aria-label": say("link"), onfocus: () => field.select() });
  const copy = el("button", { onclick: () => void copied(field).then((done) => write(copy, say(done ? "copied" : "selected"))) }, say("copy"));
  const share = "share" in navigator && el("button", { class: "primary", onclick: () => void navigator.share({ title: say("title"), url: link }).catch(() => undefined) }, say("share"));
  const code = el("div", { class: "qr-place" });
  const show = el("button", { class: "link", onclick: async () => {
    const { qrCode } = await import("../qr.js");
    fill(code, qrCode(link, say("qrFor", { link })));
    show.hidden = true;
    if (location.protocol === "https:") await fingerprint(code);
  } }, say("qr"));
  return el("div", { class: "pass-on" }, el("div", { class: "row" }, field, copy, share), show, code);
}

/** What whoever opens the link can compare with what the browser shows behind its warning. @param {HTMLElement} place */
async function fingerprint(place) {
  const answer = await fetch(new URL("certificate", document.baseURI)).catch(() => null);
  const { sha256 } = answer?.ok ? await answer.json() : {};
  if (sha256) place.append(el("p", { class: "soft small" }, say("fingerprint"), " ", el("code", { class: "fingerprint" }, sha256)));
}

/** The way on another device, which works once and for a minute. @param {App} app */
export async function handOver(app) {
  const answer = await app.ask("handOver");
  if (answer?.type !== "handedOver") return;
  const dialog = el("dialog", { class: "card share" },
    el("h2", {}, say("onPhone")), el("p", { class: "soft" }, say("onPhoneLine")),
    passOn(new URL(`#go=${answer.code}`, document.baseURI).href),
    el("div", { class: "row end" }, el("button", { class: "quiet", onclick: () => dialog.close() }, say("close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Where the page is no secure context there is no clipboard, but what is selected can be copied. @param {HTMLInputElement} field */
export async function copied(field) {
  field.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else return document.execCommand("copy");
    return true;
  } catch {
    return false;
  }
}
