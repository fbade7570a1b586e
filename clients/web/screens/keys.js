// The list of keys, fetched when it is opened.

import "../later-look.js";
import { el } from "../dom.js";
import { say } from "../later-texts.js";

/**
 * The keys of each game, with their actions.
 * @type {Record<string, [string, import("../later-texts.js").TextName][]>}
 */
const OWN = {
  "tic-tac-toe": [["1 … 9", "keyCell"]],
  "connect-four": [["1 … 9", "keyColumn"]],
  quoridor: [
    ["w", "keyWalls"],
    ["r", "keyTurn"],
  ],
  minesweeper: [
    ["f", "keyFlag"],
    ["c", "keyChord"],
    ["n", "keyNext"],
  ],
};

/** Show the keys of a table above the screen. @param {string} game */
export function showKeys(game) {
  /** @type {[string, import("../later-texts.js").TextName][]} */
  const keys = [
    ["Tab", "keyBoard"],
    ["← ↑ ↓ →", "keyWalk"],
    [say("keyEnter"), "keyPlay"],
    ...(OWN[game] ?? []),
    ["Esc", "keyCancel"],
    ["← →", "keyReview"],
    ["?", "keyList"],
  ];
  const dialog = el(
    "dialog",
    { class: "card keys", "aria-label": say("keys"), onclose: () => dialog.remove() },
    el("h2", {}, say("keys")),
    el("dl", {}, ...keys.flatMap(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, say(text))])),
    el("div", { class: "row end" }, el("button", { class: "primary", onclick: () => dialog.close() }, say("close"))),
  );
  document.body.append(dialog);
  dialog.showModal();
}
