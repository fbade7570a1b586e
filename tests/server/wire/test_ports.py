"""A port that was chosen is that one or none; one that was not makes way for another server."""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable

import pytest

from tablero_server.wire.ports import open_free


def opening(
    taken: set[int], tried: list[int], why: int = errno.EADDRINUSE
) -> Callable[[int], Awaitable[int]]:
    async def open_at(port: int) -> int:
        tried.append(port)
        if port in taken:
            raise OSError(why, "in use")
        return port

    return open_at


async def test_the_next_free_port_is_taken() -> None:
    assert await open_free(8470, False, opening({8470, 8471}, [])) == 8472


@pytest.mark.parametrize(
    ("usual", "chosen", "tries"),
    [
        (8470, True, [8470]),
        (0, False, [0]),
        (8470, False, [*range(8470, 8491)]),
        (65_534, False, [65_534, 65_535]),
    ],
)
async def test_it_ends_with_the_error_of_the_last_port(usual: int, chosen: bool, tries: list[int]) -> None:
    tried: list[int] = []
    with pytest.raises(OSError, match="in use"):
        await open_free(usual, chosen, opening({0, *range(8470, 8500), 65_534, 65_535}, tried))
    assert tried == tries


async def test_another_error_is_not_tried_again() -> None:
    tried: list[int] = []
    with pytest.raises(OSError, match="in use"):
        await open_free(80, False, opening({80}, tried, errno.EACCES))
    assert tried == [80]
