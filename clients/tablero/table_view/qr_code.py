"""QR codes (ISO/IEC 18004) of short texts: bytes, error correction M, versions 1 to 10; drawn with letters.

Law: it makes what `clients/web/qr.js` makes, module by module; a test holds both to the same sums.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, TypeAlias

Modules: TypeAlias = list[list[bool]]
"""Row by row, whether a module is dark."""

_BLOCKS: Final = (
    (10, (16,)),
    (16, (28,)),
    (26, (44,)),
    (18, (32, 32)),
    (24, (43, 43)),
    (16, (27, 27, 27, 27)),
    (18, (31, 31, 31, 31)),
    (22, (38, 38, 39, 39)),
    (22, (36, 36, 36, 37, 37)),
    (26, (43, 43, 43, 43, 44)),
)
"""By version, from 1: error correction bytes of a block, and the data bytes of each block."""
_ALIGNED: Final[tuple[tuple[int, ...], ...]] = (
    (),
    (6, 18),
    (6, 22),
    (6, 26),
    (6, 30),
    (6, 34),
    (6, 22, 38),
    (6, 24, 42),
    (6, 26, 46),
    (6, 28, 50),
)
"""Where the middles of alignment patterns are, by version."""
_MASKS: Final[tuple[Callable[[int, int], bool], ...]] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: (row * column) % 2 + (row * column) % 3 == 0,
    lambda row, column: ((row * column) % 2 + (row * column) % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + (row * column) % 3) % 2 == 0,
)
_HARD_TO_READ: Final = ("10111010000", "00001011101")
QUIET = 2
"""Light modules around it; phones read it with two."""


class TooLong(ValueError):
    """The text fits into no code that is made here."""


def half_blocks(modules: Modules) -> list[str]:
    """Two rows in one, the light modules drawn: for light letters on a dark ground."""
    rows = _with_quiet(modules)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(signs[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs]


def runs(modules: Modules) -> list[list[tuple[int, bool]]]:
    """Row by row how many columns are dark or light, with two columns for each module."""
    return [[(2 * len(list(group)), dark) for dark, group in groupby(line)] for line in _with_quiet(modules)]


def _with_quiet(modules: Modules) -> Modules:
    around = [False] * QUIET
    blank = [[False] * (len(modules) + 2 * QUIET) for _ in range(QUIET)]
    return [*blank, *([*around, *line, *around] for line in modules), *([*line] for line in blank)]


def encoded(text: str) -> Modules:
    """Raises TooLong."""
    given = text.encode()
    for version, (correction, blocks) in enumerate(_BLOCKS, 1):
        if sum(blocks) * 8 >= 4 + (8 if version < 10 else 16) + len(given) * 8:
            codewords = _interleaved(_padded(given, version, sum(blocks)), correction, blocks)
            return min((_drawn(version, codewords, mask) for mask in range(len(_MASKS))), key=_penalty)
    raise TooLong(text)


def _padded(given: bytes, version: int, size: int) -> list[int]:
    """Mode, length, bytes and filling."""
    bits = "0100" + f"{len(given):0{8 if version < 10 else 16}b}" + "".join(f"{byte:08b}" for byte in given)
    bits += "0" * min(4, size * 8 - len(bits))
    bits += "0" * (-len(bits) % 8)
    made = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    return made + [0x11 if at % 2 else 0xEC for at in range(size - len(made))]


def _interleaved(given: Sequence[int], correction: int, sizes: Sequence[int]) -> list[int]:
    """The blocks byte by byte in turn, then their error correction."""
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    blocks = [given[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    checks = [_remainder(block, correction) for block in blocks]
    in_turn = [block[at] for at in range(max(sizes)) for block in blocks if at < len(block)]
    return in_turn + [check[at] for at in range(correction) for check in checks]


def _remainder(block: Sequence[int], degree: int) -> list[int]:
    """Reed and Solomon's, over bytes with 0x11d."""
    divisor, root = [1], 1
    for _ in range(degree):
        shifted = [0, *(_times(each, root) for each in divisor)]
        divisor = [each ^ other for each, other in zip([*divisor, 0], shifted, strict=True)]
        root = _times(root, 2)
    left = [*block, *[0] * degree]
    for at in range(len(block)):
        factor = left[at]
        for further, each in enumerate(divisor):
            left[at + further] ^= _times(each, factor)
    return left[len(block) :]


def _times(one: int, other: int) -> int:
    product = 0
    for bit in range(7, -1, -1):
        product = (product << 1) ^ ((product >> 7) * 0x11D)
        product ^= ((other >> bit) & 1) * one
    return product


def _drawn(version: int, codewords: Sequence[int], mask: int) -> Modules:
    size = version * 4 + 17
    fixed: dict[tuple[int, int], bool] = {}
    for at in range(size):
        fixed[6, at] = fixed[at, 6] = at % 2 == 0
    for row, column in ((3, 3), (3, size - 4), (size - 4, 3)):
        for near, ring in _square(row, column, 4):
            fixed[near] = ring not in (2, 4)
    middles = _ALIGNED[version - 1]
    corners = {(first, other) for first in middles[:1] for other in (middles[0], middles[-1])}
    corners |= {(middles[-1], middles[0])} if middles else set()
    for middle in ((row, column) for row in middles for column in middles):
        if middle not in corners:
            for near, ring in _square(*middle, 2):
                fixed[near] = ring != 1
    fixed |= _about(version, mask, size)
    bits = (byte >> bit & 1 for byte in codewords for bit in range(7, -1, -1))
    for row, column in _zigzag(size):
        if (row, column) not in fixed:
            fixed[row, column] = (next(bits, 0) == 1) != _MASKS[mask](row, column)
    return [[fixed[row, column] for column in range(size)] for row in range(size)]


def _square(row: int, column: int, reach: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Every module around a middle, and in which ring it is."""
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            yield (row + down, column + right), max(abs(down), abs(right))


def _about(version: int, mask: int, size: int) -> dict[tuple[int, int], bool]:
    """Format and version, twice each."""
    told: dict[tuple[int, int], bool] = {}
    bits = _checked(mask, 10, 0x537) ^ 0x5412  # error correction M is 00
    for at in range(15):
        dark = bits >> at & 1 == 1
        near = (at, 8) if at < 6 else (at + 1, 8) if at < 8 else (8, 7) if at == 8 else (8, 14 - at)
        far = (8, size - 1 - at) if at < 8 else (size - 15 + at, 8)
        told[near] = told[far] = dark
    told[size - 8, 8] = True
    if version >= 7:
        bits = _checked(version, 12, 0x1F25)
        for at in range(18):
            row, column = at // 3, size - 11 + at % 3
            told[row, column] = told[column, row] = bits >> at & 1 == 1
    return told


def _checked(value: int, degree: int, divisor: int) -> int:
    left = value
    for _ in range(degree):
        left = (left << 1) ^ ((left >> (degree - 1)) * divisor)
    return (value << degree) | left


def _zigzag(size: int) -> Iterator[tuple[int, int]]:
    """Two columns at a time from the right, up and down; the column of the timing pattern is passed over."""
    up = True
    for right in [*range(size - 1, 6, -2), *range(5, 0, -2)]:
        for at in range(size):
            row = size - 1 - at if up else at
            yield row, right
            yield row, right - 1
        up = not up


def _penalty(modules: Modules) -> int:
    """How hard this would be to read."""
    size = len(modules)
    points = 0
    lines = ["".join("1" if dark else "0" for dark in line) for line in modules]
    for text in [*lines, *map("".join, zip(*lines, strict=True))]:
        points += sum(len(run) - 2 for run in re.findall(r"0{5,}|1{5,}", text))
        points += 40 * sum(text.startswith(each, at) for each in _HARD_TO_READ for at in range(size))
    for above, below in pairwise(lines):
        for at in range(1, size):
            points += 3 * (above[at - 1 : at + 1] == below[at - 1 : at + 1] in ("00", "11"))
    dark = sum(line.count("1") for line in lines) / size**2
    return points + int(abs(dark * 20 - 10)) * 10
