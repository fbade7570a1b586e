"""Every message, grouped by its sender.

Law: a client message is a verb and carries an `id`; a server message is a fact, and the answer to an `id`
carries it as `re`. Python spells fields in snake_case, the wire in camelCase. Text that other clients will
get is cleaned here when it arrives.
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
"""A code as a person typed it."""
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
    """A message of a client. Unknown fields are errors, so that the author of the client learns of them."""

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
    """A message of the server. Unknown fields are ignored, so that an older client works with a
    newer server.
    """

    model_config = ConfigDict(
        strict=True, extra="ignore", frozen=True, alias_generator=to_camel, populate_by_name=True
    )


def _one_of(*names: str) -> JsonDict:
    """A JSON schema that requires exactly one of these fields, and text as its value."""
    return {"oneOf": [{"required": [name], "properties": {name: {"type": "string"}}} for name in names]}


# Parts of several messages


class Clock(_FromClient):
    """Thinking time, of one of three kinds: `base` seconds for the game and `increment` more after each move,
    `perMove` seconds for each move, or `days` for each move of a correspondence game.
    """

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": [kind]} for kind in ("base", "perMove", "days")]}
    )

    base: Annotated[int, Field(ge=1, le=86_400)] | None = None
    increment: Annotated[int, Field(ge=0, le=3_600)] = 0
    per_move: Annotated[int, Field(ge=1, le=3_600)] | None = None
    days: Annotated[int, Field(ge=1, le=14)] | None = None


RATED_CLOCK: Final = Clock(base=300, increment=5)
"""The clock that clients propose for a rated game, so that the seeks of two players match."""


class Brain(_FromClient):
    game: Annotated[GameName, AfterValidator(_visible)]
    levels: Annotated[list[Level], Field(max_length=16)]


class BotCard(_FromClient):
    """The card of a client that is a program: the games that it plays, and how many at once."""

    brains: Annotated[list[Brain], Field(max_length=16)] = []
    capacity: Annotated[int, Field(ge=1, le=1_000)] = 1


class Player(_FromServer):
    """A person, or a program if `bot`; at a table, `level` is the strength that a bot was asked for."""

    id: Key
    name: str
    bot: bool = False
    level: str | None = None


class Presence(Player):
    """A connected player as the lobby shows it; a bot's `card` lists the games it can be invited to."""

    card: BotCard | None = None
    games: int = 0


class Allowance(_FromServer):
    """A rate: `burst` times at once, and one more every `everyMs` milliseconds."""

    every_ms: float
    burst: int


class Rates(_FromServer):
    """The rates beyond which a command is refused as `rateLimited`; the last three are counted by address."""

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
    """The limits of this server; an engine's host has neither chat nor rates.

    For a slow line, at most `lagMs` are given back for one turn, and `gameLagMs` to one seat in a game, but
    never more than a twentieth of `base`.
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
    """One of the player's own rooms: the player's seats, the `rivals`, and the seats to move.

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


class Moved(Strength):
    """A rating after a rated game; `was` is its value before the game."""

    was: int


class RoomLine(_FromServer):
    """A room as the lobby shows it; `seats` has one entry per seat, None if it is free.

    `watchers` is absent if watching is not allowed. `ratings` has one entry per seat, for this game and
    speed; it is absent if no player has a rating.
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
    """A player who looks for an opponent. Without `game`, any game is accepted; with `bots`, also a bot.

    `rating` is for this game and speed.
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
    """A player at a table. `away` is set if the player lost the connection: the others wait until
    that time.
    """

    player: Player
    seats: list[Seat]
    away: int | None = None


class Table(_FromServer):
    """Everything that a member may see of a room except the position; `watchers` is true if watching is
    allowed.

    `owner` is the player who may change the table's settings. If `rated`, the end changes both ratings, and
    `ratings` then has one entry per seat. `starts` is the server time at which the countdown of a race ends.
    In a rematch, `won` has the number of earlier games that each player has won.
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
    ratings: list[Moved] | None = None
    starts: int | None = None
    won: dict[Key, int] | None = None


class TokenLine(_FromServer):
    """A token as its player sees it. `endToken` takes its `id`, `used` is the time of its last use, and
    `here` marks the token of this session.
    """

    id: Key
    device: str
    created: int
    used: int
    here: bool = False


class Turn(_FromServer):
    """The turn that led to this position: a move, a withdrawal with its reason, or the number of moves taken
    back.

    During a race, the others learn that a seat has moved, but not where: a dig that did not lose would show
    them a cell without a mine.
    """

    seat: Seat | None = None
    move: str | None = None
    withdrew: str | None = None
    took_back: int | None = None


class PastTurn(Turn):
    """A turn of the game so far, or its end from outside the rules: `drawn` or `aborted`, with the reason.

    `ply` counts the turns and takebacks of all seats up to and including this one. `at` is server time.
    """

    seq: int
    ply: int
    at: int
    drawn: str | None = None
    aborted: str | None = None
    clocks: list[int] | None = None


class Opening(_FromServer):
    """The values that the commitment was made from, in hexadecimal."""

    salt: str
    seed: str


class Leader(_FromServer):
    """One of the best players; the best has `place` 1. The rating is `provisional` while it is unsure."""

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
    """A rating after one game."""

    at: int
    value: int
    deviation: int


class RatedAt(_FromServer):
    """A rating, the number of games behind it, and its history: at most the last hundred games, oldest first.

    Only the rating of a bot has a `level`.
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
    """A player of a past game, their place, and their rating after it if it was rated.

    `milliseconds` is the time of a game that counts for best times.
    """

    player: Player
    place: int | None = None
    score: int | None = None
    value: int | None = None
    milliseconds: int | None = None


class PastGame(_FromServer):
    """A finished game: when it ended, and the `kind` and `reason` of its outcome."""

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
    """Opens a session. With `token` and `session`, returns to an earlier one. Answered by `welcome`.

    With `handOver`, a code from another device of the player, and without a `token`, this device becomes the
    same player. `device` is a name for this device, which only its player sees. Some servers ask newcomers
    for a `passphrase`.
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
    """Asks for public rooms and players, and for every change. With `after`, asks only for one more page.

    Answered by `lobby`.
    """

    type: Literal["watchLobby"] = "watchLobby"
    after: Number | None = None


class UnwatchLobby(_Command):
    """Stops `watchLobby`. Answered by `ok`."""

    type: Literal["unwatchLobby"] = "unwatchLobby"


class WatchBest(_Command):
    """Asks for the best public table to watch, of any game or of `game`. Answered by `ok`; `best` follows."""

    type: Literal["watchBest"] = "watchBest"
    game: GameName | None = None


class UnwatchBest(_Command):
    """Stops `watchBest`. Answered by `ok`."""

    type: Literal["unwatchBest"] = "unwatchBest"


class ListRooms(_Command):
    """Asks for the player's own rooms. Answered by `ownRooms`."""

    type: Literal["listRooms"] = "listRooms"


class CreateRoom(_Command):
    """Creates a room; its creator takes `seat`, or watches if that is None. Answered by `joined`.

    If `watchers` is false, nobody may join to watch. If `rated` is true, the end changes both players'
    ratings; this needs a `clock`.
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
    """Takes `seat`, by default the first free one, or watches if no seat is free. Answered by `joined`."""

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
    """Declines an invitation. Answered by `ok`."""

    type: Literal["decline"] = "decline"
    invite: Key


class Seek(_Command):
    """Looks for an opponent for a game for two. Answered by `ok` with `seek`; a `joined` without `re`
    follows.

    Without `game`, any game is accepted. With `bots`, an idle bot of the host is accepted after 10 s without
    a person; this is the default if there is no `game` and `rated` is false. With `rated`, a `game` needs a
    `clock`.
    """

    type: Literal["seek"] = "seek"
    game: GameName | None = None
    options: Options = {}
    clock: Clock | None = None
    bots: bool | None = None
    rated: bool = False
    subscribe: Events = []


class CancelSeek(_Command):
    """Cancels a seek. Answered by `ok`."""

    type: Literal["cancelSeek"] = "cancelSeek"
    seek: Key


class SetOptions(_Command):
    """Changes the options, clock or watchers; only for the owner of the table. Answered by `optionsSet`.

    Absent fields keep their values; a `clock` of None removes the clock.
    """

    type: Literal["setOptions"] = "setOptions"
    room: Key
    options: Options | None = None
    clock: Clock | None = None
    watchers: bool | None = None


class FreeSeat(_Command):
    """Frees a seat; only for the owner of the table. Its player then watches; an invitation to it ends.

    Answered by `freed`, or by `ok` if the seat was only reserved.
    """

    type: Literal["freeSeat"] = "freeSeat"
    room: Key
    seat: Seat


class SwapSeats(_Command):
    """Swaps two seats, taken or free; only for the owner of the table. Answered by `swapped`."""

    type: Literal["swapSeats"] = "swapSeats"
    room: Key
    seats: Annotated[list[Seat], Field(min_length=2, max_length=2)]


class Begin(_Command):
    """Starts the game without the empty seats; only for the owner of the table. Answered by `began`."""

    type: Literal["begin"] = "begin"
    room: Key


class Subscribe(_Command):
    """Subscribes to an event of a room; the last subscription to `nextPlayer` decides on `legalMoves`.

    Answered by the current `nextPlayer`, or `ok`.
    """

    type: Literal["subscribe"] = "subscribe"
    room: Key
    event: EventName
    legal_moves: bool = False


class Unsubscribe(_Command):
    """Ends a subscription; repeating it changes nothing. Answered by `ok`."""

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
    """Claims a win or a draw because the other side stays away. Answered by the `nextPlayer` it causes."""

    type: Literal["claim"] = "claim"
    room: Key
    seat: Seat
    what: Literal["win", "draw"] = "win"


class Offer(_Command):
    """Offers a draw, or a takeback of the player's last move and all moves after it, or a rematch after the
    end.

    Answered by `offered`, or by `answered` if it accepts the rival's offer.
    """

    type: Literal["offer"] = "offer"
    room: Key
    seat: Seat
    what: OfferKind


class Answer(_Command):
    """Accepts or rejects an offer. Answered by `answered`."""

    type: Literal["answer"] = "answer"
    room: Key
    seat: Seat
    offer: Key
    yes: bool


class Say(_Command):
    """Sends a chat message; in a game players write to players, watchers to watchers. Answered by `said`."""

    model_config = ConfigDict(json_schema_extra=_one_of("text", "phrase"))

    type: Literal["say"] = "say"
    room: Key
    text: Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(clean)] | None = None
    phrase: Phrase | None = None


class Mute(_Command):
    """Mutes `player`: hides their chat, and with "all" also their invitations. Answered by `ok`."""

    type: Literal["mute"] = "mute"
    player: Key
    what: Muting = "chat"


class HandOver(_Command):
    """Asks for a code that lets one more device become this player, once. Answered by `handedOver`."""

    type: Literal["handOver"] = "handOver"


class ShowQrCode(_Command):
    """Asks for the QR code of a link. Answered by `qrCode`.

    The link has the code of one of the player's tables. Or it opens this player on another device; then it
    ends in `#go=` and the code from `handOver`.
    """

    type: Literal["showQrCode"] = "showQrCode"
    link: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[!-~]+$")]


class ListTokens(_Command):
    """Asks for the player's tokens, one for each device. Answered by `tokens`."""

    type: Literal["listTokens"] = "listTokens"


class EndToken(_Command):
    """Ends one of the player's tokens and closes the sessions that it opened. Answered by `ok`."""

    type: Literal["endToken"] = "endToken"
    token: Key


class Resume(_Command):
    """Asks for all events after `seq`. Answered by the missed events and `ok`, or by `snapshot`."""

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
    """Asks for the best players of a game at one speed, from rank `after` + 1 on. Answered by `ratings`."""

    type: Literal["showRatings"] = "showRatings"
    game: GameName
    speed: Speed = "rapid"
    after: Number = 0


class ShowTimes(_Command):
    """Asks for the best times at a `course` by people, or by `bots`. Answered by `times`."""

    type: Literal["showTimes"] = "showTimes"
    course: Course = "beginner"
    bots: bool = False
    after: Number = 0


class ShowPlayer(_Command):
    """Asks for a player's ratings and results, by id or name. Answered by `playerPage`.

    `rival` is the player to compare with, by default the asking player. `after` is the `more` of the page
    before.
    """

    type: Literal["showPlayer"] = "showPlayer"
    player: Called
    rival: Called | None = None
    after: Key | None = None


class ShowTonight(_Command):
    """Asks for the games of the last twelve hours. Answered by `tonight`."""

    type: Literal["showTonight"] = "showTonight"
    after: Key | None = None


class ShowTable(_Command):
    """Asks for the table that a code leads to, without joining it. Answered by `tablePage`."""

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
    """The `id` of the command that this answers; only its author gets it."""


class _RoomEvent(_Answer):
    room: Key
    seq: int


class Welcome(_Answer):
    """The session is open. `token` comes once, when it is created; `rooms` are those to return to.

    `muted` are the ids of the players that this player has muted.
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
    """The command was carried out. `room` is the room it was about, and `seq` its event there, if it caused
    one.

    In the answer to `resume`, `away` lists the players without a connection, each with the time until which
    the others wait. This list replaces the client's. `seek` names a new seek.
    """

    type: Literal["ok"] = "ok"
    room: Key | None = None
    seq: int | None = None
    away: dict[Key, int] | None = None
    seek: Key | None = None


class Refused(_Answer):
    """The command was refused and nothing changed. `message` is English; `reason` and `fields` are for
    programs.

    The refusal of a stale turn has the `missed` events.
    """

    type: Literal["refused"] = "refused"
    code: str
    reason: str
    fields: dict[str, Any]
    message: str
    retry_after_ms: int | None = None
    missed: list[dict[str, Any]] | None = None


class HandedOver(_Answer):
    """A code for one more device. A `hello` with it as `handOver` opens this player until the time `until`.

    A newer code replaces it.
    """

    type: Literal["handedOver"] = "handedOver"
    code: Key
    until: int


class QrCode(_Answer):
    """A QR code row by row, without the light border that it needs: a dark module is 1."""

    type: Literal["qrCode"] = "qrCode"
    modules: list[str]


class TokenList(_Answer):
    """The player's valid tokens, oldest first."""

    type: Literal["tokens"] = "tokens"
    tokens: list[TokenLine]


class LobbyList(_Answer):
    """A page of the public rooms and connected players. If there are more, `more` is the `after` for the next
    page.
    """

    type: Literal["lobby"] = "lobby"
    rooms: list[RoomLine]
    players: list[Presence]
    seeks: list[SeekLine] = []
    more: int | None = None


class LobbyChanged(_FromServer):
    """Changes in the lobby: new or different lines, and the ids of removed ones."""

    type: Literal["lobbyChanged"] = "lobbyChanged"
    rooms: list[RoomLine] = []
    players: list[Presence] = []
    seeks: list[SeekLine] = []
    gone: list[Key] = []


class Best(_FromServer):
    """`room` has the public game most worth watching; it is absent if there is none. `game` is that of the
    command.
    """

    type: Literal["best"] = "best"
    game: GameName | None = None
    room: Key | None = None


class OwnRooms(_Answer):
    """The player's own rooms at the time `now`: first those where the player is to move, least time first."""

    type: Literal["ownRooms"] = "ownRooms"
    now: int
    rooms: list[Held]


class Invited(_FromServer):
    """A player reserves a seat for you until `until`: answer with `join` or `decline`."""

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
    """An invitation was declined or ended, and its seat is free again."""

    type: Literal["declined"] = "declined"
    room: Key
    seat: Seat
    player: Player
    reason: Literal["declined", "expired", "gone", "freed"]


class Away(_FromServer):
    """A player lost the connection; the others wait until `until`. If `claim` is true, they may then end the
    game by the command `claim`.
    """

    type: Literal["away"] = "away"
    room: Key
    player: Player
    seats: list[Seat]
    until: int
    claim: bool = False


class Back(_FromServer):
    """A player who was away is connected again."""

    type: Literal["back"] = "back"
    room: Key
    player: Player


class Rated(_FromServer):
    """The `ratings` after a rated game, one entry per seat. If the game did not count, the ratings are as
    before.

    Sent again after `resume`.
    """

    type: Literal["rated"] = "rated"
    room: Key
    ratings: list[Moved]


class Joined(_RoomEvent):
    """A player joined, on `seat` or to watch. The player also gets the `table` and its code.

    `seek` is the seek that led here: all other seeks of the player have ended. `dice` is only for engines:
    with equal dice, an engine should play equal games.
    """

    type: Literal["joined"] = "joined"
    player: Player
    seat: Seat | None = None
    code: Key | None = None
    table: Table | None = None
    dice: int | None = None
    seek: Key | None = None


class Left(_RoomEvent):
    """A player left; `owner` is the new owner of the table, if the player was its owner."""

    type: Literal["left"] = "left"
    player: Player
    reason: str
    owner: Key | None = None


class NextPlayer(_RoomEvent):
    """The position after a turn, and the `seats` to move: empty when the game is over.

    `clocks` are milliseconds left at server time `at`; they run for `seats`. If there is a `firstMove`, they
    do not run yet: `firstMove` is the time left at `at` for the first move of this seat. `lag` is the time
    given back to the turn for a slow line. While the game is `paused`, at most until that time, no moves are
    played and no clock runs. Where players do not take turns, the time of the game is measured from the
    server time `began`, and `milliseconds` is the duration. If a game hides something, its first `nextPlayer`
    carries a `commitment` to it, and its last one the `opening`. Every eighth ply has a `hash`: the CRC-32,
    in eight hex digits, of `[seats, view]` as JSON with sorted keys and without spaces. A client that
    computes another one asks for a `snapshot`: `resume` with an `epoch` of "?". `drawing` is the view as
    text, in games for which the browser has no board. `movetime` and `nodes` are only for engines: how long
    to think, in milliseconds and in nodes.
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
    began: int | None = None
    milliseconds: int | None = None
    outcome: dict[str, Any] | None = None
    commitment: str | None = None
    opening: Opening | None = None
    hash: str | None = None
    drawing: str | None = None
    movetime: int | None = None
    nodes: int | None = None


class Said(_RoomEvent):
    """A chat message by a player who has these `seats` or watches. In a game, players and
    watchers do not see each other's chat.

    If it was a `phrase`, `text` has it in English.
    """

    type: Literal["said"] = "said"
    player: Player
    seats: list[Seat] = []
    text: str
    phrase: Phrase | None = None


class Offered(_RoomEvent):
    """A seat offers something; except for a rematch, the offer ends with the next `nextPlayer`.

    A newer server may have offers that the client does not know: the client rejects them.
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
    """All players agreed to a rematch: the next room is `next`, with seats rotated by one."""

    type: Literal["rematch"] = "rematch"
    next: Key


class Preparing(_RoomEvent):
    """Every seat is taken. The server prepares the game, which may take some seconds, and starts it.

    If there is a `starts`, this is the countdown of a race, and the race begins at that server time.
    """

    type: Literal["preparing"] = "preparing"
    starts: int | None = None


class Unprepared(_RoomEvent):
    """The game could not be prepared: `code` and `message` say why. The seats are kept."""

    type: Literal["unprepared"] = "unprepared"
    code: str
    message: str


class OptionsSet(_RoomEvent):
    """The owner of the table has set its options, its clock and whether it may be watched; these are the new
    values.
    """

    type: Literal["optionsSet"] = "optionsSet"
    options: dict[str, Any]
    clock: Clock | None = None
    watchers: bool = True


class Freed(_RoomEvent):
    """The owner of the table has freed this seat: its player now watches."""

    type: Literal["freed"] = "freed"
    seat: Seat
    player: Player


class Swapped(_RoomEvent):
    """The owner of the table has swapped these two seats."""

    type: Literal["swapped"] = "swapped"
    seats: list[Seat]


class Began(_RoomEvent):
    """The owner started without the empty seats: these seats stay, in their order, numbered from 0."""

    type: Literal["began"] = "began"
    seats: list[Seat]


class Snapshot(_Answer):
    """The whole room for a client that missed too much: the table, and one `nextPlayer` per seat held."""

    type: Literal["snapshot"] = "snapshot"
    room: Key
    epoch: Key
    seq: int
    table: Table
    turns: list[NextPlayer]


class History(_Answer):
    """The turns of a game, as far as the player may see them. If there are more, `more` is the `after` for
    the next page.
    """

    type: Literal["history"] = "history"
    room: Key
    turns: list[PastTurn]
    more: int | None = None


class Seq(_FromServer):
    """The number of an event in the room to which the client did not subscribe."""

    type: Literal["seq"] = "seq"
    room: Key
    seq: int


class Ratings(_Answer):
    """The players with enough rated games against enough rivals, best first.

    If there are more, `more` is the `after` for the next page.
    """

    type: Literal["ratings"] = "ratings"
    game: GameName
    speed: Speed
    leaders: list[Leader]
    more: int | None = None


class Times(_Answer):
    """The best time of each player, fastest first. If there are more, `more` is the `after` for the next
    page.
    """

    type: Literal["times"] = "times"
    course: Course
    bots: bool
    times: list[BestTime]
    more: int | None = None


class PlayerPage(_Answer):
    """A player's ratings, the last changed first, and games, the newest first.

    `headToHead` has, for each game, the wins, draws and losses against the `rival`. A private game is shown
    only to its players. If there are older games, `more` is the `after` for the next page.
    """

    type: Literal["playerPage"] = "playerPage"
    player: Player
    ratings: list[RatedAt]
    games: list[PastGame]
    rival: Player | None = None
    head_to_head: list[Balance] = []
    more: Key | None = None


class Tonight(_Answer):
    """The games that ended in the last twelve hours (from `since` on), newest first."""

    type: Literal["tonight"] = "tonight"
    since: int
    games: list[PastGame]
    more: Key | None = None


class TablePage(_Answer):
    """The table that a code leads to, as it is now; `seats` has None if a seat is free.

    `watchers` is absent if watching is not allowed. Only members get the record of a `private` table. If
    there is an `outcome`, the game is over. Then `here` has the seats of the players still at the table, and
    `next` is the code of the running rematch.
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
    """An answer to `ping`; `heads` has the newest `seq` of each of your rooms."""

    type: Literal["pong"] = "pong"
    now: int
    heads: dict[str, int]


class Announcement(_FromServer):
    """A message from the host, or an action of the host that concerns this player.

    `message` is English; `reason` and `fields` are for programs.
    """

    type: Literal["announcement"] = "announcement"
    reason: str
    fields: dict[str, Any]
    message: str


class Bye(_FromServer):
    """The server is about to close this connection. Close codes 4000-4099: reconnect and resume.

    If there is a `reason`, the host closed the connection, and `fields` has everything that `message` says.
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
    | Bye
)

CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)
SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(
    Annotated[ServerMessage, Field(discriminator="type")]
)
