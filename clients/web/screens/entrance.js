// Screens before the first page, fetched when needed: a passphrase, a player from another device, a ban.

import { el } from "../dom.js";
import { say } from "../later-texts.js";

/** @typedef {import("../main.js").App} App */

/**
 * Ask for the passphrase, until the player enters one or leaves the page.
 * @param {string} why @returns {Promise<string>}
 */
export function passphraseAsked(why) {
  const field = el("input", {
    type: "password",
    name: "passphrase",
    maxlength: 200,
    required: true,
    autocomplete: "off",
  });
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", {}, why),
    el("label", { class: "field" }, el("span", {}, say("passphrase")), field),
    el("div", { class: "row end" }, el("button", { class: "primary", type: "submit" }, say("comeIn"))),
  );
  const dialog = el(
    "dialog",
    { class: "card", oncancel: (/** @type {Event} */ event) => event.preventDefault() },
    form,
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.remove();
      resolve(field.value);
    });
  });
}

/** The screen of a removed or banned player. It has no actions. */
export class BarredScreen {
  /** @param {string} why the reason, and the end of the ban */
  constructor(why) {
    this.element = el(
      "main",
      { class: "page centred" },
      el("div", { class: "card arrive" }, el("h1", {}, say("barred")), el("p", { role: "alert" }, why)),
    );
  }

  stays() {
    return true;
  }
}

/** The screen for a player from another device. The code is used only after a confirmation. */
export class HandOverScreen {
  /** @param {App} app @param {string} code */
  constructor(app, code) {
    this.element = el(
      "main",
      { class: "page centred" },
      el(
        "div",
        { class: "card arrive" },
        el("h1", {}, say("onPhone")),
        el("p", { class: "soft" }, say("goOnHereLine")),
        app.line.isKnown && el("p", {}, say("forgetsWhoYouWere")),
        el("button", { class: "primary large", onclick: () => app.takeOver(code) }, say("goOnHere")),
      ),
      el("p", {}, el("button", { class: "link", onclick: () => app.home() }, say("home"))),
    );
  }
}
