// The lists of the best: by game and speed, the fastest of Minesweeper, and the games of tonight.

import "../later-look.js";
import { el, fill, rating } from "../dom.js";
import { PLAYABLE } from "../games.js";
import { say } from "../later-texts.js";
import { refusal } from "../texts.js";
import { choice } from "./forms.js";
import { gameLine, seconds, speedName, who } from "./results.js";
import { backHome } from "./start.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../protocol.d.ts").ServerMessage} ServerMessage */

const SPEEDS = ["blitz", "rapid", "slow", "correspondence", "none"];
const LEVELS = /** @type {const} */ (["beginner", "intermediate", "expert"]);
/** The courses of Minesweeper, with their names. */
const COURSES = [
  ...LEVELS.map((level) => [level, say(level)]),
  ...LEVELS.map((level) => [`${level}-no-guess`, say("courseOf", { level: say(level) })]),
];
const TIMED = "minesweeper";

export class TopScreen {
  /** @param {App} app */
  constructor(app) {
    this._app = app;
    this._games = choice("game", PLAYABLE);
    this._kind = el("div", { class: "segments", role: "group" });
    this._list = el("ol", { class: "leaders" });
    this._more = el("button", { class: "quiet", hidden: true }, say("showMore"));
    this._tonight = el("ul", { class: "lobby" });
    this._tonightMore = el("button", { class: "quiet", hidden: true }, say("showMore"));
    this._which = /** @type {Record<string, string>} */ ({ speed: "rapid", course: "beginner" });
    /** The number of the last request, for ignoring late answers to earlier ones. */
    this._asked = 0;
    this.element = el(
      "main",
      { class: "page people" },
      backHome(app, say("top")),
      el("section", { class: "panel" }, this._games, this._kind, this._list, this._more),
      el("section", {}, el("h2", {}, say("tonight")), this._tonight, this._tonightMore),
    );
    this._games.addEventListener("change", () => this._choose());
    this._choose();
    void this._showTonight();
  }

  get _game() {
    return /** @type {HTMLInputElement | null} */ (this._games.querySelector("input:checked"))?.value ?? "";
  }

  _choose() {
    const isTimed = this._game === TIMED;
    const name = isTimed ? "course" : "speed";
    const offered = isTimed ? COURSES : SPEEDS.map((speed) => [speed, speedName(speed)]);
    this._kind.setAttribute("aria-label", say(isTimed ? "course" : "speed"));
    const hadKeyboard = this._kind.contains(document.activeElement);
    fill(
      this._kind,
      ...offered.map(([value = "", label]) =>
        el(
          "button",
          {
            "aria-pressed": String(this._which[name] === value),
            onclick: () => {
              this._which[name] = value;
              this._choose();
            },
          },
          label,
        ),
      ),
    );
    if (hadKeyboard) /** @type {HTMLElement | null} */ (this._kind.querySelector("[aria-pressed=true]"))?.focus();
    this._list.replaceChildren();
    void this._ask(0);
  }

  /** @param {number} after */
  async _ask(after) {
    this._asked += 1;
    const asked = this._asked;
    this._more.hidden = true;
    const {
      _game: game,
      _which: { course, speed },
    } = this;
    const answer = await (game === TIMED
      ? this._app.line.ask("showTimes", { course, after })
      : this._app.line.ask("showRatings", { game, speed, after }));
    const why = answer.type === "refused" ? await refusal(answer) : "";
    if (asked !== this._asked) return;
    const lines = this._lines(answer);
    if (after === 0 && !lines.length)
      lines.push(el("li", { class: "soft empty" }, why || say(game === TIMED ? "noTimes" : "noLeaders")));
    this._list.append(...lines);
    const more = answer.type === "ratings" || answer.type === "times" ? answer.more : null;
    this._more.hidden = more == null;
    this._more.onclick = () => void this._ask(more ?? 0);
  }

  /** @param {ServerMessage} answer */
  _lines(answer) {
    const line = (
      /** @type {number} */ place,
      /** @type {import("../protocol.d.ts").Player} */ player,
      /** @type {Node | string} */ worth,
      /** @type {string} */ more,
    ) =>
      el(
        "li",
        { class: place <= 3 ? `first-${place}` : "" },
        el("span", { class: "place-number" }, String(place)),
        el("span", { class: "name" }, ...who(this._app, player)),
        el("span", { class: "soft" }, more),
        el("b", { class: "worth" }, worth),
      );
    if (answer.type === "ratings") {
      return answer.leaders.map(({ place, player, value, provisional, games }) =>
        line(place, player, rating(value, provisional), say("gamesPlayed", { number: games })),
      );
    }
    return answer.type === "times"
      ? answer.times.map(({ place, player, milliseconds }) => line(place, player, seconds(milliseconds), ""))
      : [];
  }

  /** @param {string} [after] */
  async _showTonight(after) {
    const answer = await this._app.line.ask("showTonight", { after });
    const games = answer.type === "tonight" ? answer.games : [];
    this._tonight.append(...games.map((game) => gameLine(this._app, game)));
    if (!this._tonight.firstChild)
      this._tonight.append(
        el("li", { class: "soft empty" }, answer.type === "refused" ? await refusal(answer) : say("tonightNone")),
      );
    const more = answer.type === "tonight" ? answer.more : null;
    this._tonightMore.hidden = more == null;
    this._tonightMore.onclick = () => void this._showTonight(more ?? undefined);
  }
}
