// One player's side of the protocol: what to send and when, and which received messages are news.
//
// Law: plain functions of events and times. Sockets, timers, storage and randomness are passed in. After any call with
// `now` (in seconds), send what `outgoing(now)` returns.
//
// It follows clients/tablero/client/session.py, for a client that listens to all events in all its rooms.

import { Room } from "./room.js";

/** @typedef {import("./protocol.d.ts").ServerMessage} ServerMessage */
/** @typedef {import("./protocol.d.ts").Welcome} Welcome */
/** @typedef {import("./protocol.d.ts").Joined} Joined */
/** @typedef {import("./protocol.d.ts").Table} Table */
/** @typedef {import("./protocol.d.ts").Refused} Refused */
/** @typedef {{type: string, id: string, [field: string]: unknown}} Wire */
/**
 * Events for the application.
 * @typedef {{kind: "welcomed", welcome: Welcome, again: boolean}
 *   | {kind: "received", message: ServerMessage, room?: Room}
 *   | {kind: "settled", id: string, answer: ServerMessage}
 *   | {kind: "opened", room: Room, before?: string, seek?: string, re?: string}
 *   | {kind: "wentBack", room: Room}
 *   | {kind: "closed", room: string, why: string}
 *   | {kind: "nameless", refused: Refused}
 *   | {kind: "apart", wait: number}
 *   | {kind: "ended", code: string, why: import("./texts.js").Told | null}} SessionEvent
 */

export const PROTOCOL = 1;
const PING_EVERY = 5;
const PATIENCE = 5;
const LONGEST_WAIT = 4;
const STEADY = 30;
const RETRY = 2;
const MOST_WAITS = 5;
/** All events of a room except the position, which is requested with its legal moves. @type {string[]} */
const EVENTS = ["chat", "members", "offers"];
const BRINGS_IN = new Set(["createRoom", "join", "seek"]);
/** Types of answers that are also events of a room, or news for all. */
const IN_ORDER = new Set([
  "nextPlayer",
  "joined",
  "left",
  "said",
  "offered",
  "answered",
  "rematch",
  "seq",
  "preparing",
  "unprepared",
  "optionsSet",
  "freed",
  "swapped",
  "began",
]);
const MAY_RETURN = (/** @type {number} */ code) => code < 4100 || code > 4199;

export class Session {
  /**
   * @param {() => number} random between 0 and 1
   * @param {() => string} makeId returns a new random id for each command
   * @param {{client: string, device?: string, name?: string, token?: string, session?: string,
   *   handOver?: string}} known
   */
  constructor(random, makeId, known) {
    this.state = /** @type {"apart" | "greeting" | "open" | "ended"} */ ("apart");
    this.name = known.name;
    this.token = known.token;
    this.session = known.session;
    /** A code from another device, used by the next greeting. */
    this.handOver = known.handOver;
    this.welcome = /** @type {Welcome | null} */ (null);
    /** @type {Map<string, Room>} */
    this.rooms = new Map();
    /** Milliseconds by which the server's clock is ahead of `now`. */
    this.ahead = 0;
    /** The server's passphrase for newcomers, once known. @type {string | undefined} */
    this.passphrase = undefined;
    this._client = known.client;
    this._device = known.device;
    this._random = random;
    this._commands = new Commands(makeId);
    /** @type {Wire[]} */
    this._urgent = [];
    /** The room of each pending resume or rejoin, by command id. @type {Map<string, string>} */
    this._returns = new Map();
    /** @type {Map<string, string>} */
    this._rematchOf = new Map();
    this._watchesLobby = false;
    /** @type {SessionEvent[]} */
    this._events = [];
    this._attempts = 0;
    this._askedAt = /** @type {number | null} */ (null);
    this._pingAt = 0;
    this._openedAt = /** @type {number | null} */ (null);
    this._returnAfter = 0;
    this._useless = false;
    /** The server's message before it closed the connection. */
    this._bye = /** @type {import("./protocol.d.ts").Bye | null} */ (null);
  }

  // The connection

  /** @param {number} now */
  connected(now) {
    this.state = "greeting";
    this._greet(now);
  }

  /** @param {ServerMessage} message @param {number} now @returns {SessionEvent[]} */
  receive(message, now) {
    if (this.state === "greeting") this._greeted(message, now);
    else if (this.state === "open") {
      this._askedAt = null;
      this._heard(message, now);
    }
    return this._taken();
  }

  /** @param {number | null} code the close code @param {number} now @returns {SessionEvent[]} */
  disconnected(code, now) {
    const up = this._openedAt === null ? 0 : now - this._openedAt;
    if (up >= STEADY) this._attempts = 0;
    const wait = this._returnAfter + this._random() * Math.min(LONGEST_WAIT, 0.25 * 2 ** Math.min(this._attempts, 8));
    this._attempts += 1;
    this._openedAt = this._askedAt = null;
    this._returnAfter = 0;
    this._useless = false;
    this._urgent = [];
    this._returns.clear();
    this._commands.forgetOwn();
    if (this.state !== "ended" && code !== null && !MAY_RETURN(code)) this._end(`closed${code}`, this._bye);
    if (this.state !== "ended") {
      this.state = "apart";
      this._events.push({ kind: "apart", wait });
    }
    return this._taken();
  }

  /** Check whether the connection is alive. Call this a few times a second. @param {number} now */
  tick(now) {
    if (this.state === "open" && now >= this._pingAt) {
      this._pingAt = now + PING_EVERY;
      this._sayUrgently("ping", {}, now);
    }
    return !this._useless && (this._askedAt === null || now - this._askedAt < PATIENCE);
  }

  /** The messages to send now, in order. @param {number} now @returns {Wire[]} */
  outgoing(now) {
    const wires = this._urgent;
    this._urgent = [];
    return this.state === "open" ? [...wires, ...this._commands.due(now)] : wires;
  }

  // Commands of the application

  /**
   * Give the server a command, now or after the reconnect. Returns the id of the answer.
   * @param {string} type @param {object} fields @param {number} now
   */
  command(type, fields, now) {
    if (type === "watchLobby") this._watchesLobby = true;
    if (type === "unwatchLobby") this._watchesLobby = false;
    const more = BRINGS_IN.has(type) ? { subscribe: EVENTS } : {};
    return this._commands.give(type, { ...more, ...fields }, now).id;
  }

  /** Whether more of this player's rooms may still arrive. */
  get isReturning() {
    return this._returns.size > 0;
  }

  /** Allow another connection after an end that can be fixed, for example by a passphrase. */
  mend() {
    this.state = "apart";
  }

  // Greeting

  /** @param {number} now */
  _greet(now) {
    /** @type {Record<string, unknown>} */
    const hello = { protocol: PROTOCOL, client: this._client };
    if (this._device) hello.device = this._device;
    if (this.name && !this.handOver) hello.name = this.name;
    if (this.handOver) hello.handOver = this.handOver;
    else if (this.token) hello.token = this.token;
    if (this.passphrase) hello.passphrase = this.passphrase;
    if (this.token && this.session && !this.handOver) hello.session = this.session;
    this._sayUrgently("hello", hello, now);
  }

  /**
   * Handle the answer to `hello`. No other message ends the silence.
   * @param {ServerMessage} message @param {number} now
   */
  _greeted(message, now) {
    if (message.type === "bye") this._goodbye(message);
    else if (message.type === "welcome") this._welcomed(message, now);
    else if (message.type === "refused") {
      this._askedAt = null;
      if (this.handOver && message.retryAfterMs == null) {
        this.handOver = undefined;
        this._events.push({ kind: "nameless", refused: message });
        this._greet(now);
      } else if (message.code === "badToken" && this.token) {
        this.token = this.session = undefined;
        this._greet(now);
      } else if ((message.code === "badName" || message.reason === "renamesTooOften") && this.name) {
        this.name = undefined;
        this._events.push({ kind: "nameless", refused: message });
        this._greet(now);
      } else if (message.retryAfterMs != null) {
        this._returnAfter = message.retryAfterMs / 1000;
        this._useless = true;
      } else this._end(message.reason, message);
    }
  }

  /** @param {import("./protocol.d.ts").Bye} bye */
  _goodbye(bye) {
    this._bye = bye;
    this._returnAfter = (bye.retryAfterMs ?? 0) / 1000;
  }

  /** @param {Welcome} welcome @param {number} now */
  _welcomed(welcome, now) {
    this.state = "open";
    this._askedAt = null;
    this._openedAt = now;
    this._pingAt = now + PING_EVERY;
    this.token = welcome.token ?? this.token;
    this.passphrase = undefined;
    this.handOver = undefined;
    const again = this.welcome !== null;
    this.welcome = welcome;
    this.session = welcome.session;
    this.ahead = welcome.now - now * 1000;
    this._events.push({ kind: "welcomed", welcome, again });
    this._commands.reconnected(now);
    const held = new Set((welcome.rooms ?? []).map((line) => line.room));
    for (const room of [...this.rooms.values()]) {
      if (room.session === welcome.session) {
        this._resume(room, now);
        this._subscribe(room, now);
      } else if (!held.has(room.id) && this._commands.leaving(room.id)) this._close(room.id, "left");
      else this._comeBack(room.id, now);
    }
    for (const id of held) if (!this.rooms.has(id)) this._comeBack(id, now);
    if (this._watchesLobby) this._commands.give("watchLobby", {}, now, true);
  }

  // Messages once open

  /** @param {ServerMessage} message @param {number} now */
  _heard(message, now) {
    if (message.type === "joined" && message.table) this._joined(message, message.table, now);
    else if (IN_ORDER.has(message.type)) this._roomEvent(/** @type {any} */ (message), now);
    else if (message.type === "snapshot") this._snapshot(message, now);
    else if (message.type === "ok") {
      const room = message.room ? this.rooms.get(message.room) : undefined;
      if (room && message.seq != null) this._inOrder(room, { type: "seq", room: room.id, seq: message.seq }, now);
    } else if (message.type === "pong") this._pong(message, now);
    else if (message.type === "bye") this._goodbye(message);
    else if (message.type !== "refused") {
      const id = "room" in message ? message.room : message.type === "announcement" && message.fields.room;
      const room = id ? this.rooms.get(id) : undefined;
      if (room && message.type === "announcement" && message.reason === "sameAddress") room.hearUnrated();
      if (room && (message.type === "away" || message.type === "back")) room.hearPresence(message);
      if (room && message.type === "rated") room.hearRatings(message);
      this._events.push({ kind: "received", message, room });
    }
    this._settle(message, now);
  }

  /** @param {import("./protocol.d.ts").Pong} pong @param {number} now */
  _pong(pong, now) {
    this.ahead = pong.now - now * 1000;
    for (const room of [...this.rooms.values()]) {
      const head = pong.heads[room.id] ?? room.seq + 1; // a room without a head was closed meanwhile
      if (room.session === this.session && head > room.seq) this._mindGap(room, now);
    }
  }

  /**
   * Handle a join: to a room, to one more seat, or to a rematch.
   * @param {Joined} message @param {Table} table @param {number} now
   */
  _joined(message, table, now) {
    if (message.re && !this._commands.has(message.re)) return; // a second answer: we may have left since
    let room = this.rooms.get(message.room);
    const returning = message.re != null && this._returns.has(message.re);
    const isNew = room === undefined;
    if (!room) room = this._open(message.room, table, message.seq, message);
    else if (room.epoch !== table.epoch) this._goOnFrom(room, table.epoch, message.seq, table);
    else if (message.seq >= room.seq) {
      room.setTable(table, message.seq);
      if (returning) {
        room.hereSince = message.seq; // this is the current room; a resume brings the missed events
        room.behind ||= message.seq > room.seq;
      } else if (!room.behind) this._roomEvent(message, now);
    } else if (returning) room.behind = true;
    const known = room.session === this.session;
    room.session = this.session ?? "";
    room.code = message.code ?? table.code ?? room.code;
    if (isNew || returning || !known) this._subscribe(room, now);
    this._events.push({ kind: "received", message, room });
  }

  /** @param {string} id @param {Table} table @param {number} seq @param {Partial<Joined>} [how] */
  _open(id, table, seq, how = {}) {
    const room = new Room(id, table, seq, this.welcome?.player.id ?? "");
    room.code = how.code ?? table.code ?? undefined;
    this.rooms.set(id, room);
    this._events.push({
      kind: "opened",
      room,
      before: this._rematchOf.get(id),
      seek: how.seek ?? undefined,
      re: how.re ?? undefined,
    });
    return room;
  }

  /** @param {any} message a message with a place in a room's order @param {number} now */
  _roomEvent(message, now) {
    const room = this.rooms.get(message.room);
    if (!room) return;
    if (message.type === "rematch") this._rematchOf.set(message.next, message.room);
    const news = message.seq > Math.max(room.seq, room.hereSince);
    this._inOrder(room, message, now);
    if (news && message.type === "left" && message.player.id === room.player) {
      const asked = message.re && this._commands.has(message.re);
      if (asked || ![...this._returns.values()].includes(room.id)) this._close(room.id, message.reason);
    }
  }

  /** @param {Room} room @param {any} message @param {number} now */
  _inOrder(room, message, now) {
    if (room.hear(message)) this._events.push({ kind: "received", message, room });
    if (room.behind) this._mindGap(room, now);
  }

  /** @param {import("./protocol.d.ts").Snapshot} message @param {number} now */
  _snapshot(message, now) {
    let room = this.rooms.get(message.room);
    if (!room) {
      room = this._open(message.room, message.table, message.seq);
      room.session = this.session ?? "";
      this._subscribe(room, now);
    }
    this._goOnFrom(room, message.epoch, message.seq, message.table);
    for (const turn of message.turns) room.hearTurn(turn);
    this._events.push({ kind: "received", message, room });
  }

  /**
   * Continue from this point. Another epoch means an older copy of the server's database.
   * @param {Room} room @param {string} epoch
   * @param {number} seq @param {Table} table
   */
  _goOnFrom(room, epoch, seq, table) {
    if (epoch !== room.epoch) this._events.push({ kind: "wentBack", room });
    room.goOnFrom(epoch, seq, table);
  }

  /** @param {string} id @param {string} why */
  _close(id, why) {
    this._rematchOf.delete(id);
    if (this.rooms.delete(id)) this._events.push({ kind: "closed", room: id, why });
  }

  // Answers

  /** @param {ServerMessage} message @param {number} now */
  _settle(message, now) {
    const re = "re" in message ? message.re : null;
    if (!re) return;
    if (message.type === "refused" && message.missed)
      for (const late of message.missed) this._heard(/** @type {any} */ (late), now);
    const command = this._commands.settle(re, message, now);
    if (!command) return;
    if (!command.own) {
      const room = /** @type {string} */ (command.wire.room);
      if (message.type === "refused" && command.wasDoneBy(message)) this._close(room, "left");
      this._events.push({ kind: "settled", id: re, answer: message });
    } else if (this._returns.has(re)) this._returned(re, message, now);
    else if (command.wire.type === "subscribe") {
      const room = this.rooms.get(/** @type {string} */ (command.wire.room));
      if (room && message.type !== "refused") room.listsMoves = room.asksForMoves;
      else if (room) this._mindGap(room, now); // the resume tells whether we are still there
    }
  }

  /** @param {string} re @param {ServerMessage} answer @param {number} now */
  _returned(re, answer, now) {
    const id = this._returns.get(re) ?? "";
    this._returns.delete(re);
    const room = this.rooms.get(id);
    if (answer.type === "refused") {
      if (["unknownRoom", "damagedRoom", "forbidden"].includes(answer.code)) this._close(id, answer.reason);
    } else if (room) {
      const behind = room.behind;
      room.behind = false;
      if (behind && answer.type === "joined")
        this._mindGap(room, now); // the server knows this session there now
      else if (answer.type === "ok") {
        room.hearAbsent(/** @type {Record<string, number>} */ (answer.away ?? {}));
        this._events.push({ kind: "received", message: answer, room });
      }
    }
  }

  // The session's own commands

  /** @param {Room} room @param {number} now */
  _resume(room, now) {
    const fields = { room: room.id, epoch: room.epoch, seq: room.seq };
    this._returns.set(this._commands.give("resume", fields, now, true).id, room.id);
  }

  /**
   * Rejoin a room with a new session of a known player: on the same seats, or as a watcher.
   * @param {string} room @param {number} now
   */
  _comeBack(room, now) {
    const fields = { room, watch: true, subscribe: EVENTS };
    this._returns.set(this._commands.give("join", fields, now, true).id, room);
  }

  /**
   * Subscribe to the position. The join names all other events, and a session that returns still has them.
   * @param {Room} room @param {number} now
   */
  _subscribe(room, now) {
    this._commands.supersede("subscribe", room.id);
    this._commands.give("subscribe", { room: room.id, event: "nextPlayer", legalMoves: room.asksForMoves }, now, true);
  }

  /** @param {Room} room @param {number} now */
  _mindGap(room, now) {
    room.behind = true;
    if (![...this._returns.values()].includes(room.id)) this._resume(room, now);
  }

  /** @param {string} type @param {object} fields @param {number} now */
  _sayUrgently(type, fields, now) {
    const command = this._commands.give(type, fields, now, true);
    this._commands.drop(command.id); // never sent again: silence ends the connection instead
    this._urgent.push(command.wire);
    this._askedAt ??= now;
  }

  /** @param {string} code @param {import("./texts.js").Told | null} why */
  _end(code, why) {
    this.state = "ended";
    this._events.push({ kind: "ended", code, why });
  }

  _taken() {
    const events = this._events;
    this._events = [];
    return events;
  }
}

class Command {
  /**
   * @param {Wire} wire
   * @param {boolean} own the session's own command, which it gives anew after a reconnect
   * @param {number} now
   */
  constructor(wire, own, now) {
    this.wire = wire;
    this.own = own;
    this.due = now;
    this.waits = 0;
    this.times = 0;
    /** Number of copies without an answer on the current connection. */
    this.underWay = 0;
    /** Whether a connection ended before an answer came. The server may have carried the command out. */
    this.inDoubt = false;
  }

  /** Whether to wait when told to, because the refusal says nothing about an earlier copy. */
  get waitsOn() {
    return this.inDoubt || this.waits < MOST_WAITS;
  }

  get id() {
    return this.wire.id;
  }

  /**
   * Whether the refusal shows that an earlier copy succeeded, as when the last player's leaving closed the room.
   * @param {Refused} refusal
   */
  wasDoneBy(refusal) {
    return this.wire.type === "leave" && this.times > 1 && refusal.code === "unknownRoom";
  }
}

/**
 * Pending commands: each is sent until answered, always with the same id, over retries and reconnects. So the server
 * never carries it out twice.
 */
class Commands {
  /** @param {() => string} makeId */
  constructor(makeId) {
    this._makeId = makeId;
    /** @type {Map<string, Command>} */
    this._open = new Map();
  }

  /** @param {string} id */
  has(id) {
    return this._open.has(id);
  }

  /** Whether we have asked to leave this room. @param {string} room */
  leaving(room) {
    return [...this._open.values()].some(({ wire }) => wire.type === "leave" && wire.room === room);
  }

  /** @param {string} type @param {object} fields @param {number} now @param {boolean} own */
  give(type, fields, now, own = false) {
    const command = new Command({ type, id: this._makeId(), ...fields }, own, now);
    this._open.set(command.id, command);
    return command;
  }

  /** @param {string} id */
  drop(id) {
    this._open.delete(id);
  }

  /**
   * Drop pending commands of this type about this room, because a newer one follows.
   * @param {string} type
   * @param {string} room
   */
  supersede(type, room) {
    for (const [id, { wire, own }] of this._open) {
      if (own && wire.type === type && wire.room === room) this._open.delete(id);
    }
  }

  /**
   * The command that `answer` ends; undefined if it will be sent again.
   * @param {string} id
   * @param {ServerMessage} answer
   * @param {number} now
   */
  settle(id, answer, now) {
    const command = this._open.get(id);
    if (!command) return undefined;
    if (answer.type === "refused" && ["rateLimited", "retryLater"].includes(answer.code) && command.waitsOn) {
      command.waits += 1;
      command.underWay -= 1;
      command.due = now + (answer.retryAfterMs ?? 1000) / 1000;
      return undefined;
    }
    this._open.delete(id);
    return command;
  }

  /**
   * The commands to send now, in order. The session's own come first, because a resume must.
   * @param {number} now
   * @returns {Wire[]}
   */
  due(now) {
    const open = [...this._open.values()].filter((command) => command.due <= now);
    for (const command of open) {
      command.due = now + RETRY;
      command.times += 1;
      command.underWay += 1;
    }
    return [...open.filter((command) => command.own), ...open.filter((command) => !command.own)].map(
      ({ wire }) => wire,
    );
  }

  /** Mark every command to be sent again. @param {number} now */
  reconnected(now) {
    for (const command of this._open.values()) {
      command.due = now;
      command.inDoubt ||= command.underWay > 0;
      command.underWay = 0;
    }
  }

  /** Drop the session's own commands because the connection is lost. The session gives them anew. */
  forgetOwn() {
    for (const [id, command] of this._open) if (command.own) this._open.delete(id);
  }
}
