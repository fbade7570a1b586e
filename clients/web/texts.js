// Texts of the first page and the table, by name, and the page's language, which stays the same until a reload.
//
// Fields are in braces. A text with a number has two forms, for one and for several `{number}`. Texts that are needed
// later are in `later-texts.js`, and in `refusals.js` with the first refusal. `make translations` passes these
// sentences to the translators, and writes `languages/` from the translations.

import { KEPT } from "./line.js";

/** @typedef {Record<string, string | string[]>} Texts */
/**
 * @typedef {{texts?: Texts, games?: Record<string, string>, refusals?: Record<string, string>}} Translation
 */
/**
 * @typedef {{reason?: string | null, fields?: Record<string, unknown>, message: string}} Told a server's message: in
 *   English, and by reason and fields in any language
 */

export const ENGLISH = {
  title: "Tablero",
  language: "Language",
  none: "none",
  tagline: "Board games for people and bots, at the same tables.",
  yourName: "Your name",
  nameHint: "2 to 20 letters, digits, - or _",
  playNow: "Play now",
  playNowLine: "Play the next person who wants a game, or the computer after 10 seconds.",
  makeTable: "Create a table",
  makeTableLine: "Choose a game, then send the link to a friend.",
  haveCode: "Have a code from a friend?",
  code: "Table code",
  join: "Join",
  playComputer: "Play the computer",
  playAgainst: "Play {game} against the computer, level ",
  level: "Level",
  "level:very-easy": "very easy",
  "level:easy": "easy",
  "level:normal": "normal",
  "level:hard": "hard",
  "level:expert": "expert",
  noBots: "No computer players right now. The host can start some.",
  declined: "{name} declined. The seat is free again.",
  lobby: "Open tables",
  nearby: "Other tables on this network",
  goThere: "Go there",
  inTerminal: "Play from a terminal",
  lobbyEmpty: "No open tables. Create one and it will appear here.",
  here: "People here: {people}. Bots: {bots}.",
  sitDown: "Sit down",
  watch: "Watch",
  looksFor: "{name} wants to play {game}",
  anyGame: "any game",
  anyGameWill: "Any game",
  seekChoose: "Choose a game and a clock",
  seekWhat: "What do you want to play?",
  seekBots: "Play the computer if no one joins within 10 s",
  waited: "{seconds} s",
  computerInstead: "Play the computer instead",
  playThem: "Play {name}",
  yourTables: "Your tables",
  goOn: "Continue",
  yourTurn: "Your turn",
  game: "Game",
  clock: "Clock",
  noClock: "No clock",
  minutes: "{minutes} min",
  minutesMore: "{minutes} min + {seconds} s a move",
  perMove: "{seconds} s a move",
  clockLong: "{days} d {hours} h",
  days: ["{number} day a move", "{number} days a move"],
  whoMayJoin: "Who may join",
  friendsOnly: "Anyone with the link",
  everybody: "Anyone in the lobby",
  size: "Board",
  fiveInLine: "{size}, five in a line",
  threeInLine: "{size}, three in a line",
  tenWalls: "{size}, ten walls",
  sevenWalls: "{size}, seven walls",
  fourWalls: "{size}, four walls",
  openTable: "Open the table",
  cancel: "Cancel",
  searching: "Looking for an opponent…",
  stop: "Stop looking",
  invited: "You are invited to a table",
  invitedLine: "Code {code}. Enter your name and sit down.",
  invitedBy: "{name} invites you to a table",
  gameIsOn: "Game in progress",
  closedTable: "This table is closed.",
  noTable: "Table not found",
  wrongLink: "This link is wrong or incomplete. Check it, or enter the code here.",
  mayWatch: "Anyone with the link can watch.",
  playersAlone: "Only the players can see this table.",
  askRematch: "Ask for a rematch",
  watchRematch: "Watch the rematch",
  noRematch: "{name} left. Create a new table to play again.",
  watchOnly: "Just watch",
  connecting: "Connecting…",
  lostLine: "Connection lost. Reconnecting…",
  lostLineQueued: "Connection lost. Your move will be sent when you're back online.",
  unreachable: "Can't reach the server, or it is full. Retrying…",
  keepsNothing: "This browser doesn't save data. If you close this page, you lose your name and seats.",
  forgotten: "Did you play here before? Private windows and cleared browsers forget your name and seats.",
  back: "You're back online.",
  wentBack: "{game} went back to an earlier position: the host restored a backup.",
  close: "Close",
  nameTaken: "The name {wanted} is taken. You're playing as {name}.",
  fullSoWatch: "All seats are taken. You're watching.",
  thisMachineOnly: "This link works on this computer only. To share it, open this page by its network address.",
  endedReplaced: "You opened this game in another tab.",
  endedOther: "The server ended this session.",
  reload: "Continue here",
  waiting: ["Waiting for {number} more player", "Waiting for {number} more players"],
  waitingFriend: "Send the link to a friend to play together.",
  waitingAll: "Anyone in the lobby can sit down. You can also send a friend the link.",
  link: "Link",
  orCode: "or the code",
  copy: "Copy",
  copied: "Copied",
  selected: "Selected. Copy it now.",
  share: "Share",
  inviteComputer: "Or add the computer:",
  preparing: "Preparing the board…",
  raceStarts: "The race starts in a moment.",
  emptySeat: "Free seat",
  you: "you",
  bot: "bot, {level}",
  botOnly: "bot",
  away: "away, {seconds} s",
  awayLong: "away, {minutes} min",
  awayOver: "away",
  watchingNow: "You're watching.",
  watching: ["{number} person is watching", "{number} people are watching"],
  resign: "Resign",
  resignAsk: "Resign this game?",
  resignLine: "{name} will win.",
  resignLine_alone: "You'll lose this game.",
  resignLine_atOnce: "You'll be out; the others keep playing.",
  leave: "Leave",
  leaveAsk: "Leave the table?",
  leaveLine: "If you leave now, you lose the game.",
  stay: "Stay",
  offerDraw: "Offer a draw",
  offerTakeback: "Take back move",
  declinedOffer: "{name} declined.",
  rematch: "Rematch",
  qr: "Show QR code",
  qrFor: "QR code of {link}",
  fingerprint: "Your browser may warn about this server's certificate. Its SHA-256 fingerprint:",
  onPhone: "Continue on another device",
  keys: "Keyboard",
  turnOf_you: "Your turn",
  digOn: "Open every cell without a mine.",
  othersPlayOn: "The game continues…",
  turnOf_other: "{name} is thinking…",
  turnOf_away: "{name} is away.",
  turnOf_gone: "{name} is away. The clock is running.",
  notYourTurn: "It is {name}'s turn.",
  gameIsOver: "The game is over.",
  won_you: "You win",
  won_other: "{name} wins",
  lost: "Nobody wins",
  lost_you: "You lose",
  draw: "Draw",
  aborted: "Game aborted",
  why_line: "a complete line",
  why_full: "the board is full",
  why_boxes: "more boxes",
  why_goal: "reached the other side",
  why_cleared: "all safe cells are open",
  why_mine: "a mine was hit",
  why_out: "all players are out",
  why_resign: "the other side resigned",
  why_resign_you: "you resigned",
  why_time: "time ran out",
  why_gone: "a player left",
  why_claimed: "a player didn't come back",
  why_agreed: "by agreement",
  why_away: "all players were away",
  why_left: "a player left before the first moves",
  why_noFirstMove: "no first move in time",
  why_kicked: "the host removed a player",
  ending: "{result}: {why}",
  moves: "Moves",
  noMoves: "No move yet.",
  moved: "{name}: {move}",
  tookBack: "{name} took back a move",
  withdrew: "{name} gave up",
  chat: "Chat",
  firstMove: "first move within {seconds} s",
  paused: "The game is paused.",
  pauseHere: "Pause",
  closed: "You're no longer at this table.",
  closed_idle: "The table closed because no one was active.",
  closed_gone: "You were away for too long.",
  closed_kicked: "The host removed you.",
  reloadForPart: "Part of this page couldn't be loaded. Reload the page.",
  state: "State of the game",
  board: "{game}, board",
  column: "Column {column}",
  columnFull: "Column {column}, full",
  tokensIn: "Column {column}, {count} of {rows}",
  cellFree: "{cell}, free",
  cellOf: "{cell}, {name}",
  edgeFree: "Edge {edge}, free",
  edgeDrawn: "Edge {edge}, drawn",
  boxes: "boxes: {count}",
  wallsLeft: "walls: {count}",
  wallPlace: "Wall {wall}",
  wallStands: "Wall {wall}, placed",
  layWall: "Place a wall",
  turnBoard: "Flip the board",
  noWallsLeft: "No walls left",
  turnWall: "Turn it",
  turnWallUp: "Turn it upright",
  turnWallFlat: "Turn it flat",
  wallHint: "Tap a gap between cells.",
  placeIt: "Place it here",
  cellCovered: "{cell}, covered",
  cellFlag: "{cell}, flag",
  cellEmpty: "{cell}, empty",
  cellNumber: "{cell}, {number}",
  cellHit: "{cell}, hit mine",
  cellMine: "{cell}, mine",
  cellWrongFlag: "{cell}, wrong flag",
  minesLeft: "Mines left: {count}",
  timeSoFar: "Time: {time}",
  aheadInRace: "all are out; the winner opened most, {opened} of {safe} cells",
  firstInRace: "all are out; the winner opened {opened} of {safe} cells first",
  tapsFlag: "A tap flags, a long press opens",
  flagMode: "Flags",
  boardsApart: "Each player has a separate board. No one else sees it before the end.",
  opened: "{count} of {all}",
  out_mine: "hit a mine",
  out_resign: "resigned",
  out_time: "out of time",
  out_gone: "went away",
  mode_race: "race",
  mode_coop: "together",
  mode_solo: "alone",
  beginner: "Beginner",
  intermediate: "Intermediate",
  expert: "Expert",
  fieldOf: "{name}: {size}, {mines} mines",
  howToPlay: "Mode",
  race: "Race on equal fields",
  together: "Together on one field",
  alone: "Alone",
  computerAlone: "The computer plays, you watch",
  playAlone: "Play {game} alone, ",
  players: "Players",
  guessing: "Guessing",
  mayGuess: "May be needed",
  noGuess: "Never needed",
  typedMove: "Type a move",
  play: "Play",
  lessonsOf: "How to play {game}",
  home: "Home",
  more: "More",
  top: "Leaderboard",
  yourResults: "Your results",
  unsure: "Provisional rating: few games so far.",
  replay: "Replay",
  watchReplay: "Watch the replay",
  noAnswer: "The server didn't answer. Try again.",
  firstMovePlayed: "First move",
  stepBack: "Previous move",
  stepOn: "Next move",
  lastMovePlayed: "Last move",
  atStart: "At the start",
  moveOf: "{at} of {all}. {move}",
  lookBack: "Review moves",
  backToGame: "Back to the game",
  rated: "rated",
  settings: "Settings",
  stakes: "Rating",
  casual: "Casual",
  ratedGame: "Rated: changes both ratings",
  seekRated: "Rated games only",
  about: "About {name}",
  planned: "Planned: {move}",
  planDropped: "{move} is no longer possible.",
  planCancelled: "Planned move cancelled.",
  cancelPlan: "Cancel the planned move",
  twoHere: "Playing with someone next to you? Use one device for both seats.",
  playBoth: "Play both seats",
  secondPlayer: "Second player",
  "tic-tac-toe:easy": "any empty cell",
  "tic-tac-toe:normal": "the best cell 7 times in 10",
  "tic-tac-toe:hard": "always the best cell it knows",
  "tic-tac-toe:expert": "cannot be beaten",
  "connect-four:easy": "sees only its own lines",
  "connect-four:normal": "sees wins and threats one move ahead",
  "connect-four:hard": "builds lines and spoils yours",
  "connect-four:expert": "sees traps four moves ahead",
  "dots-and-boxes:very-easy": "draws any edge",
  "dots-and-boxes:easy": "takes a box every other time",
  "dots-and-boxes:normal": "takes every box it sees",
  "dots-and-boxes:hard": "avoids giving you a box",
  "dots-and-boxes:expert": "counts chains to the end",
  "minesweeper:easy": "slow, hits a mine now and then",
  "minesweeper:normal": "fast, hits a mine now and then",
  "minesweeper:hard": "knows the odds of each cell",
  "minesweeper:expert": "as fast as a very good player",
  "minesweeper:pinv-strict": "resigns rather than guess",
  "quoridor:easy": "looks two moves ahead",
  "quoridor:normal": "looks three moves ahead",
  "quoridor:hard": "looks four moves ahead",
  "quoridor:expert": "looks five moves ahead",
};

/** The titles of the games. Other games of a server keep their own titles. @type {Record<string, string>} */
export const GAMES = {
  "tic-tac-toe": "Tic-tac-toe",
  "connect-four": "Connect Four",
  "dots-and-boxes": "Dots and Boxes",
  quoridor: "Quoridor",
  minesweeper: "Minesweeper",
};

/** The name of each language in that language, by code. @type {Record<string, string>} */
export const LANGUAGES = { en: "English", es: "Español", fr: "Français" };

const ITS_OWN = "en";
const LANGUAGE = "tablero.language";
const PATIENCE_MS = 5000;

const wanted =
  [KEPT.read("localStorage", LANGUAGE) ?? "", ...navigator.languages]
    .map((each) => each.split("-")[0] ?? "")
    .find((each) => Object.hasOwn(LANGUAGES, each)) ?? ITS_OWN;
const translation = given(wanted) ?? (await translated(wanted));

/** The page's language: the person's choice, else the browser's first language that exists here, else English. */
export const language = translation ? wanted : ITS_OWN;
document.documentElement.lang = language;

const PLURAL = new Intl.PluralRules(language);
const NUMBER = new Intl.NumberFormat(language);
const TENTHS = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** All texts known so far. @type {Texts} */
const known = { ...ENGLISH, ...translation?.texts };

/**
 * The translation that the server put into the page for this language, if any.
 * @param {string} spoken
 * @returns {Translation | null}
 */
function given(spoken) {
  const text = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`template[lang=${spoken}]`))?.content
    .textContent;
  return text ? JSON.parse(text) : null;
}

/**
 * Fetch a part of a language. If that fails, returns null, and the page uses English.
 * @param {string} spoken
 * @param {"" | "later/" | "refusals/"} [part]
 * @returns {Promise<Translation | null>}
 */
async function translated(spoken, part = "") {
  if (spoken === ITS_OWN) return null;
  try {
    const answer = await fetch(new URL(`languages/${part}${spoken}.json`, import.meta.url), {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Fetch another part of the page's language. @param {"later/" | "refusals/"} part */
export function more(part) {
  return translated(language, part);
}

/** Add texts, with their translations. @param {Texts} english */
export async function learn(english) {
  Object.assign(known, english, (await more("later/"))?.texts);
}

/** Choose another language, which starts with a reload of the page. @param {string} other */
export function chooseLanguage(other) {
  KEPT.write("localStorage", LANGUAGE, other);
  location.reload();
}

/** @typedef {keyof typeof ENGLISH} TextName */

/**
 * The own property of a table by name. Names may come from servers, so inherited properties don't count.
 * @template T
 * @param {Record<string, T> | undefined} table
 * @param {string} name
 */
export function own(table, name) {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** @param {TextName} name @param {Record<string, unknown>} [fields] */
export function say(name, fields = {}) {
  const forms = own(known, name);
  const said = typeof forms === "string" ? forms : forms?.[PLURAL.select(Number(fields.number)) === "one" ? 0 : 1];
  return filled(said ?? name, fields);
}

/**
 * The first of these texts that exists.
 * @param {string} name
 * @param {TextName} other
 * @param {Record<string, unknown>} [fields]
 */
export function sayOr(name, other, fields = {}) {
  return say(Object.hasOwn(known, name) ? /** @type {TextName} */ (name) : other, fields);
}

/**
 * The sentence of a refusal in the reader's language. Fetches the sentences first; without them it is English.
 * @param {Told} told
 */
export async function refusal(told) {
  const refusals = await import("./refusals.js").catch(() => null);
  return refusals?.inWords(told) ?? told.message;
}

/** The games of this server without a board on this page, with their titles. @type {Record<string, string>} */
export const OTHER_GAMES = JSON.parse(document.documentElement.dataset?.games ?? "{}");

/** @param {string} game */
export function gameName(game) {
  return own(translation?.games, game) ?? own(GAMES, game) ?? own(OTHER_GAMES, game) ?? game;
}

/** The text with this name, if it exists. @param {string} name */
export function sayIf(name) {
  return Object.hasOwn(known, name) ? say(/** @type {TextName} */ (name)) : "";
}

/** @param {string} level a level; a host's bots may have other ones */
export function levelName(level) {
  return sayIf(`level:${level}`) || level;
}

/** Format the last seconds of a clock. @param {number} seconds */
export function tenths(seconds) {
  return TENTHS.format(seconds);
}

/** A field: `{name}`, or `{name:or}` for a list with this word before its last entry. */
export const FIELD = /\{(\w+)(?::(\w+))?\}/g;

/** @param {string} sentence @param {Record<string, unknown>} fields */
export function filled(sentence, fields) {
  return sentence.replace(FIELD, (whole, name, word) =>
    Object.hasOwn(fields, name) ? shown(fields[name], word) : whole,
  );
}

/** @param {unknown} value @param {string} [word] @returns {string} */
function shown(value, word) {
  if (typeof value === "number") return NUMBER.format(value);
  if (!Array.isArray(value)) return String(value);
  const words = value.map((each) => shown(each));
  return word && words.length > 1
    ? `${words.slice(0, -1).join(", ")} ${word} ${words.at(-1)}`
    : words.join(", ") || say("none");
}
