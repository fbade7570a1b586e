// Sentences of the screens that are fetched later. The first of these screens fetches them all.
//
// Law: they say it by the `say` of this module, and no other module has one that knows these names: what is said is
// here.

import { learn, say as sayOne, sayOr as sayOneOf } from "./texts.js";

const LATER = {
  barred: "You've been removed from this server",
  passphrase: "Passphrase",
  comeIn: "Enter",
  goOnHere: "Continue here",
  goOnHereLine: "Continue on this device with the same name and seats?",
  forgetsWhoYouWere: "The player this browser had before is lost for good.",
  claimLine: "{name} is still away. Claim the game or keep waiting.",
  claimWin: "Claim the win",
  claimDraw: "Claim a draw",
  elsewhere: "You're playing this seat in another window.",
  playHere: "Play here",
  offered_draw: "{name} offers a draw.",
  offered_takeback: "{name} asks to take back a move.",
  offered_pause: "{name} asks for a pause.",
  offered_continue: "{name} wants to continue.",
  offered_rematch: "{name} wants a rematch.",
  offered_other: "{name} made an offer this page doesn't support.",
  mine_draw: "You offered a draw.",
  mine_takeback: "You asked to take back a move.",
  mine_pause: "You asked for a pause.",
  mine_continue: "You asked to continue.",
  mine_rematch: "You asked for a rematch.",
  mine_other: "You made an offer.",
  accept: "Accept",
  decline: "Decline",
  tonight: "Tonight",
  tonightNone: "No games in the last 12 hours.",
  showMore: "Show more",
  speed: "Speed",
  speed_none: "no clock",
  speed_blitz: "blitz",
  speed_rapid: "rapid",
  speed_slow: "slow",
  speed_correspondence: "correspondence",
  course: "Level",
  courseOf: "{level}, no guessing",
  seconds: "{seconds} s",
  noLeaders: "No one yet. Play ten rated games against several opponents to appear here.",
  noTimes: "No times yet. Play Minesweeper alone or in a race.",
  gamesPlayed: ["{number} game", "{number} games"],
  games: "Games",
  noGames: "No games yet.",
  player: "Player",
  ratings: "Ratings",
  noRated: "No rated games yet.",
  curve: "{game}: rating from {from} to {to} over {count} games",
  between: "{name} and {rival}",
  balance: "{wins} won, {draws} drawn, {losses} lost",
  how_won: "won",
  how_lost: "lost",
  how_draw: "draw",
  how_placed: "beaten",
  how_other: "aborted",
  preparingReplay: "Preparing the replay…",
  dropRecord: "Drop a record here",
  dropRecordLine: "A record file saved here or in the terminal. It isn't stored.",
  chooseFile: "Choose a file",
  otherFile: "Open a file",
  fileTooLarge: "This file is too large. A record has at most {most} bytes.",
  playOn: "Autoplay",
  pace: "Pace",
  paceSlow: "slowly",
  paceNormal: "normal",
  paceFast: "quickly",
  itsBoard: "Board",
  linkToMove: "Link to this move",
  saveReplay: "Save as a page",
  saveRecord: "Save the record",
  replayOf: "Replay {game}, {when}",
  wholePage: "Open full page",
  theme: "Theme",
  themeSystem: "Same as system",
  themeLight: "Light",
  themeDark: "Dark",
  themeContrast: "High contrast",
  palette: "Player colours",
  paletteEmber: "Red and blue",
  paletteGold: "Gold and navy",
  paletteViolet: "Violet and green",
  sound: "Sound",
  soundOff: "No sound",
  soundOn: "All sounds",
  soundTurn: "My turn only",
  mute: "Mute in chat",
  unmute: "Unmute",
  mutedLine: "You no longer see messages from {name}.",
  unmutedLine: "You see messages from {name} again.",
};

await learn(LATER);

/** @typedef {keyof typeof LATER | import("./texts.js").TextName} TextName */

/** As the other, of all names. */
export const say = /** @type {(name: TextName, fields?: Record<string, unknown>) => string} */ (sayOne);

/** As the other, of all names. */
export const sayOr = /** @type {(name: string, other: TextName, fields?: Record<string, unknown>) => string} */ (
  sayOneOf
);
