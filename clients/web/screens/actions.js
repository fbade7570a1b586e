// The bar of actions at a table: the usual ones with a sign and words, the rest in a menu.
//
// Law: an action keeps its place while it is impossible. Then it is grey, and pressing it says why.

import { el, fill, mark, sign } from "../dom.js";
import { say } from "../texts.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/**
 * An action, which is offered to the others (`offers`) or done at once (`does`). In the menu it needs no sign.
 * @typedef {{name: import("../texts.js").TextName, sign?: import("../dom.js").SignName, offers?: string,
 *   does?: () => void}} Action
 */

/**
 * The reason why a player can't offer this now, as the name of a text; null if it is possible.
 * @param {Pick<Room, "turn" | "seats" | "table" | "offers">} room
 * @param {string} what
 */
export function hindrance({ turn, seats, table, offers }, what) {
  const { ply = 0, last } = turn ?? {};
  if (what === "takeback") {
    if (table.rated) return "noTakebackRated";
    if (ply === 0 || (ply === 1 && !seats.includes(last?.seat ?? -1))) return "noMoveOfYours";
  } else if (what === "draw" && ply === 0) return "noMoves";
  return [...offers.values()].some((offer) => offer.what === what && seats.includes(offer.seat))
    ? `mine_${what}`
    : null;
}

export class Actions {
  /** @param {App} app @param {Room} room @param {HTMLElement} beside one more button of the bar */
  constructor(app, room, beside) {
    this._app = app;
    this._room = room;
    this._beside = beside;
    this._key = "";
    /** @type {Map<string, HTMLElement>} */
    this._offering = new Map();
    this.element = el("div", { class: "actions" });
  }

  /** @param {"before" | "on" | "over"} state @param {boolean} isOut @param {boolean} playsAtOnce */
  draw(state, isOut, playsAtOnce) {
    const { table, turn, seats } = this._room;
    const pauses = table.clock && !table.clock.days && (turn?.paused ? "continue" : "pause");
    const key = `${state} ${seats.length} ${isOut} ${pauses}`;
    this.element.classList.toggle("unused", state === "over"); // until the card replaces the bar
    if (key !== this._key && state !== "over") {
      this._key = key;
      this._offering.clear();
      const [shown, kept] = this._possible(state, isOut, playsAtOnce, pauses);
      const watches = !seats.length && el("p", { class: "soft small" }, say("watchingNow"));
      const buttons = shown.map((each) => this._button(each));
      fill(this.element, watches, ...buttons, this._beside, kept.length > 0 && this._more(kept));
    }
    for (const [what, button] of this._offering) mark(button, "aria-disabled", hindrance(this._room, what) && "true");
  }

  /**
   * The actions of the bar, and those of its menu.
   * @param {string} state @param {boolean} isOut @param {boolean} playsAtOnce
   * @param {string | boolean | null | undefined} pauses
   * @returns {[Action[], Action[]]}
   */
  _possible(state, isOut, playsAtOnce, pauses) {
    const plays = this._room.seats.length > 0;
    /** @type {Action} */
    const leave = { name: "leave", sign: "leave", does: () => void this.leave() };
    /** @type {Action} */
    const share = { name: "share", sign: "share", does: () => void this._share() };
    /** @type {Action[]} */
    const device = plays ? [{ name: "onPhone", does: () => void this._handOver() }] : [];
    /** @type {Action[]} */
    const keys = matchMedia("(any-pointer: fine)").matches
      ? [{ name: "keys", does: () => void this._app.showKeys(this._room.table.game) }]
      : [];
    if (state === "before") return [[leave], []];
    if (!plays || isOut) return [[share, leave], device];
    /** @type {Action[]} */
    const offers = playsAtOnce
      ? []
      : [
          { name: "offerTakeback", sign: "takeback", offers: "takeback" },
          { name: "offerDraw", sign: "draw", offers: "draw" },
        ];
    /** @type {Action[]} */
    const pause = pauses ? [{ name: pauses === "pause" ? "pauseHere" : "goOn", offers: String(pauses) }] : [];
    return [
      [...offers, { name: "resign", sign: "resign", does: () => void this._resign() }],
      [...pause, ...device, share, ...keys, leave],
    ];
  }

  /** @param {Action} action */
  _button(action) {
    const { name, sign: shown, offers } = action;
    const inside = [shown && sign(shown), el("span", {}, say(name))];
    const button = el("button", { class: "act", onclick: () => void this._do(action) }, ...inside);
    if (offers) this._offering.set(offers, button);
    return button;
  }

  /** @param {Action[]} kept */
  _more(kept) {
    const button = el(
      "button",
      {
        class: "act few",
        "aria-haspopup": "dialog",
        "aria-label": say("more"),
        title: say("more"),
        onclick: async () => {
          const menu = await this._app.part(import("./menu.js"));
          menu?.openMenu(
            button,
            kept.map(({ name, offers, ...how }) => ({
              text: say(name),
              isGrey: offers !== undefined && hindrance(this._room, offers) !== null,
              does: () => void this._do({ name, offers, ...how }),
            })),
          );
        },
      },
      sign("more"),
    );
    return button;
  }

  /** @param {Action} action */
  async _do({ offers, does }) {
    if (!offers) return does?.();
    const { id, seat } = this._room;
    const why = hindrance(this._room, offers);
    if (!why) return void (await this._app.ask("offer", { room: id, seat, what: offers }));
    const texts = await this._app.part(import("../later-texts.js"));
    if (texts) this._app.note(texts.say(/** @type {import("../later-texts.js").TextName} */ (why)));
  }

  async _handOver() {
    await (await this._app.part(import("./hand-over.js")))?.handOver(this._app);
  }

  async _share() {
    (await this._app.forms())?.share(this._app, this._room);
  }

  async _resign() {
    await (await this._app.forms())?.resigns(this._app, this._room);
  }

  /** Leave the table. Asks first if its game is running. @param {string} [game] the game of the next table */
  async leave(game) {
    const forms = await this._app.forms();
    if ((await forms?.leaves(this._app, this._room)) && (game || this.element.isConnected)) this._app.home(game);
  }
}
