"""Tokens of players, one for each device, and codes that give an additional device a token.

Law: only the hash of a token is stored. A token expires when it is unused for too long; its owner or the host
can end it sooner. A code works once, for a short time, and is kept only in memory.
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from ..effects import Effects
from ..entry import EndedToken, SavedToken
from ..ids import Ids, read_code
from ..limits.limits import Limits


@dataclass(slots=True, eq=False)
class Token:
    hash: bytes
    player: str
    device: str
    """The device's name, given by the player; may be empty."""
    created: int
    used: int
    """The time when the token was last used."""
    saved: SavedToken | None = None
    """The token as it was last saved."""

    def not_saved(self) -> None:
        """Marks the last save as lost: the token is saved at its next use."""
        self.saved = None

    @property
    def id(self) -> str:
        """The public id by which the player ends the token; the hash cannot be derived from it."""
        return b32encode(sha256(self.hash).digest()[:5]).decode().lower()


class Tokens:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_hash: dict[bytes, Token] = {}
        self._of: dict[str, tuple[Token, ...]] = {}
        """The tokens by player, oldest first."""

    def __len__(self) -> int:
        return len(self._by_hash)

    def issue(self, text: str, player: str, device: str, now: int) -> Token:
        """Makes a token. Its text is sent once and not kept."""
        token = Token(_hash(text), player, device, now, now)
        self.put_back(token)
        return token

    def admit(self, saved: SavedToken) -> None:
        """Adds a token from before a restart."""
        self.put_back(Token(*saved, saved))

    def put_back(self, token: Token) -> None:
        """Restores a token, also after its end could not be saved."""
        self._by_hash[token.hash] = token
        self._of[token.player] = (*self._of.get(token.player, ()), token)

    def find(self, text: str) -> Token | None:
        """The token with this text, also if it has expired, or None."""
        return self._by_hash.get(_hash(text))

    def of(self, player: str) -> tuple[Token, ...]:
        return self._of.get(player, ())

    def is_old(self, token: Token, now: int) -> bool:
        """Whether the token was unused for too long."""
        return now - token.used >= self._limits.token_ms

    def use(self, token: Token, now: int, effects: Effects, device: str | None = None) -> None:
        """Notes that the token is used."""
        if self._by_hash.get(token.hash) is not token:
            return  # the token was ended
        token.used = now
        if device is not None:
            token.device = device
        saved = token.saved
        if saved and saved.device == token.device and now - saved.used < self._limits.seen_every_ms:
            return
        token.saved = SavedToken(token.hash, token.player, token.device, token.created, now)
        effects.keep(token.saved, undo=lambda now: token.not_saved())

    def end(self, tokens: Iterable[Token], effects: Effects) -> None:
        for token in self._end(tokens):
            effects.keep(EndedToken(token.hash), undo=partial(self._good_again, token))

    def _good_again(self, token: Token, now: int) -> None:
        self.put_back(token)

    def _end(self, tokens: Iterable[Token]) -> tuple[Token, ...]:
        """Ends these tokens in memory. Returns those that were valid."""
        ended = tuple(token for token in tokens if self._by_hash.pop(token.hash, None) is not None)
        for player in {token.player for token in ended}:
            if left := tuple(token for token in self._of[player] if token.hash in self._by_hash):
                self._of[player] = left
            else:
                del self._of[player]
        return ended

    def forget(self, token: Token) -> None:
        """Removes a token that could not be saved and whose text was not sent."""
        self._end([token])


class OpenHandOver(NamedTuple):
    code: str
    player: str
    until: int


class HandOvers:
    """Codes that open a player's account on an additional device; a player has at most one code."""

    def __init__(self, ids: Ids, limits: Limits) -> None:
        self._ids = ids
        self._limits = limits
        self._by_code: dict[str, OpenHandOver] = {}
        """The open codes by their text; the first to expire comes first."""
        self._code_of: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._by_code)

    def open(self, player: str, now: int) -> OpenHandOver:
        """Makes a code. An earlier code of the player ends."""
        self.cancel(player)
        while self._by_code and (first := next(iter(self._by_code.values()))).until <= now:
            self.cancel(first.player)
        opened = OpenHandOver(self._ids.code(), player, now + self._limits.hand_over_ms)
        self.put_back(opened)
        return opened

    def find(self, text: str, now: int) -> OpenHandOver | None:
        """The open hand-over of this typed code, or None."""
        found = self._by_code.get(read_code(text))
        return None if found is None or found.until <= now else found

    def cancel(self, player: str) -> None:
        if (code := self._code_of.pop(player, None)) is not None:
            del self._by_code[code]

    def put_back(self, opened: OpenHandOver) -> None:
        """Restores a code whose new token could not be saved."""
        if opened.player not in self._code_of:
            self._by_code[opened.code] = opened
            self._code_of[opened.player] = opened.code


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "replace")).digest()
