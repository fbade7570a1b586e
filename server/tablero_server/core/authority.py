"""The powers of the server's host, which no one else has.

Law: the players concerned are told, in the same effects. A refused command changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from ipaddress import ip_address

from tablero_protocol.codes import WHY_CLOSED, Close
from tablero_protocol.notices import notice
from tablero_protocol.text import clean

from .effects import Effects, PeerId
from .entry import Lifted, Sanction
from .ids import Ids
from .people.accounts import Accounts
from .people.durations import in_words
from .people.entrance import Entrance
from .people.sanctions import Kind, Network, Sanctions, network_in, networks
from .people.session import Account, Session, Source
from .refusal import Message, Refusal
from .room.room import Room
from .room.state import PLAYING, PREPARING
from .seats.rooms import Rooms
from .seats.seating import Seating
from .seats.views import Views


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
            "muted": any(self._sanctions.against("chat", account, each.source, now) for each in sessions),
        }
        if addresses:
            sources = {session.source for session in sessions if session.source is not None}
            player["addresses"] = sorted(source.address for source in sources)
        return player


def _room(room: Room) -> Message:
    return {
        "id": room.id,
        "code": room.code,
        "game": room.game.name,
        "title": room.game.title,
        "clock": room.clock_terms,
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


MOST_WORDS = 300
"""The limit of the host's text, in characters."""
KICKED_FOR_MS = 60_000
"""The time after which a kicked player can come back."""
NO_REASON = "no reason given"
_MOST_SANCTIONS = 1_000
_MOST_LETTERS = 80
"""The longest part of a typed text that an answer repeats."""
_NARROWEST = {4: 8, 6: 16}
"""The shortest prefix of a network that can be banned."""


class Authority:
    def __init__(
        self,
        ids: Ids,
        accounts: Accounts,
        rooms: Rooms,
        seating: Seating,
        entrance: Entrance,
        sanctions: Sanctions,
    ) -> None:
        self._ids = ids
        self._accounts = accounts
        self._rooms = rooms
        self._seating = seating
        self._entrance = entrance
        self._sanctions = sanctions
        self._then_stop = False

    # Names that the host types

    def player(self, called: str) -> Account:
        """The account with this name or id. Raises Refusal."""
        account = self._accounts.called(called)
        if account is None:
            here = {session.account.name for session in self._entrance.peers.values()}
            for meant in get_close_matches(called, here, 1):
                raise Refusal("misspeltPlayer", player=called[:_MOST_LETTERS], meant=meant)
            raise Refusal("nobodyCalledThat", player=called[:_MOST_LETTERS])
        return account

    def sessions(self) -> Iterable[Session]:
        """All open sessions."""
        return self._entrance.peers.values()

    def room(self, called: str) -> Views:
        """The room with this id, unique beginning of an id, or code. Raises Refusal."""
        ids = [*self._rooms.open, *self._rooms.packed]
        text = called.strip().lower()
        begin_so = [id for id in ids if text and id.startswith(text)]
        id = self._rooms.with_code(called) or (begin_so[0] if len(begin_so) == 1 else text)
        if (views := self._rooms.unpacked(id)) is not None:
            return views
        for meant in get_close_matches(text, ids, 1):
            raise Refusal("misspeltRoom", room=called[:_MOST_LETTERS], meant=meant)
        raise Refusal("noRoomCalledThat", room=called[:_MOST_LETTERS])

    def sources(self, account: Account) -> list[Source]:
        """The addresses that a player's connections come from, or came from lately."""
        sessions = (self._accounts.sessions[id] for id in account.sessions)
        return sorted({session.source for session in sessions if session.source is not None})

    def others_from(self, account: Account, source: Source) -> list[str]:
        """The names of other players from the same address, except the host's bots."""
        return sorted(
            {
                session.account.name
                for session in self._entrance.peers.values()
                if session.account is not account
                and not session.account.of_host
                and session.source is not None
                and session.source.address == source.address
            }
        )

    # Actions of the host

    def announce(self, text: str) -> Effects:
        """Sends a text to everybody who is connected."""
        return self._tell(self._entrance.peers, notice("hostSays", text=words(text)))

    def end_tokens(self, account: Account, now: int) -> Effects:
        """Ends all tokens of a player and closes the connections that they opened."""
        effects = Effects()
        tokens = self._accounts.tokens
        tokens.end(tokens.of(account.id), effects)
        self._accounts.hand_overs.cancel(account.id)
        self._send_away(account, {"message": WHY_CLOSED[Close.REVOKED]}, Close.REVOKED, now, effects)
        return effects

    def kick(self, account: Account, why: str, now: int, *, from_everywhere: bool) -> Effects:
        """Disconnects a player, and bans the player and newcomers from the same address for a minute."""
        why, until = _why(why), now + KICKED_FOR_MS
        told = notice("kicked", why=why, time=in_words(KICKED_FOR_MS))
        effects = Effects()
        self._decide("out", account, until, why, now, from_everywhere, effects)
        self._send_away(account, told, Close.KICKED, now, effects)
        return effects

    def keep_out(
        self, account: Account, until: int | None, why: str, now: int, *, from_everywhere: bool
    ) -> Effects:
        """Disconnects and bans a player, and also bans newcomers from the same address.

        If people may share the address, newcomers from it stay welcome, unless `from_everywhere`.
        """
        why = _why(why)
        effects = Effects()
        self._decide("out", account, until, why, now, from_everywhere, effects)
        self._send_away(account, _banned(until, why, now), Close.BANNED, now, effects)
        return effects

    def keep_out_network(self, network: Network, until: int | None, why: str, now: int) -> Effects:
        """Bans everyone from this network, except the host's own bots."""
        if network.prefixlen < _NARROWEST[network.version]:
            raise Refusal("networkTooWide", network=str(network))
        self._check_place_for(1)
        why = _why(why)
        told = _banned(until, why, now)
        effects = Effects()
        self._add(Sanction(self._ids.key(), "out", None, "", str(network), until, why, now), effects)
        going = [each for each in self._entrance.peers.values() if _comes_from(each, network)]
        for account in {session.account.id: session.account for session in going}.values():
            if set(self._accounts.open_sessions(account)) <= set(going):
                self._send_away(account, told, Close.BANNED, now, effects)
        for session in going:
            self._entrance.send_away(session, told, Close.BANNED, now, effects)
        return effects

    def mute(
        self, account: Account, until: int | None, why: str, now: int, *, from_everywhere: bool
    ) -> Effects:
        """Mutes a player, and new players from the same address."""
        why = _why(why)
        told = notice("muted", why=why)
        if until is not None:
            told = notice("mutedFor", why=why, time=in_words(until - now))
        effects = self._tell(self._lines_of(account.id), told)
        self._decide("chat", account, until, why, now, from_everywhere, effects)
        return effects

    def close(self, views: Views, why: str, now: int) -> Effects:
        """Closes a table. Its members leave and are told why; its game does not count."""
        peers = [viewer.session.peer for viewer in views.viewers.values() if viewer.session.peer is not None]
        effects = self._tell(peers, notice("roomClosed", room=views.room.id, why=_why(why)))
        self._seating.close(views, now, effects)
        return effects

    def drain(self, *, then_stop: bool) -> Effects:
        """Blocks new games; running ones continue. With `then_stop`, the server ends after the last game."""
        self._rooms.bounds.draining, self._then_stop = True, then_stop
        return self._tell(self._entrance.peers, notice("willStop"))

    def undrain(self) -> Effects:
        """Allows new games again."""
        if not self._rooms.bounds.draining:
            raise Refusal("notDraining")
        self._rooms.bounds.draining = self._then_stop = False
        return self._tell(self._entrance.peers, notice("opened"))

    def running(self) -> int:
        """The number of games that run or are being prepared. Correspondence games don't count: they outlast
        a stop.
        """
        rooms = (views.room for views in self._rooms.open.values())
        return sum(room.state in (PLAYING, PREPARING) and not room.is_correspondence for room in rooms)

    @property
    def draining(self) -> bool:
        return self._rooms.bounds.draining

    @property
    def is_done(self) -> bool:
        """Whether a drain is complete, so that the server has to stop now."""
        return self._then_stop and not self.running()

    def lift(self, kind: Kind, called: str) -> Effects:
        """Lifts all bans or mutes of this kind on a player or an address; a connected player is told.

        A sanction lifted from an address stays in force for a player who was banned together with it.
        """
        lifted = self._sanctions.called(kind, called)
        if not lifted:
            names = {each.name for each in self._sanctions.all.values() if each.kind == kind}
            for meant in get_close_matches(called, names, 1):
                raise Refusal("misspeltSanction", name=called[:_MOST_LETTERS], meant=meant)
            raise Refusal("nothingToLift", name=called[:_MOST_LETTERS])
        effects = Effects()
        for sanction in lifted:
            if network_in(called) is not None and sanction.player is not None:
                self._add(sanction._replace(id=self._ids.key(), network=None), effects)
            self.end(sanction, effects)
        return effects

    def _add(self, sanction: Sanction, effects: Effects) -> None:
        self._sanctions.add(sanction)
        effects.keep(sanction, undo=lambda now: self._sanctions.remove(sanction))

    def end(self, sanction: Sanction, effects: Effects) -> None:
        """Ends a ban or mute."""
        self._sanctions.remove(sanction)
        effects.keep(Lifted(sanction), undo=lambda now: self._sanctions.add(sanction))
        still = (each for each in self._sanctions.all.values() if each.kind == sanction.kind)
        if sanction.kind == "chat" and sanction.player not in {each.player for each in still}:
            heard = {"type": "announcement", **notice("heard")}
            for peer in self._lines_of(sanction.player):
                effects.send(peer, heard)

    def _decide(
        self,
        kind: Kind,
        account: Account,
        until: int | None,
        why: str,
        now: int,
        from_everywhere: bool,
        effects: Effects,
    ) -> None:
        """Adds a sanction for the player, and one for each of the player's addresses if these are
        included.
        """
        closed = [
            source
            for source in self.sources(account)
            if from_everywhere or not (source.shared or self.others_from(account, source))
        ]
        where: list[str | None] = [*networks(closed)] or [None]
        self._check_place_for(len(where))
        for network in where:
            made = Sanction(self._ids.key(), kind, account.id, account.name, network, until, why, now)
            self._add(made, effects)

    def _lines_of(self, player: str | None) -> list[PeerId]:
        return [peer for peer, each in self._entrance.peers.items() if each.account.id == player]

    def _check_place_for(self, more: int) -> None:
        if len(self._sanctions.all) + more > _MOST_SANCTIONS:
            raise Refusal("tooManySanctions", most=_MOST_SANCTIONS)

    def _send_away(self, account: Account, told: Message, why: Close, now: int, effects: Effects) -> None:
        """Takes a player out of every room and closes the player's connections."""
        self._seating.expelled(account, now, effects)
        for session in self._accounts.open_sessions(account):
            self._entrance.send_away(session, told, why, now, effects)

    @staticmethod
    def _tell(peers: Iterable[PeerId], told: Message) -> Effects:
        effects, announcement = Effects(), {"type": "announcement", **told}
        for peer in peers:
            effects.send(peer, announcement)
        return effects


def _why(said: str) -> str:
    return words(said or NO_REASON).removesuffix(".")


def _banned(until: int | None, why: str, now: int) -> Message:
    if until is None:
        return notice("banned", why=why)
    return notice("bannedFor", why=why, time=in_words(until - now))


def _comes_from(session: Session, network: Network) -> bool:
    if session.account.of_host or session.source is None:
        return False
    return ip_address(session.source.address) in network


def words(text: str) -> str:
    """The host's text in one line. Raises Refusal if it is too long."""
    told = clean(text)
    if not told:
        raise Refusal("nothingSaid")
    if len(told) > MOST_WORDS:
        raise Refusal("hostSaysTooMuch", most=MOST_WORDS)
    return told
