"""Codes of refusals and of closed connections: two fixed lists, with a remedy for each entry.

Law: a code never changes its meaning. Sentences may be improved; programs use only codes.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Code(StrEnum):
    """The kind of a refusal. These values are sent on the wire."""

    BAD_FRAME = "badFrame"
    BAD_MESSAGE = "badMessage"
    UNKNOWN_TYPE = "unknownType"
    WRONG_PROTOCOL = "wrongProtocol"
    HELLO_FIRST = "helloFirst"
    BAD_TOKEN = "badToken"  # noqa: S105 - a code, not a secret
    BAD_NAME = "badName"
    ID_REUSED = "idReused"
    UNKNOWN_GAME = "unknownGame"
    BAD_OPTIONS = "badOptions"
    NO_FIELD_FOUND = "noFieldFound"
    NOT_RATABLE = "notRatable"
    UNKNOWN_ROOM = "unknownRoom"
    DAMAGED_ROOM = "damagedRoom"
    WRONG_CODE = "wrongCode"
    UNKNOWN_PLAYER = "unknownPlayer"
    UNKNOWN_INVITE = "unknownInvite"
    UNKNOWN_OFFER = "unknownOffer"
    NO_SUCH_SEAT = "noSuchSeat"
    SEAT_FREE = "seatFree"
    SEAT_TAKEN = "seatTaken"
    ONE_SEAT_EACH = "oneSeatEach"
    ROOM_FULL = "roomFull"
    TOO_MANY_ROOMS = "tooManyRooms"
    TOO_MANY_SEEKS = "tooManySeeks"
    UNKNOWN_SEEK = "unknownSeek"
    TOO_MANY_SESSIONS = "tooManySessions"
    TOO_MANY_DEVICES = "tooManyDevices"
    PASSPHRASE_NEEDED = "passphraseNeeded"  # noqa: S105 - a code, not a secret
    CLOSED_TO_GUESTS = "closedToGuests"
    UNKNOWN_DEVICE = "unknownDevice"
    BOT_UNAVAILABLE = "botUnavailable"
    FORBIDDEN = "forbidden"
    NO_CHAT = "noChat"
    NOT_STARTED = "notStarted"
    NOT_OVER = "notOver"
    GAME_OVER = "gameOver"
    NOT_YOUR_TURN = "notYourTurn"
    PAUSED = "paused"
    NOT_AWAY = "notAway"
    NO_TAKEBACK = "noTakeback"
    STALE = "stale"
    ILLEGAL_MOVE = "illegalMove"
    DRAINING = "draining"
    BANNED = "banned"
    RATE_LIMITED = "rateLimited"
    RETRY_LATER = "retryLater"


WHAT_TO_DO: dict[Code, tuple[str, str]] = {
    Code.BAD_FRAME: ("client", "Send one msgpack map (or JSON object) a frame, within the limits."),
    Code.BAD_MESSAGE: ("client", "Fix the field that the sentence names."),
    Code.UNKNOWN_TYPE: ("client", "Use a message of this page; check the spelling."),
    Code.WRONG_PROTOCOL: ("client", "Update the client or the server; the connection closes with 4102."),
    Code.HELLO_FIRST: ("client", "Send `hello` before anything else, and only once."),
    Code.BAD_TOKEN: ("client", "Forget the token and say `hello` without one."),
    Code.BAD_NAME: ("player", "Choose 2 to 20 letters, digits, `-` or `_`, starting with a letter or digit."),
    Code.ID_REUSED: ("client", "Make a new random `id` for each new command."),
    Code.UNKNOWN_GAME: ("player", "Choose one of the games that the sentence lists."),
    Code.BAD_OPTIONS: ("player", "Fix the option that the sentence names."),
    Code.NO_FIELD_FOUND: (
        "player",
        "Choose fewer mines or a larger board by `setOptions`, or try again.",
    ),
    Code.NOT_RATABLE: ("player", "Play it unrated, or as the sentence says."),
    Code.UNKNOWN_ROOM: ("player", "The room has closed or never existed; look at the lobby."),
    Code.DAMAGED_ROOM: (
        "host",
        "Open another room. This room's data is damaged; the host can restore a backup.",
    ),
    Code.WRONG_CODE: ("player", "Check the code with the person who sent it."),
    Code.UNKNOWN_PLAYER: ("player", "That player is not connected; look at the lobby."),
    Code.UNKNOWN_INVITE: (
        "player",
        "The invitation has expired or was for another player; ask for a new one.",
    ),
    Code.UNKNOWN_OFFER: (
        "player",
        "The offer is no longer open: it was answered, a move ended it, or it was never made.",
    ),
    Code.NO_SUCH_SEAT: ("player", "Choose a seat that this game has."),
    Code.SEAT_FREE: ("player", "Choose a seat that is taken or reserved."),
    Code.SEAT_TAKEN: ("player", "Choose a free seat, or join without one to watch."),
    Code.ONE_SEAT_EACH: ("player", "Keep your seat: where seats hide something, each player has one."),
    Code.ROOM_FULL: (
        "player",
        "The room takes no more watchers, or only moves: open another room. "
        "Or the game has had all its turns: offer a draw, or resign.",
    ),
    Code.TOO_MANY_ROOMS: ("player", "Leave a room first."),
    Code.TOO_MANY_SEEKS: ("player", "Cancel a seek first."),
    Code.UNKNOWN_SEEK: ("player", "The seek has ended: it was paired, cancelled, or its connection ended."),
    Code.TOO_MANY_SESSIONS: ("player", "Close another connection of the same player first."),
    Code.TOO_MANY_DEVICES: ("player", "End the token of another device first."),
    Code.PASSPHRASE_NEEDED: ("player", "Ask the host for the passphrase, and send it in `hello`."),
    Code.CLOSED_TO_GUESTS: ("player", "Connect with a token, or with a code from another device."),
    Code.UNKNOWN_DEVICE: ("player", "Choose one that `listTokens` lists."),
    Code.BOT_UNAVAILABLE: ("host", "No bot offers that now; `tablero bots` lists what a bot host offers."),
    Code.FORBIDDEN: ("player", "Another player has to do this; the sentence says who."),
    Code.NO_CHAT: (
        "player",
        "Send only what the sentence lists: the host limits the chat, for everyone (`limits.chat`) or you.",
    ),
    Code.NOT_STARTED: ("player", "Wait until every seat is taken."),
    Code.NOT_OVER: ("player", "Wait for the end of the game."),
    Code.GAME_OVER: ("player", "The game has ended; offer a rematch."),
    Code.NOT_YOUR_TURN: ("player", "Wait for a `nextPlayer` with your seat in `seats`."),
    Code.PAUSED: ("player", "Wait until the game goes on, or offer to `continue`."),
    Code.NOT_AWAY: ("player", "Wait as long as the sentence says, or play on."),
    Code.NO_TAKEBACK: ("player", "Play on; the sentence says why there is no takeback."),
    Code.STALE: ("client", "Read `missed`, then decide again for the current position."),
    Code.ILLEGAL_MOVE: ("player", "Play a legal move; the sentence says why this one is illegal."),
    Code.DRAINING: ("server", "Finish the current games; an `announcement` says when new ones can start."),
    Code.BANNED: (
        "player",
        "The host has banned this player; the sentence says for how long. The connection closes with 4107.",
    ),
    Code.RATE_LIMITED: ("client", "Wait `retryAfterMs`, then send it again with the same `id`."),
    Code.RETRY_LATER: (
        "server",
        "Nothing was stored; send it again with the same `id` after `retryAfterMs`.",
    ),
}
"""The advice for each code: who has to act, and what to do."""


class Close(IntEnum):
    """The reason for a closed connection. 4000-4099: reconnect and resume; 4100-4199: do not reconnect."""

    RESTARTING = 4000
    HELLO_TIMEOUT = 4001
    SILENT = 4002
    NOT_SAVED = 4003
    TOO_SLOW = 4008
    FLOODING = 4009
    REPLACED = 4101
    WRONG_PROTOCOL = 4102
    BAD_FRAMES = 4103
    WRONG_SUBPROTOCOL = 4104
    REVOKED = 4105
    KICKED = 4106
    BANNED = 4107
    SIGNED_OUT = 4108


WHY_CLOSED: dict[Close, str] = {
    Close.RESTARTING: "The server stops or restarts; reconnect after `retryAfterMs`.",
    Close.HELLO_TIMEOUT: "No `hello` came in time after connecting.",
    Close.SILENT: "No message came for too long; send `ping` every few seconds.",
    Close.NOT_SAVED: "The server could not save this; reconnect in a moment.",
    Close.TOO_SLOW: "The client read too slowly; resume brings the messages that it missed.",
    Close.FLOODING: "Limits were exceeded repeatedly; slow down.",
    Close.REPLACED: "The same session connected again elsewhere; do not reconnect.",
    Close.WRONG_PROTOCOL: "The two sides speak different protocol versions.",
    Close.BAD_FRAMES: "Too many frames could not be read; fix the client.",
    Close.WRONG_SUBPROTOCOL: "Ask for the subprotocol tablero.v1.msgpack or tablero.v1.json.",
    Close.REVOKED: "The host has ended this player's token; connect as a new player.",
    Close.KICKED: "The host has removed this player, who may come back in a minute.",
    Close.BANNED: "The host has banned this player or this address.",
    Close.SIGNED_OUT: "This device was signed out from another device; sign in again.",
}


def why_closed(close_code: int) -> str:
    """A sentence that explains `close_code`, even if only a newer server knows the code."""
    known = close_code in list(Close)
    return WHY_CLOSED[Close(close_code)] if known else f"The server closed with {close_code}."


def may_return(close_code: int) -> bool:
    """Whether a client should reconnect by itself after this close code."""
    return not 4100 <= close_code <= 4199
