// The page: one connection to the server, one screen at a time, and its address.

import { el, fill, mark, write } from "./dom.js";
import { KEPT, Line } from "./line.js";
import { StartScreen } from "./screens/start.js";
import { TableScreen } from "./screens/table.js";
import { gameName, refusal, say, sayOr } from "./texts.js";

/** @typedef {import("./session.js").SessionEvent} SessionEvent */
/** @typedef {import("./protocol.d.ts").ServerMessage} ServerMessage */
/** @typedef {import("./room.js").Room} Room */
/**
 * @typedef {object} Screen
 * @property {HTMLElement} element
 * @property {(event: SessionEvent) => void} [hear]
 * @property {() => void} [tick] several times a second
 * @property {() => void} [leave] called when another screen replaces this one
 * @property {(path: string) => boolean} [stays] whether this screen also shows another address
 */

const TICK_MS = 100;
const ICON_MS = 150;
const NOTE_MS = 6000;
/** Minimum time without a connection before it is announced. */
const MISSED_MS = 700;
/** Time after which the page has loaded, even over a slow connection. */
const SETTLED_MS = 5000;
export const CODE = /^[0-9a-z]{4}-?[0-9a-z]{4}$/i;
const PLAYER = /^player\/([!-.0-~]{1,64})$/;
const REPLAYED = /^replay(?:\/([!-.0-~]{1,64}))?$/;
const WATCHED = /^watch\/([!-.0-~]{1,64})$/;

/** Reasons after which reloading the page doesn't help, because the host keeps this player out. */
const BARRED = new Set(["closed4106", "closed4107", "keptOut", "keptOutFor"]);

/** The games whose lessons this browser has shown. */
export const LESSONS = "tablero.lessons";
const TOLD_NAME = "tablero.toldName";
/** The tables opened here last, each with its code and room. */
const TABLES = "tablero.tables";
const MOST_TABLES = 30;

const DARK = matchMedia("(prefers-color-scheme: dark)");
const CONTRAST = matchMedia("(prefers-contrast: more)");

/** Apply the chosen theme and palette, or else the system's. */
export function dress() {
  const theme = KEPT.read("localStorage", "tablero.theme");
  const { dataset } = document.documentElement;
  dataset.theme = theme === "light" || theme === "dark" ? theme : DARK.matches ? "dark" : "light";
  dataset.contrast = theme === "contrast" || CONTRAST.matches ? "more" : "";
  dataset.palette = KEPT.read("localStorage", "tablero.palette") ?? "ember";
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--paper");
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.setAttribute("content", paper);
}

/** @returns {[string, string][]} */
function knownTables() {
  try {
    const kept = JSON.parse(KEPT.read("localStorage", TABLES) ?? "[]");
    return Array.isArray(kept)
      ? kept.filter(
          (each) => Array.isArray(each) && each.length === 2 && each.every((part) => typeof part === "string"),
        )
      : [];
  } catch {
    return [];
  }
}

/** The letters of a code. @param {string} code */
const letters = (code) => code.replace("-", "").toUpperCase();

export class App {
  constructor() {
    dress();
    for (const each of [DARK, CONTRAST]) each.addEventListener("change", dress);
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.wakeSound(), { once: true });
    /**
     * The output for sounds, once the reader has touched the page and sounds are on.
     * @type {AudioContext | undefined}
     */
    this._audio = undefined;
    this._isSettled = false;
    this._icon = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    const ws = new URL("ws", document.baseURI);
    ws.protocol = ws.protocol.replace("http", "ws");
    this.line = new Line(ws.href, (event) => this._hear(event));
    this._banner = el("p", { class: "banner", role: "status" });
    this._notes = el("div", { class: "notes", role: "status" });
    this._notices = el("div", { class: "notices", role: "status" });
    this._missed = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    /** The last reported pair of a taken name and the name used instead. */
    this._toldName = KEPT.read("localStorage", TOLD_NAME);
    /** The notices of the host, after the first one. @type {import("./screens/notices.js").Notices | undefined} */
    this._news = undefined;
    this._over = el("div", { class: "over" }, this._banner, this._notices, this._notes);
    this._place = el("div", { class: "screen" });
    this.screen = /** @type {Screen | null} */ (null);
    /** Whether the address is a table that this player may still be at. */
    this._undecided = false;
    document.body.replaceChildren(this._over, this._place);
    addEventListener("popstate", () => this._route());
    addEventListener("keydown", ({ key, target }) => {
      const writes = target instanceof Element && target.closest("input, select, textarea, dialog");
      if (key === "?" && !writes && this.screen instanceof TableScreen) void this.showKeys(this.screen.room.table.game);
    });
    setInterval(() => this.screen?.tick?.(), TICK_MS);
    this._route();
  }

  get rooms() {
    return this.line.session.rooms;
  }

  /**
   * Send a command. Shows a refusal and then returns null.
   * @param {string} type
   * @param {object} [fields]
   * @returns {Promise<ServerMessage | null>}
   */
  async ask(type, fields) {
    const answer = await this.line.ask(type, fields);
    if (answer.type !== "refused") return answer;
    this.note(await refusal(answer));
    return null;
  }

  /** Start the sound. Browsers play no sound before the reader has touched the page. */
  wakeSound() {
    if (KEPT.read("localStorage", "tablero.sound") === "off") return;
    if ("AudioContext" in globalThis) this._audio ??= new AudioContext();
    if (this._audio?.state === "suspended") void this._audio.resume();
  }

  /** @param {import("./sound.js").Sound} sound */
  play(sound) {
    const { _audio: audio } = this;
    if (audio) void import("./sound.js").then((tones) => tones.play(audio, sound)).catch(() => undefined);
  }

  /**
   * Set the title of the browser's tab, and mark it on this player's turn.
   * @param {string} title
   * @param {boolean} [isTurn]
   */
  tab(title, isTurn = false) {
    document.title = `${isTurn ? `● ${say("yourTurn")} – ` : ""}${title}`;
    const icon = document.querySelector("link[rel=icon]");
    clearTimeout(this._icon); // after the frame that shows a move, because browsers fetch the icon again
    if (icon)
      this._icon = setTimeout(
        () => mark(icon, "href", new URL(isTurn ? "icon-turn.svg" : "icon.svg", import.meta.url).href),
        ICON_MS,
      );
  }

  /**
   * Fetch a module when needed. If that fails, shows a note and returns null.
   * @template T
   * @param {Promise<T>} module
   * @returns {Promise<T | null>}
   */
  async part(module) {
    try {
      return await module;
    } catch {
      this.note(say("reloadForPart"));
      return null;
    }
  }

  /** Fetch the module with forms and questions. */
  forms() {
    return this.part(import("./screens/forms.js"));
  }

  /** Fetch the screens before the first page. */
  _entrance() {
    return this.part(import("./screens/entrance.js"));
  }

  async settings() {
    (await this.part(import("./screens/settings.js")))?.showSettings(this);
  }

  /** Show the keys of a game above the screen. @param {string} game */
  async showKeys(game) {
    (await this.part(import("./screens/keys.js")))?.showKeys(game);
  }

  /** Show the lessons of a game above the screen. @param {string} game */
  showLessons(game) {
    void this.part(import("./screens/lessons.js").then((lessons) => lessons.showLessons(game)));
  }

  /**
   * Introduce a player to a game, unless this browser has done so before.
   * @param {Room} room
   * @param {HTMLElement | null} button the button for the lessons, if there are any
   * @param {boolean} expects whether a computer player is about to sit down
   */
  async introduce(room, button, expects) {
    const shown = KEPT.read("localStorage", LESSONS)?.split(" ") ?? [];
    if (!button || room.seats.length === 0 || room.turn?.outcome || shown.includes(room.table.game)) return;
    const lessons = await import("./screens/lessons.js").catch(() => null);
    await lessons?.introduce(room, button, expects).catch(() => undefined); // the button still opens the lessons
  }

  /** Show a player's page above the screen. @param {string} player */
  async about(player) {
    (await this.part(import("./screens/player.js")))?.showPlayer(this, player);
  }

  /**
   * Fetch a page under /api as this player. Returns its answer or refusal; null without an answer.
   * @param {string} path
   * @param {RequestInit} [init]
   * @returns {Promise<object | null>}
   */
  async fetched(path, init = {}) {
    const { token } = this.line.session;
    const headers = { ...init.headers, ...(token && { Authorization: `Bearer ${token}` }) };
    try {
      return await (await fetch(new URL(path, document.baseURI), { ...init, headers })).json();
    } catch {
      return null;
    }
  }

  /** Show a note for some seconds. @param {string} text */
  note(text) {
    const note = el("p", { class: "note" }, text);
    fill(this._notes, note);
    setTimeout(() => note.remove(), NOTE_MS);
  }

  /** Show a notice of the host, and keep it until closed. @param {string} text */
  async _notice(text) {
    const module = await this.part(import("./screens/notices.js"));
    if (!module) return this.note(text);
    this._news ??= new module.Notices(this._notices);
    this._news.add(text);
  }

  /** Become the player of another device, and go to the waiting table. @param {string} code */
  takeOver(code) {
    this._show({
      element: el("main", { class: "page centred" }, el("p", { class: "soft" }, say("connecting"))),
      hear: (event) => {
        if (event.kind === "opened") this.open(event.room);
        else if (event.kind === "welcomed" && !event.welcome.rooms?.length) this.home();
      },
    });
    this.line.takeOver(code);
  }

  /** Go to the first page, or to its form for a new table of `game`. @param {string} [game] */
  home(game) {
    this.go("");
    if (game && this.screen instanceof StartScreen) void this.screen.make(game);
  }

  /** Go to an address. @param {string} path */
  go(path) {
    this._go(path);
    this._route();
  }

  /**
   * Create a link to an address, which a browser can also open in another tab.
   * @param {string} path
   * @param {Record<string, any>} attributes
   * @param {...import("./dom.js").Child} children
   */
  link(path, attributes, ...children) {
    const follow = (/** @type {MouseEvent} */ event) => {
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.go(path);
    };
    return el("a", { href: path, onclick: follow, ...attributes }, ...children);
  }

  /** Show the table of a room. @param {Room} room @param {boolean} [replace] whether to replace the address */
  open(room, replace = false) {
    this._go(room.code ?? `watch/${room.id}`, replace);
    if (room.code)
      KEPT.write(
        "localStorage",
        TABLES,
        JSON.stringify(
          [[room.code, room.id], ...knownTables().filter(([code]) => code !== room.code)].slice(0, MOST_TABLES),
        ),
      );
    this._show(new TableScreen(this, room));
  }

  /**
   * The room of a code that was opened here before, because the server forgets the codes of closed tables.
   * @param {string} code
   */
  roomBehind(code) {
    return knownTables().find(([known]) => letters(known) === letters(code))?.[1];
  }

  /** Create a table, against a computer player if `bot` is given. @param {object} fields @param {string} [bot] */
  async create(fields, bot) {
    const joined = await this.ask("createRoom", fields);
    if (joined?.type !== "joined") return;
    const room = this.rooms.get(joined.room);
    if (!room) return;
    this.open(room);
    if (bot && this.screen instanceof TableScreen)
      this.screen.expect(this.ask("invite", { room: room.id, seat: 1, bot }));
  }

  /**
   * Join or watch. Returns the reason of a refusal, or null.
   * @param {object} fields @returns {Promise<string | null>}
   */
  async join(fields) {
    const answer = await this.line.ask("join", fields);
    if (answer.type === "refused") return refusal(answer);
    const room = answer.type === "joined" ? this.rooms.get(answer.room) : undefined;
    if (!room) return say("closed");
    this.open(room, true);
    if (!("watch" in fields) && room.seats.length === 0) this.note(say("fullSoWatch"));
    return null;
  }

  // Addresses

  get _path() {
    const path = location.pathname.slice(new URL(document.baseURI).pathname.length);
    try {
      return decodeURI(path);
    } catch {
      return path; // a wrong link may contain anything
    }
  }

  /** @param {string} path @param {boolean} [replace] */
  _go(path, replace = false) {
    if (path === this._path) return;
    // The base is relative to the first address, so it must be set before the address changes.
    const base = document.querySelector("base");
    if (base) base.href = document.baseURI;
    history[replace ? "replaceState" : "pushState"](null, "", new URL(path, document.baseURI));
  }

  _route() {
    const handed = location.hash.match(/^#go=([!-~]{1,20})$/)?.[1];
    if (handed && this.line.started) {
      location.reload(); // as another player, with an empty state
      return;
    }
    if (handed) {
      history.replaceState(null, "", location.pathname); // at once, so that the code leaves the address
      void this._entrance().then((entrance) => entrance && this._show(new entrance.HandOverScreen(this, handed)));
      return;
    }
    const path = this._path;
    if (this.screen?.stays?.(path)) return;
    const room = this._roomAt(path);
    this._undecided = false;
    if (room) this._show(new TableScreen(this, room));
    else if (CODE.test(path) && this.line.isKnown && this._isComingBack) this._wait();
    else if (path === "") this._show(new StartScreen(this));
    else if (WATCHED.test(path)) {
      this._wait();
      const [, id] = /** @type {RegExpMatchArray} */ (path.match(WATCHED));
      void this.join({ room: id, watch: true }).then((why) => {
        if (why === null) return;
        this.home();
        this.note(why);
      });
    } else if (path === "top") void this._fetch(async () => new (await import("./screens/top.js")).TopScreen(this));
    else if (PLAYER.test(path)) {
      const [, player = ""] = path.match(PLAYER) ?? [];
      void this._fetch(async () => new (await import("./screens/player.js")).PlayerScreen(this, player));
    } else if (REPLAYED.test(path)) {
      const [, of] = path.match(REPLAYED) ?? [];
      void this._fetch(async () => new (await import("./screens/replay.js")).ReplayScreen(this, of ?? null));
    } else void this._fetch(async () => new (await import("./screens/arrive.js")).ArriveScreen(this, path));
  }

  /** Show a screen after fetching its modules. @param {() => Promise<Screen>} make */
  async _fetch(make) {
    const path = this._path;
    this._wait();
    this._undecided = false;
    const screen = await make().catch(() => null);
    if (path !== this._path) return;
    if (screen) this._show(screen);
    else this.note(say("reloadForPart"));
  }

  /** Whether more of this player's rooms may still arrive. */
  get _isComingBack() {
    return this.line.session.state !== "open" || this.line.session.isReturning;
  }

  /** Whether the address is a room or its replay. Then its spectator has not left it. @param {Room} room */
  isAbout(room) {
    return this._path === `replay/${room.id}` || this._roomAt(this._path) === room;
  }

  /** @param {string} path @returns {Room | undefined} */
  _roomAt(path) {
    const watched = path.match(WATCHED)?.[1];
    return [...this.rooms.values()].find(
      (room) => (room.code && letters(room.code) === letters(path)) || room.id === watched,
    );
  }

  _wait() {
    this._undecided = CODE.test(this._path);
    this._show({ element: el("main", { class: "page centred" }, el("p", { class: "soft" }, say("connecting"))) });
    this.line.start();
  }

  /** @param {Screen} screen */
  _show(screen) {
    this.screen?.leave?.();
    this.screen = screen;
    this.tab(say("title"));
    this._place.replaceChildren(screen.element);
    this._news?.attach();
    scrollTo(0, 0);
  }

  /** Offer the installation once the page is idle. */
  _settle() {
    if (this._isSettled) return;
    this._isSettled = true;
    // The copy for times without a server.
    setTimeout(
      () => void Promise.all([import("./screens/forms.js"), import("./screens/menu.js")]).catch(() => undefined),
      SETTLED_MS,
    );
    setTimeout(
      () => void import("./installing.js").then(({ offerToInstall }) => offerToInstall()).catch(() => undefined),
      SETTLED_MS,
    );
  }

  // Events

  /** @param {SessionEvent} event */
  _hear(event) {
    if (event.kind === "apart") this._missed ??= setTimeout(() => this._lost(), MISSED_MS);
    else if (event.kind === "welcomed") {
      this._found(event.again, event.welcome.player.name);
      this._settle();
    } else if (event.kind === "ended") void this._ended(event.code, event.why);
    else if (event.kind === "nameless") void refusal(event.refused).then((why) => this.note(why));
    else if (event.kind === "received" && event.message.type === "announcement")
      void refusal(event.message).then((text) => void this._notice(text));
    else if (event.kind === "wentBack") void this._notice(say("wentBack", { game: gameName(event.room.table.game) }));
    if (event.kind === "closed") this._closed(event.room, event.why);
    else this.screen?.hear?.(event);
    if (event.kind === "opened" && event.seek) this.open(event.room);
    if (this._undecided && (this._roomAt(this._path) || !this._isComingBack)) this._route();
  }

  _lost() {
    const moves = this.screen instanceof TableScreen && this.screen.hasMoveUnderWay;
    write(this._banner, say(moves ? "lostLineQueued" : this.line.session.welcome ? "lostLine" : "unreachable"));
    this._banner.classList.add("shown");
  }

  /** Mark that a move was tapped, or was answered. */
  moveUnderWay() {
    if (this._banner.classList.contains("shown") && this.line.session.state === "apart") this._lost();
  }

  /** @param {boolean} again @param {string} name */
  _found(again, name) {
    const wanted = this.line.session.name;
    const other = `${wanted} ${name}`;
    if (wanted && wanted !== name && this._toldName !== other) {
      this.note(say("nameTaken", { wanted, name }));
      this._toldName = other;
      KEPT.write("localStorage", TOLD_NAME, other); // the name is known on the next page
    }
    if (!again && !this.line.isKept) void this._notice(say("keepsNothing"));
    clearTimeout(this._missed);
    this._missed = undefined;
    if (!this._banner.classList.contains("shown")) return;
    this._banner.classList.remove("shown");
    write(this._banner, again ? say("back") : "");
  }

  /** @param {string} code @param {import("./texts.js").Told | null} why */
  async _ended(code, why) {
    const said = why ? await refusal(why) : say("endedOther");
    if (code === "passphraseNeeded" || code === "wrongPassphrase") {
      void this._askToComeIn(said);
      return;
    }
    const barred = BARRED.has(code) && (await this._entrance());
    if (barred) {
      this._over.remove();
      this._show(new barred.BarredScreen(said));
      return;
    }
    const reload = el("button", { class: "primary", onclick: () => location.reload() }, say("reload"));
    fill(this._banner, code === "closed4101" ? say("endedReplaced") : said, reload);
    this._banner.classList.add("shown");
  }

  /** @param {string} why */
  async _askToComeIn(why) {
    const entrance = await this._entrance();
    if (entrance) this.line.comeInBy(await entrance.passphraseAsked(why));
  }

  /** @param {string} room @param {string} why */
  _closed(room, why) {
    if (!(this.screen instanceof TableScreen) || this.screen.room.id !== room) return;
    if (why !== "left") this.note(sayOr(`closed_${why}`, "closed"));
    this.home();
  }
}

new App();
