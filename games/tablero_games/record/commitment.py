"""A promise about a game's hidden information: published at the start, opened and checked at the end.

    commitment = sha256(salt ‖ seed ‖ options)

A server draws one number for a game. Its upper 128 bits are the salt, its lower 128 bits the seed. Law: rules
with hidden information use only the seed, so that nobody can compute the salt from the game.
"""

from __future__ import annotations

import json
from hashlib import sha256
from hmac import compare_digest

from ..position import Options

_SIZE = 16
_HALF = 1 << 8 * _SIZE


def salt_and_seed(number: int) -> tuple[int, int]:
    return number // _HALF % _HALF, number % _HALF


def canonical(options: Options) -> bytes:
    """The options as canonical JSON: with defaults, sorted names and no spaces."""
    told = options.model_dump(mode="json", by_alias=True)
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode()


def commitment(number: int, options: Options) -> str:
    """The hash to publish at the start of a game with this number, in hexadecimal."""
    opened = opening(number)
    return _hash(opened["salt"], opened["seed"], options)


def opening(number: int) -> dict[str, str]:
    """The values to publish at the end: `salt` and `seed`, 32 hexadecimal digits each."""
    salt, seed = salt_and_seed(number)
    return {"salt": f"{salt:0{2 * _SIZE}x}", "seed": f"{seed:0{2 * _SIZE}x}"}


def opens(commitment: str, salt: str, seed: str, options: Options) -> bool:
    """Whether `commitment` was made from this salt, seed and options."""
    if any(len(half) != 2 * _SIZE or set(half) - set("0123456789abcdef") for half in (salt, seed)):
        return False
    return compare_digest(commitment.encode(), _hash(salt, seed, options).encode())


def _hash(salt: str, seed: str, options: Options) -> str:
    return sha256(bytes.fromhex(salt + seed) + canonical(options)).hexdigest()
