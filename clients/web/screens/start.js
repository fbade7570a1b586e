// The first page: play now, play the computer, create or join a table, and the other players.

import { el, emblem, fill, gear, rating, write } from "../dom.js";
import { CARDS, lessonsButton, levelsOf, PLAYABLE, picture, titleOf } from "../games.js";
import { KEPT, NAME } from "../line.js";
import { chooseLanguage, gameName, LANGUAGES, language, levelName, say, sayOr } from "../texts.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../protocol.d.ts").RoomLine} RoomLine */
/** @typedef {import("../protocol.d.ts").Presence} Presence */
/** @typedef {import("../protocol.d.ts").SeekLine} SeekLine */

const MOST_SHOWN = 30;
/** Wait for another player after which the computer is offered. */
const LONG_MS = 10_000;
/** Delay before asking for other servers, so that a reader who goes straight to a table doesn't ask. */
const LOOK_MS = 1_500;
/** Time after which a reader can continue without a connection. */
const LATE_MS = 700;

/**
 * A seek in the form of the protocol. Without a game, any game will do.
 * @typedef {{game?: string, options?: Record<string, any>, clock?: import("../protocol.d.ts").Clock,
 *   rated?: boolean, bots?: boolean}} Sought
 */
const SEEK = "tablero.seek";

/** The last seek on this device. @returns {Sought} */
function sought() {
  try {
    const kept = JSON.parse(KEPT.read("localStorage", SEEK) ?? "{}");
    if (kept.game === undefined ? kept.rated || kept.bots === false : PLAYABLE.includes(kept.game)) return kept;
  } catch {
    // another program wrote the value
  }
  return { bots: true };
}

/**
 * A player's name, with the rating if there is one.
 * @param {import("../protocol.d.ts").Player | null} holder
 * @param {import("../protocol.d.ts").Strength | null} [strength]
 * @returns {Array<string | HTMLElement>}
 */
const named = (holder, strength) => [
  holder?.name ?? "…",
  ...(strength ? [" ", rating(strength.value, strength.provisional)] : []),
];

export class StartScreen {
  /** @param {App} app */
  constructor(app) {
    this._app = app;
    /** @type {Map<string, RoomLine>} */
    this._rooms = new Map();
    /** Our own rooms, which are listed separately. */
    this._held = new Set(app.rooms.keys());
    this._isWelcome = false;
    /** @type {Map<string, Presence>} */
    this._players = new Map();
    /** @type {Map<string, SeekLine>} */
    this._seeks = new Map();
    /**
     * The current seek and its start. Its name is known after the server's answer.
     * @type {{wanted: Sought, since: number, seek: string} | null}
     */
    this._seeking = null;
    /** Whether the seek ended with its connection. */
    this._isCut = false;
    this._waited = el("span", { class: "soft", role: "timer", "aria-live": "off" });
    this._instead = el(
      "button",
      { class: "primary", hidden: true, onclick: () => this._computerInstead() },
      say("computerInstead"),
    );
    /** Whether all pages of the lobby have come. */
    this._isWhole = false;
    this._name = nameField(app);
    this._code = el("input", {
      name: "code",
      maxlength: 200,
      autocomplete: "off",
      autocapitalize: "characters",
      placeholder: "ABCD-EFGH",
      "aria-label": say("code"),
    });
    this._what = el("p", { class: "soft" });
    this._search = el("div", { class: "seeking", role: "status" });
    this._own = el("section", { class: "own", hidden: true });
    this._lobby = el("ul", { class: "lobby" });
    this._heading = el("h2", { tabindex: "-1" }, say("lobby"));
    this._free = el("span", { class: "free" });
    this._noBots = el("p", { class: "soft", hidden: true }, say("noBots"));
    /** The buttons for playing the computer, by game and level. @type {Map<string, HTMLElement>} */
    this._levels = new Map();
    this._nearby = el("section", { hidden: true });
    this._count = el("p", { class: "soft count" });
    this.element = this._build();
    // Nothing moves under a finger: the page below the lobby and the player's tables waits for their first news.
    this.element.classList.add("early");
    this.element.classList.toggle("returns", app.line.isKnown && !app.line.session.welcome);
    setTimeout(() => this.element.classList.remove("returns"), LATE_MS);
    app.line.start();
    void app.line.ask("watchLobby");
    this._later = setTimeout(() => void this._lookAround(), LOOK_MS);
    this._draw();
  }

  _ownResults() {
    const own = this._app.line.session.welcome?.player.id;
    if (own) this._app.go(`player/${own}`);
  }

  /** Scroll to the lobby, which is far below on a phone. */
  _toLobby() {
    this._heading.focus({ preventScroll: true });
    this._heading.scrollIntoView();
  }

  _build() {
    const app = this._app;
    const join = (/** @type {Event} */ event) => {
      event.preventDefault();
      this._name.use();
      const [code] = this._code.value.trim().split("/").slice(-1); // some people paste the whole link
      if (code) void this._come({ code });
    };
    return el(
      "main",
      { class: "page start" },
      el(
        "header",
        { class: "masthead" },
        logo(),
        el("p", { class: "tagline" }, say("tagline")),
        languages(),
        gear(say("settings"), () => void app.settings()),
        el(
          "nav",
          { class: "row", "aria-label": say("more") },
          app.link("top", { class: "link" }, say("top")),
          el("button", { class: "link", onclick: () => this._ownResults() }, say("yourResults")),
          app.link("replay", { class: "link" }, say("replay")),
          el("button", { class: "link", onclick: () => this._toLobby() }, say("lobby"), this._free),
        ),
      ),
      this._own,
      el(
        "section",
        { class: "ways" },
        this._name.element,
        el(
          "div",
          { class: "way" },
          el("button", { class: "primary large", onclick: () => this._playNow() }, say("playNow")),
          this._what,
          this._search,
          el("button", { class: "link", onclick: () => void this._choose() }, say("seekChoose")),
        ),
        el(
          "div",
          { class: "way" },
          el("button", { class: "large", onclick: () => void this.make() }, say("makeTable")),
          el("p", { class: "soft" }, say("makeTableLine")),
        ),
        el(
          "form",
          { class: "way code", onsubmit: join },
          el("p", { class: "soft" }, say("haveCode")),
          el("div", { class: "row" }, this._code, el("button", { type: "submit" }, say("join"))),
        ),
      ),
      el(
        "section",
        { class: "computer" },
        el("h2", {}, say("playComputer")),
        this._noBots,
        el("div", { class: "cards" }, ...PLAYABLE.map((game) => this._card(game))),
      ),
      el("section", {}, el("div", { class: "row spread" }, this._heading, this._count), this._lobby),
      this._nearby,
      this._terminal(),
    );
  }

  /** List other servers of this network, as found by ours. Anyone may have chosen their names. */
  async _lookAround() {
    const told = /** @type {any} */ (await this._app.fetched("api/nearby"));
    const servers = /** @type {{name: string, link: string}[]} */ (told?.servers ?? []).filter(({ link }) =>
      /^https?:\/\/[\d.]+:\d+\//.test(link),
    );
    this._nearby.hidden = servers.length === 0;
    fill(
      this._nearby,
      el("h2", {}, say("nearby")),
      el(
        "ul",
        { class: "lobby" },
        ...servers.map(({ name, link }) =>
          el(
            "li",
            {},
            emblem(),
            el("div", { class: "who" }, el("b", {}, name), el("span", {}, link)),
            el(
              "a",
              { class: "button", href: link, rel: "noreferrer" },
              say("goThere"),
              el("span", { class: "unseen" }, ` ${name}`),
            ),
          ),
        ),
      ),
    );
  }

  /** Show the command for a terminal. The server tells it to programs such as curl. */
  _terminal() {
    const lines = el("div", { class: "commands" });
    const details = el(
      "details",
      {
        class: "soft",
        ontoggle: async () => {
          if (!details.open || lines.firstChild) return;
          const answer = await fetch(document.baseURI, { headers: { Accept: "text/plain" } }).catch(() => null);
          const told = (await answer?.text())?.match(/(uvx --from \S+ )?tablero play \S+/g) ?? [];
          fill(lines, ...(told.length ? told.map((line) => el("code", {}, line)) : [say("noAnswer")]));
        },
      },
      el("summary", {}, say("inTerminal")),
      lines,
    );
    return details;
  }

  /** @param {string} game */
  _card(game) {
    return el(
      "article",
      { class: "card game" },
      lessonsButton(this._app, game, picture(game)) ?? picture(game),
      el("h3", {}, gameName(game)),
      el(
        "ul",
        { class: "levels" },
        ...(CARDS[game]?.alone ? [this._alone(game)] : []),
        ...levelsOf(game).map((level) => this._level(game, level)),
      ),
    );
  }

  /** @param {string} game */
  _alone(game) {
    const sizes = CARDS[game]?.sizes ?? [];
    return el(
      "li",
      { class: "alone" },
      el("span", {}, say("alone")),
      el(
        "div",
        { class: "row" },
        ...sizes.map(({ name, label, options }) =>
          el(
            "button",
            {
              onclick: () => this._playAlone(game, options),
            },
            el("span", { class: "unseen" }, say("playAlone", { game: gameName(game) })),
            name ?? label,
          ),
        ),
      ),
    );
  }

  /** Play alone at a public table: others give no best time. @param {string} game @param {object} size */
  _playAlone(game, size) {
    this._name.use();
    const { options, seats } = CARDS[game]?.alone ?? {};
    void this._app.create({ game, seats, options: { ...size, ...options } });
  }

  /** @param {string} game @param {string} level */
  _level(game, level) {
    const item = el(
      "li",
      {},
      el(
        "button",
        { class: "level", onclick: () => this._against(game, level) },
        el("span", { class: "unseen" }, say("playAgainst", { game: gameName(game) })),
        el("b", {}, levelName(level)),
        el("span", { class: "soft" }, sayOr(`${game}:${level}`, "level")),
      ),
    );
    this._levels.set(`${game}:${level}`, item);
    return item;
  }

  /** Enable only the levels of bots that are here. */
  _drawLevels() {
    const brains = [...this._players.values()].flatMap((player) => player.card?.brains ?? []);
    const offered = new Set(brains.flatMap(({ game, levels }) => levels.map((level) => `${game}:${level}`)));
    for (const [name, item] of this._levels) item.hidden = !offered.has(name);
    for (const card of this.element.querySelectorAll(".game")) {
      /** @type {HTMLElement} */ (card).hidden = !card.querySelector("li:not([hidden])");
    }
    this._noBots.hidden = [...this._levels.values()].some((item) => !item.hidden);
  }

  async _choose() {
    const wanted = await (await this._app.forms())?.askWhatToSeek(sought());
    if (!wanted) return;
    KEPT.write("localStorage", SEEK, JSON.stringify(wanted));
    this._playNow(wanted);
  }

  _playNow(wanted = sought()) {
    this._name.use();
    void this._seek(wanted);
  }

  /** @param {Sought} wanted */
  async _seek(wanted) {
    this._cancel();
    const seeking = { wanted, since: Date.now(), seek: "" };
    this._seeking = seeking;
    this._draw();
    const answer = await this._app.ask("seek", wanted);
    if (answer?.type === "ok" && answer.seek) seeking.seek = answer.seek;
    if (this._seeking === seeking && seeking.seek) return;
    if (seeking.seek) void this._app.line.ask("cancelSeek", { seek: seeking.seek }); // the seek has changed since
    if (this._seeking === seeking) this._seeking = null;
    this._draw();
  }

  /** Seek again after a lost connection, unless the seek has brought us to a table. @param {{room: string}[]} rooms */
  _seekOn(rooms) {
    const { _seeking: seeking } = this;
    this._isCut = false;
    this._seeking = null;
    if (seeking && rooms.every(({ room }) => this._app.rooms.has(room))) void this._seek(seeking.wanted);
  }

  _stop() {
    this._cancel();
    this._draw();
  }

  _cancel() {
    if (this._seeking?.seek) void this._app.line.ask("cancelSeek", { seek: this._seeking.seek });
    this._seeking = null;
  }

  /** The level to play at if none was chosen, for a game that another player seeks. */
  _substitute() {
    const offered = (/** @type {string} */ game) =>
      ["normal", ...levelsOf(game)].find((level) => this._levels.get(`${game}:${level}`)?.hidden === false);
    const wanted = this._seeking?.wanted.game;
    const game = (wanted ? [wanted] : PLAYABLE).find(offered);
    return game && { game, level: offered(game) ?? "" };
  }

  _computerInstead() {
    const found = this._substitute();
    this._stop();
    if (found) this._against(found.game, found.level);
  }

  tick() {
    if (!this._seeking) return;
    const waited = Date.now() - this._seeking.since;
    write(this._waited, say("waited", { seconds: Math.floor(waited / 1000) }));
    this._instead.hidden = waited < LONG_MS || !this._substitute();
  }

  /** @param {string} [game] */
  async make(game) {
    this._name.use();
    const wanted = await (await this._app.forms())?.askForTable(this._app, game);
    if (wanted) await this._app.create(wanted);
  }

  /** @param {string} game @param {string} level */
  _against(game, level) {
    this._name.use();
    void this._app.create({ game, private: true, ...CARDS[game]?.against }, `${game}:${level}`);
  }

  /** @param {RoomLine} line */
  _line(line) {
    const free = line.seats.includes(null) && line.state === "waiting";
    const names = line.seats.flatMap((holder, seat) => [seat ? " – " : "", ...named(holder, line.ratings?.[seat])]);
    const known = PLAYABLE.includes(line.game);
    const act = free
      ? el("button", { onclick: () => this._come({ room: line.room }) }, say("sitDown"))
      : line.watchers != null &&
        el("button", { class: "quiet", onclick: () => this._come({ room: line.room, watch: true }) }, say("watch"));
    return el(
      "li",
      {},
      (free && lessonsButton(this._app, line.game, picture(line.game))) || picture(line.game),
      el("div", { class: "who" }, el("b", {}, titleOf(line)), el("span", {}, ...names)),
      known && act,
    );
  }

  /** @param {SeekLine} line */
  _seekLine(line) {
    const game = line.game ? titleOf({ ...line, game: line.game }) : say("anyGame");
    const same = line.game
      ? { game: line.game, options: line.options ?? {}, clock: line.clock ?? undefined, rated: line.rated }
      : { rated: Boolean(line.rated), bots: false };
    if (line.game && !PLAYABLE.includes(line.game)) return null;
    const mine = line.player.id === this._app.line.session.welcome?.player.id;
    return mine
      ? null
      : el(
          "li",
          {},
          line.game ? picture(line.game) : emblem(),
          el(
            "div",
            { class: "who" },
            el("b", {}, ...named(line.player, line.rating)),
            el("span", {}, say("looksFor", { name: line.player.name, game })),
          ),
          el("button", { onclick: () => void this._seek(same) }, say("playThem", { name: line.player.name })),
        );
  }

  /** @param {object} how */
  async _come(how) {
    this._name.use();
    const why = await this._app.join(how);
    if (why) this._app.note(why);
  }

  _draw() {
    const seeks = [...this._seeks.values()].slice(0, MOST_SHOWN).map((line) => this._seekLine(line));
    const open = [...this._rooms.values()].filter(
      (line) => ["waiting", "playing"].includes(line.state) && !this._held.has(line.room),
    );
    open.sort((one, other) => Number(other.state === "waiting") - Number(one.state === "waiting"));
    const lines = [...seeks, ...open.slice(0, MOST_SHOWN).map((line) => this._line(line))].filter(
      (line) => line !== null,
    );
    fill(this._lobby, ...(lines.length ? lines : [el("li", { class: "soft empty" }, say("lobbyEmpty"))]));
    const free = open.filter((line) => line.state === "waiting").length + seeks.filter(Boolean).length;
    write(this._free, free ? ` (${free})` : "");
    const bots = [...this._players.values()].filter((player) => player.bot).length;
    write(this._count, say("here", { people: this._players.size - bots, bots }));
    this._drawSearch();
    if (this._isWhole) this._drawLevels();
    this.element.classList.toggle("early", !this._isWhole);
    this._drawOwn();
  }

  _drawSearch() {
    const { game, options, clock, rated, bots } = this._seeking?.wanted ?? sought();
    const title = game ? titleOf({ game, options, clock }) : say("anyGame");
    const wanted = [title, rated && say("rated")].filter(Boolean).join(" · ");
    write(this._what, game || rated || !bots ? wanted : say("playNowLine"));
    const key = this._seeking ? wanted : "";
    if (this._search.dataset.key === key) return;
    this._search.dataset.key = key;
    fill(
      this._search,
      ...(key
        ? [
            el("p", {}, el("span", { class: "spinner" }), say("searching"), " ", this._waited),
            this._instead,
            el("button", { class: "quiet", onclick: () => this._stop() }, say("stop")),
          ]
        : []),
    );
    this.tick();
  }

  _drawOwn() {
    const own = [...this._app.rooms.values()].filter((room) => room.table.state !== "finished");
    this._own.hidden = own.length === 0;
    const areOpen = this._isWelcome && [...this._held].every((room) => this._app.rooms.has(room));
    if (areOpen || this._isWhole) this.element.classList.remove("returns"); // the page below moves no more
    fill(
      this._own,
      own.length > 0 && el("h2", {}, say("yourTables")),
      own.length > 0 &&
        el(
          "ul",
          { class: "lobby" },
          ...own.map((room) =>
            el(
              "li",
              {},
              picture(room.table.game),
              el(
                "div",
                { class: "who" },
                el("b", {}, gameName(room.table.game)),
                el("span", {}, room.table.seats.map((holder) => holder?.name ?? "…").join(" – ")),
              ),
              el("button", { onclick: () => this._app.open(room) }, say("goOn")),
            ),
          ),
        ),
    );
  }

  /** @param {import("../session.js").SessionEvent} event */
  hear(event) {
    this._name.hear(event);
    if (event.kind === "apart") this._isCut = Boolean(this._seeking?.seek);
    else if (event.kind === "welcomed" && this._isCut) this._seekOn(event.welcome.rooms ?? []);
    if (event.kind === "welcomed") {
      for (const { room } of event.welcome.rooms ?? []) this._held.add(room);
      this._isWelcome = true;
    }
    if (event.kind === "received" && (event.message.type === "lobby" || event.message.type === "lobbyChanged")) {
      this._take(event.message);
    } else if (event.kind !== "opened" && event.kind !== "welcomed") return;
    this._draw();
  }

  /** @param {import("../protocol.d.ts").LobbyList | import("../protocol.d.ts").LobbyChanged} message */
  _take(message) {
    for (const line of message.rooms ?? []) this._rooms.set(line.room, line);
    for (const player of message.players ?? []) this._players.set(player.id, player);
    for (const line of message.seeks ?? []) this._seeks.set(line.seek, line);
    if (message.type === "lobby" && !message.more) this._isWhole = true;
    if (message.type === "lobby" && message.more) void this._app.line.ask("watchLobby", { after: message.more });
    if (message.type !== "lobbyChanged") return;
    for (const id of message.gone ?? [])
      for (const known of [this._rooms, this._players, this._seeks]) known.delete(id);
  }

  leave() {
    clearTimeout(this._later);
    void this._app.line.ask("unwatchLobby");
    this._cancel();
  }
}

/** Create the name of the site with its emblem. */
function logo() {
  return el("h1", { class: "logo" }, emblem(), say("title"));
}

/** Create the link back to the first page, above other pages. @param {App} app @param {string} title */
export function backHome(app, title) {
  return el(
    "header",
    { class: "bar" },
    app.link("", { class: "home" }, emblem(), el("b", {}, say("title")), el("span", { class: "unseen" }, say("home"))),
    title && el("h1", {}, title),
  );
}

/** Create the choice of the language, which changes at once. */
function languages() {
  /** @type {HTMLSelectElement} */
  const select = el(
    "select",
    { class: "language", "aria-label": say("language"), onchange: () => chooseLanguage(select.value) },
    ...Object.entries(LANGUAGES).map(([code, name]) =>
      el("option", { value: code, lang: code, selected: code === language }, name),
    ),
  );
  return select;
}

/** Create the field for the name. @param {App} app */
export function nameField(app) {
  const { line } = app;
  const field = el("input", {
    name: "name",
    minlength: 2,
    maxlength: 20,
    autocomplete: "nickname",
    autocapitalize: "none",
    spellcheck: "false",
    value: line.session.welcome?.player.name ?? line.session.name ?? "",
    // Saved at once, because leaving the page gives no time.
    oninput: () => chosen() && field.checkValidity() && KEPT.write("localStorage", NAME, chosen()),
    onchange: () => line.started && use(),
    onfocus: () => line.session.name === undefined && field.select(), // typing replaces a guest's name
  });
  const chosen = () => field.value.trim().replace(/\s+/g, "-");
  const use = () => {
    if (chosen()) line.rename(chosen());
  };
  return {
    element: el("label", { class: "field" }, el("span", {}, say("yourName")), field, el("small", {}, say("nameHint"))),
    use,
    /** @param {import("../session.js").SessionEvent} event */
    hear(event) {
      if (event.kind === "welcomed" && document.activeElement !== field) field.value = event.welcome.player.name;
    },
  };
}
