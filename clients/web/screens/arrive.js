// The page behind a link to a table.

import { badge, el, fill, write } from "../dom.js";
import { endOf, lessonsLink, PLAYABLE, picture, titleOf } from "../games.js";
import { CODE } from "../main.js";
import { refusal, say } from "../texts.js";
import { nameField } from "./start.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../protocol.d.ts").TablePage} TablePage */

/** The page of a table for a visitor: a free seat, a game to watch, a result, or nothing. */
export class ArriveScreen {
  /** @param {App} app @param {string} code */
  constructor(app, code) {
    this._app = app;
    this._code = code;
    this._name = nameField(app);
    this._title = el("h1", {}, say("invited"));
    this._line = el("p", { class: "soft" }, say("invitedLine", { code: code.toUpperCase() }));
    this._about = el("div", { class: "about-table", role: "status" });
    this._complaint = el("p", { class: "complaint", role: "alert" });
    this._ways = el(
      "div",
      { class: "row" },
      el("p", { class: "soft" }, el("span", { class: "spinner" }), say("connecting")),
    );
    this._form = el(
      "form",
      { class: "card arrive", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      this._title,
      this._line,
      this._about,
      this._name.element,
      this._complaint,
      this._ways,
    );
    this.element = el(
      "main",
      { class: "page centred" },
      this._form,
      el("p", {}, el("button", { class: "link", onclick: () => app.home() }, say("home"))),
    );
    app.line.start();
    if (CODE.test(code)) void this._look();
    else this._nowhere(say("wrongLink"));
  }

  async _look() {
    const page = await this._app.line.ask("showTable", { code: this._code });
    if (page.type === "tablePage") this._show(page);
    else if (page.type === "refused") {
      const room = page.reason === "wrongCode" ? this._app.roomBehind(this._code) : undefined;
      if (room) this._closed(room);
      else this._nowhere(await refusal(page));
    }
  }

  /** @param {TablePage} page */
  _show(page) {
    const { seats, state, outcome } = page;
    const names = seats.map((holder) => holder?.name);
    const host = names.find(Boolean);
    const isOpen = state === "waiting" && seats.includes(null);
    const isOver = Boolean(outcome) || state === "closed";
    write(
      this._title,
      isOpen
        ? host
          ? say("invitedBy", { name: host })
          : say("invited")
        : isOver
          ? say(state === "closed" ? "closedTable" : "gameIsOver")
          : say("gameIsOn"),
    );
    const end = outcome && endOf(outcome, names);
    const [winner] = /** @type {any} */ (outcome)?.winners ?? [];
    fill(
      this._about,
      picture(page.game),
      el(
        "div",
        { class: "who" },
        el("b", {}, titleOf(page)),
        el("span", {}, names.map((name) => name ?? "…").join(" – ")),
        end &&
          el(
            "span",
            { class: "ending" },
            winner !== undefined && badge(winner),
            el("b", {}, end.result),
            el("span", { class: "soft" }, end.why),
          ),
        isOpen && lessonsLink(this._app, page.game),
      ),
    );
    const mayHaveSat = !this._app.line.wasKnown && !isOpen && !isOver;
    if (mayHaveSat) write(this._line, say("forgotten"));
    this._line.hidden = !isOpen && !mayHaveSat;
    this._name.element.hidden = isOver;
    if (isOver) this._over(page);
    else if (isOpen)
      fill(
        this._ways,
        this._way("sitDown", () => this._come({}), "primary large"),
        page.watchers != null && this._way("watchOnly", () => this._come({ watch: true })),
      );
    else
      fill(
        this._ways,
        page.watchers == null
          ? el("p", {}, say("playersAlone"))
          : this._way("watch", () => this._come({ watch: true }), "primary large"),
      );
  }

  /** @param {TablePage} page */
  _over(page) {
    const own = page.seats.findIndex((holder) => holder?.id === this._app.line.session.welcome?.player.id);
    const gone = page.seats.find((holder, seat) => holder && seat !== own && !page.here?.includes(seat));
    const mayReplay =
      page.outcome &&
      PLAYABLE.includes(page.game) &&
      (!page.private || own >= 0 || (page.state !== "closed" && page.watchers != null));
    const again = own >= 0 && !page.next;
    fill(
      this._ways,
      mayReplay && this._way("watchReplay", () => this._replay(page, own), again && !gone ? "quiet" : "primary large"),
      page.next && this._way("watchRematch", () => this._app.go(page.next ?? ""), "quiet"),
      again && !gone && this._way("askRematch", () => this._rematch(page, own), "primary large"),
      again && gone && el("p", { class: "soft" }, say("noRematch", { name: gone.name })),
    );
  }

  /** @param {import("../texts.js").TextName} name @param {() => void} onclick @param {string} [kind] */
  _way(name, onclick, kind = "quiet") {
    return el("button", { class: kind, type: kind.startsWith("primary") ? "submit" : "button", onclick }, say(name));
  }

  /**
   * Offer the record. The record of a private table is only for its players.
   * @param {TablePage} page @param {number} own
   */
  async _replay(page, own) {
    if (page.private && own < 0) {
      const answer = await this._app.line.ask("join", { code: this._code, watch: true });
      if (answer.type === "refused") return write(this._complaint, await refusal(answer));
    }
    this._app.go(`replay/${page.room}`);
  }

  /** @param {TablePage} page @param {number} seat */
  async _rematch({ room }, seat) {
    await this._come({ watch: true });
    if (this._app.rooms.has(room)) await this._app.ask("offer", { room, seat, what: "rematch" });
  }

  /** @param {string} room */
  _closed(room) {
    write(this._title, say("closedTable"));
    this._line.hidden = this._name.element.hidden = true;
    fill(this._ways, this._app.link(`replay/${room}`, { class: "button primary large" }, say("watchReplay")));
  }

  /** @param {string} why */
  _nowhere(why) {
    write(this._title, say("noTable"));
    write(this._complaint, why);
    this._line.hidden = this._name.element.hidden = true;
    const field = el("input", {
      name: "code",
      maxlength: 9,
      autocomplete: "off",
      autocapitalize: "characters",
      value: /^[\w-]{1,9}$/.test(this._code) ? this._code.toUpperCase() : "",
      "aria-label": say("code"),
    });
    fill(
      this._ways,
      field,
      this._way("join", () => this._app.go(field.value.trim()), "primary"),
    );
  }

  /** @param {object} how */
  async _come(how) {
    this._name.use();
    write(this._complaint, "");
    const why = await this._app.join({ code: this._code, ...how });
    if (why) write(this._complaint, why);
  }

  /** @param {import("../session.js").SessionEvent} event */
  hear(event) {
    this._name.hear(event);
  }
}
