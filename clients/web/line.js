// The connection: a WebSocket, its timers, and the player's data in the browser.
//
// Law: this module knows nothing about the meaning of messages; the session does.

import { Session } from "./session.js";

/** @typedef {import("./session.js").SessionEvent} SessionEvent */
/** @typedef {import("./protocol.d.ts").ServerMessage} ServerMessage */

const SUBPROTOCOL = "tablero.v1.json";
const TICK_MS = 250;
/** Time after which a hidden page may have slept. Its connection may be dead without notice. */
const ASLEEP_MS = 15_000;
const TOKEN = "tablero.token";
export const NAME = "tablero.name";
const SESSION = "tablero.session";
/** Browsers that also contain the names after theirs. */
const KNOWN = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];

/**
 * The browser's storage. Without permission, a closed page forgets its player, and even naming the storage may fail.
 * @typedef {"localStorage" | "sessionStorage"} Place
 */
export const KEPT = {
  /** @param {Place} place @param {string} key */
  read(place, key) {
    try {
      return globalThis[place].getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },
  /** @param {Place} place @param {string} key @param {string | undefined} value */
  write(place, key, value) {
    try {
      if (value === undefined) globalThis[place].removeItem(key);
      else globalThis[place].setItem(key, value);
    } catch {
      // a private window
    }
  },
};

/** Create a random id, even without a secure context. */
function makeId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name of this browser in the list of devices, such as "Firefox, Android". */
function deviceName() {
  const agent = navigator.userAgent;
  const browser = agent
    .match(/Firefox|Edg|OPR|Chrome|Safari/g)
    ?.sort((one, other) => KNOWN.indexOf(one) - KNOWN.indexOf(other))[0];
  const system = agent.match(/iPhone|iPad|Android|Windows|Mac OS|CrOS|Linux/)?.[0];
  return [browser?.replace("Edg", "Edge").replace("OPR", "Opera"), system].filter(Boolean).join(", ") || undefined;
}

export class Line {
  /** @param {string} url @param {(event: SessionEvent) => void} hear */
  constructor(url, hear) {
    this._url = url;
    this._hear = hear;
    this._socket = /** @type {WebSocket | null} */ (null);
    this._again = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    /** The callbacks of unanswered commands, by id. @type {Map<string, (answer: ServerMessage) => void>} */
    this._waiting = new Map();
    this._hiddenAt = Infinity;
    this.started = false;
    const session = KEPT.read("sessionStorage", SESSION);
    // A duplicated tab copies this storage, and two tabs with one session would disconnect each other. So the session
    // is stored only while the page is closed.
    KEPT.write("sessionStorage", SESSION, undefined);
    this.session = new Session(Math.random, makeId, {
      client: "tablero-web 1",
      device: deviceName(),
      name: KEPT.read("localStorage", NAME),
      token: KEPT.read("localStorage", TOKEN),
      session,
    });
    /** Whether this browser had a player when the page was loaded. */
    this.wasKnown = this.isKnown;
    addEventListener("pagehide", () => KEPT.write("sessionStorage", SESSION, this.session.session));
    addEventListener("pageshow", () => KEPT.write("sessionStorage", SESSION, undefined));
    addEventListener("online", () => this._soon());
    document.addEventListener("visibilitychange", () => this._seen(document.hidden));
  }

  /** The server's time in milliseconds. */
  get serverNow() {
    return performance.now() + this.session.ahead;
  }

  /** Whether this browser has a player at the server. */
  get isKnown() {
    return this.session.token !== undefined;
  }

  /** Whether the player survives reloading the page. */
  get isKept() {
    return KEPT.read("localStorage", TOKEN) === this.session.token;
  }

  start() {
    if (this.started) return;
    this.started = true;
    setInterval(() => this._tick(), TICK_MS);
    this._open();
  }

  /**
   * Give the server a command, now or after the reconnect.
   * @param {string} type
   * @param {object} [fields]
   * @returns {Promise<ServerMessage>}
   */
  ask(type, fields = {}) {
    return new Promise((resolve) => {
      this._waiting.set(this.session.command(type, fields, now()), resolve);
      this._send();
    });
  }

  /** Send the server's passphrase for newcomers. @param {string} passphrase */
  comeInBy(passphrase) {
    this.session.passphrase = passphrase;
    this.session.mend();
    this._open();
  }

  /** Become the player of another device, by its code. @param {string} code */
  takeOver(code) {
    this.session.handOver = code;
    KEPT.write("localStorage", NAME, undefined);
    this.session.name = undefined;
    this.start();
  }

  /** Change the name, by a new connection: the server reads names from a greeting. @param {string} name */
  rename(name) {
    KEPT.write("localStorage", NAME, name);
    if (this.session.name === name || this.session.welcome?.player.name === name) return;
    this.session.name = name;
    this._socket?.close(1000);
  }

  _open() {
    this._again = undefined;
    const socket = new WebSocket(this._url, SUBPROTOCOL);
    this._socket = socket;
    socket.onopen = () => {
      this.session.connected(now());
      this._send();
    };
    socket.onmessage = ({ data }) => {
      if (this._socket === socket && typeof data === "string")
        this._pass(this.session.receive(JSON.parse(data), now()));
    };
    socket.onclose = ({ code }) => this._lost(socket, code);
  }

  /** @param {WebSocket} socket @param {number | null} code */
  _lost(socket, code) {
    if (this._socket !== socket) return;
    this._socket = null;
    this._pass(this.session.disconnected(code, now()));
  }

  /** @param {SessionEvent[]} events */
  _pass(events) {
    for (const event of events) {
      if (event.kind === "welcomed") {
        KEPT.write("localStorage", TOKEN, this.session.token);
      } else if (event.kind === "apart") {
        this._again = setTimeout(() => this._open(), event.wait * 1000);
      }
      this._hear(event);
      if (event.kind === "ended") {
        this._socket?.close();
        this._socket = null;
      }
      if (event.kind === "settled") {
        this._waiting.get(event.id)?.(event.answer);
        this._waiting.delete(event.id);
      }
    }
    this._send();
  }

  _send() {
    if (this._socket?.readyState !== WebSocket.OPEN) return;
    for (const wire of this.session.outgoing(now())) this._socket.send(JSON.stringify(wire));
  }

  _tick() {
    const socket = this._socket;
    if (socket?.readyState === WebSocket.OPEN && !this.session.tick(now())) {
      socket.close();
      this._lost(socket, null); // a dead connection doesn't report its end
    }
    this._send();
  }

  /** @param {boolean} hidden */
  _seen(hidden) {
    const slept = Date.now() - this._hiddenAt;
    this._hiddenAt = hidden ? Date.now() : Infinity;
    const socket = this._socket;
    if (!hidden && slept > ASLEEP_MS && socket) {
      socket.close();
      this._lost(socket, null);
    }
    if (!hidden) this._soon();
  }

  /** Reconnect at once, because the page is visible again or the network is back. */
  _soon() {
    if (this._again === undefined) return;
    clearTimeout(this._again);
    this._open();
  }
}

function now() {
  return performance.now() / 1000;
}
