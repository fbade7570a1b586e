"""The numbers that bound what a client may ask of the core; the settings give them other values."""

from __future__ import annotations

from dataclasses import dataclass

from tablero_protocol.phrases import ChatPolicy

from ..refusal import Message
from ..room.clock import (
    LAG_MS,
    LAG_OF_A_GAME_MS,
    Terms,
    seconds_of_a_game,
)

SEARCHES_AT_ONCE = 2
"""The number of processes that search."""
CLOSED_ROOMS = 1_000
"""The number of logs of recently closed rooms that are loaded and kept."""

_LEAST_ABSENCE_MS = 30_000
_ABSENCE_WITHOUT_CLOCK_MS = 120_000


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` at once, and one more every `every_ms`."""

    every_ms: float
    burst: int

    def shown(self) -> dict[str, float]:
        return {"everyMs": self.every_ms, "burst": self.burst}


@dataclass(frozen=True, slots=True)
class Limits:
    frame_bytes: int = 4_096
    chat_length: int = 200
    talk: ChatPolicy = "on"
    rooms: int = 16
    """Rooms that a person may be in; a bot may be in as many as it declared."""
    all_rooms: int = 5_000
    correspondence: int = 100
    """Rooms with a clock of days that a person may be in; they do not count for `rooms`."""
    all_correspondence: int = 10_000
    searches: int = 2
    """Rooms that one player has opened and whose game is being prepared."""
    searches_at_once: int = SEARCHES_AT_ONCE
    """The searches at once of all these; one player has at most one."""
    all_preparations: int = 32
    """The number of preparations from which on a player may have only one."""
    watchers: int = 100
    """Members of a room without a seat."""
    room_entries: int = 5_000
    """The entries of a room besides turns: a quarter per seat, half for all watchers, a twentieth for one."""
    room_turns: int = 10_000
    """The turns of one game, by all of its seats."""
    entries: int = 300_000
    """The entries of all open rooms, turns included: they are in memory, and read again at a start."""
    entries_per_player: int = 20_000
    """The entries by one player's commands in open rooms; the host's own bots have no such limit."""
    packed_entries: int = 1_000_000
    """The entries of all packed rooms; one takes less than a tenth of the memory of a loaded one."""
    packed_log: int = 500
    """Entries of one packed room: a longer log would hold others up while it is packed."""
    entries_anyway: int = 500
    """The entries a player may make although all rooms together have reached their limit."""
    lobby_bytes: int = 16_384
    """The bytes of one page of the lobby, and of the changes that one tick sends, as msgpack."""
    silence_ms: int = 20_000
    session_memory_ms: int = 120_000
    remembered_answers: int = 256
    closed_rooms: int = CLOSED_ROOMS
    """Rooms that closed within the session memory, whose commands are still known."""
    invitations: Rate = Rate(4_000, 8)
    """The invitations by one player."""
    invitations_to: int = 8
    """Open invitations to one person, by all others together; by each of them one."""
    muted: int = 200
    """Players that one player may have muted."""
    seeks: int = 3
    """Open seeks of one player."""
    seeks_of_address: int = 30
    """Open seeks of all players at one limited address."""
    bot_after_ms: int = 10_000
    """The time after which a seek that allows bots gets one."""
    invite_ms: int = 30_000
    bot_invite_ms: int = 10_000
    idle_ms: int = 3_600_000
    """A room closes this long after its game is over and nothing more happened."""
    absence_ms: int = 300_000
    """The longest that others wait for a player of a running game, however slow it is."""
    waiting_ms: int = 30 * 60_000
    """The time that a waiting table is kept for seated players who are away."""
    first_move_ms: int = 30_000
    """The time each side has for its first move, before any clock runs; 0: clocks run at once."""
    countdown_ms: int = 3_000
    """The countdown before a race."""
    grace_ms: int = 20_000
    """The time after a restart in which no clock runs, so that all can come back."""
    seen_every_ms: int = 3_600_000
    """The precision with which a player's last visit is saved."""
    name_ms: int = 90 * 24 * 3_600_000
    """The time a name is kept for its player. Then a player without ratings and rooms is deleted."""
    newcomer_memory_ms: int = 3_600_000
    """The time a name is kept for a player who has not played with another person."""
    players: int = 50_000
    """The number of known players; a newcomer beyond it replaces the one who used the server least."""
    token_ms: int = 90 * 24 * 3_600_000
    """The time that a token is valid after it was last used."""
    hand_over_ms: int = 60_000
    """The time that a code for one more device is valid."""
    devices: int = 16
    """Tokens of one player."""
    replay_events: int = 200
    replay_bytes: int = 65_536
    sessions: int = 8
    """Connections of one player at a time."""
    turns: Rate = Rate(50, 60)
    """The turns of one seat."""
    messages: Rate = Rate(100, 40)
    """Commands other than turns, by one connection; multiplied by the player's rooms, up to `rooms`."""
    replays: Rate = Rate(1_000, 50)
    """Times that a part of some room's past is replayed for one session."""
    chat: Rate = Rate(2_000, 5)
    """The chat messages of one player."""
    guests: Rate = Rate(120_000, 30)
    """New players from one address."""
    all_guests: Rate = Rate(10, 6_000)
    """New players from all addresses together that brought one lately."""
    renames: Rate = Rate(60_000, 5)
    """The renames of one player."""
    new_rooms: Rate = Rate(12_000, 5)
    """The new rooms from one address."""
    own_rooms: Rate = Rate(2_000, 30)
    """New rooms of one person, also from a network whose addresses are not limited."""
    codes: Rate = Rate(6_000, 10)
    """Wrong codes from one address, and by one player."""
    wrong_codes: Rate = Rate(200, 300)
    """Wrong codes of all together who have sent one lately."""
    patience: Rate = Rate(100, 200)
    """Times that one connection is told to slow down before it is closed."""

    def memory_ms(self, *, kept: bool) -> int:
        """The absence after which a player is forgotten, but never before their last seats are given up."""
        return max(self.name_ms if kept else self.newcomer_memory_ms, self.absence_ms + 1)

    def absence(self, clock: Terms | None) -> int:
        """The time that others wait for a player of a running game: longer in slower games."""
        if clock is None:
            return min(_ABSENCE_WITHOUT_CLOCK_MS, self.absence_ms)
        return min(max(_LEAST_ABSENCE_MS, seconds_of_a_game(clock) * 1000 // 4), self.absence_ms)

    def shown(self) -> Message:
        return {
            "frameBytes": self.frame_bytes,
            "chatLength": self.chat_length,
            "chat": self.talk,
            "rooms": self.rooms,
            "watchers": self.watchers,
            "lagMs": LAG_MS,
            "gameLagMs": LAG_OF_A_GAME_MS,
            "silenceSeconds": self.silence_ms / 1000,
            "rates": {
                "turns": self.turns.shown(),
                "messages": self.messages.shown(),
                "chat": self.chat.shown(),
                "invitations": self.invitations.shown(),
                "renames": self.renames.shown(),
                "replays": self.replays.shown(),
                "newRooms": self.new_rooms.shown(),
                "codes": self.codes.shown(),
                "guests": self.guests.shown(),
            },
        }
