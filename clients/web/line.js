// The one connection: a WebSocket, its timers, and what a browser keeps of who we are.
//
// Law: nothing here knows what a message means; the session does.

import { Session } from "./session.js";

/** @typedef {import("./session.js").SessionEvent} SessionEvent */
/** @typedef {import("./protocol.d.ts").ServerMessage} ServerMessage */

const SUBPROTOCOL = "tablero.v1.json";
const TICK_MS = 250;
/** A page that was hidden for so long may have slept, with a dead connection that it has not noticed. */
const ASLEEP_MS = 15_000;
const TOKEN = "tablero.token";
export const NAME = "tablero.name";
const SESSION = "tablero.session";
/** Browsers that also call themselves by the names after theirs. */
const KNOWN = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];

/**
 * A page that may keep nothing forgets who it was when it is closed. Then even to name the storage may be refused.
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

/** Random, also where the page is no secure context. */
function makeId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What to call this browser in the list of one's devices, as "Firefox, Android". */
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
    /** What waits for an answer, by the id of its command. @type {Map<string, (answer: ServerMessage) => void>} */
    this._waiting = new Map();
    this._hiddenAt = Infinity;
    this.started = false;
    const session = KEPT.read("sessionStorage", SESSION);
    // A duplicated tab copies this storage, and two tabs of one session would throw each other out: it is kept only
    // while the page is away.
    KEPT.write("sessionStorage", SESSION, undefined);
    this.session = new Session(Math.random, makeId, {
      client: "tablero-web 1",
      device: deviceName(),
      name: KEPT.read("localStorage", NAME),
      token: KEPT.read("localStorage", TOKEN),
      session,
    });
    /** Whether this browser knew who we are when the page was loaded. */
    this.wasKnown = this.isKnown;
    addEventListener("pagehide", () => KEPT.write("sessionStorage", SESSION, this.session.session));
    addEventListener("pageshow", () => KEPT.write("sessionStorage", SESSION, undefined));
    addEventListener("online", () => this._soon());
    document.addEventListener("visibilitychange", () => this._seen(document.hidden));
  }

  /** The server's clock, in milliseconds. */
  get serverNow() {
    return performance.now() + this.session.ahead;
  }

  /** Whether we were here before. */
  get isKnown() {
    return this.session.token !== undefined;
  }

  /** Whether a page that is loaded again will know who we are. */
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
   * Asks the server for something, now or as soon as there is a line.
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

  /** Says what this server asks newcomers for. @param {string} passphrase */
  comeInBy(passphrase) {
    this.session.passphrase = passphrase;
    this.session.mend();
    this._open();
  }

  /** Comes in as the player that another device said. @param {string} code */
  takeOver(code) {
    this.session.handOver = code;
    KEPT.write("localStorage", NAME, undefined);
    this.session.name = undefined;
    this.start();
  }

  /** Comes in by another name: the server learns names from a greeting. @param {string} name */
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
      this._lost(socket, null); // a dead line does not say that it is closed
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

  /** The page is seen again, or the network is back: reconnect at once. */
  _soon() {
    if (this._again === undefined) return;
    clearTimeout(this._again);
    this._open();
  }
}

function now() {
  return performance.now() / 1000;
}
