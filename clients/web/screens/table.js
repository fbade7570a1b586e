// One table: the board, its players and clocks, and all actions.

import { badge, el, emblem, fill, gear, lineForm, mark, sign, write } from "../dom.js";
import { boardFor, CARDS, endOf, lessonsButton, ratioOf, titleOf } from "../games.js";
import { gameName, refusal, say } from "../texts.js";
import { Actions } from "./actions.js";
import { isAway, nameAt, Players } from "./players.js";
import { Turns } from "./turns.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../boards/board.js").Board} Board */
/** @typedef {import("../protocol.d.ts").NextPlayer} NextPlayer */

const MOST_WAITING = 20;
/** Time after which an invited player may not come any more. */
const EXPECTED_MS = 3000;
export class TableScreen {
  /** @param {App} app @param {Room} room */
  constructor(app, room) {
    this._app = app;
    this.room = room;
    this._board = /** @type {Board | null} */ (null);
    /** The element that says why there is no board. @type {HTMLElement | null} */
    this._missing = null;
    /** Number of attempts to load the board. */
    this._loads = 0;
    this._shown = /** @type {import("../boards/board.js").Shown | null} */ (null);
    /** Our move without an answer. @type {{move: string, ply: number} | null} */
    this._ghost = null;
    /** Our next moves after it, in games without turns. @type {string[]} */
    this._waiting = [];
    /** Our planned move for our next turn. @type {string | null} */
    this._planned = null;
    this._told = -1;
    /** Whether a player was invited when the table was created, so that the panel for inviting isn't needed. */
    this._expects = false;
    /** The sentence for a planned move that was dropped. */
    this._dropped = "";
    /** Whether a move was refused because another window plays this seat. */
    this._elsewhere = false;

    this._title = el("h1", { class: "about" });
    this._how = lessonsButton(app, room.table.game);
    this._watchers = el("span", { class: "watchers", role: "img" });
    this._players = new Players(app, room);
    this._boardPlace = el("div", { class: "board-place" });
    this._boardPlace.dataset.game = room.table.game;
    // The place has the size of the board before the board is loaded.
    this._boardPlace.style.setProperty("--ratio", String(ratioOf(room.table.options)));
    this._status = el("section", { class: "status", "aria-label": say("state") });
    this._live = el("p", { class: "unseen", "aria-live": "polite" });
    this._chatButton = el(
      "button",
      { class: "act few chat", "aria-label": say("chat"), "aria-expanded": "false", onclick: () => void this._chat() },
      sign("chat"),
    );
    this._chatButton.hidden = app.line.session.welcome?.limits.chat === "off";
    this._actions = new Actions(app, room, this._chatButton);
    /** The chat, once it is fetched. @type {import("./talk.js").Talk | null} */
    this._talk = null;
    /** The pending fetch of the chat. @type {Promise<void> | null} */
    this._talkComes = null;
    /** The element that reads lines out, even if the chat isn't shown. */
    this._read = el("p", { class: "unseen", "aria-live": "polite" });
    /** Lines said before we came. */
    this._saidBefore = new Set(room.said);
    this._offers = el("div", { class: "offers", "aria-live": "polite" });
    this._turns = new Turns(
      app,
      room,
      () => this._draw(),
      (moves) => this._board?.light(moves),
    );
    /** The module that draws questions to us, after the first. @type {typeof import("./offers.js") | null} */
    this._asks = null;
    /** The card at the end of the game. @type {import("./ending.js").Ending | null} */
    this._ending = null;
    this._isEnding = false;
    this._typed = lineForm("typed", say("play"), (move) => void this._play(move), {
      name: "move",
      maxlength: 24,
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      "aria-label": say("typedMove"),
      placeholder: say("typedMove"),
    });
    this.element = el(
      "main",
      { class: "page table" },
      el(
        "header",
        { class: "bar" },
        el(
          "button",
          { class: "link home", onclick: () => this._home() },
          emblem(),
          el("b", {}, say("title")),
          el("span", { class: "unseen" }, say("home")),
        ),
        this._title,
        this._watchers,
        this._how,
        gear(say("settings"), () => void app.settings()),
      ),
      el(
        "div",
        { class: "stage" },
        this._players.above,
        this._boardPlace,
        this._players.below,
        this._turns.looking,
        this._live,
        this._read,
      ),
      this._status,
      this._offers,
      el(
        "aside",
        { class: "side" },
        this._actions.element,
        el("section", { class: "panel" }, el("h2", {}, say("moves")), this._turns.list, this._turns.steps, this._typed),
      ),
    );
    this.element.addEventListener(
      "keydown",
      (event) => event.key === "Escape" && this._planned !== null && this._plan(null),
    );
    void this._load();
    void this._turns.recall();
    this._draw();
  }

  /** Note that a player was invited. @param {Promise<unknown>} answer null after a refusal */
  expect(answer) {
    this._expects = true;
    this._draw();
    setTimeout(() => this._expectNobody(), EXPECTED_MS);
    void answer.then((done) => done === null && this._expectNobody());
  }

  _expectNobody() {
    if (!this._expects) return;
    this._expects = false;
    this._draw();
  }

  get hasMoveUnderWay() {
    return this._ghost !== null;
  }

  async _load() {
    const { game } = this.room.table;
    this._missing?.remove();
    this._missing = null;
    this._loads += 1;
    try {
      this._board = await boardFor(game, this._loads);
    } catch {
      this._miss(say("reloadForPart"));
      return;
    }
    // A tap on a past position plays nothing: it returns to the current one.
    this._board.addEventListener("move", (event) =>
      this._turns.isPast ? this._turns.goOn() : this._play(/** @type {CustomEvent<string>} */ (event).detail),
    );
    this._board.addEventListener("hint", () => this._hint());
    this._boardPlace.append(this._board);
    this._draw();
    void this._app.introduce(this.room, this._how, this._expects);
  }

  async _fetchTalk() {
    const module = await this._app.part(import("./talk.js"));
    if (!module) return;
    this._talk = new module.Talk(this._app, this.room, this._chatButton, this._read, (seat) =>
      this._players.nameAt(seat),
    );
    this.element.querySelector(".side")?.append(this._talk.element);
    for (const line of this.room.said) this._saidBefore.has(line) ? this._talk.add(line) : this._talk.hear(line);
    this._talk.draw(this._isOn);
  }

  /** Open or close the chat. */
  async _chat() {
    await this._talkComes;
    if (!this._talk) await this._fetchTalk(); // a second attempt
    this._talk?.toggle();
  }

  /** Show the board's hint for a finger in place of the turn. */
  _hint() {
    this._draw();
    if (this._board?.hint) write(this._live, this._board.hint);
  }

  /** @param {string} why */
  _miss(why) {
    this._missing = el("p", { class: "card soft" }, why);
    this._boardPlace.append(this._missing);
  }

  get _isElsewhere() {
    return this._elsewhere || this.room.isElsewhere;
  }

  // Events

  /** @param {import("../session.js").SessionEvent} event */
  hear(event) {
    if (event.kind === "opened" && event.before === this.room.id) {
      this._app.open(event.room, true);
      return;
    }
    if (event.kind === "welcomed") this._draw();
    if (event.kind === "wentBack" && event.room === this.room) void this._turns.recall();
    if (event.kind === "welcomed" && this._missing) void this._load(); // the server was gone before
    if (event.kind !== "received" || event.room !== this.room) return;
    const { message } = event;
    if (message.type === "nextPlayer") this._hearTurn(message);
    else if (message.type === "snapshot") void this._turns.recall();
    else if (message.type === "said") {
      this._talk?.hear(message);
      if (message.player.id !== this.room.player) this._app.play("said");
    } else if (message.type === "declined") {
      this._app.note(say("declined", { name: message.player.name }));
      this._expects = false;
    } else if (message.type === "answered" && !message.yes && !this.room.seats.includes(message.seat)) {
      this._app.note(say("declinedOffer", { name: nameAt(this.room, message.seat) }));
    } else if (message.type === "offered" && message.what !== "rematch") void this._tellOffer(message);
    this._draw();
  }

  /** @param {NextPlayer} turn */
  _hearTurn(turn) {
    this._turns.hear(turn);
    if (turn.opening) void this._turns.recall();
    if (this._ghost && ((turn.ply > this._ghost.ply && !this._playsAtOnce) || turn.outcome)) this._ghost = null;
    const mine = this.room.seat !== null && turn.seats.includes(this.room.seat);
    if (turn.last && turn === this.room.turn)
      this._app.play(turn.outcome ? this._endSound(turn.outcome) : mine && !this._playsAtOnce ? "turn" : "move");
    if (turn.last && mine && !this._playsAtOnce) this._tellInLessons();
    if (turn.ply > 1) void this._fetchEnding();
    this._carryOut(turn);
  }

  /** Say that it is our turn in the lessons, which hide the table. */
  _tellInLessons() {
    const lessons = document.querySelector("dialog.lessons");
    const due = lessons?.querySelector(".due");
    const back = () => /** @type {HTMLDialogElement} */ (lessons).close();
    if (due) fill(due, el("button", { class: "primary", onclick: back }, `${say("yourTurn")} – ${say("backToGame")}`));
  }

  /** @param {any} outcome @returns {import("../sound.js").Sound} */
  _endSound({ kind, winners }) {
    const { seats } = this.room;
    const counts = seats.length === 1 && (kind === "win" || kind === "loss");
    return !counts ? "end" : winners.includes(seats[0]) ? "won" : "lost";
  }

  // Planning

  /** Whether a move may be planned during the rival's turn. */
  get _mayPlan() {
    const { turn, seat, seats, table } = this.room;
    const waits = turn !== undefined && seat !== null && !turn.outcome && !turn.paused && !turn.seats.includes(seat);
    return waits && seats.length === 1 && table.seats.length === 2 && !this._playsAtOnce && !this._elsewhere;
  }

  /** Plan a move. The same move again, or null, removes the plan. @param {string | null} move */
  _plan(move) {
    this._planned = move === this._planned ? null : move;
    this._draw();
    write(this._live, this._planned === null ? say("planCancelled") : say("planned", { move }));
  }

  /** Plays the planned move if it is legal, else says that it is dropped. @param {NextPlayer} turn */
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

  /** @param {import("../protocol.d.ts").Refused} answer */
  async _refused(answer) {
    const why = await refusal(answer);
    this._app.note(why);
    write(this._live, why);
  }

  /** @param {string} move @returns {Promise<void>} */
  async _play(move) {
    const { room } = this;
    const { turn, seat } = room;
    if (!turn || seat === null) return;
    this._turns.forget(); // a typed move is for the current position
    if (this._ghost) return this._wait(move);
    if (turn.outcome) return this._app.note(say("gameIsOver"));
    if (this._mayPlan && this._board?.stillMeant(move, turn.view)) return this._plan(move);
    if (!turn.seats.includes(seat))
      return this._app.note(say("notYourTurn", { name: nameAt(this.room, turn.seats[0] ?? 0) }));
    const ghost = { move, ply: turn.ply };
    this._ghost = ghost;
    this._drawBoard();
    this._app.moveUnderWay();
    const answer = await this._app.line.ask("playTurn", { room: room.id, seat, ply: turn.ply, move });
    if (answer.type === "refused") {
      this._elsewhere = answer.reason === "playedElsewhere";
      void this._refused(answer);
    }
    const isDrawn = this._ghost !== ghost && answer.type !== "refused"; // the turn with the answer came first
    if (this._ghost === ghost) this._ghost = null;
    const next = this._nextWaiting();
    if (next !== undefined) return this._play(next);
    if (!isDrawn) this._draw();
  }

  /** Queue a tap after the unanswered move, in a game where the player may move again. @param {string} move */
  _wait(move) {
    if (this._waiting.length >= MOST_WAITING) return;
    this._waiting.push(move);
    this._drawBoard();
  }

  /** Play the first queued move that still makes sense. Once the seat is out, drop all. */
  _nextWaiting() {
    const { turn, seat } = this.room;
    const plays = turn && seat !== null && turn.seats.includes(seat) && !turn.outcome;
    const meant = (/** @type {string} */ move) => plays && this._board?.stillMeant(move, turn.view);
    const at = this._waiting.findIndex(meant);
    return this._waiting.splice(0, at < 0 ? this._waiting.length : at + 1)[at];
  }

  /** Whether all play at the same time: nothing is taken back, and taps are queued. */
  get _playsAtOnce() {
    return Boolean(CARDS[this.room.table.game]?.atOnce);
  }

  // Drawing

  tick() {
    this._players.tick();
    this._board?.tick(this._app.line.serverNow);
  }

  leave() {
    this._turns.leave();
    if (this.room.seats.length === 0 && !this._app.isAbout(this.room))
      void this._app.line.ask("leave", { room: this.room.id });
  }

  /** Give the board its view, which may be a past one. Returns the view. */
  _drawBoard() {
    const { room, _board: board } = this;
    const { turn, seat, table } = room;
    if (board) {
      board.inert = this._isInviting;
      board.hidden = !turn && !((this._isInviting || table.starts) && board.waits(table));
    }
    if (!board || !turn) return turn?.view;
    this._shown = {
      view: turn.view,
      drawing: turn.drawing ?? undefined,
      seat,
      mayMove: this.room.isToMove && !this._ghost && !turn.paused,
      legalMoves: room.asksForMoves ? (turn.legalMoves ?? []) : null,
      last: turn.last ?? undefined,
      ghost: this._ghost?.move ?? null,
      waiting: [...this._waiting],
      names: table.seats.map((_, each) => nameAt(room, each)),
      mayPlan: this._mayPlan,
      planned: this._planned,
      time: turn.began == null || turn.paused ? null : { began: turn.began, took: turn.milliseconds ?? null },
    };
    const shown = this._turns.shownOf(this._shown);
    board.show(shown);
    return shown.view;
  }

  _draw() {
    const { room } = this;
    const { turn, seat } = room;
    const { table } = room;
    write(this._title, titleOf(table));
    this._drawWatchers();
    this._players.draw(this._drawBoard()); // turn and clocks are always the current ones
    const mine = this.room.isToMove;
    this.element.classList.toggle("my-turn", mine);
    const waits = turn && !turn.outcome && !mine;
    const atOnce = this._playsAtOnce;
    this._app.tab(`${gameName(table.game)} – ${say("title")}`, mine && !atOnce);
    const sentence = turn?.outcome
      ? say("ending", this._endOf(turn.outcome))
      : turn?.paused
        ? say("paused")
        : mine
          ? atOnce || room.seats.length === 1
            ? say(atOnce ? "digOn" : "turnOf_you")
            : say("notYourTurn", { name: nameAt(room, seat ?? 0) })
          : waits && atOnce
            ? say("othersPlayOn")
            : waits
              ? this._waitingFor(turn)
              : table.state === "preparing"
                ? say(table.starts ? "raceStarts" : "preparing")
                : "";
    this._drawStatus(turn, sentence, (!this._turns.isPast && this._board?.hint) || "");
    this._speak(turn, sentence);
    this._drawSetup();
    this._drawOffers();
    this._actions.draw(turn?.outcome ? "over" : this._isOn ? "on" : "before", this._isOut, atOnce);
    this._turns.draw();
    this.element.classList.toggle("looks-back", this._turns.looksBack);
    this._talk?.draw(this._isOn);
    if (this._board && (turn || table.state === "waiting")) this._talkComes ??= this._fetchTalk();
    this._typed.hidden = seat === null;
    this._typed.classList.toggle("unused", !this._isOn || this._isOut);
  }

  /** @param {NextPlayer} turn */
  _waitingFor(turn) {
    const [seat = 0] = turn.seats;
    const runs = turn.clocks && turn.firstMove == null;
    const name = isAway(this.room, seat) ? (runs ? "turnOf_gone" : "turnOf_away") : "turnOf_other";
    return say(name, { name: nameAt(this.room, seat) });
  }

  _drawWatchers() {
    const number = this.room.table.members.filter(({ seats, away }) => !seats.length && away == null).length;
    if (this._watchers.dataset.key === `${number}`) return;
    this._watchers.dataset.key = `${number}`;
    const told = say("watching", { number });
    mark(this._watchers, "aria-label", told);
    mark(this._watchers, "title", told);
    fill(this._watchers, number > 0 && sign("eye"), number > 0 && String(number));
  }

  /** Whether we are out while the others play. */
  get _isOut() {
    return this._playsAtOnce && this.room.turn !== undefined && !this.room.isToMove;
  }

  /** Whether the game is running, even before its first turn, so that nothing moves when it comes. */
  get _isOn() {
    const { turn, table } = this.room;
    return turn ? !turn.outcome : table.state !== "finished" && (this._expects || table.seats.every(Boolean));
  }

  /** @param {NextPlayer | undefined} turn @param {string} sentence @param {string} hint */
  _drawStatus(turn, sentence, hint) {
    const ended = turn?.outcome;
    this._status.classList.toggle("ended", Boolean(ended));
    if (!ended) {
      const toMove = this._playsAtOnce ? undefined : turn?.seats[0];
      const planned = this._planned;
      const key = `${toMove} ${hint || sentence} ${planned}`;
      if (this._status.dataset.key === key) return;
      this._status.dataset.key = key;
      fill(
        this._status,
        hint && this._board?.asked
          ? el("button", { class: "primary", onclick: () => this._board?.confirm() }, hint)
          : el("p", { class: hint && "hint" }, toMove !== undefined && badge(toMove), hint || sentence),
        planned !== null &&
          el(
            "button",
            { class: "quiet cancel", onclick: () => this._plan(null) },
            say("planned", { move: planned }),
            el("span", { class: "unseen" }, ` ${say("cancelPlan")}`),
            el("b", { "aria-hidden": "true" }, "✕"),
          ),
      );
      return;
    }
    if (this._ending) return this._ending.draw(ended, this._endOf(ended));
    void this._fetchEnding();
    if (this._status.dataset.key === `${turn.seq}`) return;
    this._status.dataset.key = `${turn.seq}`;
    const winner = /** @type {number[]} */ (ended.winners)[0];
    const { result, why } = this._endOf(ended);
    fill(
      this._status,
      el(
        "p",
        { class: "result" },
        winner !== undefined && badge(winner),
        el("b", {}, result),
        el("span", { class: "soft" }, why),
      ),
    );
  }

  /** Fetch the card before the end, so that it appears at once. */
  async _fetchEnding() {
    if (this._isEnding) return;
    this._isEnding = true;
    const look = import("../later-look.js").catch(() => null);
    const module = await import("./ending.js").catch(() => null);
    await look;
    this._isEnding = module !== null;
    if (!module) return;
    const { _app: app, room, _status: place, _turns: turns } = this;
    this._ending = new module.Ending(
      app,
      room,
      place,
      () => turns.length,
      () => void this._actions.leave(room.table.game),
      this._chatButton,
    );
    this._draw();
  }

  /** @param {any} outcome */
  _endOf(outcome) {
    const { table, seats, turn } = this.room;
    const ended = endOf(
      outcome,
      table.seats.map((_, seat) => nameAt(this.room, seat)),
      seats,
    );
    return { ...ended, why: this._board?.why(outcome, turn?.view) || ended.why };
  }

  /** Read each move out, once. @param {NextPlayer | undefined} turn @param {string} sentence */
  _speak(turn, sentence) {
    if (!turn || turn.seq === this._told) return;
    this._told = turn.seq;
    const told = this._shown && this._board ? this._board.tells(this._shown) : "";
    write(
      this._live,
      [turn.last ? this._turns.text(turn.last) : "", told, this._dropped.replace(/\.$/, ""), sentence]
        .filter(Boolean)
        .join(". "),
    );
    if (this._dropped) this._app.note(this._dropped);
    this._dropped = "";
  }

  /** Whether it is said how others come; the board lies behind that. */
  get _isInviting() {
    const { state, seats } = this.room.table;
    return state === "waiting" && !this._expects && seats.some((holder) => !holder);
  }

  _drawSetup() {
    const { room } = this;
    const waiting = this._isInviting;
    const key = waiting ? `${room.table.seats.filter(Boolean).length} ${room.code}` : "";
    if (this._boardPlace.dataset.key === key) return;
    this._boardPlace.dataset.key = key;
    this._boardPlace.querySelector(".share")?.remove();
    if (waiting) void this._invite(key);
  }

  /** Show the ways for others to this table, unless a player has come meanwhile. @param {string} key */
  async _invite(key) {
    const forms = await this._app.forms();
    if (!forms || this._boardPlace.dataset.key !== key) return;
    this._boardPlace.querySelector(".share")?.remove(); // a player came and left meanwhile
    this._boardPlace.prepend(forms.sharePanel(this._app, this.room));
  }

  _drawOffers() {
    const { room, _isElsewhere: isElsewhere } = this;
    if (this._asks)
      this._asks.drawOffers(this._offers, this._app, room, isElsewhere ? () => void this._takeSeat() : null);
    else if ([...room.offers.values()].some(({ what }) => what !== "rematch") || room.claimable.size > 0 || isElsewhere)
      void this._offersModule().then((asks) => asks && this._drawOffers());
  }

  /**
   * Say our own offer once; for watchers, say the players' offers.
   * @param {import("../protocol.d.ts").Offered} offer
   */
  async _tellOffer(offer) {
    const { seats } = this.room;
    const asks = seats.length === 0 || seats.includes(offer.seat) ? await this._offersModule() : null;
    if (asks) this._app.note(asks.offerText(this.room, offer));
  }

  async _offersModule() {
    this._asks ??= await this._app.part(import("./offers.js"));
    return this._asks;
  }

  async _takeSeat() {
    this._elsewhere = false;
    await this._app.ask("takeSeat", { room: this.room.id, seat: this.room.seat });
    this._draw();
  }

  /** Goes to the first page. A running game continues; a finished table is left. */
  _home() {
    if (this.room.turn?.outcome) void this._actions.leave();
    else this._app.home();
  }
}
