// The games that have a board on this page: picture, sizes, and the module of the board.

// The base of all boards comes with the page, so that a board is ready as soon as its own module is fetched.
import "./boards/board.js";
import { el, svg, token } from "./dom.js";
import { gameName, OTHER_GAMES, say, sayIf, sayOr } from "./texts.js";

/**
 * @typedef {object} GameCard
 * @property {() => SVGElement[]} picture within 120 by 80
 * @property {{label: string, name?: string, options: Options}[]} sizes default first; `name` is shorter
 * @property {(view: any, seat: number) => string} [beside] the text beside a player's name
 * @property {Choice[]} [choices] other choices for a new table, default first
 * @property {{options: Options, seats: number}} [against] the table against the computer, if it isn't the default one
 * @property {{options: Options, seats: number}} [alone] the table for one, if there is one
 * @property {boolean} [atOnce] whether all play at the same time
 * @property {boolean} [lessons] whether the game has lessons
 * @property {string[]} [levels] levels of computer players, weakest first, if they differ from `LEVELS`
 */
/** @typedef {Record<string, string | number | boolean>} Options */
/**
 * @typedef {{label: string, offered: {label: string, options: Options, seats?: number[], watches?: boolean}[]}} Choice
 */

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} [kind] */
const tile = (x, y, width, height, kind = "hole") => svg("rect", { class: kind, x, y, width, height, rx: 4 });

/** The levels of computer players, weakest first. Other levels of a host's bots are left out. */
const LEVELS = ["easy", "normal", "hard", "expert"];

/** @type {Record<string, GameCard>} */
export const CARDS = {
  "tic-tac-toe": {
    lessons: true,
    picture: () => [
      ...[0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => tile(25 + column * 24, 5 + row * 24, 22, 22))),
      token(0, 36, 16, 8.5),
      token(1, 60, 40, 8.5),
      token(0, 84, 16, 8.5),
      token(1, 60, 16, 8.5),
      token(0, 36, 64, 8.5),
    ],
    sizes: [{ label: "3 × 3", options: {} }],
  },
  "connect-four": {
    lessons: true,
    picture: () => [
      tile(8, 4, 104, 72, "frame"),
      ...[0, 1, 2, 3, 4].flatMap((column) =>
        [0, 1, 2].map((row) => {
          const seat = ["01", "100", "010", "1", ""][column]?.[row];
          const [x, y] = [20 + column * 20, 64 - row * 22];
          return seat === undefined
            ? svg("circle", { class: "hole", cx: x, cy: y, r: 8.5 })
            : token(Number(seat), x, y, 8.5);
        }),
      ),
    ],
    sizes: [
      { label: "7 × 6", options: {} },
      { label: say("fiveInLine", { size: "9 × 7" }), options: { columns: 9, rows: 7, connect: 5 } },
      { label: say("threeInLine", { size: "5 × 4" }), options: { columns: 5, rows: 4, connect: 3 } },
    ],
  },
  "dots-and-boxes": {
    lessons: true,
    picture: () => [
      svg("rect", { class: "box seat-0", x: 36, y: 17, width: 22, height: 22 }),
      token(0, 47, 28, 6.5),
      svg("rect", { class: "box seat-1", x: 60, y: 41, width: 22, height: 22 }),
      token(1, 71, 52, 6.5),
      svg("path", { class: "edge", d: "M35 16H59V40H35ZM59 40H83V64H59ZM83 16V40" }),
      ...[0, 1, 2].flatMap((row) =>
        [0, 1, 2].map((column) => svg("circle", { class: "dot", cx: 35 + 24 * column, cy: 16 + 24 * row, r: 3 })),
      ),
    ],
    sizes: [
      { label: "5 × 5", options: {} },
      { label: "3 × 3", options: { rows: 3, columns: 3 } },
      { label: "8 × 8", options: { rows: 8, columns: 8 } },
    ],
    levels: ["very-easy", ...LEVELS],
    beside: (view, seat) => say("boxes", { count: view.scores[seat] }),
  },
  quoridor: {
    lessons: true,
    picture: () => [
      tile(20, 2, 80, 76, "frame"),
      ...[0, 1, 2, 3].flatMap((row) => [0, 1, 2, 3].map((column) => tile(25 + column * 18, 6 + row * 18, 15, 14))),
      token(1, 50.5, 13, 6),
      token(0, 68.5, 49, 6),
      svg("rect", { class: "wall", x: 43, y: 39, width: 33, height: 4, rx: 2 }),
      svg("rect", { class: "wall", x: 75.5, y: 6, width: 4, height: 32, rx: 2 }),
    ],
    sizes: [
      { label: say("tenWalls", { size: "9 × 9" }), options: {} },
      { label: say("sevenWalls", { size: "7 × 7" }), options: { size: 7, walls: 7 } },
      { label: say("fourWalls", { size: "5 × 5" }), options: { size: 5, walls: 4 } },
    ],
    beside: (view, seat) => say("wallsLeft", { count: view.wallsLeft[seat] }),
  },
  minesweeper: {
    lessons: true,
    picture: () => [
      tile(24, 4, 72, 72, "frame"),
      ...["#1.", "21.", "F1."]
        .flatMap((row, line) =>
          [...row].flatMap((look, column) => {
            const [x, y] = [27 + column * 22.5, 7 + line * 22.5];
            return [
              tile(x, y, 21, 21, /[#F]/.test(look) ? "lid" : "hole"),
              /\d/.test(look) && svg("text", { class: `digit digit-${look}`, x: x + 10.5, y: y + 16 }, look),
              look === "F" &&
                svg("path", {
                  class: "flag",
                  d: "M8 4V17M5 17H12M8 4.5L16 8L8 11Z",
                  transform: `translate(${x} ${y})`,
                }),
            ];
          }),
        )
        .filter((each) => each !== false),
    ],
    sizes: [
      {
        name: say("beginner"),
        label: say("fieldOf", { name: say("beginner"), size: "9 × 9", mines: 10 }),
        options: { level: "beginner" },
      },
      {
        name: say("intermediate"),
        label: say("fieldOf", { name: say("intermediate"), size: "16 × 16", mines: 40 }),
        options: { level: "intermediate" },
      },
      {
        name: say("expert"),
        label: say("fieldOf", { name: say("expert"), size: "30 × 16", mines: 99 }),
        options: { level: "expert" },
      },
    ],
    choices: [
      {
        label: say("howToPlay"),
        offered: [
          { label: say("race"), options: { mode: "race" }, seats: [2, 3, 4, 5, 6, 7, 8] },
          { label: say("together"), options: { mode: "coop" }, seats: [2, 3, 4, 5, 6, 7, 8] },
          { label: say("alone"), options: { mode: "solo" }, seats: [1] },
          { label: say("computerAlone"), options: { mode: "solo" }, seats: [1], watches: true },
        ],
      },
      {
        label: say("guessing"),
        offered: [
          { label: say("mayGuess"), options: {} },
          { label: say("noGuess"), options: { noGuess: true } },
        ],
      },
    ],
    against: { options: { mode: "race" }, seats: 2 },
    alone: { options: { mode: "solo" }, seats: 1 },
    atOnce: true,
    levels: [...LEVELS, "pinv-strict"],
    beside: (view, seat) => {
      const { opened, out } = view.players[seat];
      // In a game for one, cells that are open from the start count, too.
      const count = view.mode === "solo" ? view.cells.join("").replace(/\D/g, "").length : opened;
      const open = say("opened", { count, all: view.width * view.height - view.mines });
      return out ? `${sayOr(`out_${out}`, "out_resign")}, ${open}` : open;
    },
  },
};

Object.setPrototypeOf(CARDS, null); // a server may call a game by any word
const WITH_BOARDS = new Set(Object.keys(CARDS));
for (const [game, title] of Object.entries(OTHER_GAMES)) {
  CARDS[game] ??= {
    picture: () => [tile(24, 4, 72, 72, "frame"), svg("text", { class: "initial", x: 60, y: 52 }, title.slice(0, 1))],
    sizes: [{ label: "–", options: {} }],
  };
}
export const PLAYABLE = Object.keys(CARDS);

/**
 * The number of cells across and up, if the size can be chosen.
 * @param {Record<string, any>} options
 * @returns {[number | undefined, number | undefined]}
 */
const sizeOf = ({ columns, rows, size, width, height }) => [columns ?? size ?? width, rows ?? size ?? height];

/** The approximate ratio of a board's width to its height. @param {Record<string, any>} options */
export function ratioOf(options) {
  const [across = 1, up = 1] = sizeOf(options);
  return across / up;
}

/**
 * The title of a table: its game, options, and clock.
 * @param {{game: string, options?: Record<string, any> | null, clock?: import("./protocol.d.ts").Clock | null,
 *   rated?: boolean}} table
 */
export function titleOf({ game, options, clock, rated }) {
  const { mode } = options ?? {};
  const [across, up] = sizeOf(options ?? {});
  const how = !clock
    ? ""
    : clock.base
      ? say(clock.increment ? "minutesMore" : "minutes", { minutes: clock.base / 60, seconds: clock.increment })
      : clock.perMove
        ? say("perMove", { seconds: clock.perMove })
        : say("days", { number: clock.days });
  return [
    gameName(game),
    sayIf(`mode_${mode}`),
    across === undefined ? "" : `${across} × ${up}`,
    how,
    rated && say("rated"),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Whether two players take turns, so that a line of the list of moves has one move of each.
 * @param {string} game
 * @param {number} seats
 */
export const hasPairs = (game, seats) => seats === 2 && !CARDS[game]?.atOnce;

/**
 * The sentence about the end of a game and its reason, for the holder of these seats.
 * @param {any} outcome
 * @param {(string | undefined)[]} names
 * @param {number[]} [own]
 */
export function endOf({ kind, winners = [], reason }, names, own = []) {
  const [mine] = own.length === 1 ? own : [];
  const result =
    kind === "draw"
      ? say("draw")
      : kind === "aborted"
        ? say("aborted")
        : kind === "loss"
          ? say(own.length ? "lost_you" : "lost")
          : winners.includes(mine)
            ? say("won_you")
            : say("won_other", {
                name: winners.map((/** @type {number} */ seat) => names[seat] ?? say("emptySeat")).join(", "),
              });
  const isLost = kind === "win" && mine !== undefined && !winners.includes(mine);
  return { result, why: sayOr(isLost && reason === "resign" ? "why_resign_you" : `why_${reason}`, "gameIsOver") };
}

/**
 * The levels of a game. A game from another package may have only the brain that every game has.
 * @param {string} game
 */
export const levelsOf = (game) => CARDS[game]?.levels ?? (WITH_BOARDS.has(game) ? LEVELS : [...LEVELS, "random"]);

/** @param {string} game */
export function picture(game) {
  const card = CARDS[game];
  return svg(
    "svg",
    { viewBox: "0 0 120 80", class: "picture", "aria-hidden": "true" },
    ...(card ? card.picture() : []),
  );
}

/**
 * Create the button for a game's lessons; null without lessons.
 * @param {import("./main.js").App} app
 * @param {string} game
 * @param {import("./dom.js").Child} [inside] the content of the button
 */
export function lessonsButton(app, game, inside = null) {
  if (!CARDS[game]?.lessons) return null;
  const label = say("lessonsOf", { game: gameName(game) });
  return el(
    "button",
    { class: inside ? "learn" : "gear learn", type: "button", title: label, onclick: () => app.showLessons(game) },
    inside,
    el("span", { class: "unseen" }, label),
    el("b", { "aria-hidden": "true" }, "?"),
  );
}

/**
 * Create a link to the lessons.
 * @param {import("./main.js").App} app
 * @param {string} game
 */
export function lessonsLink(app, game) {
  if (!CARDS[game]?.lessons) return null;
  const label = say("lessonsOf", { game: gameName(game) });
  return el("button", { class: "link", type: "button", onclick: () => app.showLessons(game) }, label);
}

/** The name of the module and of the element with a game's board. @param {string} game */
export const boardOf = (game) => (WITH_BOARDS.has(game) ? game : "drawing");

/**
 * Create the board of a game, ready to be shown.
 * @param {string} game
 * @param {number} [time] the number of the attempt: Firefox remembers failed modules
 * @returns {Promise<import("./boards/board.js").Board>}
 */
export async function boardFor(game, time = 1) {
  const name = boardOf(game);
  await import(`./boards/${name}.js${time > 1 ? `?${time}` : ""}`);
  const board = /** @type {any} */ (document.createElement(`tablero-${name}`));
  board.dataset.game = game;
  return board;
}
