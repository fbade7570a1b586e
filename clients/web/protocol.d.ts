// Generated from the message models by `make schema`; a test compares. Do not edit.

/** Gives every rival 15 seconds on the clock. Answered by the `nextPlayer` it causes. */
export interface AddTime {
  type: "addTime";
  id: string;
  room: string;
  seat: number;
}

/** A rate: `burst` times at once, and one more every `everyMs` milliseconds. */
export interface Allowance {
  everyMs: number;
  burst: number;
}

/** A message from the host, or an action of the host that concerns this player. `message` is English; `reason` and `fields` are for programs. */
export interface Announcement {
  type: "announcement";
  reason: string;
  fields: Record<string, any>;
  message: string;
}

/** Accepts or rejects an offer. Answered by `answered`. */
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

/** A player lost the connection; the others wait until `until`. If `claim` is true, they may then end the game by the command `claim`. */
export interface Away {
  type: "away";
  room: string;
  player: Player;
  seats: Array<number>;
  until: number;
  claim?: boolean;
}

/** A player who was away is connected again. */
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

/** The owner started without the empty seats: these seats stay, in their order, numbered from 0. */
export interface Began {
  type: "began";
  re?: string | null;
  room: string;
  seq: number;
  seats: Array<number>;
}

/** Starts the game without the empty seats; only for the owner of the table. Answered by `began`. */
export interface Begin {
  type: "begin";
  id: string;
  room: string;
}

/** `room` has the public game most worth watching; it is absent if there is none. `game` is that of the command. */
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

/** The card of a client that is a program: the games that it plays, and how many at once. */
export interface BotCard {
  brains?: Array<Brain>;
  capacity?: number;
}

export interface Brain {
  game: string;
  levels: Array<string>;
}

/** The server is about to close this connection. Close codes 4000-4099: reconnect and resume. If there is a `reason`, the host closed the connection, and `fields` has everything that `message` says. */
export interface Bye {
  type: "bye";
  code: number;
  message: string;
  reason?: string | null;
  fields?: Record<string, any>;
  retryAfterMs?: number | null;
}

/** Cancels a seek. Answered by `ok`. */
export interface CancelSeek {
  type: "cancelSeek";
  id: string;
  seek: string;
}

/** Claims a win or a draw because the other side stays away. Answered by the `nextPlayer` it causes. */
export interface Claim {
  type: "claim";
  id: string;
  room: string;
  seat: number;
  what?: "win" | "draw";
}

/** Thinking time, of one of three kinds: `base` seconds for the game and `increment` more after each move, `perMove` seconds for each move, or `days` for each move of a correspondence game. */
export interface Clock {
  base?: number | null;
  increment?: number;
  perMove?: number | null;
  days?: number | null;
}

/** Creates a room; its creator takes `seat`, or watches if that is null. Answered by `joined`. If `watchers` is false, nobody may join to watch. If `rated` is true, the end changes both players' ratings; this needs a `clock`. */
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

/** A rating after one game. */
export interface CurvePoint {
  at: number;
  value: number;
  deviation: number;
}

/** Declines an invitation. Answered by `ok`. */
export interface Decline {
  type: "decline";
  id: string;
  invite: string;
}

/** An invitation was declined or ended, and its seat is free again. */
export interface Declined {
  type: "declined";
  room: string;
  seat: number;
  player: Player;
  reason: "declined" | "expired" | "gone" | "freed";
}

/** Ends one of the player's tokens and closes the sessions that it opened. Answered by `ok`. */
export interface EndToken {
  type: "endToken";
  id: string;
  token: string;
}

/** Frees a seat; only for the owner of the table. Its player then watches; an invitation to it ends. Answered by `freed`, or by `ok` if the seat was only reserved. */
export interface FreeSeat {
  type: "freeSeat";
  id: string;
  room: string;
  seat: number;
}

/** The owner of the table has freed this seat: its player now watches. */
export interface Freed {
  type: "freed";
  re?: string | null;
  room: string;
  seq: number;
  seat: number;
  player: Player;
}

/** Asks for a code that lets one more device become this player, once. Answered by `handedOver`. */
export interface HandOver {
  type: "handOver";
  id: string;
}

/** A code for one more device. A `hello` with it as `handOver` opens this player until the time `until`. A newer code replaces it. */
export interface HandedOver {
  type: "handedOver";
  re?: string | null;
  code: string;
  until: number;
}

/** One of the player's own rooms: the player's seats, the `rivals`, and the seats to move. `clocks` are the milliseconds that each seat has left at the time of the message. */
export interface Held {
  room: string;
  seats: Array<number>;
  game: string;
  state: "waiting" | "preparing" | "playing" | "finished" | "closed";
  rivals: Array<Player>;
  toMove: Array<number>;
  clocks?: Array<number> | null;
}

/** Opens a session. With `token` and `session`, returns to an earlier one. Answered by `welcome`. With `handOver`, a code from another device of the player, and without a `token`, this device becomes the same player. `device` is a name for this device, which only its player sees. Some servers ask newcomers for a `passphrase`. */
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

/** The turns of a game, as far as the player may see them. If there are more, `more` is the `after` for the next page. */
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

/** A player reserves a seat for you until `until`: answer with `join` or `decline`. */
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

/** Takes `seat`, by default the first free one, or watches if no seat is free. Answered by `joined`. */
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

/** A player joined, on `seat` or to watch. The player also gets the `table` and its code. `seek` is the seek that led here: all other seeks of the player have ended. `dice` is only for engines: with equal dice, an engine should play equal games. */
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

/** One of the best players; the best has `place` 1. The rating is `provisional` while it is unsure. */
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

/** A player left; `owner` is the new owner of the table, if the player was its owner. */
export interface Left {
  type: "left";
  re?: string | null;
  room: string;
  seq: number;
  player: Player;
  reason: string;
  owner?: string | null;
}

/** The limits of this server; an engine's host has neither chat nor rates. For a slow line, at most `lagMs` are given back for one turn, and `gameLagMs` to one seat in a game, but never more than a twentieth of `base`. */
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

/** Asks for the player's own rooms. Answered by `ownRooms`. */
export interface ListRooms {
  type: "listRooms";
  id: string;
}

/** Asks for the player's tokens, one for each device. Answered by `tokens`. */
export interface ListTokens {
  type: "listTokens";
  id: string;
}

/** Changes in the lobby: new or different lines, and the ids of removed ones. */
export interface LobbyChanged {
  type: "lobbyChanged";
  rooms?: Array<RoomLine>;
  players?: Array<Presence>;
  seeks?: Array<SeekLine>;
  gone?: Array<string>;
}

/** A page of the public rooms and connected players. If there are more, `more` is the `after` for the next page. */
export interface LobbyList {
  type: "lobby";
  re?: string | null;
  rooms: Array<RoomLine>;
  players: Array<Presence>;
  seeks?: Array<SeekLine>;
  more?: number | null;
}

/** A player at a table. `away` is set if the player lost the connection: the others wait until that time. */
export interface Member {
  player: Player;
  seats: Array<number>;
  away?: number | null;
}

/** A rating after a rated game; `was` is its value before the game. */
export interface Moved {
  value: number;
  provisional?: boolean;
  was: number;
}

/** Mutes `player`: hides their chat, and with "all" also their invitations. Answered by `ok`. */
export interface Mute {
  type: "mute";
  id: string;
  player: string;
  what?: "chat" | "all" | "none";
}

/** The position after a turn, and the `seats` to move: empty when the game is over. `clocks` are milliseconds left at server time `at`; they run for `seats`. If there is a `firstMove`, they do not run yet: `firstMove` is the time left at `at` for the first move of this seat. `lag` is the time given back to the turn for a slow line. While the game is `paused`, at most until that time, no moves are played and no clock runs. Where players do not take turns, the time of the game is measured from the server time `began`, and `milliseconds` is the duration. If a game hides something, its first `nextPlayer` carries a `commitment` to it, and its last one the `opening`. Every eighth ply has a `hash`: the CRC-32, in eight hex digits, of `[seats, view]` as JSON with sorted keys and without spaces. A client that computes another one asks for a `snapshot`: `resume` with an `epoch` of "?". `drawing` is the view as text, in games for which the browser has no board. `movetime` and `nodes` are only for engines: how long to think, in milliseconds and in nodes. */
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
  began?: number | null;
  milliseconds?: number | null;
  outcome?: Record<string, any> | null;
  commitment?: string | null;
  opening?: Opening | null;
  hash?: string | null;
  drawing?: string | null;
  movetime?: number | null;
  nodes?: number | null;
}

/** Offers a draw, or a takeback of the player's last move and all moves after it, or a rematch after the end. Answered by `offered`, or by `answered` if it accepts the rival's offer. */
export interface Offer {
  type: "offer";
  id: string;
  room: string;
  seat: number;
  what: "draw" | "takeback" | "pause" | "continue" | "rematch";
}

/** A seat offers something; except for a rematch, the offer ends with the next `nextPlayer`. A newer server may have offers that the client does not know: the client rejects them. */
export interface Offered {
  type: "offered";
  re?: string | null;
  room: string;
  seq: number;
  offer: string;
  seat: number;
  what: string;
}

/** The command was carried out. `room` is the room it was about, and `seq` its event there, if it caused one. In the answer to `resume`, `away` lists the players without a connection, each with the time until which the others wait. This list replaces the client's. `seek` names a new seek. */
export interface Ok {
  type: "ok";
  re?: string | null;
  room?: string | null;
  seq?: number | null;
  away?: Record<string, any> | null;
  seek?: string | null;
}

/** The values that the commitment was made from, in hexadecimal. */
export interface Opening {
  salt: string;
  seed: string;
}

/** The owner of the table has set its options, its clock and whether it may be watched; these are the new values. */
export interface OptionsSet {
  type: "optionsSet";
  re?: string | null;
  room: string;
  seq: number;
  options: Record<string, any>;
  clock?: Clock | null;
  watchers?: boolean;
}

/** The player's own rooms at the time `now`: first those where the player is to move, least time first. */
export interface OwnRooms {
  type: "ownRooms";
  re?: string | null;
  now: number;
  rooms: Array<Held>;
}

/** A finished game: when it ended, and the `kind` and `reason` of its outcome. */
export interface PastGame {
  room: string;
  game: string;
  speed?: "blitz" | "rapid" | "slow" | "none" | "correspondence" | null;
  at: number;
  kind: string;
  reason: string;
  seats: Array<PastSeat>;
}

/** A player of a past game, their place, and their rating after it if it was rated. `milliseconds` is the time of a game that counts for best times. */
export interface PastSeat {
  player: Player;
  place?: number | null;
  score?: number | null;
  value?: number | null;
  milliseconds?: number | null;
}

/** A turn of the game so far, or its end from outside the rules: `drawn` or `aborted`, with the reason. `ply` counts the turns and takebacks of all seats up to and including this one. `at` is server time. */
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

/** A person, or a program if `bot`; at a table, `level` is the strength that a bot was asked for. */
export interface Player {
  id: string;
  name: string;
  bot?: boolean;
  level?: string | null;
}

/** A player's ratings, the last changed first, and games, the newest first. `headToHead` has, for each game, the wins, draws and losses against the `rival`. A private game is shown only to its players. If there are older games, `more` is the `after` for the next page. */
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

/** An answer to `ping`; `heads` has the newest `seq` of each of your rooms. */
export interface Pong {
  type: "pong";
  re?: string | null;
  now: number;
  heads: Record<string, number>;
}

/** Every seat is taken. The server prepares the game, which may take some seconds, and starts it. If there is a `starts`, this is the countdown of a race, and the race begins at that server time. */
export interface Preparing {
  type: "preparing";
  re?: string | null;
  room: string;
  seq: number;
  starts?: number | null;
}

/** A connected player as the lobby shows it; a bot's `card` lists the games it can be invited to. */
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

/** The `ratings` after a rated game, one entry per seat. If the game did not count, the ratings are as before. Sent again after `resume`. */
export interface Rated {
  type: "rated";
  room: string;
  ratings: Array<Moved>;
}

/** A rating, the number of games behind it, and its history: at most the last hundred games, oldest first. Only the rating of a bot has a `level`. */
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

/** The rates beyond which a command is refused as `rateLimited`; the last three are counted by address. */
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

/** The players with enough rated games against enough rivals, best first. If there are more, `more` is the `after` for the next page. */
export interface Ratings {
  type: "ratings";
  re?: string | null;
  game: string;
  speed: "blitz" | "rapid" | "slow" | "none" | "correspondence";
  leaders: Array<Leader>;
  more?: number | null;
}

/** The command was refused and nothing changed. `message` is English; `reason` and `fields` are for programs. The refusal of a stale turn has the `missed` events. */
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

/** All players agreed to a rematch: the next room is `next`, with seats rotated by one. */
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

/** Asks for all events after `seq`. Answered by the missed events and `ok`, or by `snapshot`. */
export interface Resume {
  type: "resume";
  id: string;
  room: string;
  epoch: string;
  seq: number;
}

/** A room as the lobby shows it; `seats` has one entry per seat, null if it is free. `watchers` is absent if watching is not allowed. `ratings` has one entry per seat, for this game and speed; it is absent if no player has a rating. */
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

/** A chat message by a player who has these `seats` or watches. In a game, players and watchers do not see each other's chat. If it was a `phrase`, `text` has it in English. */
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

/** Sends a chat message; in a game players write to players, watchers to watchers. Answered by `said`. */
export interface Say {
  type: "say";
  id: string;
  room: string;
  text?: string | null;
  phrase?: "hello" | "goodLuck" | "wellPlayed" | "goodGame" | "thanks" | "oops" | "rematch" | "mustGo" | null;
}

/** Looks for an opponent for a game for two. Answered by `ok` with `seek`; a `joined` without `re` follows. Without `game`, any game is accepted. With `bots`, an idle bot of the host is accepted after 10 s without a person; this is the default if there is no `game` and `rated` is false. With `rated`, a `game` needs a `clock`. */
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

/** A player who looks for an opponent. Without `game`, any game is accepted; with `bots`, also a bot. `rating` is for this game and speed. */
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

/** The number of an event in the room to which the client did not subscribe. */
export interface Seq {
  type: "seq";
  room: string;
  seq: number;
}

/** Changes the options, clock or watchers; only for the owner of the table. Answered by `optionsSet`. Absent fields keep their values; a `clock` of null removes the clock. */
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

/** Asks for a player's ratings and results, by id or name. Answered by `playerPage`. `rival` is the player to compare with, by default the asking player. `after` is the `more` of the page before. */
export interface ShowPlayer {
  type: "showPlayer";
  id: string;
  player: string;
  rival?: string | null;
  after?: string | null;
}

/** Asks for the QR code of a link. Answered by `qrCode`. The link has the code of one of the player's tables. Or it opens this player on another device; then it ends in `#go=` and the code from `handOver`. */
export interface ShowQrCode {
  type: "showQrCode";
  id: string;
  link: string;
}

/** Asks for the best players of a game at one speed, from rank `after` + 1 on. Answered by `ratings`. */
export interface ShowRatings {
  type: "showRatings";
  id: string;
  game: string;
  speed?: "blitz" | "rapid" | "slow" | "none" | "correspondence";
  after?: number;
}

/** Asks for the table that a code leads to, without joining it. Answered by `tablePage`. */
export interface ShowTable {
  type: "showTable";
  id: string;
  code: string;
}

/** Asks for the best times at a `course` by people, or by `bots`. Answered by `times`. */
export interface ShowTimes {
  type: "showTimes";
  id: string;
  course?: "beginner" | "intermediate" | "expert" | "beginner-no-guess" | "intermediate-no-guess" | "expert-no-guess";
  bots?: boolean;
  after?: number;
}

/** Asks for the games of the last twelve hours. Answered by `tonight`. */
export interface ShowTonight {
  type: "showTonight";
  id: string;
  after?: string | null;
}

/** The whole room for a client that missed too much: the table, and one `nextPlayer` per seat held. */
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

/** Subscribes to an event of a room; the last subscription to `nextPlayer` decides on `legalMoves`. Answered by the current `nextPlayer`, or `ok`. */
export interface Subscribe {
  type: "subscribe";
  id: string;
  room: string;
  event: "nextPlayer" | "chat" | "members" | "offers";
  legalMoves?: boolean;
}

/** Swaps two seats, taken or free; only for the owner of the table. Answered by `swapped`. */
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

/** Everything that a member may see of a room except the position; `watchers` is true if watching is allowed. `owner` is the player who may change the table's settings. If `rated`, the end changes both ratings, and `ratings` then has one entry per seat. `starts` is the server time at which the countdown of a race ends. In a rematch, `won` has the number of earlier games that each player has won. */
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
  ratings?: Array<Moved> | null;
  starts?: number | null;
  won?: Record<string, any> | null;
}

/** The table that a code leads to, as it is now; `seats` has null if a seat is free. `watchers` is absent if watching is not allowed. Only members get the record of a `private` table. If there is an `outcome`, the game is over. Then `here` has the seats of the players still at the table, and `next` is the code of the running rematch. */
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

/** The best time of each player, fastest first. If there are more, `more` is the `after` for the next page. */
export interface Times {
  type: "times";
  re?: string | null;
  course: "beginner" | "intermediate" | "expert" | "beginner-no-guess" | "intermediate-no-guess" | "expert-no-guess";
  bots: boolean;
  times: Array<BestTime>;
  more?: number | null;
}

/** A token as its player sees it. `endToken` takes its `id`, `used` is the time of its last use, and `here` marks the token of this session. */
export interface TokenLine {
  id: string;
  device: string;
  created: number;
  used: number;
  here?: boolean;
}

/** The player's valid tokens, oldest first. */
export interface TokenList {
  type: "tokens";
  re?: string | null;
  tokens: Array<TokenLine>;
}

/** The games that ended in the last twelve hours (from `since` on), newest first. */
export interface Tonight {
  type: "tonight";
  re?: string | null;
  since: number;
  games: Array<PastGame>;
  more?: string | null;
}

/** The turn that led to this position: a move, a withdrawal with its reason, or the number of moves taken back. During a race, the others learn that a seat has moved, but not where: a dig that did not lose would show them a cell without a mine. */
export interface Turn {
  seat?: number | null;
  move?: string | null;
  withdrew?: string | null;
  tookBack?: number | null;
}

/** The game could not be prepared: `code` and `message` say why. The seats are kept. */
export interface Unprepared {
  type: "unprepared";
  re?: string | null;
  room: string;
  seq: number;
  code: string;
  message: string;
}

/** Ends a subscription; repeating it changes nothing. Answered by `ok`. */
export interface Unsubscribe {
  type: "unsubscribe";
  id: string;
  room: string;
  event: "nextPlayer" | "chat" | "members" | "offers";
}

/** Stops `watchBest`. Answered by `ok`. */
export interface UnwatchBest {
  type: "unwatchBest";
  id: string;
}

/** Stops `watchLobby`. Answered by `ok`. */
export interface UnwatchLobby {
  type: "unwatchLobby";
  id: string;
}

/** Asks for the best public table to watch, of any game or of `game`. Answered by `ok`; `best` follows. */
export interface WatchBest {
  type: "watchBest";
  id: string;
  game?: string | null;
}

/** Asks for public rooms and players, and for every change. With `after`, asks only for one more page. Answered by `lobby`. */
export interface WatchLobby {
  type: "watchLobby";
  id: string;
  after?: number | null;
}

/** The session is open. `token` comes once, when it is created; `rooms` are those to return to. `muted` are the ids of the players that this player has muted. */
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
  | Rated
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
