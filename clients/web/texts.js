// Every sentence that the page says, by a name, and the language that it says them in: one from start to end.
//
// In braces is what changes; where a number decides, there are a sentence for one and one for several `{number}`.
// `make translations` takes the sentences from here to translators, and writes `languages/` from what they wrote.

import { KEPT } from "./line.js";

/** @typedef {Record<string, string | string[]>} Texts */
/** @typedef {{texts: Texts, games: Record<string, string>, refusals: Record<string, string>, phrases: Record<string, string>}} Translation */
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
  claimLine: "{name} is still away. You may claim the game, or wait on.",
  claimWin: "Claim the win",
  claimDraw: "Claim a draw",
  watchingNow: "You are watching.",
  elsewhere: "You play this seat in another window.",
  playHere: "Play here",
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
  offered_draw: "{name} offers a draw.",
  offered_takeback: "{name} asks to take a move back.",
  offered_pause: "{name} asks for a pause.",
  offered_continue: "{name} wants to go on.",
  offered_rematch: "{name} wants a rematch.",
  offered_other: "{name} offers something that this page does not know.",
  mine_draw: "You offered a draw.",
  mine_takeback: "You asked to take a move back.",
  mine_pause: "You asked for a pause.",
  mine_continue: "You asked to go on.",
  mine_rematch: "You asked for a rematch.",
  mine_other: "You made an offer.",
  accept: "Yes",
  decline: "No",
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
  tonight: "Tonight",
  tonightNone: "Nobody has played in the last twelve hours.",
  showMore: "Show more",
  speed: "Speed",
  speed_none: "no clock",
  speed_blitz: "blitz",
  speed_rapid: "rapid",
  speed_slow: "slow",
  speed_correspondence: "correspondence",
  course: "Course",
  courseOf: "{level}, no guess",
  seconds: "{seconds} s",
  noLeaders: "Nobody here yet. Ten rated games, against several rivals, lead here.",
  noTimes: "Nobody has a time here yet. Play Minesweeper alone or in a race.",
  gamesPlayed: ["{number} game", "{number} games"],
  games: "Games",
  noGames: "No games yet.",
  player: "Player",
  ratings: "Ratings",
  noRated: "No rated games yet.",
  unsure: "Few games so far: this rating is still unsure.",
  curve: "{game}: the rating went from {from} to {to}, over {count} games",
  between: "{name} and {rival}",
  balance: "{wins} won, {draws} drawn, {losses} lost",
  how_won: "won",
  how_lost: "lost",
  how_draw: "draw",
  how_placed: "beaten",
  how_other: "called off",
  replay: "Replay",
  watchReplay: "Watch the replay",
  preparingReplay: "The replay is being made …",
  dropRecord: "Drop a record here",
  dropRecordLine: "A file that was saved as a record, here or by the terminal. It is not kept.",
  chooseFile: "Choose a file",
  otherFile: "Open a file",
  fileTooLarge: "That file is too large for a record: it may have {most} bytes.",
  noAnswer: "The server does not answer. Try again.",
  firstMovePlayed: "To the start of the game",
  stepBack: "One move back",
  stepOn: "One move on",
  lastMovePlayed: "To the end",
  playOn: "Let it play",
  pauseHere: "Pause",
  pace: "Pace",
  paceSlow: "slowly",
  paceNormal: "normal",
  paceFast: "quickly",
  itsBoard: "Board",
  atStart: "At the start",
  moveOf: "{at} of {all}. {move}",
  lookBack: "Look back",
  backToGame: "Back to the game",
  linkToMove: "Link to this move",
  saveReplay: "Save as a page",
  saveRecord: "Save the record",
  replayOf: "Replay {game}, {when}",
  wholePage: "Open the whole page",
  rated: "rated",
  settings: "Settings",
  theme: "Look",
  themeSystem: "As the system",
  themeLight: "Light",
  themeDark: "Dark",
  themeContrast: "High contrast",
  palette: "Colours of the players",
  paletteEmber: "Red and blue",
  paletteGold: "Gold and navy",
  paletteViolet: "Violet and green",
  sound: "Sound",
  soundOff: "No sound",
  soundOn: "Every sound",
  soundTurn: "My turn only",
  mute: "Mute in chat",
  unmute: "Hear again",
  mutedLine: "You no longer read what {name} says.",
  unmutedLine: "You read again what {name} says.",
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

/** Refusals whose own sentence is meant for somebody who types commands. @type {Record<string, string>} */
const REFUSALS = {
  wrongCode: "No table has this code. Check it with whoever gave it to you.",
  noSuchRoom: "That table has closed.",
  neverARoom: "That table has closed, or never was.",
  seatTaken: "Somebody sat down there just before you.",
  playedElsewhere: "You play this seat in another window.",
  otherPly: "The game has moved on; look again.",
  botsBusy: "Every bot of this kind is busy; try again soon.",
  noSuchBot: "No such bot is here now.",
  noWatchers: "This table is for its players alone.",
};

/** The titles of the games; what a server has beyond is called as it calls it. @type {Record<string, string>} */
const GAMES = {
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
const translation = wanted === ITS_OWN ? null : await translationTo(wanted);

/** What the page speaks: what this person chose, else the first language of the browser that is here, else English. */
export const language = translation ? wanted : ITS_OWN;
document.documentElement.lang = language;

const PLURAL = new Intl.PluralRules(language);
const NUMBER = new Intl.NumberFormat(language);
const TENTHS = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A page that cannot have it speaks English. @param {string} other @returns {Promise<Translation | null>} */
async function translationTo(other) {
  try {
    const answer = await fetch(new URL(`languages/${other}.json`, import.meta.url), { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Speaks another language from now on, which begins with the page. @param {string} other */
export function chooseLanguage(other) {
  KEPT.write("localStorage", LANGUAGE, other);
  location.reload();
}

/** @typedef {keyof typeof ENGLISH} TextName */

/** What a table has by this name of its own: names come from servers, too. @template T @param {Record<string, T> | undefined} table @param {string} name */
function own(table, name) {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** @param {TextName} name @param {Record<string, unknown>} [fields] */
export function say(name, fields = {}) {
  const forms = own(translation?.texts, name) ?? ENGLISH[name];
  const said = typeof forms === "string" ? forms : forms[PLURAL.select(Number(fields.number)) === "one" ? 0 : 1];
  return filled(said ?? name, fields);
}

/** The first of these texts that there is. @param {string} name @param {TextName} other @param {Record<string, unknown>} [fields] */
export function sayOr(name, other, fields = {}) {
  return say(Object.hasOwn(ENGLISH, name) ? /** @type {TextName} */ (name) : other, fields);
}

/** What a server tells, by its reason and fields; a reason unknown here says so itself. @param {Told} told */
export function refusal({ reason, fields = {}, message }) {
  const sentence = own(translation?.refusals, reason ?? "") ?? own(REFUSALS, reason ?? "");
  if (!sentence || [...sentence.matchAll(FIELD)].some(([, name]) => !Object.hasOwn(fields, name ?? ""))) return message;
  return filled(sentence, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, TITLES.get(value) ?? value])));
}

/** What somebody said; in the reader's language if it is one of the phrases of the protocol. @param {import("./protocol.d.ts").Said} said */
export function spoken({ phrase, text }) {
  return own(translation?.phrases, phrase ?? "") ?? text;
}

/** @param {string} game */
export function gameName(game) {
  return own(translation?.games, game) ?? own(GAMES, game) ?? game;
}

/** By what the server calls a game in a sentence, what we call it. */
const TITLES = new Map(Object.entries(GAMES).map(([game, title]) => [/** @type {unknown} */ (title), gameName(game)]));

/** This text, if there is one. @param {string} name */
export function sayIf(name) {
  return Object.hasOwn(ENGLISH, name) ? say(/** @type {TextName} */ (name)) : "";
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
const FIELD = /\{(\w+)(?::(\w+))?\}/g;

/** @param {string} sentence @param {Record<string, unknown>} fields */
function filled(sentence, fields) {
  return sentence.replace(FIELD, (whole, name, word) => (Object.hasOwn(fields, name) ? shown(fields[name], word) : whole));
}

/** @param {unknown} value @param {string} [word] @returns {string} */
function shown(value, word) {
  if (typeof value === "number") return NUMBER.format(value);
  if (!Array.isArray(value)) return String(value);
  const words = value.map((each) => shown(each));
  return word && words.length > 1 ? `${words.slice(0, -1).join(", ")} ${word} ${words.at(-1)}` : words.join(", ") || say("none");
}
