"""Default limits on the commands of clients; the settings can change these limits."""

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
"""The number of processes that search at the same time."""
CLOSED_ROOMS = 1_000
"""The number of recently closed rooms whose logs are loaded and kept."""

_LEAST_ABSENCE_MS = 30_000
_ABSENCE_WITHOUT_CLOCK_MS = 120_000


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: `burst` at once, then one more every `every_ms`."""

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
    """Rooms with a clock of days that a person may be in; they are not counted in `rooms`."""
    all_correspondence: int = 10_000
    searches: int = 2
    """Rooms opened by one player whose game is being prepared."""
    searches_at_once: int = SEARCHES_AT_ONCE
    """Searches that run at once for all players together; each player has at most one."""
    all_preparations: int = 32
    """If this many games are being prepared, each player may have only one of them."""
    watchers: int = 100
    """Members of a room without a seat."""
    room_entries: int = 5_000
    """The entries of a room besides turns: each seat may use a quarter, all watchers half, one watcher a
    twentieth.
    """
    room_turns: int = 10_000
    """The turns of one game, by all of its seats."""
    entries: int = 300_000
    """The entries of all open rooms, with their turns: they are kept in memory, and read again at a start."""
    entries_per_player: int = 20_000
    """The entries in open rooms by one player's commands; no limit for the host's own bots."""
    packed_entries: int = 1_000_000
    """The entries of all packed rooms; a packed entry takes less than a tenth of the memory of a
    loaded one.
    """
    packed_log: int = 500
    """The entries of one packed room: packing a longer log would delay other players."""
    entries_anyway: int = 500
    """The entries that a player may still make when all rooms together have reached their limit."""
    lobby_bytes: int = 16_384
    """The bytes of one page of the lobby, and of the changes that one tick sends, as msgpack."""
    silence_ms: int = 20_000
    session_memory_ms: int = 120_000
    remembered_answers: int = 256
    closed_rooms: int = CLOSED_ROOMS
    """The number of rooms closed within the session memory whose commands are still known."""
    invitations: Rate = Rate(4_000, 8)
    """The invitations by one player."""
    invitations_to: int = 8
    """Open invitations to one person by all other players; each of them may have one."""
    muted: int = 200
    """Players that one player may have muted."""
    seeks: int = 3
    """Open seeks of one player."""
    seeks_of_address: int = 30
    """Open seeks of all players at one limited address."""
    bot_after_ms: int = 10_000
    """The time after which a seek that allows bots is answered by a bot."""
    invite_ms: int = 30_000
    bot_invite_ms: int = 10_000
    idle_ms: int = 3_600_000
    """A room closes this long after its game is over and nothing more happened."""
    absence_ms: int = 300_000
    """The longest time that others wait for an absent player of a running game, however slow the game is."""
    waiting_ms: int = 30 * 60_000
    """The time that a waiting table keeps the seats of players who are away."""
    first_move_ms: int = 30_000
    """The time each side has for its first move, before any clock runs; 0: clocks run at once."""
    countdown_ms: int = 3_000
    """The countdown before a race."""
    grace_ms: int = 20_000
    """The time after a restart in which no clock runs, so that all players can come back."""
    seen_every_ms: int = 3_600_000
    """The precision with which a player's last visit is saved."""
    name_ms: int = 90 * 24 * 3_600_000
    """The time that a name is kept for its player. After it, a player without ratings and rooms is
    deleted.
    """
    newcomer_memory_ms: int = 3_600_000
    """The time a name is kept for a player who has not played with another person."""
    players: int = 50_000
    """The number of known players. Beyond it, a newcomer replaces the player with the least use of the
    server.
    """
    token_ms: int = 90 * 24 * 3_600_000
    """The time that a token is valid after it was last used."""
    hand_over_ms: int = 60_000
    """The time that a code for an additional device is valid."""
    devices: int = 16
    """Tokens of one player."""
    replay_events: int = 200
    replay_bytes: int = 65_536
    sessions: int = 8
    """Connections of one player at a time."""
    turns: Rate = Rate(50, 60)
    """The turns of one seat."""
    messages: Rate = Rate(100, 40)
    """Commands except turns by one connection, multiplied by the player's rooms, but at most by `rooms`."""
    replays: Rate = Rate(1_000, 50)
    """Replays of a part of a room's past, for one session."""
    chat: Rate = Rate(2_000, 5)
    """The chat messages of one player."""
    guests: Rate = Rate(120_000, 30)
    """New players from one address."""
    all_guests: Rate = Rate(10, 6_000)
    """New players from all addresses together that had a new player lately."""
    renames: Rate = Rate(60_000, 5)
    """The renames of one player."""
    new_rooms: Rate = Rate(12_000, 5)
    """The new rooms from one address."""
    own_rooms: Rate = Rate(2_000, 30)
    """New rooms of one person, also from a network without limits by address."""
    codes: Rate = Rate(6_000, 10)
    """Wrong codes from one address, and by one player."""
    wrong_codes: Rate = Rate(200, 300)
    """Wrong codes from all senders together who sent one lately."""
    patience: Rate = Rate(100, 200)
    """Warnings to slow down before a connection is closed."""

    def memory_ms(self, *, kept: bool) -> int:
        """The absence after which a player is forgotten: never before the player's last seats are
        given up.
        """
        return max(self.name_ms if kept else self.newcomer_memory_ms, self.absence_ms + 1)

    def absence(self, clock: Terms | None) -> int:
        """The time that others wait for an absent player of a running game: longer in slower games."""
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
