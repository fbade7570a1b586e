// Generated from the message models by `make schema`; a test compares. Do not edit.

/** Gives every rival 15 seconds on the clock. Answered by the `nextPlayer` it causes. */
export interface AddTime {
  type: "addTime";
  id: string;
  room: string;
  seat: number;
}

/** How often something may be done: `burst` times at once, and once more every `everyMs` milliseconds. */
export interface Allowance {
  everyMs: number;
  burst: number;
}

/** The host says something, or did something that concerns me. What `message` says in English, `reason` and `fields` say to programs. */
export interface Announcement {
  type: "announcement";
  reason: string;
  fields: Record<string, any>;
  message: string;
}

/** Says yes or no to an offer. Answered by `answered`. */
export interface Answer {
  type: "answer";
  id: string;
  room: string;
  seat: number;
  offer: string;
  yes: boolean;
}

/** A seat answered an offer. */
export interface Answered {
  type: "answered";
  re?: string | null;
  room: string;
  seq: number;
  offer: string;
  seat: number;
  yes: boolean;
}

/** Somebody at the table has no connection; the others wait until `until`. With `claim` they may claim. */
export interface Away {
  type: "away";
  room: string;
  player: Player;
  seats: Array<number>;
  until: number;
  claim?: boolean;
}

/** Somebody who was away is there again. */
export interface Back {
  type: "back";
  room: string;
  player: Player;
}

export interface Balance {
  game: string;
  wins: number;
  draws: number;
  losses: number;
}

/** The owner of the table waits for nobody more: these seats stay, in their order, numbered from 0. */
export interface Began {
  type: "began";
  re?: string | null;
  room: string;
  seq: number;
  seats: Array<number>;
}

/** The owner of the table waits for nobody more: the empty seats go. Answered by `began`. */
export interface Begin {
  type: "begin";
  id: string;
  room: string;
}

/** The public game most worth watching is in `room`; without it, there is none. `game` as it was asked. */
export interface Best {
  type: "best";
  game?: string | null;
  room?: string | null;
}

export interface BestTime {
  place: number;
  player: Player;
  milliseconds: number;
}

/** How a program says that it is one: what it plays, and how many games at once. */
export interface BotCard {
  brains?: Array<Brain>;
  capacity?: number;
}

export interface Brain {
  game: string;
  levels: Array<string>;
}

/** The server closes this connection next. Close codes 4000-4099: come back and resume. With `reason` it is the host's doing, and `fields` has all that `message` says. */
export interface Bye {
  type: "bye";
  code: number;
  message: string;
  reason?: string | null;
  fields?: Record<string, any>;
  retryAfterMs?: number | null;
}

/** Seeks no more. Answered by `ok`. */
export interface CancelSeek {
  type: "cancelSeek";
  id: string;
  seek: string;
}

/** Ends a game whose other side stays away: a win, or a draw. Answered by the `nextPlayer` it causes. */
export interface Claim {
  type: "claim";
  id: string;
  room: string;
  seat: number;
  what?: "win" | "draw";
}

/** Thinking time, of one kind: `base` seconds for the game and `increment` more after each move, `perMove` seconds for each move, or `days` for each move of a correspondence game. */
export interface Clock {
  base?: number | null;
  increment?: number;
  perMove?: number | null;
  days?: number | null;
}

/** Makes a room; its creator sits on `seat`, or watches if that is null. Answered by `joined`. With `watchers` false nobody may join to watch. With `rated` its end moves both players' ratings, and it needs a `clock`. */
export interface CreateRoom {
  type: "createRoom";
  id: string;
  game: string;
  options?: Record<string, string | number | boolean>;
  seats?: number | null;
  private?: boolean;
  watchers?: boolean;
  rated?: boolean;
  clock?: Clock | null;
  seat?: number | null;
  subscribe?: Array<"nextPlayer" | "chat" | "members" | "offers">;
}

/** What a rating was after a game. */
export interface CurvePoint {
  at: number;
  value: number;
  deviation: number;
}

/** Says no to an invitation. Answered by `ok`. */
export interface Decline {
  type: "decline";
  id: string;
  invite: string;
}

/** An invitation came to nothing and its seat is free again. */
export interface Declined {
  type: "declined";
  room: string;
  seat: number;
  player: Player;
  reason: "declined" | "expired" | "gone" | "freed";
}

/** A token of one's own opens nothing any more, and what it opened is closed. Answered by `ok`. */
export interface EndToken {
  type: "endToken";
  id: string;
  token: string;
}

/** The owner of the table frees a seat: its player watches, an invitation to it ends. Answered by `freed`, or by `ok` if the seat was only kept. */
export interface FreeSeat {
  type: "freeSeat";
  id: string;
  room: string;
  seat: number;
}

/** The owner of the table has freed this seat: its player watches. */
export interface Freed {
  type: "freed";
  re?: string | null;
  room: string;
  seq: number;
  seat: number;
  player: Player;
}

/** Asks for a code by which one more device is this player, once. Answered by `handedOver`. */
export interface HandOver {
  type: "handOver";
  id: string;
}

/** Until then, a `hello` with this code as `handOver` is of this player. A newer code ends it sooner. */
export interface HandedOver {
  type: "handedOver";
  re?: string | null;
  code: string;
  until: number;
}

/** A room of one's own: the seats one has, the `rivals`, and who is to move. `clocks` are the milliseconds that each seat has left at the time of the message. */
export interface Held {
  room: string;
  seats: Array<number>;
  game: string;
  state: "waiting" | "preparing" | "playing" | "finished" | "closed";
  rivals: Array<Player>;
  toMove: Array<number>;
  clocks?: Array<number> | null;
}

/** Opens a session, or with `token` and `session` returns to one. Answered by `welcome`. With `handOver`, a code that the player has got on another device, and without a `token`, it is the same player from one more device. `device` is what to call this one; only its player is told. `passphrase` is what some servers ask newcomers for. */
export interface Hello {
  type: "hello";
  id: string;
  protocol: number;
  client: string;
  name?: string | null;
  token?: string | null;
  session?: string | null;
  handOver?: string | null;
  device?: string | null;
  passphrase?: string | null;
  bot?: BotCard | null;
  hostKey?: string | null;
}

/** The turns of a game, as you may know them. `more`: there are others, after this event. */
export interface History {
  type: "history";
  re?: string | null;
  room: string;
  turns: Array<PastTurn>;
  more?: number | null;
}

/** Asks either a connected player, or any bot offering "GAME:LEVEL", to take a seat. Answered by `ok`. */
export interface Invite {
  type: "invite";
  id: string;
  room: string;
  seat: number;
  player?: string | null;
  bot?: string | null;
}

/** Somebody keeps a seat for you until `until`: answer with `join` or `decline`. */
export interface Invited {
  type: "invited";
  invite: string;
  room: string;
  seat: number;
  game: string;
  options: Record<string, any>;
  by: Player;
  until: number;
  level?: string | null;
  rated?: boolean;
}

/** Takes `seat`, or without it the first free one, or watches if there is none. Answered by `joined`. */
export interface Join {
  type: "join";
  id: string;
  room?: string | null;
  code?: string | null;
  seat?: number | null;
  watch?: boolean;
  invite?: string | null;
  subscribe?: Array<"nextPlayer" | "chat" | "members" | "offers">;
}

/** A player came in, on `seat` or to watch. Its author also gets the `table`, and the code. `seek` is the seek of which it came: all others of the player have ended, too. `dice` is for engines alone: equal dice shall give equal games. */
export interface Joined {
  type: "joined";
  re?: string | null;
  room: string;
  seq: number;
  player: Player;
  seat?: number | null;
  code?: string | null;
  table?: Table | null;
  dice?: number | null;
  seek?: string | null;
}

/** One of the best, in the `place` of this number; `provisional` while the rating is unsure. */
export interface Leader {
  place: number;
  player: Player;
  value: number;
  deviation: number;
  provisional: boolean;
  games: number;
}

/** Leaves a room; from a running game that is also a resignation. Answered by `left`. */
export interface Leave {
  type: "leave";
  id: string;
  room: string;
}

/** A player went out; `owner` is whose table it is now, if it was theirs. */
export interface Left {
  type: "left";
  re?: string | null;
  room: string;
  seq: number;
  player: Player;
  reason: string;
  owner?: string | null;
}

/** What this server allows; an engine's host has neither chat nor rates. For a slow line `lagMs` are given back at most of one turn, and `gameLagMs` of one game and seat, but no more than a twentieth of `base`. */
export interface Limits {
  frameBytes: number;
  chatLength: number;
  chat?: "on" | "phrases" | "off" | null;
  rooms: number;
  watchers: number;
  lagMs?: number;
  gameLagMs?: number;
  silenceSeconds: number;
  rates?: Rates | null;
}

/** Asks for one's own rooms. Answered by `ownRooms`. */
export interface ListRooms {
  type: "listRooms";
  id: string;
}

/** Asks by which tokens one comes in, one for each device. Answered by `tokens`. */
export interface ListTokens {
  type: "listTokens";
  id: string;
}

/** What is new or different in the lobby, and the ids of what is gone. */
export interface LobbyChanged {
  type: "lobbyChanged";
  rooms?: Array<RoomLine>;
  players?: Array<Presence>;
  seeks?: Array<SeekLine>;
  gone?: Array<string>;
}

/** A page of the public rooms and the players here. `more`: there are others, after this number. */
export interface LobbyList {
  type: "lobby";
  re?: string | null;
  rooms: Array<RoomLine>;
  players: Array<Presence>;
  seeks?: Array<SeekLine>;
  more?: number | null;
}

/** Somebody at a table; `away` is until when the others wait, for one who has no connection. */
export interface Member {
  player: Player;
  seats: Array<number>;
  away?: number | null;
}

/** Hears `player` no more: not what they say, or with "all" no invitation either. Answered by `ok`. */
export interface Mute {
  type: "mute";
  id: string;
  player: string;
  what?: "chat" | "all" | "none";
}

/** The position after a turn, and whose turn it is: `seats` is empty when the game is over. `clocks` are milliseconds left at server time `at`; they run for `seats`. With `firstMove` they do not: that is what is left at `at` for the first move of this seat. `lag` is what the turn was given back for a slow line. While the game is `paused`, at most until then, nobody plays and no clock runs. Where a game hides something, its first `nextPlayer` carries a `commitment` to it, and its last one the `opening`. Every eighth ply has a `hash`: the CRC-32, in eight hex digits, of `[seats, view]` as JSON with sorted keys and without spaces. Whoever finds another one has gone astray, and asks for a `snapshot`: `resume` with an `epoch` of "?". `drawing` is the view as text, in games for which the browser has no board. `movetime` and `nodes` are for engines alone: how long to think, in milliseconds and in work done. */
export interface NextPlayer {
  type: "nextPlayer";
  re?: string | null;
  room: string;
  seq: number;
  ply: number;
  seats: Array<number>;
  view: Record<string, any>;
  seat?: number | null;
  last?: Turn | null;
  legalMoves?: Array<string> | null;
  clocks?: Array<number> | null;
  at?: number | null;
  firstMove?: number | null;
  lag?: number | null;
  paused?: number | null;
  outcome?: Record<string, any> | null;
  commitment?: string | null;
  opening?: Opening | null;
  hash?: string | null;
  drawing?: string | null;
  movetime?: number | null;
  nodes?: number | null;
}

/** Offers a draw, to take back one's last move and all after it, or after the end a rematch. Answered by `offered`, or `answered` as a yes. */
export interface Offer {
  type: "offer";
  id: string;
  room: string;
  seat: number;
  what: "draw" | "takeback" | "pause" | "continue" | "rematch";
}

/** A seat offers something; all but a rematch is off the table with the next `nextPlayer`. A newer server may know more to offer than you: say no to it. */
export interface Offered {
  type: "offered";
  re?: string | null;
  room: string;
  seq: number;
  offer: string;
  seat: number;
  what: string;
}

/** Done. `room` says where, if it was about a room, and `seq` if it counted as an event there. To `resume` it says who is `away`: until when the others wait, by player. It replaces what I know of that. `seek` names a seek that was made. */
export interface Ok {
  type: "ok";
  re?: string | null;
  room?: string | null;
  seq?: number | null;
  away?: Record<string, any> | null;
  seek?: string | null;
}

/** What the commitment was made from, in hexadecimal. */
export interface Opening {
  salt: string;
  seed: string;
}

/** The table has these options now, this clock or none, and may be watched or not. */
export interface OptionsSet {
  type: "optionsSet";
  re?: string | null;
  room: string;
  seq: number;
  options: Record<string, any>;
  clock?: Clock | null;
  watchers?: boolean;
}

/** One's own rooms at the time `now`: those first where one is to move, by the time that is left. */
export interface OwnRooms {
  type: "ownRooms";
  re?: string | null;
  now: number;
  rooms: Array<Held>;
}

/** A game that has ended `at` some time, and how: the `kind` and `reason` of its outcome. */
export interface PastGame {
  room: string;
  game: string;
  speed?: "blitz" | "rapid" | "slow" | "none" | "correspondence" | null;
  at: number;
  kind: string;
  reason: string;
  seats: Array<PastSeat>;
}

/** Who sat there, the place they came to, and their rating after it, if it was rated. `milliseconds` is the time for a course. */
export interface PastSeat {
  player: Player;
  place?: number | null;
  score?: number | null;
  value?: number | null;
  milliseconds?: number | null;
}

/** A turn of the game so far, also one that ended it from outside: `drawn` or `aborted`, and why. `ply` counts the turns and takebacks of all seats, with this one, and `at` is server time. */
export interface PastTurn {
  seat?: number | null;
  move?: string | null;
  withdrew?: string | null;
  tookBack?: number | null;
  seq: number;
  ply: number;
  at: number;
  drawn?: string | null;
  aborted?: string | null;
  clocks?: Array<number> | null;
}

/** Keeps the connection alive. Answered by `pong`. */
export interface Ping {
  type: "ping";
  id: string;
}

/** Plays a move at `ply`. Answered by the `nextPlayer` it causes. */
export interface PlayTurn {
  type: "playTurn";
  id: string;
  room: string;
  seat: number;
  ply: number;
  move: string;
}

/** A person, or a program if `bot`; at a table `level` is what it was asked to play like. */
export interface Player {
  id: string;
  name: string;
  bot?: boolean;
  level?: string | null;
}

/** A player's ratings, those that moved last first, and games, the newest first. `headToHead` is what they have won of, drawn with and lost to the `rival`, game by game. A private game is shown to those who sat there alone. `more`: there are older games, after this one. */
export interface PlayerPage {
  type: "playerPage";
  re?: string | null;
  player: Player;
  ratings: Array<RatedAt>;
  games: Array<PastGame>;
  rival?: Player | null;
  headToHead?: Array<Balance>;
  more?: string | null;
}

/** The server is there; `heads` has the newest `seq` of each of your rooms. */
export interface Pong {
  type: "pong";
  re?: string | null;
  now: number;
  heads: Record<string, number>;
}

/** Every seat is taken. The game is made now, which may take some seconds, and starts by itself. */
export interface Preparing {
  type: "preparing";
  re?: string | null;
  room: string;
  seq: number;
}

/** A connected player as the lobby shows it; a bot's `card` says what it can be invited to. */
export interface Presence {
  id: string;
  name: string;
  bot?: boolean;
  level?: string | null;
  card?: BotCard | null;
  games?: number;
}

/** A QR code row by row, without the light border that it needs: a dark module is 1. */
export interface QrCode {
  type: "qrCode";
  re?: string | null;
  modules: Array<string>;
}

/** A rating, how many games made it, and how it came there: at most the last hundred, oldest first. `level` is a bot's. */
export interface RatedAt {
  game: string;
  speed: "blitz" | "rapid" | "slow" | "none" | "correspondence";
  level?: string | null;
  value: number;
  deviation: number;
  provisional: boolean;
  games: number;
  curve: Array<CurvePoint>;
}

/** How fast one may be before `rateLimited`; the last three are counted by address. */
export interface Rates {
  turns: Allowance;
  messages: Allowance;
  chat: Allowance;
  invitations: Allowance;
  renames: Allowance;
  replays: Allowance;
  newRooms: Allowance;
  codes: Allowance;
  guests: Allowance;
}

/** Those who have played enough rated games against enough rivals, the best first. `more`: there are others, after so many. */
export interface Ratings {
  type: "ratings";
  re?: string | null;
  game: string;
  speed: "blitz" | "rapid" | "slow" | "none" | "correspondence";
  leaders: Array<Leader>;
  more?: number | null;
}

/** Not done, and nothing changed. What `message` says in English, `reason` and `fields` say to programs. A stale turn brings what was missed. */
export interface Refused {
  type: "refused";
  re?: string | null;
  code: string;
  reason: string;
  fields: Record<string, any>;
  message: string;
  retryAfterMs?: number | null;
  missed?: Array<Record<string, any>> | null;
}

/** Everybody agreed to play again: the next room is `next`, with seats rotated by one. */
export interface Rematch {
  type: "rematch";
  re?: string | null;
  room: string;
  seq: number;
  next: string;
}

/** Gives the game up for one seat. Answered by the `nextPlayer` it causes. */
export interface Resign {
  type: "resign";
  id: string;
  room: string;
  seat: number;
}

/** Asks for all that happened after `seq`. Answered by the missed events and `ok`, or by `snapshot`. */
export interface Resume {
  type: "resume";
  id: string;
  room: string;
  epoch: string;
  seq: number;
}

/** A room as the lobby shows it; `seats` has one entry a seat, null where it is free. `watchers` is absent where nobody may join to watch. `ratings` are at this game and speed, one entry a seat, and absent where nobody has one. */
export interface RoomLine {
  room: string;
  game: string;
  options: Record<string, any>;
  state: "waiting" | "preparing" | "playing" | "finished" | "closed";
  seats: Array<Player | null>;
  watchers?: number | null;
  clock?: Clock | null;
  rated?: boolean;
  ratings?: Array<Strength | null> | null;
}

/** Somebody spoke, who has these `seats` or watches. In a game, players and watchers are apart. If it was a `phrase`, `text` says it in English. */
export interface Said {
  type: "said";
  re?: string | null;
  room: string;
  seq: number;
  player: Player;
  seats?: Array<number>;
  text: string;
  phrase?: "hello" | "goodLuck" | "wellPlayed" | "goodGame" | "thanks" | "oops" | "rematch" | "mustGo" | null;
}

/** Speaks to all; while a game is on, players to players, watchers to watchers. Answered by `said`. */
export interface Say {
  type: "say";
  id: string;
  room: string;
  text?: string | null;
  phrase?: "hello" | "goodLuck" | "wellPlayed" | "goodGame" | "thanks" | "oops" | "rematch" | "mustGo" | null;
}

/** Seeks somebody to play a game for two. Answered by `ok` with `seek`; a `joined` without `re` follows. Without `game` any game will do. With `bots` an idle bot of the host will do, after 10 s alone; that is so without `game` where it is not `rated`, unless it is said. With `rated` a `game` needs a `clock`. */
export interface Seek {
  type: "seek";
  id: string;
  game?: string | null;
  options?: Record<string, string | number | boolean>;
  clock?: Clock | null;
  bots?: boolean | null;
  rated?: boolean;
  subscribe?: Array<"nextPlayer" | "chat" | "members" | "offers">;
}

/** Somebody who seeks; without `game` any game will do, with `bots` a bot, too. `rating` is at this game and speed. */
export interface SeekLine {
  seek: string;
  player: Player;
  bots: boolean;
  game?: string | null;
  options?: Record<string, any> | null;
  clock?: Clock | null;
  rated?: boolean;
  rating?: Strength | null;
}

/** Something happened in the room that you did not subscribe to. */
export interface Seq {
  type: "seq";
  room: string;
  seq: number;
}

/** The owner of the table wants other options, clock or watchers. Answered by `optionsSet`. What is absent stays as it is; a `clock` of null takes the clock away. */
export interface SetOptions {
  type: "setOptions";
  id: string;
  room: string;
  options?: Record<string, string | number | boolean> | null;
  clock?: Clock | null;
  watchers?: boolean | null;
}

/** Asks for the turns of the game so far, or for those `after` an event. Answered by `history`. */
export interface ShowHistory {
  type: "showHistory";
  id: string;
  room: string;
  after?: number;
}

/** Asks for somebody's ratings and results, by id or name. Answered by `playerPage`. `rival` is whom to compare with, by default who asks. `after` is the `more` of the page before. */
export interface ShowPlayer {
  type: "showPlayer";
  id: string;
  player: string;
  rival?: string | null;
  after?: string | null;
}

/** Asks for the QR code of a link. Answered by `qrCode`. The link leads to a table where one is, by its code, or to another device: it ends in `#go=` and the code that `handOver` gave. */
export interface ShowQrCode {
  type: "showQrCode";
  id: string;
  link: string;
}

/** Asks who is best at a game, at one speed; `after` so many of them. Answered by `ratings`. */
export interface ShowRatings {
  type: "showRatings";
  id: string;
  game: string;
  speed?: "blitz" | "rapid" | "slow" | "none" | "correspondence";
  after?: number;
}

/** Asks what table a code leads to, without coming in. Answered by `tablePage`. */
export interface ShowTable {
  type: "showTable";
  id: string;
  code: string;
}

/** Asks who is fastest at a `course`, people or `bots`. Answered by `times`. */
export interface ShowTimes {
  type: "showTimes";
  id: string;
  course?: "beginner" | "intermediate" | "expert" | "beginner-no-guess" | "intermediate-no-guess" | "expert-no-guess";
  bots?: boolean;
  after?: number;
}

/** Asks for what was played in the last twelve hours. Answered by `tonight`. */
export interface ShowTonight {
  type: "showTonight";
  id: string;
  after?: string | null;
}

/** A room as it is now, for whoever missed too much: the table, and one `nextPlayer` a seat held. */
export interface Snapshot {
  type: "snapshot";
  re?: string | null;
  room: string;
  epoch: string;
  seq: number;
  table: Table;
  turns: Array<NextPlayer>;
}

/** A rating in short; `provisional` while it is unsure. */
export interface Strength {
  value: number;
  provisional?: boolean;
}

/** Wants an event of a room; the last one for `nextPlayer` decides on `legalMoves`. Answered by the current `nextPlayer`, or `ok`. */
export interface Subscribe {
  type: "subscribe";
  id: string;
  room: string;
  event: "nextPlayer" | "chat" | "members" | "offers";
  legalMoves?: boolean;
}

/** The owner of the table swaps two seats, taken or free. Answered by `swapped`. */
export interface SwapSeats {
  type: "swapSeats";
  id: string;
  room: string;
  seats: Array<number>;
}

/** The owner of the table has swapped these two seats. */
export interface Swapped {
  type: "swapped";
  re?: string | null;
  room: string;
  seq: number;
  seats: Array<number>;
}

/** All that a member knows of a room but the position; `watchers`: whether one may join to watch. `owner` is the player who may settle what the table is like. `rated`: the end moves both ratings. */
export interface Table {
  room: string;
  epoch: string;
  game: string;
  version: number;
  options: Record<string, any>;
  state: "waiting" | "preparing" | "playing" | "finished" | "closed";
  private: boolean;
  watchers?: boolean;
  seats: Array<Player | null>;
  members: Array<Member>;
  clock?: Clock | null;
  code?: string | null;
  next?: string | null;
  owner?: string | null;
  rated?: boolean;
}

/** The table to which a code leads, as it is now; `seats` has null where a seat is free. `watchers` is absent where nobody may join to watch. The record of a `private` one is for its members alone. With an `outcome` the game is over: then `here` are the seats of those who are still at the table, and `next` is the code of the rematch that goes on. */
export interface TablePage {
  type: "tablePage";
  re?: string | null;
  room: string;
  game: string;
  options: Record<string, any>;
  state: "waiting" | "preparing" | "playing" | "finished" | "closed";
  seats: Array<Player | null>;
  private?: boolean;
  watchers?: number | null;
  clock?: Clock | null;
  rated?: boolean;
  outcome?: Record<string, any> | null;
  here?: Array<number>;
  next?: string | null;
}

/** Moves a seat of this player from another of its sessions to this one. Answered by `ok`. */
export interface TakeSeat {
  type: "takeSeat";
  id: string;
  room: string;
  seat: number;
}

/** The best time of each player, the fastest first. `more`: there are others, after so many. */
export interface Times {
  type: "times";
  re?: string | null;
  course: "beginner" | "intermediate" | "expert" | "beginner-no-guess" | "intermediate-no-guess" | "expert-no-guess";
  bots: boolean;
  times: Array<BestTime>;
  more?: number | null;
}

/** A token as its player sees it: by `id` it is ended, it was last `used` then, `here` it is your own. */
export interface TokenLine {
  id: string;
  device: string;
  created: number;
  used: number;
  here?: boolean;
}

/** The tokens of one's own that are good, the oldest first. */
export interface TokenList {
  type: "tokens";
  re?: string | null;
  tokens: Array<TokenLine>;
}

/** The games that ended in the last twelve hours, `since` then, the newest first. */
export interface Tonight {
  type: "tonight";
  re?: string | null;
  since: number;
  games: Array<PastGame>;
  more?: string | null;
}

/** What led here: a move, a withdrawal with its reason, or that so many moves were taken back. While a race is on, others are told that a seat has moved, but not where: a dig that nobody lost by would tell them where no mine is. */
export interface Turn {
  seat?: number | null;
  move?: string | null;
  withdrew?: string | null;
  tookBack?: number | null;
}

/** The game could not be made: `code` and `message` say why. Seats are kept; other options may help. */
export interface Unprepared {
  type: "unprepared";
  re?: string | null;
  room: string;
  seq: number;
  code: string;
  message: string;
}

/** Wants an event no more; twice is once. Answered by `ok`. */
export interface Unsubscribe {
  type: "unsubscribe";
  id: string;
  room: string;
  event: "nextPlayer" | "chat" | "members" | "offers";
}

/** Wants to hear no more of the best game. Answered by `ok`. */
export interface UnwatchBest {
  type: "unwatchBest";
  id: string;
}

/** No more lobby. Answered by `ok`. */
export interface UnwatchLobby {
  type: "unwatchLobby";
  id: string;
}

/** Asks which public game, or which of one `game`, to watch. Answered by `ok`; `best` follows. */
export interface WatchBest {
  type: "watchBest";
  id: string;
  game?: string | null;
}

/** Asks for public rooms and players, and for every change; or with `after` for one more page of them. Answered by `lobby`. */
export interface WatchLobby {
  type: "watchLobby";
  id: string;
  after?: number | null;
}

/** The session is open. `token` comes once, when it is made; `rooms` are those to come back to. `muted` are the players that this one has muted, by id. */
export interface Welcome {
  type: "welcome";
  re?: string | null;
  player: Player;
  session: string;
  limits: Limits;
  now: number;
  token?: string | null;
  rooms?: Array<Held>;
  muted?: Record<string, "chat" | "all" | "none"> | null;
}

export type ClientMessage =
  | Hello
  | Ping
  | WatchLobby
  | UnwatchLobby
  | WatchBest
  | UnwatchBest
  | ListRooms
  | CreateRoom
  | Join
  | Leave
  | Invite
  | Decline
  | Seek
  | CancelSeek
  | SetOptions
  | FreeSeat
  | SwapSeats
  | Begin
  | Subscribe
  | Unsubscribe
  | PlayTurn
  | Resign
  | AddTime
  | Claim
  | Offer
  | Answer
  | Say
  | Mute
  | HandOver
  | ShowQrCode
  | ListTokens
  | EndToken
  | Resume
  | ShowHistory
  | ShowRatings
  | ShowTimes
  | ShowPlayer
  | ShowTonight
  | ShowTable
  | TakeSeat;

export type ServerMessage =
  | Welcome
  | Ok
  | Refused
  | HandedOver
  | QrCode
  | TokenList
  | LobbyList
  | LobbyChanged
  | Best
  | OwnRooms
  | Invited
  | Declined
  | Away
  | Back
  | Joined
  | Left
  | NextPlayer
  | Said
  | Offered
  | Answered
  | Rematch
  | Preparing
  | Unprepared
  | OptionsSet
  | Freed
  | Swapped
  | Began
  | Snapshot
  | History
  | Ratings
  | Times
  | PlayerPage
  | Tonight
  | TablePage
  | Seq
  | Pong
  | Announcement
  | Bye;
