"""The rules for newcomers.

Law: known players can always connect, by a token or on an additional device. So can the host's own bots.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import Literal, NamedTuple, TypeAlias

from ..refusal import Refusal

EntryKind: TypeAlias = Literal["open", "passphrase", "closed"]


class EntryPolicy(NamedTuple):
    entry: EntryKind = "open"
    passphrase: str = ""

    def check(self, passphrase: str | None) -> None:
        if self.entry == "closed":
            raise Refusal("closedToGuests")
        if self.entry == "open":
            return
        if passphrase is None:
            raise Refusal("passphraseNeeded")
        if not compare_digest(passphrase.encode(), self.passphrase.encode()):
            raise Refusal("wrongPassphrase")
