// The settings of look and sound: kept in this browser, and applied at once.

import "../later-look.js";
import { badge, el } from "../dom.js";
import { say } from "../later-texts.js";
import { KEPT } from "../line.js";
import { dress } from "../main.js";

/** @typedef {import("../main.js").App} App */

/** @param {App} app */
export function showSettings(app) {
  const dialog = el(
    "dialog",
    { class: "card" },
    el(
      "form",
      { class: "settings", method: "dialog" },
      el("h2", {}, say("settings")),
      choice(
        "theme",
        say("theme"),
        "system",
        [
          ["system", say("themeSystem")],
          ["light", say("themeLight")],
          ["dark", say("themeDark")],
          ["contrast", say("themeContrast")],
        ],
        dress,
      ),
      choice(
        "palette",
        say("palette"),
        "ember",
        [
          ["ember", say("paletteEmber")],
          ["gold", say("paletteGold")],
          ["violet", say("paletteViolet")],
        ],
        dress,
        (palette) => el("span", { class: "badges", "data-palette": palette }, badge(0), badge(1), badge(2)),
      ),
      choice(
        "sound",
        say("sound"),
        "turn",
        [
          ["off", say("soundOff")],
          ["on", say("soundOn")],
          ["turn", say("soundTurn")],
        ],
        () => {
          app.wakeSound();
          app.play("turn");
        },
      ),
      el("div", { class: "row end" }, el("button", { class: "primary", type: "submit" }, say("close"))),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {string} name the key of the stored value
 * @param {string} title
 * @param {string} usual
 * @param {[string, string][]} offered
 * @param {() => void} changed @param {(value: string) => HTMLElement} [picture]
 */
function choice(name, title, usual, offered, changed, picture) {
  const key = ["tablero", name].join(".");
  const chosen = KEPT.read("localStorage", key) ?? usual;
  const keep = (/** @type {Event} */ event) => {
    KEPT.write("localStorage", key, /** @type {HTMLInputElement} */ (event.target).value);
    changed();
  };
  return el(
    "fieldset",
    { class: "choice", onchange: keep },
    el("legend", {}, title),
    ...offered.map(([value, label]) =>
      el(
        "label",
        {},
        el("input", { type: "radio", name, value, checked: value === chosen }),
        picture?.(value),
        el("span", {}, label),
      ),
    ),
  );
}
