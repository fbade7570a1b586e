// Questions to us at a table: offers, a claim against an absent player, and a seat that another window plays.

import { el, fill } from "../dom.js";
import { say, sayOr } from "../later-texts.js";
import { nameAt } from "./players.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../room.js").Room} Room */
/** @typedef {import("../protocol.d.ts").Offered} Offered */

/** @param {Room} room @param {Offered} offer */
export function offerText(room, { what, seat }) {
  const who = room.seats.includes(seat) ? "mine" : "offered";
  return sayOr(`${who}_${what}`, `${who}_other`, { name: nameAt(room, seat) });
}

/**
 * Show the open questions to us. Our own offers are not shown.
 * @param {HTMLElement} place
 * @param {App} app
 * @param {Room} room
 * @param {(() => void) | null} takeSeat moves the seat here if another window plays it
 */
export function drawOffers(place, app, room, takeSeat) {
  const { turn } = room;
  const mine = room.seats;
  // The card at the end shows rematches.
  const isAsked = (/** @type {Offered} */ { seat, what }) => what !== "rematch" && !mine.includes(seat);
  const asked = mine.length > 0 ? [...room.offers.values()].filter(isAsked) : [];
  /** @type {[string, () => HTMLElement][]} */
  const lines = asked.map((offer) => {
    const answer = (/** @type {boolean} */ yes) =>
      app.ask("answer", { room: room.id, seat: room.seat, offer: offer.offer, yes });
    return [
      offer.offer,
      () =>
        line(
          offerText(room, offer),
          two(
            say("accept"),
            () => answer(true),
            say("decline"),
            () => answer(false),
          ),
        ),
    ];
  });
  const away =
    turn && !turn.outcome && mine.length > 0
      ? room.table.members.find(
          ({ player, seats }) => room.claimable.has(player.id) && seats.some((seat) => !mine.includes(seat)),
        )
      : undefined;
  if (away) {
    const claim = (/** @type {string} */ what) => app.ask("claim", { room: room.id, seat: room.seat, what });
    lines.push([
      `away ${away.player.id}`,
      () =>
        line(
          say("claimLine", { name: away.player.name }),
          two(
            say("claimWin"),
            () => claim("win"),
            say("claimDraw"),
            () => claim("draw"),
          ),
        ),
    ]);
  }
  if (takeSeat)
    lines.push([
      "elsewhere",
      () => line(say("elsewhere"), el("button", { class: "primary", onclick: takeSeat }, say("playHere"))),
    ]);
  const key = lines.map(([name]) => name).join(" ");
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  fill(place, ...lines.map(([, make]) => make()));
}

/** @param {string} text @param {HTMLElement} answers */
function line(text, answers) {
  return el("div", { class: "offer" }, el("p", {}, text), answers);
}

/** @param {string} yes @param {() => void} onYes @param {string} no @param {() => void} onNo */
function two(yes, onYes, no, onNo) {
  return el(
    "div",
    { class: "row" },
    el("button", { class: "primary", onclick: onYes }, yes),
    el("button", { class: "quiet", onclick: onNo }, no),
  );
}
