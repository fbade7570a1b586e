// One table, as far as this client has heard of it: its state, what is news, and whether events are missing.
//
// Law: `seq` never skips. An event beyond the next number is not applied: it makes the room `behind`, and a resume
// brings everything from `seq` on.

/** @typedef {import("./protocol.d.ts").Table} Table */
/** @typedef {import("./protocol.d.ts").NextPlayer} NextPlayer */
/** @typedef {import("./protocol.d.ts").Player} Player */
/** @typedef {import("./protocol.d.ts").Said} Said */
/** @typedef {import("./protocol.d.ts").Offered} Offered */

const MOST_LINES = 200;
/** Games without lists of legal moves, because the list costs more than reading the cells. */
const NO_LEGAL_MOVES = new Set(["minesweeper"]);

export class Room {
  /** @param {string} id @param {Table} table @param {number} seq @param {string} player the player with this view */
  constructor(id, table, seq, player) {
    this.id = id;
    this.table = table;
    this.epoch = table.epoch;
    this.seq = seq;
    this.player = player;
    this.code = table.code ?? undefined;
    /** The newest session of ours that the server knows in this room. */
    this.session = "";
    this.hereSince = 0;
    /** Whether the server has confirmed that it lists legal moves here. */
    this.listsMoves = false;
    this.behind = false;
    this._tableSeq = seq;
    /** The newest turn of each of our seats. While we watch, the key is null. @type {Map<number | null, NextPlayer>} */
    this.latest = new Map();
    /** @type {Said[]} */
    this.said = [];
    /** The open offers, by seat and kind. @type {Map<string, Offered>} */
    this.offers = new Map();
    /** The next room, after all agreed to a rematch. @type {string | undefined} */
    this.next = table.next ?? undefined;
    /** The players whose absence allows a claim. @type {Set<string>} */
    this.claimable = new Set();
  }

  get asksForMoves() {
    return !NO_LEGAL_MOVES.has(this.table.game);
  }

  /** Our seats. @returns {number[]} */
  get seats() {
    return this.table.seats.flatMap((holder, seat) => (holder?.id === this.player ? [seat] : []));
  }

  /** Our seat to show and play: the one to move, else the first. Null while we watch. @returns {number | null} */
  get seat() {
    const [first] = this.seats;
    const playing = this.latest.get(first ?? null)?.seats ?? [];
    return this.seats.find((seat) => playing.includes(seat)) ?? first ?? null;
  }

  /** The newest position as we may see it. @returns {NextPlayer | undefined} */
  get turn() {
    return this.latest.get(this.seat) ?? this.latest.get(null);
  }

  /** Whether we may move now. */
  get isToMove() {
    const { turn, seat } = this;
    return turn !== undefined && seat !== null && turn.seats.includes(seat) && !turn.outcome;
  }

  /** Whether another session of ours plays our seat, so that the server lists no moves for this session. */
  get isElsewhere() {
    const { turn, seat } = this;
    return (
      this.listsMoves &&
      turn !== undefined &&
      seat !== null &&
      turn.seats.includes(seat) &&
      !turn.legalMoves &&
      !turn.paused
    );
  }

  /** Handle a message with a place in the room's order. Returns whether it is news. @param {any} message */
  hear(message) {
    const isNew = this._count(message.seq);
    if (message.type === "nextPlayer") return message.seq <= this.seq && this.hearTurn(message);
    if (isNew && message.seq > this._tableSeq) this._change(message);
    if (isNew) this._note(message);
    return isNew && message.type !== "seq";
  }

  /** @param {NextPlayer} turn */
  hearTurn(turn) {
    const seat = turn.seat ?? null;
    const known = this.latest.get(seat);
    if (known && turn.seq < known.seq) return false;
    this.latest.set(seat, turn);
    if (seat !== null) this.latest.delete(null);
    this._setState(turn.outcome ? "finished" : "playing");
    for (const [id, offer] of this.offers) if (offer.what !== "rematch" && offer.seq < turn.seq) this.offers.delete(id);
    return true;
  }

  /** @param {Table["state"]} state */
  _setState(state) {
    if (state !== this.table.state) this.table = { ...this.table, state };
  }

  /**
   * Continue from this point and forget older events.
   * @param {string} epoch @param {number} seq @param {Table} table
   */
  goOnFrom(epoch, seq, table) {
    if (epoch !== this.epoch || seq < this.seq) this.latest.clear();
    this.offers.clear();
    this.epoch = epoch;
    this.seq = seq;
    this.behind = false;
    this.setTable(table, seq);
  }

  /** @param {Table} table @param {number} seq */
  setTable(table, seq) {
    this.table = table;
    this._tableSeq = seq;
    this.next = table.next ?? this.next;
  }

  /** @param {import("./protocol.d.ts").Rated} message */
  hearRatings({ ratings }) {
    this.table = { ...this.table, ratings };
  }

  hearUnrated() {
    this.table = { ...this.table, rated: undefined };
  }

  /** @param {import("./protocol.d.ts").Away | import("./protocol.d.ts").Back} message */
  hearPresence(message) {
    const until = message.type === "away" ? message.until : undefined;
    this._setAway(message.player.id, until);
    if (message.type === "away" && message.claim) this.claimable.add(message.player.id);
    else this.claimable.delete(message.player.id);
  }

  /** Set who is away and until when. @param {Record<string, number>} away */
  hearAbsent(away) {
    for (const { player } of this.table.members) this._setAway(player.id, away[player.id]);
  }

  /** @param {string} id @param {number | undefined} until */
  _setAway(id, until) {
    const members = this.table.members.map((member) => (member.player.id === id ? { ...member, away: until } : member));
    this.table = { ...this.table, members };
  }

  /** Note `seq`, and return whether it is new. A gap makes the room behind. @param {number} seq */
  _count(seq) {
    if (seq > this.seq + 1) this.behind = true;
    if (seq !== this.seq + 1) return false;
    this.seq = seq;
    return true;
  }

  /** @param {any} message */
  _note(message) {
    if (message.type === "said") this.said = [...this.said.slice(1 - MOST_LINES), message];
    else if (message.type === "offered") this.offers.set(message.offer, message);
    else if (message.type === "answered") this.offers.delete(message.offer);
    else if (message.type === "rematch") this.next = message.next;
    else if (message.type === "left") this.offers.clear();
  }

  /** @param {any} message a change of the table */
  _change(message) {
    const seats = [...this.table.seats];
    let { members, state, owner, starts } = this.table;
    if (message.type === "joined" || message.type === "left") {
      members = members.filter(({ player }) => player.id !== message.player.id);
      if (message.type === "joined") {
        if (message.seat != null) seats[message.seat] = message.player;
        members = [...members, { player: message.player, seats: [] }];
      } else {
        owner = message.owner ?? owner;
        if (state === "waiting" || state === "preparing") {
          for (const [seat, holder] of seats.entries()) {
            if (holder?.id === message.player.id) seats[seat] = null;
          }
        }
      }
      if (state === "preparing" && seats.includes(null)) state = "waiting";
    } else if (message.type === "freed") [seats[message.seat], state] = [null, "waiting"];
    else if (message.type === "swapped") {
      const [one, other] = message.seats;
      [seats[one], seats[other]] = [seats[other] ?? null, seats[one] ?? null];
    } else if (message.type === "began") {
      seats.splice(
        0,
        seats.length,
        ...message.seats.map((/** @type {number} */ kept) => this.table.seats[kept] ?? null),
      );
    } else if (message.type === "preparing") [state, starts] = ["preparing", message.starts];
    else if (message.type === "unprepared") state = "waiting";
    else if (message.type === "optionsSet") {
      const { options, clock, watchers } = message;
      this.table = { ...this.table, options, clock, watchers };
    } else return;
    members = members.map((member) => ({
      ...member,
      seats: seats.flatMap((holder, seat) => (holder?.id === member.player.id ? [seat] : [])),
    }));
    if (state !== "preparing") starts = null;
    this.table = { ...this.table, seats, members, state, owner, starts };
  }
}
