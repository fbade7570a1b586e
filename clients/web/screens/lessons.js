// The lessons of a game: positions that each ask for one move and answer it. Fetched when first opened.
//
// Law: this module knows no rules. Positions, legal moves and the views after them come from `lessons/`.

import "../later-look.js";
import { el, fill, sign, write } from "../dom.js";
import { boardFor, CARDS } from "../games.js";
import { say } from "../later-texts.js";
import { KEPT } from "../line.js";
import { LESSONS } from "../main.js";
import { gameName, language, own } from "../texts.js";

/**
 * @typedef {object} Lesson
 * @property {string} told
 * @property {string} asked
 * @property {Record<string, string>} by the text about entering such a move, for `mouse` and `touch`
 * @property {string} praised the answer to a right move
 * @property {string} otherwise the answer to another legal move
 * @property {Record<string, any>} view
 * @property {string[]} legal
 * @property {Record<string, Record<string, any>>} after the view after each right move, by move
 */

/** @param {string} game @returns {Promise<Lesson[]>} */
async function lessonsOf(game) {
  const answer = await fetch(new URL(`../lessons/${game}.${language}.json`, import.meta.url));
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** Open the lessons of a game above the screen, at the first one. @param {string} game */
export async function showLessons(game) {
  const lessons = await lessonsOf(game);
  const hand = matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";
  let at = -1;
  let isDone = false;
  const title = el("h2", {}, say("lessonsOf", { game: gameName(game) }));
  const place = el("div", { class: "board-place" });
  const told = el("p", { class: "told" });
  const asked = el("p", { class: "asked" });
  const how = el("p", { class: "soft how-to" });
  const answer = el("p", { class: "answer", role: "status" });
  const count = el("p", { class: "soft" });
  const back = el(
    "button",
    { class: "quiet", "aria-label": say("lessonBack"), onclick: () => void go(at - 1) },
    sign("back"),
  );
  const on = el("button", { onclick: () => (at + 1 < lessons.length ? void go(at + 1) : dialog.close()) });
  const dialog = el(
    "dialog",
    { class: "card lessons", "aria-label": title.textContent },
    el(
      "header",
      {},
      title,
      el("p", { class: "due", "aria-live": "polite" }), // filled by the table behind
      el("button", { class: "gear", "aria-label": say("close"), onclick: () => dialog.close() }, "✕"),
    ),
    place,
    el("div", { class: "lesson" }, told, asked, how, answer),
    el("footer", {}, back, count, on),
  );
  place.dataset.game = game;
  /**
   * @param {import("../boards/board.js").Board} board
   * @param {Lesson} lesson
   * @param {string} move
   */
  const played = (board, lesson, move) => {
    if (isDone) return;
    const { after, legal, praised, otherwise } = lesson;
    const view = own(after, move);
    isDone = view !== undefined;
    // A new element, so that screen readers repeat the same answer.
    fill(answer, el("span", {}, isDone ? praised : legal.includes(move) ? otherwise : say("notPossible")));
    answer.classList.toggle("right", isDone);
    if (!view) return;
    board.show(shownIn(view, [], move));
    on.classList.add("primary");
    on.focus();
  };
  /** Show a lesson on a new board, because a board may be in a mode such as the one for walls. @param {number} next */
  const go = async (next) => {
    const lesson = lessons[next];
    if (!lesson) return;
    at = next;
    const board = await boardFor(game);
    if (at !== next) return; // a quick finger
    board.isLesson = true;
    isDone = false;
    write(count, say("lessonAt", { at: at + 1, all: lessons.length }));
    write(told, lesson.told);
    write(asked, lesson.asked);
    write(how, lesson.by[hand] ?? "");
    fill(answer);
    answer.classList.remove("right");
    on.classList.remove("primary");
    write(on, say(at + 1 < lessons.length ? "lessonNext" : "letsPlay"));
    back.disabled = at === 0;
    board.addEventListener("move", (event) => played(board, lesson, /** @type {CustomEvent<string>} */ (event).detail));
    fill(place, board);
    board.show(shownIn(lesson.view, lesson.legal));
  };
  dialog.addEventListener("close", () => {
    dialog.remove();
    markShown(game);
  });
  await go(0);
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * The board's data for a position, as seen by seat 0.
 * @param {Record<string, any>} view
 * @param {string[]} legalMoves
 * @param {string} [move] the last move
 */
const shownIn = (view, legalMoves, move) => ({
  view,
  seat: 0,
  mayMove: legalMoves.length > 0,
  legalMoves,
  last: { seat: 0, move },
  ghost: null,
  waiting: [],
  names: [say("you"), say("opponent")],
});

/**
 * Show the lessons at a player's first game of a kind: at once, or as a hint if others wait.
 * @param {import("../room.js").Room} room
 * @param {HTMLElement} button the button for the lessons, which gets the hint
 * @param {boolean} expects whether a computer player will sit down
 */
export async function introduce(room, button, expects) {
  const { game, seats, clock } = room.table;
  const isAlone = seats.every((holder) => (holder ? holder.bot || holder.id === room.player : expects));
  if (isAlone && !clock && (seats.length === 1 || !CARDS[game]?.atOnce)) return showLessons(game);
  await lessonsOf(game); // the browser keeps the file for times without a server
  markShown(game);
  const label = button.querySelector("span");
  label?.classList.remove("unseen");
  if (label) fill(label, say("newTo", { game: gameName(game) }), " ", el("i", {}, say("seeHow")));
}

/** @param {string} game */
function markShown(game) {
  for (const hint of document.querySelectorAll(".learn > span:not(.unseen)")) {
    hint.classList.add("unseen");
    write(hint, say("lessonsOf", { game: gameName(game) }));
  }
  const shown = KEPT.read("localStorage", LESSONS)?.split(" ") ?? [];
  if (!shown.includes(game)) KEPT.write("localStorage", LESSONS, [...shown, game].join(" "));
}
