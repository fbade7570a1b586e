"""Names and codes for rooms, players and sessions, made from given randomness."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LETTERS = (_ALPHABET * 8).encode()
"""The letter for each value of a byte."""
_MISREAD = str.maketrans({"o": "0", "i": "1", "l": "1", "-": None, " ": None})

RandomBytes = Callable[[int], bytes]


class Ids:
    def __init__(self, random_bytes: RandomBytes) -> None:
        self._random_bytes = random_bytes

    def key(self) -> str:
        """A key of 60 bits: long enough that keys never collide; not a secret."""
        return self._letters(12)

    def session(self) -> str:
        return self._letters(26)

    def code(self) -> str:
        """A join code of 40 bits, short enough to be read aloud."""
        letters = self._letters(8).upper()
        return f"{letters[:4]}-{letters[4:]}"

    def token(self) -> str:
        """A new secret of 256 bits. Any client that sends it is treated as the player."""
        return urlsafe_b64encode(self._random_bytes(32)).rstrip(b"=").decode()

    def seed(self) -> int:
        return int.from_bytes(self._random_bytes(32), "big")

    def below(self, count: int) -> int:
        """A random number from 0 to count - 1."""
        return int.from_bytes(self._random_bytes(8), "big") % count

    def number(self, digits: int) -> int:
        """A random number of this many digits; not a secret."""
        least: int = 10 ** (digits - 1)
        return least + int.from_bytes(self._random_bytes(8), "big") % (9 * least)

    def _letters(self, count: int) -> str:
        return self._random_bytes(count).translate(_LETTERS).decode()


def read_code(text: str) -> str:
    """Corrects a typed join code: case, dashes, O for 0, I or L for 1."""
    letters = text.lower().translate(_MISREAD).upper()
    return f"{letters[:4]}-{letters[4:]}"
