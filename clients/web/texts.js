// What the first page and a table say, by a name, and the language that all is said in: one from start to end.
//
// In braces is what changes; where a number decides, there are a sentence for one and one for several `{number}`.
// What comes only when it is needed brings its sentences: `later-texts.js`, and `refusals.js` with the first refusal.
// `make translations` takes the sentences from here to translators, and writes `languages/` from what they wrote.

import { KEPT } from "./line.js";

/** @typedef {Record<string, string | string[]>} Texts */
/** @typedef {{texts?: Texts, games?: Record<string, string>, phrases?: Record<string, string>, refusals?: Record<string, string>}} Translation */
/** @typedef {{reason?: string | null, fields?: Record<string, unknown>, message: string}} Told what a server tells in English and, by a reason with fields, in any language */

export const ENGLISH = {
  title: "Tablero",
  language: "Language",
  none: "none",
  tagline: "Board games for people and bots, at the same tables.",
  yourName: "Your name",
  nameHint: "2 to 20 letters, digits, - or _",
  playNow: "Play now",
  playNowLine: "You meet whoever is looking for a game; after ten seconds, the computer.",
  makeTable: "Make a table",
  makeTableLine: "Choose a game, then send the link to a friend.",
  haveCode: "A friend gave you a code?",
  code: "Code of a table",
  join: "Join",
  playComputer: "Play the computer",
  playAgainst: "Play {game} against the computer, level ",
  level: "Level",
  "level:easy": "easy",
  "level:normal": "normal",
  "level:hard": "hard",
  "level:expert": "expert",
  noBots: "No computer player is here just now; the host of this server can start some.",
  declined: "{name} does not come; the seat is free again.",
  lobby: "Open tables",
  nearby: "Other tables on this network",
  goThere: "Go there",
  inTerminal: "Play from a terminal",
  lobbyEmpty: "Nobody waits at a table just now. Make one, and it stands here for all to see.",
  here: "People here: {people}. Bots: {bots}.",
  sitDown: "Sit down",
  watch: "Watch",
  looksFor: "{name} looks for {game}",
  anyGame: "any game",
  anyGameWill: "Any game",
  seekChoose: "Choose a game and a clock",
  seekWhat: "What do you want to play?",
  seekBots: "After ten seconds the computer will do",
  waited: "{seconds} s",
  computerInstead: "Play the computer instead",
  playThem: "Play {name}",
  yourTables: "Your tables",
  goOn: "Go on",
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
  friendsOnly: "Whoever has the link",
  everybody: "Everybody, from the lobby",
  size: "Board",
  fiveInLine: "{size}, five in a line",
  threeInLine: "{size}, three in a line",
  tenWalls: "{size}, ten walls",
  sevenWalls: "{size}, seven walls",
  fourWalls: "{size}, four walls",
  openTable: "Open the table",
  cancel: "Cancel",
  searching: "Looking for somebody to play with …",
  stop: "Stop looking",
  invited: "You are invited to a table",
  invitedLine: "Code {code}. Say who you are, and sit down.",
  invitedBy: "{name} invites you to a table",
  gameIsOn: "This game is on",
  closedTable: "That table has closed.",
  noTable: "There is no such table",
  mayWatch: "Whoever opens it can watch.",
  playersAlone: "This table is for its players alone.",
  askRematch: "Ask for a rematch",
  watchRematch: "Watch the rematch",
  noRematch: "{name} has left the table. Make a new one to play again.",
  watchOnly: "Only watch",
  connecting: "Connecting …",
  lostLine: "The connection is lost. Coming back by itself …",
  lostLineQueued: "The connection is lost. Your move is kept, and played once as soon as it is back.",
  unreachable: "The server does not answer, or is full. Trying again …",
  passphrase: "Passphrase",
  comeIn: "Come in",
  keepsNothing: "This browser keeps nothing of this page: when you close it or load it again, your name and your seats are lost.",
  forgotten: "Did you sit here? A private window, or one whose storage was cleared, forgets who you were, and your seats with it.",
  back: "You are back.",
  close: "Close",
  nameTaken: "Somebody else is called {wanted}; here you are {name}.",
  fullSoWatch: "Every seat is taken, so you watch.",
  thisMachineOnly: "This link works on this machine alone: open the page by the machine's address in your network for one that others can open.",
  endedReplaced: "This page was opened again elsewhere, and goes on there.",
  endedOther: "The server has ended this visit.",
  reload: "Use it here",
  waiting: ["Waiting for {number} more", "Waiting for {number} more"],
  waitingFriend: "Send this to a friend. Whoever opens it sits down here.",
  link: "Link",
  orCode: "or the code",
  copy: "Copy",
  copied: "Copied",
  selected: "Selected: copy it now",
  share: "Share",
  inviteComputer: "Or let the computer sit down:",
  preparing: "The board is being made …",
  emptySeat: "Free seat",
  you: "you",
  bot: "bot, {level}",
  botOnly: "bot",
  away: "away, {seconds} s",
  awayLong: "away, {minutes} min",
  awayOver: "away",
  watchingNow: "You are watching.",
  resign: "Resign",
  resignAsk: "Resign this game?",
  resignLine: "{name} wins then.",
  resignLine_alone: "This game is lost then.",
  resignLine_atOnce: "You are out then, and the others play on.",
  leave: "Leave",
  leaveAsk: "Leave the table?",
  leaveLine: "The game is on: leaving gives it up.",
  stay: "Stay",
  offerDraw: "Offer a draw",
  offerTakeback: "Ask to take back",
  declinedOffer: "{name} says no.",
  rematch: "Rematch",
  newGame: "New game",
  qr: "Show as a QR code",
  qrFor: "QR code of {link}",
  fingerprint: "Browsers warn of this server's own certificate. Its SHA-256 fingerprint is",
  onPhone: "Go on with another device",
  onPhoneLine: "Open this there within a minute: you take your seats and your name with you.",
  goOnHere: "Go on here",
  goOnHereLine: "You come from another device. Go on here as the same player, with your seats?",
  forgetsWhoYouWere: "This browser forgets for good who you were in it before.",
  turnOf_you: "Your turn",
  digOn: "Open every cell without a mine.",
  othersPlayOn: "The game goes on …",
  turnOf_other: "{name} thinks …",
  notYourTurn: "It is {name}'s turn.",
  gameIsOver: "The game is over.",
  won_you: "You win",
  won_other: "{name} wins",
  lost: "Nobody wins",
  lost_you: "You lose",
  draw: "Draw",
  aborted: "The game was called off",
  why_line: "with a line",
  why_full: "the board is full",
  why_boxes: "with more boxes",
  why_goal: "at the other side",
  why_cleared: "every cell without a mine is open",
  why_mine: "a mine was dug",
  why_out: "nobody is left in the race",
  why_resign: "the other side resigned",
  why_resign_you: "you resigned",
  why_time: "time ran out",
  why_gone: "a player went away",
  why_claimed: "a player stayed away",
  why_agreed: "both agreed",
  why_away: "everybody was away",
  why_left: "a player left before the first moves",
  why_noFirstMove: "the first move did not come in time",
  why_kicked: "the host sent a player away",
  ending: "{result}: {why}",
  moves: "Moves",
  noMoves: "No move yet.",
  moved: "{name}: {move}",
  tookBack: "{name} took back",
  withdrew: "{name} gave up",
  chat: "Chat",
  chatPlaceholder: "Say something",
  chatPlayers: "Only the players read this while the game is on.",
  chatWatchers: "Only those who watch read this while the game is on.",
  send: "Send",
  said: "{name} says: {text}",
  firstMove: "first move in {seconds} s",
  paused: "The game is paused.",
  pauseHere: "Pause",
  closed: "You are no longer at that table.",
  closed_idle: "The table closed, for nothing happened there for long.",
  closed_gone: "You were away for too long.",
  closed_kicked: "The host has sent you away.",
  noBoard: "This game has no board in the browser yet. The terminal has one.",
  reloadForPart: "A part of this page could not be loaded. Load the page again.",
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
  wallStands: "Wall {wall}, stands",
  layWall: "Place a wall",
  turnBoard: "Turn the board",
  noWallsLeft: "No walls left",
  turnWall: "Turn it",
  turnWallUp: "Turn it upright",
  turnWallFlat: "Turn it flat",
  cellCovered: "{cell}, covered",
  cellFlag: "{cell}, flag",
  cellEmpty: "{cell}, empty",
  cellNumber: "{cell}, {number}",
  cellHit: "{cell}, a mine that was dug",
  cellMine: "{cell}, mine",
  cellWrongFlag: "{cell}, a flag without a mine",
  minesLeft: "Mines left: {count}",
  flagMode: "Flags",
  boardsApart: "Each plays on a board of their own, which nobody else sees before the end.",
  opened: "{count} of {all}",
  out_mine: "hit a mine",
  out_resign: "gave up",
  out_time: "out of time",
  out_gone: "went away",
  mode_race: "a race",
  mode_coop: "together",
  mode_solo: "alone",
  beginner: "Beginner",
  intermediate: "Intermediate",
  expert: "Expert",
  fieldOf: "{name}: {size}, {mines} mines",
  howToPlay: "How to play",
  race: "A race, on equal fields",
  together: "Together, on one field",
  alone: "Alone",
  playAlone: "Play {game} alone, ",
  players: "Players",
  guessing: "Guessing",
  mayGuess: "May be needed",
  noGuess: "Never needed",
  typedMove: "Type a move",
  play: "Play",
  home: "To the start",
  more: "More",
  top: "The best",
  yourResults: "Your results",
  unsure: "Few games so far: this rating is still unsure.",
  replay: "Replay",
  watchReplay: "Watch the replay",
  noAnswer: "The server does not answer. Try again.",
  firstMovePlayed: "To the start of the game",
  stepBack: "One move back",
  stepOn: "One move on",
  lastMovePlayed: "To the end",
  atStart: "At the start",
  moveOf: "{at} of {all}. {move}",
  lookBack: "Look back",
  backToGame: "Back to the game",
  rated: "rated",
  settings: "Settings",
  phrase_hello: "Hello!",
  phrase_goodLuck: "Good luck!",
  phrase_wellPlayed: "Well played!",
  phrase_goodGame: "Good game!",
  phrase_thanks: "Thank you!",
  phrase_oops: "Oops!",
  phrase_rematch: "Shall we play again?",
  phrase_mustGo: "I have to go.",
  stakes: "Rating",
  casual: "Casual",
  ratedGame: "Rated: it moves both ratings",
  seekRated: "Only rated games",
  about: "About {name}",
  planned: "Planned: {move}",
  planDropped: "{move} cannot be played any more.",
  planCancelled: "No longer planned.",
  cancelPlan: "Cancel the planned move",
  twoHere: "Somebody sits beside you? Play both seats on this device.",
  playBoth: "We are two here",
  "tic-tac-toe:easy": "any empty cell",
  "tic-tac-toe:normal": "the best cell, seven times in ten",
  "tic-tac-toe:hard": "the best cell it knows, always",
  "tic-tac-toe:expert": "cannot be beaten",
  "connect-four:easy": "sees only its own lines",
  "connect-four:normal": "sees what one move wins or stops",
  "connect-four:hard": "builds lines and spoils yours",
  "connect-four:expert": "sees traps four moves ahead",
  "dots-and-boxes:easy": "takes a box every other time",
  "dots-and-boxes:normal": "takes every box that it sees",
  "dots-and-boxes:hard": "offers you no box if it can",
  "dots-and-boxes:expert": "counts chains to the end",
  "minesweeper:easy": "slow, and hits a mine now and then",
  "minesweeper:normal": "quicker, and no better",
  "minesweeper:hard": "knows the odds of each cell",
  "minesweeper:expert": "as quick as a very good player",
  "quoridor:easy": "looks two moves ahead",
  "quoridor:normal": "looks three moves ahead",
  "quoridor:hard": "looks four moves ahead",
  "quoridor:expert": "looks five moves ahead",
};

/** The titles of the games; what a server has beyond is called as it calls it. @type {Record<string, string>} */
export const GAMES = {
  "tic-tac-toe": "Tic-tac-toe",
  "connect-four": "Connect Four",
  "dots-and-boxes": "Dots and Boxes",
  quoridor: "Quoridor",
  minesweeper: "Minesweeper",
};

/** By its code, what a language calls itself. @type {Record<string, string>} */
export const LANGUAGES = { en: "English", es: "Español", fr: "Français" };

const ITS_OWN = "en";
const LANGUAGE = "tablero.language";
const PATIENCE_MS = 5000;

const wanted = [KEPT.read("localStorage", LANGUAGE) ?? "", ...navigator.languages].map((each) => each.split("-")[0] ?? "").find((each) => Object.hasOwn(LANGUAGES, each)) ?? ITS_OWN;
const translation = given(wanted) ?? await translated(wanted);

/** What the page speaks: what this person chose, else the first language of the browser that is here, else English. */
export const language = translation ? wanted : ITS_OWN;
document.documentElement.lang = language;

const PLURAL = new Intl.PluralRules(language);
const NUMBER = new Intl.NumberFormat(language);
const TENTHS = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** All sentences that are here by now. @type {Texts} */
const known = { ...ENGLISH, ...translation?.texts };

/** What the server has put into the page, for a reader of the language that the browser asks for. @param {string} spoken @returns {Translation | null} */
function given(spoken) {
  const text = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`template[lang=${spoken}]`))?.content.textContent;
  return text ? JSON.parse(text) : null;
}

/** What belongs to a language; who cannot have it speaks English. @param {string} spoken @param {"" | "later/" | "refusals/"} [part] @returns {Promise<Translation | null>} */
async function translated(spoken, part = "") {
  if (spoken === ITS_OWN) return null;
  try {
    const answer = await fetch(new URL(`languages/${part}${spoken}.json`, import.meta.url), { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** More of the language spoken. @param {"later/" | "refusals/"} part */
export function more(part) {
  return translated(language, part);
}

/** Lets the page say these sentences, too. @param {Texts} english */
export async function learn(english) {
  Object.assign(known, english, (await more("later/"))?.texts);
}

/** Speaks another language from now on, which begins with the page. @param {string} other */
export function chooseLanguage(other) {
  KEPT.write("localStorage", LANGUAGE, other);
  location.reload();
}

/** @typedef {keyof typeof ENGLISH} TextName */

/** What a table has by this name of its own: names come from servers, too. @template T @param {Record<string, T> | undefined} table @param {string} name */
export function own(table, name) {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** @param {TextName} name @param {Record<string, unknown>} [fields] */
export function say(name, fields = {}) {
  const forms = own(known, name);
  const said = typeof forms === "string" ? forms : forms?.[PLURAL.select(Number(fields.number)) === "one" ? 0 : 1];
  return filled(said ?? name, fields);
}

/** The first of these texts that there is. @param {string} name @param {TextName} other @param {Record<string, unknown>} [fields] */
export function sayOr(name, other, fields = {}) {
  return say(Object.hasOwn(known, name) ? /** @type {TextName} */ (name) : other, fields);
}

/** What a server tells, in the language spoken: how to say that is fetched when it is needed, and else it is said in English. @param {Told} told */
export async function refusal(told) {
  const refusals = await import("./refusals.js").catch(() => null);
  return refusals?.inWords(told) ?? told.message;
}

/** What somebody said; in the reader's language if it is one of the phrases of the protocol. @param {import("./protocol.d.ts").Said} said */
export function spoken({ phrase, text }) {
  return own(translation?.phrases, phrase ?? "") ?? text;
}

/** @param {string} game */
export function gameName(game) {
  return own(translation?.games, game) ?? own(GAMES, game) ?? game;
}

/** This text, if there is one. @param {string} name */
export function sayIf(name) {
  return Object.hasOwn(known, name) ? say(/** @type {TextName} */ (name)) : "";
}

/** @param {string} level a host's bots may have others */
export function levelName(level) {
  return sayIf(`level:${level}`) || level;
}

/** The last seconds of a clock. @param {number} seconds */
export function tenths(seconds) {
  return TENTHS.format(seconds);
}

/** A field: `{name}`, or `{name:or}` of a list whose last entry follows this word. */
export const FIELD = /\{(\w+)(?::(\w+))?\}/g;

/** @param {string} sentence @param {Record<string, unknown>} fields */
export function filled(sentence, fields) {
  return sentence.replace(FIELD, (whole, name, word) => (Object.hasOwn(fields, name) ? shown(fields[name], word) : whole));
}

/** @param {unknown} value @param {string} [word] @returns {string} */
function shown(value, word) {
  if (typeof value === "number") return NUMBER.format(value);
  if (!Array.isArray(value)) return String(value);
  const words = value.map((each) => shown(each));
  return word && words.length > 1 ? `${words.slice(0, -1).join(", ")} ${word} ${words.at(-1)}` : words.join(", ") || say("none");
}
