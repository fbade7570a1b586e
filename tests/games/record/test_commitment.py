"""What is promised at the start of a game with something to hide, and how anybody checks it."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tablero_games import GAMES
from tablero_games.record.commitment import canonical, commitment, opening, opens, salt_and_seed

OPTIONS = GAMES["minesweeper"].read_options({"level": "beginner", "mode": "race"})
NUMBER = int("00112233445566778899aabbccddeeff" + "0f1e2d3c4b5a69788796a5b4c3d2e1f0", 16)
SALT, SEED = f"{NUMBER:064x}"[:32], f"{NUMBER:064x}"[32:]


def test_a_number_is_a_salt_and_a_seed_of_128_bits() -> None:
    assert salt_and_seed(NUMBER) == (int(SALT, 16), int(SEED, 16))
    assert salt_and_seed(7) == (0, 7)
    assert opening(NUMBER) == {"salt": SALT, "seed": SEED}


def test_options_are_written_in_exactly_one_way() -> None:
    written = b'{"firstDig":"zone","height":9,"level":"beginner","mines":10,"mode":"race",'
    written += b'"noGuess":false,"width":9}'
    assert canonical(OPTIONS) == written
    same = GAMES["minesweeper"].read_options({"mode": "race", "width": 9, "level": "beginner"})
    assert canonical(same) == written


def test_the_commitment_is_the_hash_of_salt_seed_and_options() -> None:
    expected = sha256(bytes.fromhex(SALT) + bytes.fromhex(SEED) + canonical(OPTIONS)).hexdigest()
    assert commitment(NUMBER, OPTIONS) == expected
    assert commitment(7, OPTIONS) == "3d6ef467ec8a8dc54f0a30f124287c7a13c677361a4585e12ea5abec81a8c3b9"


def test_it_opens_with_what_was_promised() -> None:
    assert opens(commitment(NUMBER, OPTIONS), SALT, SEED, OPTIONS)
    assert opens(commitment(NUMBER, OPTIONS), **opening(NUMBER), options=OPTIONS)


@pytest.mark.parametrize(
    ("salt", "seed"),
    [
        (SALT, SEED[:-1] + "1"),
        ("1" + SALT[1:], SEED),
        (SALT + SEED[:2], SEED[2:]),
        (SALT.upper(), SEED),
        (SALT[:-1] + " ", SEED),
        ("", SALT + SEED),
        ("zz", ""),
    ],
)
def test_it_opens_with_nothing_else(salt: str, seed: str) -> None:
    assert not opens(commitment(NUMBER, OPTIONS), salt, seed, OPTIONS)


def test_other_options_do_not_open_it() -> None:
    other = GAMES["minesweeper"].read_options({"level": "expert", "mode": "race"})
    assert not opens(commitment(NUMBER, OPTIONS), SALT, SEED, other)
    assert not opens("é", SALT, SEED, OPTIONS)
