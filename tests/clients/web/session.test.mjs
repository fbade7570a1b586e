// The session without a line: the tests say what the server says, and see what the client sends.
import assert from "node:assert/strict";
import test from "node:test";

import { Session } from "../../../clients/web/session.js";

const ANA = { id: "ana", name: "ana", bot: false };
const BEN = { id: "ben", name: "ben", bot: false };

/** A table of tic-tac-toe with these players on its seats. */
function table(seats = [ANA, BEN], more = {}) {
  const members = seats.filter(Boolean).map((player) => ({ player, seats: [seats.indexOf(player)] }));
  return {
    room: "r1",
    epoch: "e1",
    game: "tic-tac-toe",
    version: 1,
    options: {},
    state: "playing",
    private: false,
    watchers: true,
    seats,
    members,
    code: "ABCD-EFGH",
    owner: "ana",
    ...more,
  };
}

class Rig {
  constructor(known = {}) {
    let id = 0;
    this.now = 100;
    this.events = [];
    this.session = new Session(
      () => 1,
      () => {
        id += 1;
        return `i${id}`;
      },
      { client: "test", name: "ana", ...known },
    );
    this.session.connected(this.now);
  }

  sent() {
    return this.session.outgoing(this.now);
  }

  tell(...messages) {
    for (const message of messages) this.events.push(...this.session.receive(message, this.now));
  }

  welcome(more = {}) {
    this.tell({
      type: "welcome",
      player: ANA,
      session: "s1",
      limits: {},
      now: 100_000,
      token: "t1",
      rooms: [],
      ...more,
    });
  }

  /** In a room, with everything sent so far answered. */
  atTable(seats = undefined) {
    this.welcome();
    this.sent();
    const id = this.session.command("join", { code: "ABCD-EFGH" }, this.now);
    this.sent();
    this.tell({
      type: "joined",
      re: id,
      room: "r1",
      seq: 2,
      player: ANA,
      seat: 0,
      code: "ABCD-EFGH",
      table: table(seats),
    });
    this.answerAll();
    return this.session.rooms.get("r1");
  }

  answerAll() {
    for (const wire of this.sent()) this.tell({ type: "ok", re: wire.id, room: "r1" });
  }

  turn(seq, more = {}) {
    return { type: "nextPlayer", room: "r1", seq, ply: 0, seats: [0], view: { cells: "........." }, seat: 0, ...more };
  }

  kinds() {
    const kinds = this.events.map((event) => (event.kind === "received" ? event.message.type : event.kind));
    this.events = [];
    return kinds;
  }

  /** The line breaks, and the next one is greeted in the same session, or in another. */
  comeBack(session = "s1", rooms = []) {
    this.events.push(...this.session.disconnected(1006, this.now));
    this.session.connected(this.now);
    const [hello] = this.sent();
    this.tell({ type: "welcome", player: ANA, session, limits: {}, now: 0, rooms });
    return hello;
  }
}

test("hello says who we were", () => {
  const [hello] = new Rig({ token: "t9", session: "s9" }).sent();
  assert.deepEqual(hello, {
    type: "hello",
    id: "i1",
    protocol: 1,
    client: "test",
    name: "ana",
    token: "t9",
    session: "s9",
  });
});

test("a token that is unknown is forgotten, and we come in as somebody new", () => {
  const rig = new Rig({ token: "t9", session: "s9" });
  rig.sent();
  rig.tell({ type: "refused", re: "i1", code: "badToken", reason: "unknownToken", fields: {}, message: "" });
  const [hello] = rig.sent();
  assert.equal(hello.token, undefined);
  assert.equal(hello.session, undefined);
});

test("who may not change the name yet comes in by the old one, and hears why", () => {
  const rig = new Rig({ token: "t9" });
  rig.sent();
  rig.tell({
    type: "refused",
    re: "i1",
    code: "rateLimited",
    reason: "renamesTooOften",
    fields: { seconds: 60 },
    message: "",
    retryAfterMs: 60_000,
  });
  const [hello] = rig.sent();
  assert.deepEqual([hello.token, hello.name, rig.kinds()], ["t9", undefined, ["nameless"]]);
});

test("a player in a room subscribes to everything, and asks for legal moves", () => {
  const rig = new Rig();
  rig.welcome();
  rig.sent();
  const id = rig.session.command("join", { code: "x" }, rig.now);
  assert.deepEqual(rig.sent()[0].subscribe, ["chat", "members", "offers"]);
  rig.tell({ type: "joined", re: id, room: "r1", seq: 2, player: ANA, seat: 0, table: table() });
  const [asked, ...others] = rig.sent();
  assert.deepEqual([asked.type, asked.event, asked.legalMoves, others], ["subscribe", "nextPlayer", true, []]);
  assert.deepEqual(rig.kinds(), ["welcomed", "opened", "joined", "settled"]);
});

test("an event beyond the next one is not taken; what was missed is asked for", () => {
  const rig = new Rig();
  const room = rig.atTable();
  rig.kinds();
  rig.tell({ type: "said", room: "r1", seq: 5, player: BEN, seats: [1], text: "later" });
  assert.deepEqual(rig.kinds(), []);
  const [resume] = rig.sent();
  assert.deepEqual([resume.type, resume.epoch, resume.seq], ["resume", "e1", 2]);
  for (const [seq, text] of [
    [3, "a"],
    [4, "b"],
    [5, "later"],
  ]) {
    rig.tell({ type: "said", room: "r1", seq, player: BEN, seats: [1], text });
  }
  rig.tell({ type: "ok", re: resume.id, room: "r1", seq: 5 });
  assert.deepEqual(
    room.said.map((line) => line.text),
    ["a", "b", "later"],
  );
  assert.equal(room.behind, false);
  assert.deepEqual(rig.sent(), []);
});

test("what we have had is no news", () => {
  const rig = new Rig();
  const room = rig.atTable();
  const said = { type: "said", room: "r1", seq: 3, player: BEN, seats: [1], text: "a" };
  rig.tell(said, said);
  assert.equal(room.said.length, 1);
});

test("a tapped move waits for the line, and is sent again with its id until it is answered", () => {
  const rig = new Rig();
  const room = rig.atTable();
  rig.tell(rig.turn(3));
  const id = rig.session.command("playTurn", { room: "r1", seat: 0, ply: 0, move: "b2" }, rig.now);
  assert.deepEqual(
    rig.sent().map((wire) => wire.id),
    [id],
  );
  const hello = rig.comeBack();
  assert.deepEqual([hello.token, hello.session], ["t1", "s1"]);
  const sent = rig.sent();
  assert.equal(sent[0].type, "resume", "first we hear what happened");
  assert.deepEqual(
    sent.filter((wire) => wire.type === "playTurn").map((wire) => wire.id),
    [id],
  );
  rig.kinds();
  rig.tell(rig.turn(4, { re: id, ply: 1, seats: [1], view: { cells: "....0...." } }));
  assert.deepEqual(rig.kinds(), ["nextPlayer", "settled"]);
  rig.now += 3;
  assert.equal(
    rig.sent().some((wire) => wire.type === "playTurn"),
    false,
  );
  assert.equal(room.turn.ply, 1);
});

test("in a new session we join every room again, also those that this page had not heard of", () => {
  const rig = new Rig();
  rig.atTable();
  const held = (room) => ({ room, seats: [0], game: "tic-tac-toe", state: "playing", rivals: [], toMove: [] });
  rig.comeBack("s2", [held("r1"), held("r7")]);
  const joins = rig.sent().filter((wire) => wire.type === "join");
  assert.deepEqual(
    joins.map((wire) => [wire.room, wire.watch]),
    [
      ["r1", true],
      ["r7", true],
    ],
  );
});

test("a room that is no more is closed", () => {
  const rig = new Rig();
  rig.atTable();
  rig.comeBack("s2");
  const [join] = rig.sent().filter((wire) => wire.type === "join");
  rig.kinds();
  rig.tell({ type: "refused", re: join.id, code: "unknownRoom", reason: "noSuchRoom", fields: {}, message: "" });
  assert.deepEqual(rig.kinds(), ["closed"]);
  assert.equal(rig.session.rooms.size, 0);
});

test("another epoch brings a snapshot, which replaces all that we know", () => {
  const rig = new Rig();
  const room = rig.atTable();
  rig.tell(rig.turn(3, { ply: 5 }));
  rig.kinds();
  rig.tell({
    type: "snapshot",
    room: "r1",
    epoch: "e2",
    seq: 1,
    table: table(undefined, { epoch: "e2" }),
    turns: [rig.turn(1)],
  });
  assert.deepEqual([room.epoch, room.seq, room.turn.ply], ["e2", 1, 0]);
  assert.deepEqual(rig.kinds(), ["wentBack", "snapshot"]);
});

for (const epoch of ["e1", "e2"])
  test(`who comes back to a table of the epoch ${epoch} hears whether it went back`, () => {
    const rig = new Rig();
    const room = rig.atTable();
    rig.tell(rig.turn(3, { ply: 5 }));
    rig.comeBack("s2");
    const [join] = rig.sent().filter((wire) => wire.type === "join");
    rig.kinds();
    rig.tell({ type: "joined", re: join.id, room: "r1", seq: 3, player: ANA, table: table(undefined, { epoch }) });
    assert.deepEqual(rig.kinds(), epoch === "e1" ? ["joined"] : ["wentBack", "joined"]);
    assert.equal(room.turn?.ply, epoch === "e1" ? 5 : undefined);
  });

test("an offer is over with the position in which it was made, but for a rematch", () => {
  const rig = new Rig();
  const room = rig.atTable();
  rig.tell(rig.turn(3));
  rig.tell({ type: "offered", room: "r1", seq: 4, offer: "o1", seat: 1, what: "draw" });
  rig.tell({ type: "offered", room: "r1", seq: 5, offer: "o2", seat: 1, what: "rematch" });
  rig.tell(rig.turn(6, { ply: 1 }));
  assert.deepEqual([...room.offers.keys()], ["o2"]);
});

test("who comes and goes sits and stands", () => {
  const rig = new Rig();
  const room = rig.atTable([ANA, null]);
  room.table = { ...room.table, state: "waiting" };
  rig.tell({ type: "joined", room: "r1", seq: 3, player: BEN, seat: 1 });
  assert.equal(room.table.seats[1].id, "ben");
  rig.tell({ type: "away", room: "r1", player: BEN, seats: [1], until: 7 });
  assert.equal(room.table.members.find((member) => member.player.id === "ben").away, 7);
  rig.tell({ type: "back", room: "r1", player: BEN });
  assert.equal(room.table.members.find((member) => member.player.id === "ben").away, undefined);
  rig.tell({ type: "left", room: "r1", seq: 4, player: BEN, reason: "left" });
  assert.equal(room.table.seats[1], null);
});

test("a command that is told to wait is sent again when it may, and its author hears nothing of that", () => {
  const rig = new Rig();
  rig.welcome();
  rig.sent();
  const id = rig.session.command("createRoom", { game: "tic-tac-toe" }, rig.now);
  rig.sent();
  rig.kinds();
  rig.tell({
    type: "refused",
    re: id,
    code: "rateLimited",
    reason: "tooFast",
    fields: {},
    message: "",
    retryAfterMs: 5000,
  });
  assert.deepEqual(rig.kinds(), []);
  rig.now += 4.9;
  rig.session.tick(rig.now);
  assert.equal(
    rig.sent().some((wire) => wire.id === id),
    false,
  );
  rig.now += 0.2;
  assert.equal(
    rig.sent().some((wire) => wire.id === id),
    true,
  );
});

for (const lost of [true, false]) {
  const why = lost ? "waits on, if an earlier copy may have been done" : "is refused in the end, if every copy was";
  test(`a command that is told to wait again and again ${why}`, () => {
    const rig = new Rig();
    rig.welcome();
    rig.sent();
    const id = rig.session.command("resign", { room: "r1", seat: 0 }, rig.now);
    const later = {
      type: "refused",
      re: id,
      code: "rateLimited",
      reason: "tooFast",
      fields: {},
      message: "",
      retryAfterMs: 90,
    };
    rig.sent();
    if (!lost) rig.tell(later);
    rig.session.disconnected(1006, rig.now);
    rig.session.connected(rig.now);
    rig.welcome();
    rig.kinds();
    for (let times = 0; times < 10; times += 1) {
      rig.now += 0.1;
      if (rig.sent().some((wire) => wire.id === id)) rig.tell(later);
    }
    rig.now += 0.1;
    assert.equal(
      rig.sent().some((wire) => wire.id === id),
      lost,
    );
    assert.deepEqual(rig.kinds(), lost ? [] : ["settled"]);
  });
}

test("a line that says nothing for five seconds after a ping is dead", () => {
  const rig = new Rig();
  rig.welcome();
  rig.now += 5;
  assert.equal(rig.session.tick(rig.now), true);
  assert.equal(rig.sent().at(-1).type, "ping");
  rig.now += 4.9;
  assert.equal(rig.session.tick(rig.now), true);
  rig.now += 0.1;
  assert.equal(rig.session.tick(rig.now), false);
});

test("a window that a newer one replaced does not come back", () => {
  const rig = new Rig();
  rig.welcome();
  rig.kinds();
  rig.events.push(...rig.session.disconnected(4101, rig.now));
  assert.deepEqual(rig.kinds(), ["ended"]);
  assert.equal(rig.session.state, "ended");
});

test("why the host ends a visit is handed on with its reason", () => {
  const rig = new Rig();
  rig.welcome();
  rig.kinds();
  const bye = {
    type: "bye",
    code: 4106,
    message: "The host has banned you: spam.",
    reason: "banned",
    fields: { why: "spam" },
  };
  rig.tell(bye);
  const [ended] = rig.session.disconnected(4106, rig.now);
  assert.equal(ended.kind, "ended");
  assert.deepEqual(ended.why, bye);
});

test("waits between attempts grow to four seconds and no further", () => {
  const rig = new Rig();
  const waits = [];
  for (let attempt = 0; attempt < 8; attempt += 1) waits.push(rig.session.disconnected(1006, rig.now)[0].wait);
  assert.deepEqual(waits, [0.25, 0.5, 1, 2, 4, 4, 4, 4]);
});

test("a pong that shows more, or nothing, of a room makes us ask", () => {
  for (const heads of [{ r1: 9 }, {}]) {
    const rig = new Rig();
    rig.atTable();
    rig.tell({ type: "pong", now: 0, heads });
    assert.equal(rig.sent().at(-1).type, "resume");
  }
});
