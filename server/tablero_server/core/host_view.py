"""What the host sees of the server: who is here and since when, which tables there are, and what was decided.

Law: an address is shown only when it is asked for, and nothing of what a game hides or of what was said.
"""

from __future__ import annotations

from .authority import Authority
from .entry import Sanction
from .people.accounts import Accounts
from .people.sanctions import Sanctions
from .people.session import Account
from .refusal import Message
from .room.room import Room
from .room.state import PLAYING
from .seats.rooms import Rooms


class HostView:
    def __init__(self, accounts: Accounts, rooms: Rooms, sanctions: Sanctions, authority: Authority) -> None:
        self._accounts = accounts
        self._rooms = rooms
        self._sanctions = sanctions
        self._authority = authority

    def shown(self, now: int, *, addresses: bool) -> Message:
        here = {session.account.id: session.account for session in self._authority.sessions()}
        players = [self._player(account, now, addresses=addresses) for account in here.values()]
        rooms = [_room(views.room) for views in self._rooms.open.values()]
        return {
            "now": now,
            "players": sorted(players, key=lambda player: int(player["since"])),
            "rooms": sorted(rooms, key=lambda room: int(room["since"])),
            "packed": len(self._rooms.packed),
            "sanctions": [_sanction(each) for each in self._sanctions.all.values()],
            "draining": self._authority.draining,
        }

    def _player(self, account: Account, now: int, *, addresses: bool) -> Message:
        sessions = self._accounts.open_sessions(account)
        player: Message = {
            **account.shown(),
            "ofHost": account.of_host,
            "connections": len(sessions),
            "since": min(session.here_since for session in sessions),
            "rooms": sorted(account.rooms),
            "muted": any(self._sanctions.against("chat", account, each.whence, now) for each in sessions),
        }
        if addresses:
            whences = {session.whence for session in sessions if session.whence is not None}
            player["addresses"] = sorted(whence.address for whence in whences)
        return player


def _room(room: Room) -> Message:
    return {
        "id": room.id,
        "game": room.game.name,
        "state": room.state.value,
        "since": room.log[room.start_seq].at,
        "private": room.private,
        "players": [shown["name"] for shown in room.seated if shown is not None],
        "watchers": room.watchers(),
        "plies": room.ply,
        "correspondence": room.is_correspondence,
        "paused": room.state is PLAYING and room.paused_until is not None,
    }


def _sanction(sanction: Sanction) -> Message:
    return {key: value for key, value in sanction._asdict().items() if value not in (None, "")}
