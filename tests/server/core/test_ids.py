"""Names that the server makes."""

from __future__ import annotations

import random
import re
from collections import Counter

from tablero_server.core.ids import Ids, read_code


def ids(seed: int = 1) -> Ids:
    return Ids(random.Random(seed).randbytes)


def test_randomness_is_handed_in() -> None:
    assert ids().token() == ids().token() != ids(2).token()


def test_each_byte_gives_a_letter() -> None:
    made = Ids(lambda count: bytes(range(218, 218 + count)))
    assert made.session() == "tvwxyz" + "0123456789abcdefghjk"


def test_each_kind_has_its_shape() -> None:
    made = ids()
    assert re.fullmatch(r"[0-9a-z]{12}", made.key())
    assert re.fullmatch(r"[0-9a-z]{26}", made.session())
    assert re.fullmatch(r"[0-9A-Z]{4}-[0-9A-Z]{4}", made.code())
    assert re.fullmatch(r"[\w-]{43}", made.token())


def test_a_code_has_40_bits_and_no_letter_that_is_misread() -> None:
    made = ids()
    letters = Counter("".join(made.code().replace("-", "") for _ in range(500)))
    assert len(letters) == 32
    assert not letters.keys() & set("ILOU")


def test_every_code_is_read_back() -> None:
    made = ids()
    for _ in range(200):
        code = made.code()
        assert read_code(code) == read_code(code.lower()) == read_code(code.replace("-", "")) == code


def test_a_seed_has_256_bits() -> None:
    made = ids()
    assert max(made.seed().bit_length() for _ in range(20)) == 256
