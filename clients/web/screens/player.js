// The page of a player: ratings and their history, the score against the reader, and games.

import "../later-look.js";
import { el, emblem, fill, rating, write } from "../dom.js";
import { picture } from "../games.js";
import { say } from "../later-texts.js";
import { gameName, levelName, refusal } from "../texts.js";
import { curve, gameLine, speedName } from "./results.js";
import { backHome } from "./start.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../protocol.d.ts").PlayerPage} Page */
/** @typedef {import("../protocol.d.ts").RatedAt} RatedAt */
/** @typedef {import("../protocol.d.ts").Balance} Balance */

export class PlayerScreen {
  /** @param {App} app @param {string} player an id or a name */
  constructor(app, player) {
    const results = new Results(app, player);
    const head = backHome(app, "");
    head.append(results.heading);
    this.element = el("main", { class: "page people" }, head, results.element);
  }
}

/** Show a player's page over a table, without leaving the game. @param {App} app @param {string} player */
export function showPlayer(app, player) {
  const results = new Results(app, player);
  const dialog = el(
    "dialog",
    { class: "card people", "aria-label": say("player") },
    results.heading,
    results.element,
    el(
      "div",
      { class: "row end" },
      el("a", { class: "button quiet", href: `player/${player}` }, say("wholePage")),
      el("button", { class: "primary", onclick: () => dialog.close() }, say("close")),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element && event.target.closest("a");
      if (!link) return;
      event.stopPropagation();
      Object.assign(link, { target: "_blank", rel: "noopener" }); // a watcher would leave the table by this link
    },
    { capture: true },
  );
  document.body.append(dialog);
  dialog.showModal();
}

class Results {
  /** @param {App} app @param {string} player */
  constructor(app, player) {
    this._app = app;
    this._player = player;
    this.heading = el("h1", {}, "…");
    this._rows = el("ul", { class: "lobby" });
    this._more = el("button", { class: "quiet", hidden: true }, say("showMore"));
    this._above = el("div", { class: "results" });
    this.element = el(
      "div",
      { class: "results" },
      this._above,
      el("section", {}, el("h2", {}, say("games")), this._rows, this._more),
    );
    void this._ask();
  }

  /** @param {string} [after] */
  async _ask(after) {
    this._more.hidden = true;
    const page = await this._app.line.ask("showPlayer", { player: this._player, after });
    if (page.type !== "playerPage") {
      if (page.type !== "refused") return;
      write(this.heading, say("player"));
      fill(this.element, el("p", { class: "complaint", role: "alert" }, await refusal(page)));
      return;
    }
    if (after === undefined) this._begin(page);
    this._rows.append(...page.games.map((game) => gameLine(this._app, game, page.player.id)));
    if (!this._rows.firstChild) this._rows.append(el("li", { class: "soft empty" }, say("noGames")));
    this._more.hidden = page.more == null;
    this._more.onclick = () => void this._ask(page.more ?? undefined);
  }

  /** Create the choice whether to read a player's messages. @param {import("../protocol.d.ts").Player} player */
  _mutes({ id, name }) {
    const { welcome } = this._app.line.session;
    const muted = () => Boolean(welcome?.muted?.[id]) && welcome?.muted?.[id] !== "none";
    const line = el("p", { class: "soft", role: "status" }, muted() ? say("mutedLine", { name }) : "");
    const button = el("button", { class: "quiet", onclick: () => void change() }, say(muted() ? "unmute" : "mute"));
    const change = async () => {
      const what = muted() ? "none" : "chat";
      const answer = await this._app.ask("mute", { player: id, what });
      if (!answer || !welcome) return;
      welcome.muted = { ...welcome.muted, [id]: what };
      write(button, say(muted() ? "unmute" : "mute"));
      write(line, say(muted() ? "mutedLine" : "unmutedLine", { name }));
      for (const said of document.querySelectorAll(".said [data-by]"))
        if (said instanceof HTMLElement && said.dataset.by === id) said.hidden = muted();
    };
    return el("div", { class: "row" }, button, line);
  }

  /** @param {Page} page */
  _begin(page) {
    const { player, ratings, rival, headToHead = [] } = page;
    const isMe = player.id === this._app.line.session.welcome?.player.id;
    fill(
      this.heading,
      player.bot ? emblem() : null,
      player.name,
      isMe
        ? el("span", { class: "soft what" }, say("you"))
        : player.bot
          ? el("span", { class: "soft what" }, say("botOnly"))
          : null,
    );
    fill(
      this._above,
      !isMe && this._mutes(player),
      el(
        "section",
        {},
        el("h2", {}, say("ratings")),
        ratings.length
          ? el("ul", { class: "ratings" }, ...ratings.map(ratingCard))
          : el("p", { class: "soft" }, say("noRated")),
      ),
      rival &&
        headToHead.length > 0 &&
        el(
          "section",
          {},
          el("h2", {}, say("between", { name: player.name, rival: rival.name })),
          el("ul", { class: "balances" }, ...headToHead.map((balance) => balanceLine(balance))),
        ),
    );
  }
}

/** @param {RatedAt} rated */
function ratingCard(rated) {
  const level = rated.level ? levelName(rated.level.replace(/^.*:/, "")) : "";
  return el(
    "li",
    { class: "card rated" },
    picture(rated.game),
    el(
      "div",
      {},
      el("b", {}, gameName(rated.game)),
      el("span", { class: "soft" }, [speedName(rated.speed), level].filter(Boolean).join(" · ")),
    ),
    el(
      "div",
      { class: "worth" },
      el("b", {}, rating(rated.value, rated.provisional)),
      el("span", { class: "soft" }, say("gamesPlayed", { number: rated.games })),
    ),
    rated.curve.length > 1 && curve(rated),
  );
}

/** The line with the wins of both, as lengths and as numbers. @param {Balance} balance */
function balanceLine({ game, wins, draws, losses }) {
  const parts = [
    ["won", wins],
    ["draw", draws],
    ["lost", losses],
  ]
    .filter(([, count]) => count)
    .map(([how, count]) => {
      const part = el("span", { class: `part ${how}` }, String(count));
      part.style.flexGrow = String(count);
      return part;
    });
  return el(
    "li",
    {},
    picture(game),
    el(
      "div",
      {},
      el("b", {}, gameName(game)),
      el("div", { class: "bar-of", "aria-hidden": "true" }, ...parts),
      el("span", { class: "soft" }, say("balance", { wins, draws, losses })),
    ),
  );
}
