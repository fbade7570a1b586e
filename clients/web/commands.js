// Commands under way: each is sent until it is answered, always with the same id.
//
// Law: an intent has one id from the first sending to the answer, over retries and reconnects, so that the server can
// never carry it out twice.

/** @typedef {import("./protocol.d.ts").Refused} Refused */
/** @typedef {import("./protocol.d.ts").ServerMessage} ServerMessage */
/** @typedef {{type: string, id: string, [field: string]: unknown}} Wire */

const RETRY = 2;
const MOST_WAITS = 5;

class Command {
  /**
   * @param {Wire} wire
   * @param {boolean} own by the session itself, which asks anew after a reconnect
   * @param {number} now
   */
  constructor(wire, own, now) {
    this.wire = wire;
    this.own = own;
    this.due = now;
    this.waits = 0;
    this.times = 0;
    /** How many copies have no answer yet, on the line that there is. */
    this.underWay = 0;
    /** Whether a line ended before it brought the answer to a copy, which may have been carried out. */
    this.inDoubt = false;
  }

  /** Whether to wait on when told to, which says nothing of an earlier copy. */
  get waitsOn() {
    return this.inDoubt || this.waits < MOST_WAITS;
  }

  get id() {
    return this.wire.id;
  }

  /** Whether an earlier copy did it: the last to leave a room has closed it. @param {Refused} refusal */
  wasDoneBy(refusal) {
    return this.wire.type === "leave" && this.times > 1 && refusal.code === "unknownRoom";
  }
}

export class Commands {
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
   * Sends nothing of this type about this room again: what follows is newer.
   * @param {string} type
   * @param {string} room
   */
  supersede(type, room) {
    for (const [id, { wire, own }] of this._open) {
      if (own && wire.type === type && wire.room === room) this._open.delete(id);
    }
  }

  /**
   * The command that `answer` ends; none, if it is to be sent again.
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
   * What to send now, in order; the session's own first, because a resume must be.
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

  /** Everything is to be sent again. @param {number} now */
  reconnected(now) {
    for (const command of this._open.values()) {
      command.due = now;
      command.inDoubt ||= command.underWay > 0;
      command.underWay = 0;
    }
  }

  /** The line is gone; what the session had asked on it will be asked anew. */
  forgetOwn() {
    for (const [id, command] of this._open) if (command.own) this._open.delete(id);
  }
}
