"""Every message, grouped by who sends it.

Law: a client message is a verb and carries an `id`; a server message is a fact, and the answer to an `id`
carries it as `re`. Python spells fields in snake_case, the wire in camelCase. Text
that is passed on to others is cleaned here, as it comes in.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from .phrases import ChatPolicy, Phrase
from .text import clean

PROTOCOL = 1


def _visible(text: str) -> str:
    if not (cleaned := clean(text)):
        raise PydanticCustomError("nothing_visible", "must have something that can be seen")
    return cleaned


Id = Annotated[str, StringConstraints(min_length=1, max_length=36, pattern=r"^[!-~]+$")]
Key = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
"""A name made by the server: a room, player, session, invite, offer, epoch or code."""
CodeText = Annotated[str, StringConstraints(min_length=1, max_length=20)]
"""A code as somebody has typed it."""
Seat = Annotated[int, Field(ge=0, le=7)]
Number = Annotated[int, Field(ge=0, le=2**53)]
GameName = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Called = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_visible)]
"""An id or a name."""
Level = Annotated[str, StringConstraints(min_length=1, max_length=40), AfterValidator(_visible)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=24)]
Options = Annotated[dict[str, str | int | bool], Field(max_length=16)]
EventName: TypeAlias = Literal["nextPlayer", "chat", "members", "offers"]
EVENTS: tuple[EventName, ...] = ("nextPlayer", "chat", "members", "offers")
Events = Annotated[list[EventName], Field(max_length=4)]
OfferKind: TypeAlias = Literal["draw", "takeback", "pause", "continue", "rematch"]
Speed: TypeAlias = Literal["blitz", "rapid", "slow", "none", "correspondence"]
Course: TypeAlias = Literal[
    "beginner",
    "intermediate",
    "expert",
    "beginner-no-guess",
    "intermediate-no-guess",
    "expert-no-guess",
]
Muting: TypeAlias = Literal["chat", "all", "none"]
RoomState: TypeAlias = Literal["waiting", "preparing", "playing", "finished", "closed"]


class _FromClient(BaseModel):
    """Strict: an unknown field is a mistake, and its author should hear of it."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        alias_generator=to_camel,
        populate_by_name=True,
        allow_inf_nan=False,
    )


class _Command(_FromClient):
    id: Id


class _FromServer(BaseModel):
    """Lenient towards new fields, so that an older client keeps working with a newer server."""

    model_config = ConfigDict(
        strict=True, extra="ignore", frozen=True, alias_generator=to_camel, populate_by_name=True
    )


def _one_of(*names: str) -> JsonDict:
    """For a schema: exactly one of these fields is there, and is text."""
    return {"oneOf": [{"required": [name], "properties": {name: {"type": "string"}}} for name in names]}


# What several messages share


class Clock(_FromClient):
    """Thinking time, of one kind: `base` seconds for the game and `increment` more after each move,
    `perMove` seconds for each move, or `days` for each move of a correspondence game."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": [kind]} for kind in ("base", "perMove", "days")]}
    )

    base: Annotated[int, Field(ge=1, le=86_400)] | None = None
    increment: Annotated[int, Field(ge=0, le=3_600)] = 0
    per_move: Annotated[int, Field(ge=1, le=3_600)] | None = None
    days: Annotated[int, Field(ge=1, le=14)] | None = None


RATED_CLOCK: Final = Clock(base=300, increment=5)
"""The clock that clients propose for a rated game, so that two players who seek one want the same."""


class Brain(_FromClient):
    game: Annotated[GameName, AfterValidator(_visible)]
    levels: Annotated[list[Level], Field(max_length=16)]


class BotCard(_FromClient):
    """How a program says that it is one: what it plays, and how many games at once."""

    brains: Annotated[list[Brain], Field(max_length=16)] = []
    capacity: Annotated[int, Field(ge=1, le=1_000)] = 1


class Player(_FromServer):
    """A person, or a program if `bot`; at a table `level` is what it was asked to play like."""

    id: Key
    name: str
    bot: bool = False
    level: str | None = None


class Presence(Player):
    """A connected player as the lobby shows it; a bot's `card` says what it can be invited to."""

    card: BotCard | None = None
    games: int = 0


class Allowance(_FromServer):
    """How often something may be done: `burst` times at once, and once more every `everyMs` milliseconds."""

    every_ms: float
    burst: int


class Rates(_FromServer):
    """How fast one may be before `rateLimited`; the last three are counted by address."""

    turns: Allowance
    messages: Allowance
    chat: Allowance
    invitations: Allowance
    renames: Allowance
    replays: Allowance
    new_rooms: Allowance
    codes: Allowance
    guests: Allowance


class Limits(_FromServer):
    """What this server allows; an engine's host has neither chat nor rates.

    For a slow line `lagMs` are given back at most of one turn, and `gameLagMs` of one game and seat, but no
    more than a twentieth of `base`.
    """

    frame_bytes: int
    chat_length: int
    chat: ChatPolicy | None = None
    rooms: int
    watchers: int
    lag_ms: int = 0
    game_lag_ms: int = 0
    silence_seconds: float
    rates: Rates | None = None


class Held(_FromServer):
    """A room of one's own: the seats one has, the `rivals`, and who is to move.

    `clocks` are the milliseconds that each seat has left at the time of the message.
    """

    room: Key
    seats: list[Seat]
    game: GameName
    state: RoomState
    rivals: list[Player]
    to_move: list[Seat]
    clocks: list[int] | None = None


class Strength(_FromServer):
    """A rating in short; `provisional` while it is unsure."""

    value: int
    provisional: bool = False


class RoomLine(_FromServer):
    """A room as the lobby shows it; `seats` has one entry a seat, None where it is free.

    `watchers` is absent where nobody may join to watch. `ratings` are at this game and speed, one entry a
    seat, and absent where nobody has one.
    """

    room: Key
    game: GameName
    options: dict[str, Any]
    state: RoomState
    seats: list[Player | None]
    watchers: int | None = None
    clock: Clock | None = None
    rated: bool = False
    ratings: list[Strength | None] | None = None


class SeekLine(_FromServer):
    """Somebody who seeks; without `game` any game will do, with `bots` a bot, too.

    `rating` is at this game and speed.
    """

    seek: Key
    player: Player
    bots: bool
    game: GameName | None = None
    options: dict[str, Any] | None = None
    clock: Clock | None = None
    rated: bool = False
    rating: Strength | None = None


class Member(_FromServer):
    """Somebody at a table; `away` is until when the others wait, for one who has no connection."""

    player: Player
    seats: list[Seat]
    away: int | None = None


class Table(_FromServer):
    """All that a member knows of a room but the position; `watchers`: whether one may join to watch.

    `owner` is the player who may settle what the table is like. `rated`: the end moves both ratings.
    """

    room: Key
    epoch: Key
    game: GameName
    version: int
    options: dict[str, Any]
    state: RoomState
    private: bool
    watchers: bool = True
    seats: list[Player | None]
    members: list[Member]
    clock: Clock | None = None
    code: Key | None = None
    next: Key | None = None
    owner: Key | None = None
    rated: bool = False


class TokenLine(_FromServer):
    """A token as its player sees it: by `id` it is ended, it was last `used` then, `here` it is your own."""

    id: Key
    device: str
    created: int
    used: int
    here: bool = False


class Turn(_FromServer):
    """What led here: a move, a withdrawal with its reason, or that so many moves were taken back.

    While a race is on, others are told that a seat has moved, but not where: a dig that nobody lost
    by would tell them where no mine is.
    """

    seat: Seat | None = None
    move: str | None = None
    withdrew: str | None = None
    took_back: int | None = None


class PastTurn(Turn):
    """A turn of the game so far, also one that ended it from outside: `drawn` or `aborted`, and why.

    `ply` counts the turns and takebacks of all seats, with this one, and `at` is server time.
    """

    seq: int
    ply: int
    at: int
    drawn: str | None = None
    aborted: str | None = None
    clocks: list[int] | None = None


class Opening(_FromServer):
    """What the commitment was made from, in hexadecimal."""

    salt: str
    seed: str


class Leader(_FromServer):
    """One of the best, in the `place` of this number; `provisional` while the rating is unsure."""

    place: int
    player: Player
    value: int
    deviation: int
    provisional: bool
    games: int


class BestTime(_FromServer):
    place: int
    player: Player
    milliseconds: int


class CurvePoint(_FromServer):
    """What a rating was after a game."""

    at: int
    value: int
    deviation: int


class RatedAt(_FromServer):
    """A rating, how many games made it, and how it came there: at most the last hundred, oldest first.

    `level` is a bot's.
    """

    game: GameName
    speed: Speed
    level: str | None = None
    value: int
    deviation: int
    provisional: bool
    games: int
    curve: list[CurvePoint]


class PastSeat(_FromServer):
    """Who sat there, the place they came to, and their rating after it, if it was rated.

    `milliseconds` is the time for a course.
    """

    player: Player
    place: int | None = None
    score: int | None = None
    value: int | None = None
    milliseconds: int | None = None


class PastGame(_FromServer):
    """A game that has ended `at` some time, and how: the `kind` and `reason` of its outcome."""

    room: Key
    game: GameName
    speed: Speed | None = None
    at: int
    kind: str
    reason: str
    seats: list[PastSeat]


class Balance(_FromServer):
    game: GameName
    wins: int
    draws: int
    losses: int


# From the client


class Hello(_Command):
    """Opens a session, or with `token` and `session` returns to one. Answered by `welcome`.

    With `handOver`, a code that the player has got on another device, and without a `token`, it is the same
    player from one more device. `device` is what to call this one; only its player is told.
    `passphrase` is what some servers ask newcomers for.
    """

    type: Literal["hello"] = "hello"
    protocol: Annotated[int, Field(ge=0, le=1_000)]
    client: Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(clean)]
    name: Annotated[str, StringConstraints(max_length=64)] | None = None
    token: Annotated[str, StringConstraints(max_length=64)] | None = None
    session: Key | None = None
    hand_over: CodeText | None = None
    device: Annotated[str, StringConstraints(max_length=40), AfterValidator(clean)] | None = None
    passphrase: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    bot: BotCard | None = None
    host_key: Key | None = None


class Ping(_Command):
    """Keeps the connection alive. Answered by `pong`."""

    type: Literal["ping"] = "ping"


class WatchLobby(_Command):
    """Asks for public rooms and players, and for every change; or with `after` for one more page of them.

    Answered by `lobby`.
    """

    type: Literal["watchLobby"] = "watchLobby"
    after: Number | None = None


class UnwatchLobby(_Command):
    """No more lobby. Answered by `ok`."""

    type: Literal["unwatchLobby"] = "unwatchLobby"


class WatchBest(_Command):
    """Asks which public game, or which of one `game`, to watch. Answered by `ok`; `best` follows."""

    type: Literal["watchBest"] = "watchBest"
    game: GameName | None = None


class UnwatchBest(_Command):
    """Wants to hear no more of the best game. Answered by `ok`."""

    type: Literal["unwatchBest"] = "unwatchBest"


class ListRooms(_Command):
    """Asks for one's own rooms. Answered by `ownRooms`."""

    type: Literal["listRooms"] = "listRooms"


class CreateRoom(_Command):
    """Makes a room; its creator sits on `seat`, or watches if that is None. Answered by `joined`.

    With `watchers` false nobody may join to watch. With `rated` its end moves both players' ratings, and it
    needs a `clock`.
    """

    type: Literal["createRoom"] = "createRoom"
    game: GameName
    options: Options = {}
    seats: Annotated[int, Field(ge=1, le=8)] | None = None
    private: bool = False
    watchers: bool = True
    rated: bool = False
    clock: Clock | None = None
    seat: Seat | None = 0
    subscribe: Events = []


class Join(_Command):
    """Takes `seat`, or without it the first free one, or watches if there is none. Answered by `joined`."""

    model_config = ConfigDict(json_schema_extra=_one_of("room", "code"))

    type: Literal["join"] = "join"
    room: Key | None = None
    code: CodeText | None = None
    seat: Seat | None = None
    watch: bool = False
    invite: Key | None = None
    subscribe: Events = []


class Leave(_Command):
    """Leaves a room; from a running game that is also a resignation. Answered by `left`."""

    type: Literal["leave"] = "leave"
    room: Key


class Invite(_Command):
    """Asks either a connected player, or any bot offering "GAME:LEVEL", to take a seat. Answered by `ok`."""

    model_config = ConfigDict(json_schema_extra=_one_of("player", "bot"))

    type: Literal["invite"] = "invite"
    room: Key
    seat: Seat
    player: Key | None = None
    bot: Annotated[str, StringConstraints(max_length=81), AfterValidator(clean)] | None = None


class Decline(_Command):
    """Says no to an invitation. Answered by `ok`."""

    type: Literal["decline"] = "decline"
    invite: Key


class Seek(_Command):
    """Seeks somebody to play a game for two. Answered by `ok` with `seek`; a `joined` without `re` follows.

    Without `game` any game will do. With `bots` an idle bot of the host will do, after 10 s alone; that is so
    without `game` where it is not `rated`, unless it is said. With `rated` a `game` needs a `clock`.
    """

    type: Literal["seek"] = "seek"
    game: GameName | None = None
    options: Options = {}
    clock: Clock | None = None
    bots: bool | None = None
    rated: bool = False
    subscribe: Events = []


class CancelSeek(_Command):
    """Seeks no more. Answered by `ok`."""

    type: Literal["cancelSeek"] = "cancelSeek"
    seek: Key


class SetOptions(_Command):
    """The owner of the table wants other options, clock or watchers. Answered by `optionsSet`.

    What is absent stays as it is; a `clock` of None takes the clock away.
    """

    type: Literal["setOptions"] = "setOptions"
    room: Key
    options: Options | None = None
    clock: Clock | None = None
    watchers: bool | None = None


class FreeSeat(_Command):
    """The owner of the table frees a seat: its player watches, an invitation to it ends.

    Answered by `freed`, or by `ok` if the seat was only kept.
    """

    type: Literal["freeSeat"] = "freeSeat"
    room: Key
    seat: Seat


class SwapSeats(_Command):
    """The owner of the table swaps two seats, taken or free. Answered by `swapped`."""

    type: Literal["swapSeats"] = "swapSeats"
    room: Key
    seats: Annotated[list[Seat], Field(min_length=2, max_length=2)]


class Begin(_Command):
    """The owner of the table waits for nobody more: the empty seats go. Answered by `began`."""

    type: Literal["begin"] = "begin"
    room: Key


class Subscribe(_Command):
    """Wants an event of a room; the last one for `nextPlayer` decides on `legalMoves`.

    Answered by the current `nextPlayer`, or `ok`.
    """

    type: Literal["subscribe"] = "subscribe"
    room: Key
    event: EventName
    legal_moves: bool = False


class Unsubscribe(_Command):
    """Wants an event no more; twice is once. Answered by `ok`."""

    type: Literal["unsubscribe"] = "unsubscribe"
    room: Key
    event: EventName


class PlayTurn(_Command):
    """Plays a move at `ply`. Answered by the `nextPlayer` it causes."""

    type: Literal["playTurn"] = "playTurn"
    room: Key
    seat: Seat
    ply: Number
    move: MoveText


class Resign(_Command):
    """Gives the game up for one seat. Answered by the `nextPlayer` it causes."""

    type: Literal["resign"] = "resign"
    room: Key
    seat: Seat


class AddTime(_Command):
    """Gives every rival 15 seconds on the clock. Answered by the `nextPlayer` it causes."""

    type: Literal["addTime"] = "addTime"
    room: Key
    seat: Seat


class Claim(_Command):
    """Ends a game whose other side stays away: a win, or a draw. Answered by the `nextPlayer` it causes."""

    type: Literal["claim"] = "claim"
    room: Key
    seat: Seat
    what: Literal["win", "draw"] = "win"


class Offer(_Command):
    """Offers a draw, to take back one's last move and all after it, or after the end a rematch.

    Answered by `offered`, or `answered` as a yes.
    """

    type: Literal["offer"] = "offer"
    room: Key
    seat: Seat
    what: OfferKind


class Answer(_Command):
    """Says yes or no to an offer. Answered by `answered`."""

    type: Literal["answer"] = "answer"
    room: Key
    seat: Seat
    offer: Key
    yes: bool


class Say(_Command):
    """Speaks to all; while a game is on, players to players, watchers to watchers. Answered by `said`."""

    model_config = ConfigDict(json_schema_extra=_one_of("text", "phrase"))

    type: Literal["say"] = "say"
    room: Key
    text: Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(clean)] | None = None
    phrase: Phrase | None = None


class Mute(_Command):
    """Hears `player` no more: not what they say, or with "all" no invitation either. Answered by `ok`."""

    type: Literal["mute"] = "mute"
    player: Key
    what: Muting = "chat"


class HandOver(_Command):
    """Asks for a code by which one more device is this player, once. Answered by `handedOver`."""

    type: Literal["handOver"] = "handOver"


class ShowQrCode(_Command):
    """Asks for the QR code of a link. Answered by `qrCode`.

    The link leads to a table where one is, by its code, or to another device: it ends in `#go=` and the code
    that `handOver` gave.
    """

    type: Literal["showQrCode"] = "showQrCode"
    link: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[!-~]+$")]


class ListTokens(_Command):
    """Asks by which tokens one comes in, one for each device. Answered by `tokens`."""

    type: Literal["listTokens"] = "listTokens"


class EndToken(_Command):
    """A token of one's own opens nothing any more, and what it opened is closed. Answered by `ok`."""

    type: Literal["endToken"] = "endToken"
    token: Key


class Resume(_Command):
    """Asks for all that happened after `seq`. Answered by the missed events and `ok`, or by `snapshot`."""

    type: Literal["resume"] = "resume"
    room: Key
    epoch: Key
    seq: Number


class ShowHistory(_Command):
    """Asks for the turns of the game so far, or for those `after` an event. Answered by `history`."""

    type: Literal["showHistory"] = "showHistory"
    room: Key
    after: Number = 0


class ShowRatings(_Command):
    """Asks who is best at a game, at one speed; `after` so many of them. Answered by `ratings`."""

    type: Literal["showRatings"] = "showRatings"
    game: GameName
    speed: Speed = "rapid"
    after: Number = 0


class ShowTimes(_Command):
    """Asks who is fastest at a `course`, people or `bots`. Answered by `times`."""

    type: Literal["showTimes"] = "showTimes"
    course: Course = "beginner"
    bots: bool = False
    after: Number = 0


class ShowPlayer(_Command):
    """Asks for somebody's ratings and results, by id or name. Answered by `playerPage`.

    `rival` is whom to compare with, by default who asks. `after` is the `more` of the page before.
    """

    type: Literal["showPlayer"] = "showPlayer"
    player: Called
    rival: Called | None = None
    after: Key | None = None


class ShowTonight(_Command):
    """Asks for what was played in the last twelve hours. Answered by `tonight`."""

    type: Literal["showTonight"] = "showTonight"
    after: Key | None = None


class ShowTable(_Command):
    """Asks what table a code leads to, without coming in. Answered by `tablePage`."""

    type: Literal["showTable"] = "showTable"
    code: CodeText


class TakeSeat(_Command):
    """Moves a seat of this player from another of its sessions to this one. Answered by `ok`."""

    type: Literal["takeSeat"] = "takeSeat"
    room: Key
    seat: Seat


ClientMessage: TypeAlias = (
    Hello
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
    | TakeSeat
)

# From the server


class _Answer(_FromServer):
    re: Id | None = None
    """The `id` of the command that this answers; absent for everybody but its author."""


class _RoomEvent(_Answer):
    room: Key
    seq: int


class Welcome(_Answer):
    """The session is open. `token` comes once, when it is made; `rooms` are those to come back to.

    `muted` are the players that this one has muted, by id.
    """

    type: Literal["welcome"] = "welcome"
    player: Player
    session: Key
    limits: Limits
    now: int
    token: str | None = None
    rooms: list[Held] = []
    muted: dict[str, Muting] | None = None


class Ok(_Answer):
    """Done. `room` says where, if it was about a room, and `seq` if it counted as an event there.

    To `resume` it says who is `away`: until when the others wait, by player. It replaces what I know of that.
    `seek` names a seek that was made.
    """

    type: Literal["ok"] = "ok"
    room: Key | None = None
    seq: int | None = None
    away: dict[Key, int] | None = None
    seek: Key | None = None


class Refused(_Answer):
    """Not done, and nothing changed. What `message` says in English, `reason` and `fields` say to programs.

    A stale turn brings what was missed.
    """

    type: Literal["refused"] = "refused"
    code: str
    reason: str
    fields: dict[str, Any]
    message: str
    retry_after_ms: int | None = None
    missed: list[dict[str, Any]] | None = None


class HandedOver(_Answer):
    """Until then, a `hello` with this code as `handOver` is of this player. A newer code ends it sooner."""

    type: Literal["handedOver"] = "handedOver"
    code: Key
    until: int


class QrCode(_Answer):
    """A QR code row by row, without the light border that it needs: a dark module is 1."""

    type: Literal["qrCode"] = "qrCode"
    modules: list[str]


class TokenList(_Answer):
    """The tokens of one's own that are good, the oldest first."""

    type: Literal["tokens"] = "tokens"
    tokens: list[TokenLine]


class LobbyList(_Answer):
    """A page of the public rooms and the players here. `more`: there are others, after this number."""

    type: Literal["lobby"] = "lobby"
    rooms: list[RoomLine]
    players: list[Presence]
    seeks: list[SeekLine] = []
    more: int | None = None


class LobbyChanged(_FromServer):
    """What is new or different in the lobby, and the ids of what is gone."""

    type: Literal["lobbyChanged"] = "lobbyChanged"
    rooms: list[RoomLine] = []
    players: list[Presence] = []
    seeks: list[SeekLine] = []
    gone: list[Key] = []


class Best(_FromServer):
    """The public game most worth watching is in `room`; without it, there is none. `game` as it was asked."""

    type: Literal["best"] = "best"
    game: GameName | None = None
    room: Key | None = None


class OwnRooms(_Answer):
    """One's own rooms at the time `now`: those first where one is to move, by the time that is left."""

    type: Literal["ownRooms"] = "ownRooms"
    now: int
    rooms: list[Held]


class Invited(_FromServer):
    """Somebody keeps a seat for you until `until`: answer with `join` or `decline`."""

    type: Literal["invited"] = "invited"
    invite: Key
    room: Key
    seat: Seat
    game: GameName
    options: dict[str, Any]
    by: Player
    until: int
    level: str | None = None
    rated: bool = False


class Declined(_FromServer):
    """An invitation came to nothing and its seat is free again."""

    type: Literal["declined"] = "declined"
    room: Key
    seat: Seat
    player: Player
    reason: Literal["declined", "expired", "gone", "freed"]


class Away(_FromServer):
    """Somebody at the table has no connection; the others wait until `until`. With `claim` they may claim."""

    type: Literal["away"] = "away"
    room: Key
    player: Player
    seats: list[Seat]
    until: int
    claim: bool = False


class Back(_FromServer):
    """Somebody who was away is there again."""

    type: Literal["back"] = "back"
    room: Key
    player: Player


class Joined(_RoomEvent):
    """A player came in, on `seat` or to watch. Its author also gets the `table`, and the code.

    `seek` is the seek of which it came: all others of the player have ended, too. `dice` is for engines
    alone: equal dice shall give equal games.
    """

    type: Literal["joined"] = "joined"
    player: Player
    seat: Seat | None = None
    code: Key | None = None
    table: Table | None = None
    dice: int | None = None
    seek: Key | None = None


class Left(_RoomEvent):
    """A player went out; `owner` is whose table it is now, if it was theirs."""

    type: Literal["left"] = "left"
    player: Player
    reason: str
    owner: Key | None = None


class NextPlayer(_RoomEvent):
    """The position after a turn, and whose turn it is: `seats` is empty when the game is over.

    `clocks` are milliseconds left at server time `at`; they run for `seats`. With `firstMove` they do not:
    that is what is left at `at` for the first move of this seat. `lag` is what the turn was given back for a
    slow line. While the game is `paused`, at most until then, nobody plays and no clock runs. Where a game
    hides something, its first `nextPlayer` carries a `commitment` to it, and its last one the `opening`.
    Every eighth ply has a `hash`: the CRC-32, in eight hex digits, of `[seats, view]` as JSON with sorted
    keys and without spaces. Whoever finds another one has gone astray, and asks for a `snapshot`: `resume`
    with an `epoch` of "?". `drawing` is the view as text, in games for which the browser has no board.
    `movetime` and `nodes` are for engines alone: how long to think, in milliseconds and in work done.
    """

    type: Literal["nextPlayer"] = "nextPlayer"
    ply: int
    seats: list[Seat]
    view: dict[str, Any]
    seat: Seat | None = None
    last: Turn | None = None
    legal_moves: list[str] | None = None
    clocks: list[int] | None = None
    at: int | None = None
    first_move: int | None = None
    lag: int | None = None
    paused: int | None = None
    outcome: dict[str, Any] | None = None
    commitment: str | None = None
    opening: Opening | None = None
    hash: str | None = None
    drawing: str | None = None
    movetime: int | None = None
    nodes: int | None = None


class Said(_RoomEvent):
    """Somebody spoke, who has these `seats` or watches. In a game, players and watchers are apart.

    If it was a `phrase`, `text` says it in English.
    """

    type: Literal["said"] = "said"
    player: Player
    seats: list[Seat] = []
    text: str
    phrase: Phrase | None = None


class Offered(_RoomEvent):
    """A seat offers something; all but a rematch is off the table with the next `nextPlayer`.

    A newer server may know more to offer than you: say no to it.
    """

    type: Literal["offered"] = "offered"
    offer: Key
    seat: Seat
    what: str


class Answered(_RoomEvent):
    """A seat answered an offer."""

    type: Literal["answered"] = "answered"
    offer: Key
    seat: Seat
    yes: bool


class Rematch(_RoomEvent):
    """Everybody agreed to play again: the next room is `next`, with seats rotated by one."""

    type: Literal["rematch"] = "rematch"
    next: Key


class Preparing(_RoomEvent):
    """Every seat is taken. The game is made now, which may take some seconds, and starts by itself."""

    type: Literal["preparing"] = "preparing"


class Unprepared(_RoomEvent):
    """The game could not be made: `code` and `message` say why. Seats are kept; other options may help."""

    type: Literal["unprepared"] = "unprepared"
    code: str
    message: str


class OptionsSet(_RoomEvent):
    """The table has these options now, this clock or none, and may be watched or not."""

    type: Literal["optionsSet"] = "optionsSet"
    options: dict[str, Any]
    clock: Clock | None = None
    watchers: bool = True


class Freed(_RoomEvent):
    """The owner of the table has freed this seat: its player watches."""

    type: Literal["freed"] = "freed"
    seat: Seat
    player: Player


class Swapped(_RoomEvent):
    """The owner of the table has swapped these two seats."""

    type: Literal["swapped"] = "swapped"
    seats: list[Seat]


class Began(_RoomEvent):
    """The owner of the table waits for nobody more: these seats stay, in their order, numbered from 0."""

    type: Literal["began"] = "began"
    seats: list[Seat]


class Snapshot(_Answer):
    """A room as it is now, for whoever missed too much: the table, and one `nextPlayer` a seat held."""

    type: Literal["snapshot"] = "snapshot"
    room: Key
    epoch: Key
    seq: int
    table: Table
    turns: list[NextPlayer]


class History(_Answer):
    """The turns of a game, as you may know them. `more`: there are others, after this event."""

    type: Literal["history"] = "history"
    room: Key
    turns: list[PastTurn]
    more: int | None = None


class Seq(_FromServer):
    """Something happened in the room that you did not subscribe to."""

    type: Literal["seq"] = "seq"
    room: Key
    seq: int


class Ratings(_Answer):
    """Those who have played enough rated games against enough rivals, the best first.

    `more`: there are others, after so many.
    """

    type: Literal["ratings"] = "ratings"
    game: GameName
    speed: Speed
    leaders: list[Leader]
    more: int | None = None


class Times(_Answer):
    """The best time of each player, the fastest first. `more`: there are others, after so many."""

    type: Literal["times"] = "times"
    course: Course
    bots: bool
    times: list[BestTime]
    more: int | None = None


class PlayerPage(_Answer):
    """A player's ratings, those that moved last first, and games, the newest first.

    `headToHead` is what they have won of, drawn with and lost to the `rival`, game by game. A private game is
    shown to those who sat there alone. `more`: there are older games, after this one.
    """

    type: Literal["playerPage"] = "playerPage"
    player: Player
    ratings: list[RatedAt]
    games: list[PastGame]
    rival: Player | None = None
    head_to_head: list[Balance] = []
    more: Key | None = None


class Tonight(_Answer):
    """The games that ended in the last twelve hours, `since` then, the newest first."""

    type: Literal["tonight"] = "tonight"
    since: int
    games: list[PastGame]
    more: Key | None = None


class TablePage(_Answer):
    """The table to which a code leads, as it is now; `seats` has None where a seat is free.

    `watchers` is absent where nobody may join to watch. The record of a `private` one is for its members
    alone. With an `outcome` the game is over: then `here` are the seats of those who are still at the table,
    and `next` is the code of the rematch that goes on.
    """

    type: Literal["tablePage"] = "tablePage"
    room: Key
    game: GameName
    options: dict[str, Any]
    state: RoomState
    seats: list[Player | None]
    private: bool = False
    watchers: int | None = None
    clock: Clock | None = None
    rated: bool = False
    outcome: dict[str, Any] | None = None
    here: list[Seat] = []
    next: Key | None = None


class Pong(_Answer):
    """The server is there; `heads` has the newest `seq` of each of your rooms."""

    type: Literal["pong"] = "pong"
    now: int
    heads: dict[str, int]


class Announcement(_FromServer):
    """The host says something, or did something that concerns me.

    What `message` says in English, `reason` and `fields` say to programs.
    """

    type: Literal["announcement"] = "announcement"
    reason: str
    fields: dict[str, Any]
    message: str


class Bye(_FromServer):
    """The server closes this connection next. Close codes 4000-4099: come back and resume.

    With `reason` it is the host's doing, and `fields` has all that `message` says.
    """

    type: Literal["bye"] = "bye"
    code: int
    message: str
    reason: str | None = None
    fields: dict[str, Any] = {}
    retry_after_ms: int | None = None


ServerMessage: TypeAlias = (
    Welcome
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
    | Bye
)

CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)
SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(
    Annotated[ServerMessage, Field(discriminator="type")]
)
