// Notices of the host and about a game. Each lies over the header for a while, and is then kept behind a bell.

import { el, sign, write } from "../dom.js";
import { say } from "../later-texts.js";

const SHOWN_MS = 12_000;

export class Notices {
  /** @param {HTMLElement} place the place over the header */
  constructor(place) {
    this._place = place;
    /** The notices that are not closed yet. @type {HTMLElement[]} */
    this._kept = [];
    this._number = el("b");
    this._bell = el("button", { class: "gear bell", onclick: () => this._open() }, sign("bell"), this._number);
  }

  /** @param {string} text */
  add(text) {
    const notice = el(
      "p",
      { class: "notice" },
      el("span", {}, text),
      el("button", { class: "quiet", onclick: () => this._close(notice) }, say("close")),
    );
    this._kept.push(notice);
    this._place.append(notice);
    this._foldLater(notice);
    this.attach();
  }

  /** Put the bell into the current page's header, if it has one. */
  attach() {
    const number = this._kept.filter((each) => !each.isConnected).length;
    this._bell.hidden = !number;
    this._bell.setAttribute("aria-label", say("notices", { number }));
    write(this._number, String(number));
    document.querySelector(".bar .gear, .masthead .gear")?.before(this._bell);
  }

  /** @param {HTMLElement} notice */
  _foldLater(notice) {
    setTimeout(() => {
      if (notice.matches(":hover, :focus-within")) this._foldLater(notice);
      else this._fold(notice);
    }, SHOWN_MS);
  }

  /** @param {HTMLElement} notice */
  _fold(notice) {
    notice.remove();
    this.attach();
  }

  /** @param {HTMLElement} notice */
  _close(notice) {
    this._kept = this._kept.filter((each) => each !== notice);
    this._fold(notice);
  }

  /** Show the notices until they are closed. */
  _open() {
    this._place.append(...this._kept);
    this.attach();
    this._kept.at(-1)?.querySelector("button")?.focus();
  }
}
