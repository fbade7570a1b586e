// The chat of a table, fetched after the board: beside the board on a wide screen, else a sheet at the bottom.
//
// If the chat isn't wholly on the screen, a new line is a bubble over its player's name, or at the top of the screen if
// the name is off the screen. While the sheet is closed, a number on its button remains.

import { badge, el, fill, lineForm, mark, write } from "../dom.js";
import { say, sayOr } from "../later-texts.js";
import { nameOf } from "./players.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../protocol.d.ts").Said} Said */

/** The time to read a bubble in milliseconds: longer for many words. @param {string} text */
function readingTime(text) {
  const words = text.split(/\s+/).length;
  return 1000 * Math.min(12, 5 + Math.max(0, Math.ceil((words - 12) / 4)));
}

/** Whether the whole height of an element is on the screen. @param {Element} element */
function isInView(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top > -1 && bottom < innerHeight + 1;
}

/** The phrases for hosts that allow no other text. */
const PHRASES = ["hello", "goodLuck", "wellPlayed", "goodGame", "thanks", "oops", "rematch", "mustGo"];

/** What a player said, in the reader's language if it is a phrase. @param {Said} said */
function spoken({ phrase, text }) {
  return phrase ? sayOr(`phrase_${phrase}`, "phrase_hello") : text;
}

/** The chat. During a game, players and watchers have separate chats. */
export class Talk {
  /**
   * @param {App} app
   * @param {Room} room
   * @param {HTMLElement} button the button that opens the sheet
   * @param {HTMLElement} live the element that reads lines out
   * @param {(seat: number | undefined) => Element | undefined} nameAt the element with a player's name
   */
  constructor(app, room, button, live, nameAt) {
    this._app = app;
    this._room = room;
    this._button = button;
    this._live = live;
    this._nameAt = nameAt;
    this._unread = 0;
    this._bubble = el("p", { class: "bubble", "aria-hidden": "true", onclick: () => this._show() });
    this._lines = el("ul", { class: "said", tabindex: "0", "aria-label": say("chat") });
    this._who = el("p", { class: "soft small" });
    const limits = app.line.session.welcome?.limits;
    const form = lineForm(
      "",
      say("send"),
      (text, field) =>
        void app.ask("say", { room: room.id, text }).then((answer) => {
          if (!answer && !field.value) field.value = text; // keep a text that was refused
        }),
      {
        name: "text",
        maxlength: limits?.chatLength ?? 200,
        autocomplete: "off",
        placeholder: say("chatPlaceholder"),
        "aria-label": say("chatPlaceholder"),
      },
    );
    const phrases = el(
      "div",
      { class: "row phrases" },
      ...PHRASES.map((phrase) =>
        el(
          "button",
          { class: "quiet", onclick: () => void app.ask("say", { room: room.id, phrase }) },
          sayOr(`phrase_${phrase}`, "phrase_hello"),
        ),
      ),
    );
    this.element = el(
      "section",
      {
        class: "panel talk",
        "aria-label": say("chat"),
        tabindex: "-1",
        onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this._isOpen && this.toggle(),
      },
      el(
        "div",
        { class: "row spread" },
        el("h2", {}, say("chat")),
        el("button", { class: "link shut", onclick: () => this.toggle() }, say("close")),
      ),
      this._who,
      this._lines,
      limits?.chat === "phrases" ? phrases : form,
    );
    this.element.hidden = limits?.chat === "off";
  }

  get _isOpen() {
    return this.element.classList.contains("open");
  }

  /** @param {boolean} apart */
  draw(apart) {
    write(this._who, apart ? say(this._room.seats.length ? "chatPlayers" : "chatWatchers") : "");
  }

  /** Open or close the sheet. */
  toggle() {
    const isOpen = this.element.classList.toggle("open");
    mark(this._button, "aria-expanded", String(isOpen));
    if (!isOpen) return this._button.focus();
    this._unread = 0;
    this._number();
    this._bubble.remove();
    this._lines.scrollTop = this._lines.scrollHeight;
    this.element.focus();
  }

  /** Open the sheet, or scroll to the chat beside the board. */
  _show() {
    if (!this.element.getClientRects().length) return this.toggle();
    this._bubble.remove();
    this.element.scrollIntoView({ block: "nearest" });
  }

  _number() {
    const number = this._unread;
    mark(this._button, "aria-label", number ? say("unread", { number }) : say("chat"));
    this._button.querySelector("b")?.remove();
    if (number) this._button.append(el("b", {}, String(number)));
  }

  /** Add a line. Lines from before we came are added, too. @param {Said} line */
  add(line) {
    const [seat] = line.seats ?? [];
    const { id, name } = line.player;
    const speaker = id === this._room.player ? el("b", {}, name) : nameOf(this._app, line.player);
    this._lines.append(
      el("li", { "data-by": id }, seat !== undefined && badge(seat), speaker, " ", el("span", {}, spoken(line))),
    );
    this._lines.scrollTop = this._lines.scrollHeight;
  }

  /** @param {Said} line */
  hear(line) {
    this.add(line);
    const { id, name } = line.player;
    if (id === this._room.player) return;
    const said = say("said", { name, text: spoken(line) });
    write(this._live, said);
    if (isInView(this.element)) return;
    if (!this.element.getClientRects().length) {
      this._unread += 1;
      this._number();
    }
    const [seat] = line.seats ?? [];
    const place = this._nameAt(seat);
    const isOver = place && isInView(place);
    fill(this._bubble, el("span", {}, seat === undefined || !isOver ? said : spoken(line)));
    (isOver ? place : this.element.parentElement)?.append(this._bubble);
    clearTimeout(this._bubbling);
    this._bubbling = setTimeout(() => this._bubble.remove(), readingTime(spoken(line)));
  }
}
