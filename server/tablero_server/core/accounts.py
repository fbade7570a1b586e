"""Who comes in: accounts by token, sessions by name, and what a newcomer may be called."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from hmac import compare_digest
from itertools import chain, count

from tablero_protocol.messages import PROTOCOL, Hello, Muting
from tablero_protocol.text import is_good_name, skeleton

from .entry import Entry, SavedPlayer
from .ids import Ids
from .limits import Limits
from .refusal import Refusal
from .session import Account, Session, SessionState


class Accounts:
    def __init__(self, ids: Ids, host_key: str = "") -> None:
        self._ids = ids
        self._host_key = host_key
        self.by_id: dict[str, Account] = {}
        self.sessions: dict[str, Session] = {}
        self._by_token: dict[bytes, Account] = {}
        self._names: dict[str, str] = {}
        """Skeleton of a name to the account that bears it."""
        self._absent_newcomers: dict[str, None] = {}
        """Those who have never sat down and are not here, whoever left first at first."""

    def enter(self, hello: Hello, now: int, limits: Limits) -> tuple[Session, str | None]:
        """The session that `hello` opens or returns to, and the token if one was made."""
        if hello.protocol != PROTOCOL:
            raise Refusal("otherProtocol", server=PROTOCOL, client=hello.protocol)
        if hello.name is not None and not is_good_name(hello.name):
            raise Refusal("badName")
        if hello.host_key is not None and not self._is_of_the_host(hello):
            raise Refusal("notTheHosts")
        if hello.token is None:
            account, token = self._register(hello, now)
        else:
            account, token = self._recognise(hello, now, limits), None
        self._absent_newcomers.pop(account.id, None)
        account.of_host = hello.host_key is not None
        if account.of_host:
            account.failed_to_come = False
        session = self.sessions.get(hello.session or "")
        if session is None or session.account is not account:
            session = Session(self._ids.session(), account)
            self.sessions[session.id] = session
            account.sessions.add(session.id)
        return session, token

    def renamed(self, hello: Hello) -> Account | None:
        """Whose name this hello changes. A number is kept while somebody else has the bare name."""
        account = self.bearer(hello.token or "")
        if account is None or hello.name is None or hello.name == account.name:
            return None
        bearer = self._names.get(skeleton(hello.name), account.id)
        return None if bearer != account.id and _is_numbered(account.name, hello.name) else account

    def rename(self, account: Account, name: str) -> None:
        """To `name`, or with a number if somebody else has it."""
        self._free(account.name, account)
        account.name = self._free_name(name, account.id)

    def admit(self, saved: SavedPlayer, now: int) -> Account:
        """Somebody from before a restart, who may come back with the token."""
        id, name, token_hash, bot, created, seen = saved
        account = self._add(
            Account(id, name, token_hash, bot, created, saved, sat=seen != created, gone_at=now)
        )
        self._note_absence(account)
        return account

    def bearer(self, token: str) -> Account | None:
        """Whose token this is."""
        return self._by_token.get(_hash(token))

    def mute(self, account: Account, player: str, what: Muting, most: int) -> None:
        """From now on `account` does not hear `player`, or does again."""
        if what == "none":
            account.muted.pop(player, None)
            return
        if player not in self.by_id or player == account.id:
            raise Refusal("nobodyToMute")
        if player not in account.muted and len(account.muted) >= most:
            raise Refusal("mutedMany", players=most)
        account.muted[player] = what

    def called(self, text: str) -> Account | None:
        """Who has this id, or a name that looks like it."""
        return self.by_id.get(text) or self.by_id.get(self._names.get(skeleton(text), ""))

    def save(self, account: Account, now: int, limits: Limits) -> tuple[SavedPlayer, ...]:
        """What to make durable of a player who is new, has a new name, or was last saved long ago."""
        saved = account.saved
        if saved and saved.name == account.name and now - saved.seen < limits.seen_every_ms:
            return ()
        account.saved = account.to_save(now)
        return (account.saved,)

    def sit_down(self, account: Account, now: int) -> tuple[SavedPlayer, ...]:
        """What to make durable of a player who has a seat, so that it is remembered for long."""
        if account.sat:
            return ()
        account.sat = True
        account.saved = account.to_save(now)
        return (account.saved,)

    def oldest_absent_newcomer(self) -> str | None:
        """Whom nobody would miss; None if there is nobody."""
        return next((id for id in self._absent_newcomers if not self.by_id[id].rooms), None)

    def revoke(self, account: Account, now: int) -> SavedPlayer:
        """What to make durable so that its token is nobody's: the account gets one that is never told."""
        del self._by_token[account.token_hash]
        account.token_hash = _hash(self._ids.token())
        self._by_token[account.token_hash] = account
        account.saved = account.to_save(now)
        return account.saved

    def forget(self, session: Session) -> None:
        session.expire()
        del self.sessions[session.id]
        session.account.sessions.discard(session.id)
        self._note_absence(session.account)

    def forget_account(self, account: Account) -> None:
        del self.by_id[account.id]
        del self._by_token[account.token_hash]
        self._absent_newcomers.pop(account.id, None)
        self._free(account.name, account)

    def know_commands(self, log: list[Entry]) -> None:
        """Whoever repeats a command that `log` entries is known to have given it."""
        for entry in log:
            if entry.cause is not None and (account := self.by_id.get(entry.cause.player)):
                account.logged[entry.cause.id] = entry

    def forget_commands(self, log: list[Entry]) -> None:
        for entry in log:
            if entry.cause is not None and (account := self.by_id.get(entry.cause.player)):
                account.logged.pop(entry.cause.id, None)
                if not account.logged:
                    account.logged.clear()  # an emptied dict is as large as it ever was

    def open_sessions(self, account: Account) -> list[Session]:
        sessions = (self.sessions[id] for id in sorted(account.sessions))
        return [session for session in sessions if session.state is SessionState.OPEN]

    def _note_absence(self, account: Account) -> None:
        if not (account.sat or account.sessions):
            self._absent_newcomers[account.id] = None

    def _is_of_the_host(self, hello: Hello) -> bool:
        if hello.bot is None or not self._host_key:
            return False
        return compare_digest(hello.host_key or "", self._host_key)

    def _register(self, hello: Hello, now: int) -> tuple[Account, str]:
        token = self._ids.token()
        id = self._ids.key()
        name = self._free_name(hello.name or f"guest-{id[:4]}", id)
        account = Account(id, name, _hash(token), hello.bot is not None, now, card=hello.bot)
        return self._add(account), token

    def _add(self, account: Account) -> Account:
        self.by_id[account.id] = account
        self._by_token[account.token_hash] = account
        self._names[skeleton(account.name)] = account.id
        return account

    def _recognise(self, hello: Hello, now: int, limits: Limits) -> Account:
        account, most = self.bearer(hello.token or ""), limits.sessions
        if account is None:
            raise Refusal("unknownToken")
        if now - account.created >= limits.token_ms:
            raise Refusal("oldToken")
        if hello.bot is not None and not account.bot:
            raise Refusal("tokenOfAPerson")
        if hello.session not in account.sessions and len(self.open_sessions(account)) >= most:
            raise Refusal("tooManySessions", sessions=most)
        if hello.name is not None and self.renamed(hello) is account:
            self.rename(account, hello.name)
        account.card = hello.bot if account.bot else None
        return account

    def _free(self, name: str, account: Account) -> None:
        """Somebody else may bear it too, if a rename was lost in a crash."""
        if self._names.get(skeleton(name)) == account.id:
            del self._names[skeleton(name)]

    def _free_name(self, name: str, account: str) -> str:
        """`name`, or with a number if somebody is called that or something that looks like it."""
        numbered = (_numbered(name, number) for number in self._numbers())
        free = next(each for each in chain([name], numbered) if skeleton(each) not in self._names)
        self._names[skeleton(free)] = account
        return free

    def _numbers(self) -> Iterator[int]:
        """2, 3, … 9, then any, soon of more and more digits: what thousands are called costs no search."""
        yield from range(2, 10)
        for digits in count(2):
            yield self._ids.number(digits)


def _numbered(name: str, number: int) -> str:
    return f"{name[: 19 - len(str(number))]}-{number}"


def _is_numbered(name: str, bare: str) -> bool:
    """Whether `name` is `bare` with a number."""
    _, _, number = name.rpartition("-")
    return number.isdecimal() and name == _numbered(bare, int(number))


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()
