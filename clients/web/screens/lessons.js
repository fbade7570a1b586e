// How a game is played: positions that each ask for one move and answer it. Fetched when they are first opened.
//
// Law: nothing here knows a rule. Positions, legal moves and what follows them come from `lessons/`.

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
 * @property {Record<string, string>} by how to enter such a move, by `mouse` and by `touch`
 * @property {string} praised the answer to a right move
 * @property {string} otherwise the answer to another legal one
 * @property {Record<string, any>} view
 * @property {string[]} legal
 * @property {Record<string, Record<string, any>>} after the view after each right move
 */

/** @param {string} game @returns {Promise<Lesson[]>} */
async function lessonsOf(game) {
  const answer = await fetch(new URL(`../lessons/${game}.${language}.json`, import.meta.url));
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/**
 * Opens the lessons of a game above the screen, at the first one.
 * @param {string} game
 */
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
    // A new element, so that the same answer is read out again.
    fill(answer, el("span", {}, isDone ? praised : legal.includes(move) ? otherwise : say("notPossible")));
    answer.classList.toggle("right", isDone);
    if (!view) return;
    board.show(shownIn(view, [], move));
    on.classList.add("primary");
    on.focus();
  };
  /** A board for each lesson: it may have a mode, such as one for walls. @param {number} next */
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
 * A position for the player of seat 0.
 * @param {Record<string, any>} view
 * @param {string[]} legalMoves
 * @param {string} [move] that led to it
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
 * Shows a player how their first game of a kind is played: at once if nobody waits for them, else by a hint.
 * @param {import("../room.js").Room} room
 * @param {HTMLElement} button to open the lessons, which gets the hint
 * @param {boolean} expects whether a computer player is about to sit down
 */
export async function introduce(room, button, expects) {
  const { game, seats, clock } = room.table;
  const isAlone = seats.every((holder) => (holder ? holder.bot || holder.id === room.player : expects));
  if (isAlone && !clock && (seats.length === 1 || !CARDS[game]?.atOnce)) return showLessons(game);
  await lessonsOf(game); // the browser keeps the file, for when the server is gone
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
