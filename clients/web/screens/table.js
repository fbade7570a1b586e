// One table: the board, who sits there, their clocks, and all that can be said and done.

import { badge, el, emblem, fill, gear, sign, write } from "../dom.js";
import { boardFor, CARDS, endOf, titleOf } from "../games.js";
import { gameName, refusal, say, sayOr } from "../texts.js";
import { Players, Talk } from "./players.js";
import { confirmed } from "./forms.js";
import { handOver, sharePanel } from "./share.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../boards/board.js").Board} Board */
/** @typedef {import("../protocol.d.ts").NextPlayer} NextPlayer */

const MOST_WAITING = 20;
/** Keys that lead through the game so far, where nobody else wants them. */
const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity });

export class TableScreen {
  /** @param {App} app @param {Room} room */
  constructor(app, room) {
    this._app = app;
    this.room = room;
    this._board = /** @type {Board | null} */ (null);
    this._shown = /** @type {import("../boards/board.js").Shown | null} */ (null);
    /** A move of ours that has no answer yet. @type {{move: string, ply: number} | null} */
    this._ghost = null;
    /** What we play after it, where nobody waits for others. @type {string[]} */
    this._waiting = [];
    /** What was played, as far as we have heard. @type {{seq: number, seat?: number | null, move?: string | null, withdrew?: string | null, tookBack?: number | null}[]} */
    this._moves = [];
    /** Those of them that are in the list. @type {typeof this._moves} */
    this._drawnMoves = [];
    /** What we play as soon as it is our turn. @type {string | null} */
    this._planned = null;
    /** What was, once somebody has looked back. @type {import("./past.js").Past | null} */
    this._past = null;
    /** Where to, while the server is asked. @type {number | null} */
    this._goal = null;
    this._told = -1;
    this._declined = "";
    /** What is to be said of a planned move that came to nothing. */
    this._dropped = "";
    /** Whether a move was refused because another window plays this seat. */
    this._elsewhere = false;

    this._title = el("h1", { class: "about" });
    this._players = new Players(app, room);
    this._boardPlace = el("div", { class: "board-place" });
    this._status = el("section", { class: "status", "aria-label": say("state") });
    this._live = el("p", { class: "unseen", "aria-live": "polite" });
    this._actions = el("div", { class: "actions" });
    this._offers = el("div", { class: "offers" });
    this._list = el("ol", { class: "moves", tabindex: "0", "aria-label": say("moves") });
    const step = (/** @type {import("../dom.js").SignName} */ shown, /** @type {import("../texts.js").TextName} */ name, /** @type {number} */ by) =>
      el("button", { class: "quiet step", "aria-label": say(name), title: say(name), onclick: () => void this._look(this._ply + by) }, sign(shown));
    this._steps = el("div", { class: "row steps", role: "group", "aria-label": say("lookBack") },
      step("first", "firstMovePlayed", -Infinity), step("back", "stepBack", -1), step("on", "stepOn", 1), step("last", "lastMovePlayed", Infinity));
    this._looking = el("div", { class: "looking" });
    this._keyed = (/** @type {KeyboardEvent} */ event) => this._key(event);
    addEventListener("keydown", this._keyed);
    this._talk = new Talk(app, room);
    this._typed = this._typedMove();
    this.element = el("main", { class: "page table" },
      el("header", { class: "bar" },
        el("button", { class: "link home", onclick: () => this._home() }, emblem(), el("b", {}, say("title")), el("span", { class: "unseen" }, say("home"))),
        this._title, gear(say("settings"), () => void app.settings())),
      el("div", { class: "stage" }, this._players.above, this._boardPlace, this._players.below, this._looking, this._live), this._status,
      el("aside", { class: "side" }, this._offers, this._actions,
        el("section", { class: "panel" }, el("h2", {}, say("moves")), this._list, this._steps, this._typed),
        this._talk.element));
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this._planned !== null && this._plan(null));
    void this._load();
    void this._recall();
    this._draw();
  }

  get hasMoveUnderWay() {
    return this._ghost !== null;
  }

  async _load() {
    const { game } = this.room.table;
    try {
      this._board = await boardFor(game);
    } catch {
      this._boardPlace.append(el("p", { class: "card soft" }, say("reloadForBoard")));
      return;
    }
    if (!this._board) this._boardPlace.append(el("p", { class: "card soft" }, say("noBoard")));
    else {
      // A tap on what was plays nothing: it leads back to what is.
      this._board.addEventListener("move", (event) => (this._past?.ply == null ? this._play(/** @type {CustomEvent<string>} */ (event).detail) : this._look(Infinity)));
      this._boardPlace.append(this._board);
    }
    this._draw();
  }

  /** Asks what was played before we came. */
  async _recall() {
    /** @type {number | undefined} */
    let after = 0;
    while (after !== undefined) {
      const page = await this._app.line.ask("showHistory", { room: this.room.id, after });
      if (page.type !== "history") break;
      for (const turn of page.turns) this._remember(turn);
      after = page.more ?? undefined;
    }
    const { turn } = this.room;
    if (turn?.last) this._remember({ seq: turn.seq, ...turn.last });
    this._drawMoves();
  }

  /** Another session of ours plays this seat: the server lists no moves for this one. */
  get _isElsewhere() {
    const { turn, seat, listsMoves } = this.room;
    return this._elsewhere || (listsMoves && turn !== undefined && seat !== null && turn.seats.includes(seat) && !turn.legalMoves && !turn.paused);
  }

  // Looking back

  /** After how many turns the game is shown. */
  get _ply() {
    return this._goal ?? this._past?.ply ?? this._moves.length;
  }

  /** Shows the game as it was after so many turns; after all of them, as it is. @param {number} ply */
  async _look(ply) {
    const goal = Math.max(0, Math.min(ply, this._moves.length));
    this._goal = goal;
    try {
      const { Past } = await import("./past.js");
      this._past ??= new Past(this._app, this.room);
      if (this._goal !== goal) return; // something else is wanted by now, and modules may come in any order
      const why = await this._past.go(goal, this._moves.length);
      if (why) this._app.note(why);
    } catch {
      this._app.note(say("reloadForBoard"));
    }
    if (this._goal === goal) this._goal = null;
    this._draw();
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const by = STEPS[event.key];
    const { target } = event;
    const isWanted = target instanceof Element && target.closest("input, select, textarea, dialog, [role=grid]");
    if (by === undefined || isWanted || this._steps.hidden || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    event.preventDefault();
    void this._look(this._ply + by);
  }

  /** @param {{seq: number, seat?: number | null, move?: string | null, withdrew?: string | null, tookBack?: number | null}} turn */
  _remember(turn) {
    if (turn.move == null && turn.withdrew == null && turn.tookBack == null) return;
    if (this._moves.some((known) => known.seq === turn.seq)) return;
    this._moves.push(turn);
    this._moves.sort((one, other) => one.seq - other.seq);
  }

  // What happens

  /** @param {import("../session.js").SessionEvent} event */
  hear(event) {
    if (event.kind === "opened" && event.before === this.room.id) {
      this._app.open(event.room, true);
      return;
    }
    if (event.kind === "welcomed") this._draw();
    if (event.kind !== "received" || event.room !== this.room) return;
    const { message } = event;
    if (message.type === "nextPlayer") this._hearTurn(message);
    else if (message.type === "said") {
      this._talk.hear(message);
      if (message.player.id !== this.room.player) this._app.play("said");
    }
    else if (message.type === "declined") this._app.note(say("declined", { name: message.player.name }));
    else if (message.type === "answered" && !message.yes && !this.room.seats.includes(message.seat)) {
      this._declined = say("declinedOffer", { name: this._name(message.seat) });
    }
    this._draw();
  }

  /** @param {NextPlayer} turn */
  _hearTurn(turn) {
    if (turn.last) this._remember({ seq: turn.seq, ...turn.last });
    if (this._ghost && ((turn.ply > this._ghost.ply && !this._playsAtOnce) || turn.outcome)) this._ghost = null;
    this._declined = "";
    const mine = this.room.seat !== null && turn.seats.includes(this.room.seat);
    if (turn.last && turn === this.room.turn) this._app.play(turn.outcome ? "end" : mine && !this._playsAtOnce ? "turn" : "move");
    this._carryOut(turn);
  }

  // Planning

  /** Whether a move may be chosen while the rival thinks. */
  get _mayPlan() {
    const { turn, seat, seats, table } = this.room;
    const waits = turn !== undefined && seat !== null && !turn.outcome && !turn.paused && !turn.seats.includes(seat);
    return waits && seats.length === 1 && table.seats.length === 2 && !this._playsAtOnce && !this._elsewhere;
  }

  /** The same move once more, or none, plans nothing. @param {string | null} move */
  _plan(move) {
    this._planned = move === this._planned ? null : move;
    this._draw();
    write(this._live, this._planned === null ? say("planCancelled") : say("planned", { move }));
  }

  /** What was planned is played if it may be, and said to be gone if not. @param {NextPlayer} turn */
  _carryOut(turn) {
    const move = this._planned;
    const { seat } = this.room;
    if (move === null || turn !== this.room.turn || seat === null) return;
    const mine = turn.seats.includes(seat);
    if (!turn.outcome && !mine && this._board?.stillMeant(move, turn.view)) return;
    this._planned = null;
    if (turn.outcome) return;
    if (mine && turn.legalMoves?.includes(move)) void this._play(move);
    else this._dropped = say("planDropped", { move });
  }

  /** @param {string} move @returns {Promise<void>} */
  async _play(move) {
    const { room } = this;
    const { turn, seat } = room;
    if (!turn || seat === null) return;
    if (this._past?.ply != null) { // a typed move is for now
      this._past.ply = null;
      this._draw();
    }
    if (this._ghost) return this._wait(move);
    if (turn.outcome) return this._app.note(say("gameIsOver"));
    if (this._mayPlan && this._board?.stillMeant(move, turn.view)) return this._plan(move);
    if (!turn.seats.includes(seat)) return this._app.note(say("notYourTurn", { name: this._name(turn.seats[0] ?? 0) }));
    const ghost = { move, ply: turn.ply };
    this._ghost = ghost;
    this._drawBoard();
    this._app.moveUnderWay();
    const answer = await this._app.line.ask("playTurn", { room: room.id, seat, ply: turn.ply, move });
    if (answer.type === "refused") {
      this._elsewhere = answer.reason === "playedElsewhere";
      this._app.note(refusal(answer));
      write(this._live, refusal(answer));
    }
    const isDrawn = this._ghost !== ghost && answer.type !== "refused"; // the turn that answers came first
    if (this._ghost === ghost) this._ghost = null;
    const next = this._nextWaiting();
    if (next !== undefined) return this._play(next);
    if (!isDrawn) this._draw();
  }

  /** A tap waits for the one before: one may be to move once more, or at any time. @param {string} move */
  _wait(move) {
    if (this._waiting.length >= MOST_WAITING) return;
    this._waiting.push(move);
    this._drawBoard();
  }

  /** The first that waits and still means something; none when this seat plays no more. */
  _nextWaiting() {
    const { turn, seat } = this.room;
    const plays = turn && seat !== null && turn.seats.includes(seat) && !turn.outcome;
    const meant = (/** @type {string} */ move) => plays && this._board?.stillMeant(move, turn.view);
    const at = this._waiting.findIndex(meant);
    return this._waiting.splice(0, at < 0 ? this._waiting.length : at + 1)[at];
  }

  /** Whether everybody plays at any time: no move is waited for, none taken back, and a tap may wait its turn. */
  get _playsAtOnce() {
    return Boolean(CARDS[this.room.table.game]?.atOnce);
  }

  // Drawing

  tick() {
    this._players.tick();
  }

  leave() {
    removeEventListener("keydown", this._keyed);
    if (this.room.seats.length === 0 && !this._app.isAbout(this.room)) void this._app.line.ask("leave", { room: this.room.id });
  }

  /** @param {number} seat */
  _name(seat) {
    return this.room.table.seats[seat]?.name ?? say("emptySeat");
  }

  get _isMine() {
    const { turn, seat } = this.room;
    return turn !== undefined && seat !== null && turn.seats.includes(seat) && !turn.outcome;
  }

  _drawBoard() {
    const { room, _board: board } = this;
    const { turn, seat, table } = room;
    if (board && turn) {
      this._shown = {
        view: turn.view, seat, mayMove: this._isMine && !this._ghost && !turn.paused, legalMoves: room.asksForMoves ? turn.legalMoves ?? [] : null,
        last: turn.last ?? undefined, ghost: this._ghost?.move ?? null, waiting: [...this._waiting], names: table.seats.map((holder) => holder?.name ?? say("emptySeat")),
        mayPlan: this._mayPlan, planned: this._planned,
      };
      board.show(this._past?.over(this._shown) ?? this._shown);
    }
    if (board) board.hidden = !turn;
  }

  _draw() {
    const { room } = this;
    const { turn, seat } = room;
    const { table } = room;
    this._drawTitle();
    this._players.draw();
    this._drawBoard();
    const mine = this._isMine;
    this.element.classList.toggle("my-turn", mine);
    const waits = turn && !turn.outcome && !mine;
    const atOnce = this._playsAtOnce;
    document.title = `${mine && !atOnce ? `● ${say("yourTurn")} – ` : ""}${gameName(table.game)} – ${say("title")}`;
    const sentence = turn?.outcome ? this._ending(turn.outcome) : mine ? say(atOnce ? "digOn" : "turnOf_you")
      : waits && atOnce ? say("othersPlayOn") : waits ? say("turnOf_other", { name: this._name(turn.seats[0] ?? 0) }) : table.state === "preparing" ? say("preparing") : "";
    this._drawStatus(turn, sentence);
    this._speak(turn, sentence);
    this._drawSetup();
    this._drawOffers();
    this._drawActions();
    this._drawMoves();
    this._drawPast();
    this._talk.draw();
    this._typed.hidden = !(turn && seat !== null && !turn.outcome);
  }

  _drawTitle() {
    write(this._title, titleOf(this.room.table));
  }

  /** @param {NextPlayer | undefined} turn @param {string} sentence */
  _drawStatus(turn, sentence) {
    const ended = turn?.outcome;
    this._status.classList.toggle("ended", Boolean(ended));
    if (!ended) {
      const toMove = this._playsAtOnce ? undefined : turn?.seats[0];
      const planned = this._planned;
      const key = `${toMove} ${sentence} ${planned}`;
      if (this._status.dataset.key === key) return;
      this._status.dataset.key = key;
      fill(this._status, el("p", {}, toMove !== undefined && badge(toMove), sentence), planned !== null && el("button", { class: "quiet cancel", onclick: () => this._plan(null) }, say("planned", { move: planned }), el("span", { class: "unseen" }, ` ${say("cancelPlan")}`), el("b", { "aria-hidden": "true" }, "✕")));
      return;
    }
    if (this._status.dataset.key === `${turn.seq}`) return;
    this._status.dataset.key = `${turn.seq}`;
    const winner = /** @type {number[]} */ (ended.winners)[0];
    fill(this._status,
      el("p", { class: "result" }, winner !== undefined && badge(winner), el("b", {}, this._headline(ended)), el("span", { class: "soft" }, this._why(ended))));
  }

  /** @param {any} outcome */
  _headline(outcome) {
    const { seats } = this.room;
    if (outcome.kind === "loss" && seats.length) return say("lost_you");
    if (outcome.kind === "win" && seats.length === 1 && outcome.winners.includes(seats[0])) return say("won_you");
    return endOf(outcome, this.room.table.seats.map((holder) => holder?.name)).result;
  }

  /** @param {any} outcome */
  _why(outcome) {
    const lost = outcome.kind === "win" && this.room.seats.length === 1 && !outcome.winners.includes(this.room.seats[0]);
    return sayOr(lost && outcome.reason === "resign" ? "why_resign_you" : `why_${outcome.reason}`, "gameIsOver");
  }

  /** @param {any} outcome */
  _ending(outcome) {
    return say("ending", { result: this._headline(outcome), why: this._why(outcome) });
  }

  /** Says each move once. @param {NextPlayer | undefined} turn @param {string} sentence */
  _speak(turn, sentence) {
    if (!turn || turn.seq === this._told) return;
    this._told = turn.seq;
    const told = this._shown && this._board ? this._board.tells(this._shown) : "";
    write(this._live, [turn.last ? this._moveText(turn.last) : "", told, this._dropped.replace(/\.$/, ""), sentence].filter(Boolean).join(". "));
    if (this._dropped) this._app.note(this._dropped);
    this._dropped = "";
  }

  /** @param {{seat?: number | null, move?: string | null, withdrew?: string | null, tookBack?: number | null}} last */
  _moveText({ seat, move, tookBack, withdrew }) {
    const name = this._name(seat ?? 0);
    return move ? say("moved", { name, move }) : tookBack ? say("tookBack", { name }) : withdrew ? say("withdrew", { name }) : "";
  }

  _drawPast() {
    const { _ply: ply, _moves: moves } = this;
    this._steps.hidden = this._playsAtOnce || moves.length === 0;
    this.element.classList.toggle("looks-back", ply < moves.length);
    this._past?.draw(this._looking, moves.length, this._moveText(moves[ply - 1] ?? {}), () => void this._look(Infinity));
    const shown = ply < moves.length ? this._list.children[ply - 1]?.firstElementChild : null;
    const before = this._list.querySelector("[aria-current]");
    if (shown === before) return;
    before?.removeAttribute("aria-current");
    shown?.setAttribute("aria-current", "step");
  }

  /** Adds what is new to the list; it is made anew only where earlier turns came in late. */
  _drawMoves() {
    const drawn = this._drawnMoves;
    if (drawn.length === this._moves.length && drawn.length > 0) return;
    const isLonger = drawn.length > 0 && drawn.every((turn, at) => turn === this._moves[at]);
    const from = isLonger ? drawn.length : 0;
    const items = this._moves.slice(from).map((turn, at) => {
      const shown = [badge(turn.seat ?? 0), turn.move ?? (turn.tookBack ? "↶" : "✕")];
      const text = this._moveText(turn);
      if (this._playsAtOnce) return el("li", { "aria-label": text }, ...shown);
      return el("li", {}, el("button", { class: "ply", "aria-label": text, onclick: () => void this._look(from + at + 1) }, ...shown));
    });
    if (isLonger) this._list.append(...items);
    else if (items.length) this._list.replaceChildren(...items);
    else if (!this._list.firstChild) this._list.append(el("li", { class: "soft none" }, say("noMoves")));
    this._drawnMoves = [...this._moves];
    // Within the frame, where the layout is due anyway.
    if (items.length) requestAnimationFrame(() => (this._list.scrollTop = this._list.scrollHeight));
  }

  _drawSetup() {
    const { room } = this;
    const waiting = room.table.state === "waiting";
    const key = waiting ? `${room.table.seats.filter(Boolean).length} ${room.code}` : "";
    if (this._boardPlace.dataset.key === key) return;
    this._boardPlace.dataset.key = key;
    this._boardPlace.querySelector(".share")?.remove();
    if (waiting) this._boardPlace.prepend(sharePanel(this._app, room));
  }

  _drawOffers() {
    const { room } = this;
    const { turn } = room;
    const mine = room.seats;
    const lines = [...room.offers.values()].map((offer) => {
      const own = mine.includes(offer.seat);
      const text = sayOr(`${own ? "mine" : "offered"}_${offer.what}`, own ? "mine_other" : "offered_other", { name: this._name(offer.seat) });
      const answer = (/** @type {boolean} */ yes) => this._app.ask("answer", { room: room.id, seat: room.seat, offer: offer.offer, yes });
      return [offer.offer, () => el("div", { class: "offer" }, el("p", {}, text),
        !own && mine.length > 0 && el("div", { class: "row" },
          el("button", { class: "primary", onclick: () => answer(true) }, say("accept")), el("button", { class: "quiet", onclick: () => answer(false) }, say("decline"))))];
    });
    const away = turn && !turn.outcome && mine.length > 0
      ? room.table.members.find(({ player, seats }) => room.claimable.has(player.id) && seats.some((seat) => !mine.includes(seat))) : undefined;
    if (away) {
      const claim = (/** @type {string} */ what) => this._app.ask("claim", { room: room.id, seat: room.seat, what });
      lines.push([`away ${away.player.id}`, () => el("div", { class: "offer" }, el("p", {}, say("claimLine", { name: away.player.name })),
        el("div", { class: "row" }, el("button", { class: "primary", onclick: () => claim("win") }, say("claimWin")), el("button", { class: "quiet", onclick: () => claim("draw") }, say("claimDraw"))))]);
    }
    if (this._isElsewhere) lines.push(["elsewhere", () => el("div", { class: "offer" }, el("p", {}, say("elsewhere")), el("button", { class: "primary", onclick: () => this._takeSeat() }, say("playHere")))]);
    if (this._declined) lines.push([this._declined, () => el("p", { class: "offer soft" }, this._declined)]);
    const key = lines.map(([name]) => name).join(" ");
    if (this._offers.dataset.key === key) return;
    this._offers.dataset.key = key;
    fill(this._offers, ...lines.map(([, make]) => /** @type {() => HTMLElement} */ (make)()));
  }

  async _takeSeat() {
    this._elsewhere = false;
    await this._app.ask("takeSeat", { room: this.room.id, seat: this.room.seat });
    this._draw();
  }

  _drawActions() {
    const { room } = this;
    const { turn } = room;
    const plays = room.seats.length > 0;
    const state = turn?.outcome ? "over" : turn ? "on" : "before";
    const gone = room.table.seats.find((holder) => holder && !room.table.members.some(({ player }) => player.id === holder.id));
    const key = `${state} ${plays} ${room.next ?? ""} ${gone?.id ?? ""}`;
    if (this._actions.dataset.key === key) return;
    this._actions.dataset.key = key;
    const button = (/** @type {import("../texts.js").TextName} */ name, /** @type {() => void} */ onclick, kind = "quiet") => el("button", { class: kind, onclick }, say(name));
    const offer = (/** @type {string} */ what) => () => void this._app.ask("offer", { room: room.id, seat: room.seat, what });
    fill(this._actions,
      !plays && el("p", { class: "soft" }, say("watchingNow")),
      plays && state === "on" && !this._playsAtOnce && button("offerDraw", offer("draw")),
      plays && state === "on" && !this._playsAtOnce && button("offerTakeback", offer("takeback")),
      plays && state === "on" && button("resign", () => void this._resign()),
      plays && state === "on" && button("onPhone", () => void handOver(this._app)),
      plays && state === "over" && (gone ? el("p", { class: "soft" }, say("noRematch", { name: gone.name })) : button("rematch", offer("rematch"), "primary")),
      state === "over" && this._app.link(`replay/${room.id}`, { class: "button quiet" }, say("watchReplay")),
      state === "over" && button("newGame", () => void this._leave()),
      state !== "over" && button("leave", () => void this._leave()));
  }

  // Leaving

  async _resign() {
    const rival = this.room.table.seats.find((holder) => holder && holder.id !== this.room.player);
    const then = !rival ? say("resignLine_alone") : this._playsAtOnce ? say("resignLine_atOnce") : say("resignLine", { name: rival.name });
    if (await confirmed(say("resignAsk"), then, say("resign"), say("stay"))) {
      await this._app.ask("resign", { room: this.room.id, seat: this.room.seat });
    }
  }

  async _leave() {
    const isOn = this.room.seats.length > 0 && this.room.turn && !this.room.turn.outcome;
    if (isOn && !(await confirmed(say("leaveAsk"), say("leaveLine"), say("leave"), say("stay")))) return;
    await this._app.line.ask("leave", { room: this.room.id });
    if (this._app.screen === this) this._app.home();
  }

  /** To the first page. A game that is on goes on meanwhile; a table that is done with is left. */
  _home() {
    if (this.room.turn?.outcome) void this._leave();
    else this._app.home();
  }

  _typedMove() {
    const field = el("input", { name: "move", maxlength: 24, autocomplete: "off", autocapitalize: "none", spellcheck: "false", "aria-label": say("typedMove"), placeholder: say("typedMove") });
    const form = el("form", { class: "row typed" }, field, el("button", { type: "submit", class: "quiet" }, say("play")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const move = field.value.trim();
      field.value = "";
      if (move) void this._play(move);
    });
    return form;
  }
}
