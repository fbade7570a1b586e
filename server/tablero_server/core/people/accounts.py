"""Accounts by token, sessions by name, and the names of newcomers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from hmac import compare_digest
from itertools import chain, count
from typing import NamedTuple

from tablero_games import GAMES
from tablero_protocol.messages import PROTOCOL, BotCard, Hello, Muting
from tablero_protocol.phrases import LEVELS
from tablero_protocol.text import is_good_name, skeleton

from ..effects import Effects
from ..entry import (
    Entry,
    Placing,
    SavedMute,
    SavedPlayer,
)
from ..ids import Ids
from ..limits.limits import Limits
from ..refusal import Refusal
from .sanctions import network_of
from .session import Account, Session, SessionState
from .tokens import HandOvers, Token, Tokens

_MOST_OUT_OF_DATE = 1_000


class Use(NamedTuple):
    """How much a player has used this server; the player with the least use is replaced first."""

    ms: int
    """The time from the first visit to the last; 0 if the player is not kept for long."""
    gone_at: int
    created: int
    id: str


class Accounts:
    def __init__(self, ids: Ids, limits: Limits, host_key: str = "") -> None:
        self._ids = ids
        self._limits = limits
        self._host_key = host_key
        self.by_id: dict[str, Account] = {}
        self.sessions: dict[str, Session] = {}
        self.tokens = Tokens(limits)
        self.hand_overs = HandOvers(ids, limits)
        self._names: dict[str, str] = {}
        """The id of the account that has each name, by the name's skeleton."""
        self._displaced: list[Account] = []
        """Accounts that lost their name to another player and must be saved separately."""
        self._absent: list[Use] = []
        """A heap of the accounts that may make room for others; some entries are out of date."""
        self.of_host: dict[str, Account] = {}
        """The host's own bots."""

    def enter(self, hello: Hello, now: int) -> tuple[Session, str | None]:
        """The session that `hello` opens or returns to, and the text of the token if a new one was made."""
        if hello.protocol != PROTOCOL:
            raise Refusal("otherProtocol", server=PROTOCOL, client=hello.protocol)
        of_host = hello.host_key is not None
        if of_host and not self.is_of_the_host(hello):
            raise Refusal("notTheHosts")
        if hello.name is not None and not is_good_name(hello.name, of_host=of_host):
            raise Refusal("badName")
        if hello.bot is not None and not of_host and self._limits.talk != "on":
            _check_says_nothing(hello.bot)
        if hello.hand_over is not None:
            account, token, text = self._take_over(hello, now)
        elif hello.token is None:
            account, token, text = self._register(hello, now)
        else:
            account, token, text = *self._recognise(hello, now), None
        account.of_host = of_host
        if account.of_host:
            account.failed_to_come = False
            self.of_host[account.id] = account
        else:
            self.of_host.pop(account.id, None)
        session = self.sessions.get(hello.session or "")
        if session is None or session.account is not account:
            session = Session(self._ids.session(), account)
            self.sessions[session.id] = session
            account.sessions.add(session.id)
        session.token = token
        return session, text

    def renamed(self, hello: Hello, now: int) -> Account | None:
        """The account that this hello renames, or None. A numbered name stays while another player has the
        bare name.
        """
        account = self.known(hello, now)
        if account is None or hello.name is None or hello.name == account.name:
            return None
        bearer = self._other_bearer(hello.name, account.id)
        kept = bearer is not None and not self._gives_up_its_name(bearer, now)
        return None if kept and _is_numbered(account.name, hello.name) else account

    def rename(self, account: Account, name: str, now: int) -> None:
        """Renames an account to `name`, with a number if another player has that name."""
        self._free(account.name, account)
        account.name = self._free_name(name, account.id, now)

    def admit(self, saved: SavedPlayer, now: int) -> Account:
        """Adds a player from before a restart; the player can come back with the token."""
        id, name, bot, created, seen = saved
        account = self._add(Account(id, name, bot, created, saved, kept=seen != created, gone_at=now))
        self.note_absence(account)
        return account

    def known(self, hello: Hello, now: int) -> Account | None:
        """The account that the hello's token or code opens; None for a newcomer, or if the token is not
        valid.
        """
        if hello.hand_over is None:
            return self.bearer(hello.token or "", now)
        found = self.hand_overs.find(hello.hand_over, now)
        return None if found is None else self.by_id.get(found.player)

    def bearer(self, text: str, now: int) -> Account | None:
        """The account of this token, or None if the token has expired."""
        token = self.tokens.find(text)
        return None if token is None or self.tokens.is_old(token, now) else self.by_id.get(token.player)

    def mute(self, account: Account, player: str, what: Muting, most: int, effects: Effects) -> None:
        """Mutes or unmutes `player` for `account`."""
        before = account.muted.get(player, "none")
        self._mute(account, player, what, most)
        effects.moved += (("mute", account.id, player),)
        effects.keep(SavedMute(account.id, player, what), undo=lambda now: account.set_muted(player, before))

    def _mute(self, account: Account, player: str, what: Muting, most: int) -> None:
        if player not in self.by_id or player == account.id:
            raise Refusal("nobodyToMute")
        if player not in account.muted and len(account.muted) >= most:
            raise Refusal("mutedMany", players=most)
        account.set_muted(player, what)

    def is_shunned(self, player: str, by: Iterable[str | None]) -> bool:
        """Whether one of the players in `by` has muted `player` entirely."""
        return any(each is not None and self.by_id[each].shuns(player) for each in by)

    def called(self, text: str) -> Account | None:
        """The account with this id, or with a name that looks like it."""
        return self.by_id.get(text) or self.by_id.get(self._names.get(skeleton(text), ""))

    def save(self, account: Account, now: int, effects: Effects) -> None:
        """Saves a player who is new, has a new name, or was last saved long ago."""
        for displaced in self._displaced:  # a displaced player's last visit stays as it was saved
            if displaced.saved is not None:
                self._save(displaced, displaced.saved._replace(name=displaced.name), effects)
        self._displaced.clear()
        saved = account.saved
        if saved and saved.name == account.name and now - saved.seen < self._limits.seen_every_ms:
            return
        self._save(account, account.to_save(now), effects)

    @staticmethod
    def _save(account: Account, saved: SavedPlayer, effects: Effects) -> None:
        account.saved = saved
        effects.keep(saved, undo=lambda now: account.not_saved())

    def keep(self, account: Account | None, now: int, effects: Effects) -> None:
        """Marks a player as kept for long from now on."""
        if account is not None and not account.kept:
            account.kept = True
            self._save(account, account.to_save(now), effects)

    def game_over(self, placings: Sequence[Placing], now: int, effects: Effects) -> None:
        """Marks players as kept if they finished a game with another person or have a best time."""
        persons = {placing.player for placing in placings if not placing.bot}
        for placing in placings:
            with_another = placing.kind != "aborted" and persons - {placing.player}
            if with_another or placing.milliseconds is not None:
                self.keep(self.by_id.get(placing.player), now, effects)

    def least_used(self) -> Account | None:
        """The account that a newcomer replaces: not connected, with the least use."""
        while self._absent:
            account = self.by_id.get(self._absent[0].id)
            if account is not None and self._absent[0] == _use(account) and self._may_go(account):
                return account
            heappop(self._absent)  # the account is added again at its next absence
        return None

    def left_room(self, player: str, room: str) -> None:
        if (account := self.by_id.get(player)) is not None:
            account.rooms.discard(room)
            self.note_absence(account)

    def note_absence(self, account: Account) -> None:
        """Notes that a player may be replaced, because the last connection or room ended."""
        if self._may_go(account):
            heappush(self._absent, _use(account))
        if len(self._absent) > _MOST_OUT_OF_DATE + 2 * len(self.by_id):
            self._absent = sorted(_use(each) for each in self.by_id.values() if self._may_go(each))

    def forget(self, session: Session) -> None:
        session.expire()
        del self.sessions[session.id]
        session.account.sessions.discard(session.id)

    def forget_account(self, account: Account, effects: Effects) -> None:
        del self.by_id[account.id]
        self.of_host.pop(account.id, None)
        self._free(account.name, account)
        self.hand_overs.cancel(account.id)
        self.tokens.end(self.tokens.of(account.id), effects)

    def put_back(self, account: Account, now: int) -> None:
        """Restores an account if its deletion could not be saved. Another player may have its name by now."""
        self.by_id[account.id] = account
        account.name = self._free_name(account.name, account.id, now)
        self.note_absence(account)

    def know_commands(self, log: list[Entry]) -> None:
        """Notes the commands in `log`, so that repeated commands are recognised."""
        for entry in log:
            if entry.cause is not None and (account := self.by_id.get(entry.cause.player)):
                account.logged[entry.cause.id] = entry

    def forget_commands(self, log: list[Entry]) -> None:
        for entry in log:
            if entry.cause is not None and (account := self.by_id.get(entry.cause.player)):
                account.logged.pop(entry.cause.id, None)
                if not account.logged:
                    account.logged.clear()  # an empty dict keeps its size until it is cleared

    def from_one_address(self, seats: Sequence[str | None]) -> bool:
        """Whether the two players on these seats come from one address. The host's own bots never do."""
        if len(seats) != 2 or seats[0] == seats[1]:
            return False
        one, other = (self._networks_of(seat or "") for seat in seats)
        return not one.isdisjoint(other)

    def _networks_of(self, player: str) -> set[str]:
        account = self.by_id.get(player)
        if account is None or account.of_host:
            return set()
        sources = {account.source, *(self.sessions[id].source for id in account.sessions)}
        return {network_of(source) for source in sources if source is not None}

    def open_sessions(self, account: Account) -> list[Session]:
        sessions = (self.sessions[id] for id in sorted(account.sessions))
        return [session for session in sessions if session.state is SessionState.OPEN]

    def address_of(self, player: str) -> str:
        """The address or /64 of a player's latest connection; the player's id if no address is known."""
        account = self.by_id.get(player)
        sessions = [] if account is None else [self.sessions[id] for id in account.sessions]
        return max((network_of(each.source) for each in sessions if each.source is not None), default=player)

    def _may_go(self, account: Account) -> bool:
        """Whether a newcomer may replace this account."""
        return not (account.stays or self.open_sessions(account))

    def is_of_the_host(self, hello: Hello) -> bool:
        if hello.bot is None or not self._host_key:
            return False
        return compare_digest(hello.host_key or "", self._host_key)

    def _register(self, hello: Hello, now: int) -> tuple[Account, Token, str]:
        text, id = self._ids.token(), self._ids.key()
        name = self._free_name(hello.name or f"guest-{id[:4]}", id, now)
        account = self._add(Account(id, name, hello.bot is not None, now, card=hello.bot))
        return account, self.tokens.issue(text, id, hello.device or "", now), text

    def _add(self, account: Account) -> Account:
        self.by_id[account.id] = account
        self._names[skeleton(account.name)] = account.id
        return account

    def _recognise(self, hello: Hello, now: int) -> tuple[Account, Token]:
        token = self.tokens.find(hello.token or "")
        if token is None:
            raise Refusal("unknownToken")
        if self.tokens.is_old(token, now):
            raise Refusal("oldToken")
        account = self.by_id[token.player]
        self._let_in(account, hello, now)
        return account, token

    def _take_over(self, hello: Hello, now: int) -> tuple[Account, Token, str]:
        """Opens the account of a hand-over code; the code then ends."""
        if hello.token is not None:
            raise Refusal("handOverWithToken")
        account = self.known(hello, now)
        if account is None:
            raise Refusal("wrongHandOver")
        self._let_in(account, hello, now)
        self.hand_overs.cancel(account.id)
        text = self._ids.token()
        return account, self.tokens.issue(text, account.id, hello.device or "", now), text

    def _let_in(self, account: Account, hello: Hello, now: int) -> None:
        most = self._limits.sessions
        if hello.bot is not None and not account.bot:
            raise Refusal("tokenOfAPerson")
        if hello.session not in account.sessions and len(self.open_sessions(account)) >= most:
            raise Refusal("tooManySessions", sessions=most)
        if hello.name is not None and self.renamed(hello, now) is account:
            self.rename(account, hello.name, now)
        account.card = hello.bot if account.bot else None

    def _free(self, name: str, account: Account) -> None:
        """Frees a name, unless another player has the same name because a rename was lost in a crash."""
        if self._names.get(skeleton(name)) == account.id:
            del self._names[skeleton(name)]

    def _free_name(self, name: str, account: str, now: int) -> str:
        """`name`, or `name` with a number if another player has the same or a similar name.

        If that player's claim to the name has lapsed, the newcomer gets the name, and that player a number.
        """
        bearer = self._other_bearer(name, account)
        if bearer is not None and self._gives_up_its_name(bearer, now):
            self._names[skeleton(name)] = account
            bearer.name = self._free_name(bearer.name, bearer.id, 0)
            self._displaced.append(bearer)
            return name
        numbered = (_numbered(name, number) for number in self._numbers())
        free = next(each for each in chain([name], numbered) if skeleton(each) not in self._names)
        self._names[skeleton(free)] = account
        return free

    def _other_bearer(self, name: str, account: str) -> Account | None:
        bearer = self.by_id.get(self._names.get(skeleton(name), ""))
        return None if bearer is None or bearer.id == account else bearer

    def _gives_up_its_name(self, account: Account, now: int) -> bool:
        """Whether the account's claim to its name has lapsed: its player was away for long, or never finished
        a game.
        """
        if not account.kept and self._may_go(account):
            return True
        seen = now if account.saved is None or account.sessions else account.saved.seen
        return now - seen >= self._limits.name_ms

    def _numbers(self) -> Iterator[int]:
        """The numbers 2 to 9, then random ones with more and more digits, so that a free number is found
        quickly.
        """
        yield from range(2, 10)
        for digits in count(2):
            yield self._ids.number(digits)


def _check_says_nothing(card: BotCard) -> None:
    """Refuses a bot card with unknown words: everyone in the lobby reads its games and levels, so these can't
    be free text.
    """
    if not {brain.game for brain in card.brains} <= GAMES.keys():
        raise Refusal("unknownGame", games=list(GAMES))
    if not {level for brain in card.brains for level in brain.levels} <= set(LEVELS):
        raise Refusal("onlyLevels", levels=list(LEVELS))


def _use(account: Account) -> Use:
    ms = 0 if account.saved is None else account.saved.seen - account.saved.created
    return Use(ms, account.gone_at, account.created, account.id)


def _numbered(name: str, number: int) -> str:
    return f"{name[: 19 - len(str(number))]}-{number}"


def _is_numbered(name: str, bare: str) -> bool:
    """Whether `name` is `bare` with a number."""
    _, _, number = name.rpartition("-")
    return number.isdecimal() and name == _numbered(bare, int(number))
