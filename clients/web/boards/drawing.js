// The board of a game that has no board here: the server's drawing, and a button for each move.

import { el, fill, write } from "../dom.js";
import { gameName, say } from "../texts.js";

/** @typedef {import("./board.js").Shown} Shown */

/** A board with the methods of `Board` that a table uses. */
class Drawing extends HTMLElement {
  constructor() {
    super();
    this._text = el("pre", { tabindex: "0", role: "region" });
    this._moves = el("div", { class: "row", role: "group", "aria-label": say("play") });
  }

  connectedCallback() {
    if (this._text.isConnected) return;
    this._text.setAttribute("aria-label", say("board", { game: gameName(this.dataset.game ?? "") }));
    this.append(this._text, this._moves);
  }

  /** @param {Shown} shown */
  show({ drawing, mayMove, legalMoves }) {
    write(this._text, drawing ?? "");
    const moves = (mayMove && legalMoves) || [];
    if (this._moves.dataset.key === `${moves}`) return;
    this._moves.dataset.key = `${moves}`;
    if (this._moves.contains(document.activeElement)) this._text.focus();
    fill(
      this._moves,
      ...moves.map((move) => el("button", { class: "quiet", onclick: () => this._choose(move) }, move)),
    );
  }

  /** @param {string} move */
  _choose(move) {
    this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }

  light() {}

  stillMeant() {
    return true;
  }

  tells() {
    return "";
  }

  waits() {
    return false;
  }

  tick() {}

  why() {
    return "";
  }
}

customElements.define("tablero-drawing", Drawing);
