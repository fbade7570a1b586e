"""What a transport is told when nothing more comes from us."""

from __future__ import annotations

import asyncio

import pytest

from tablero_server.wire.endings import end_writing


class Pipe(asyncio.Transport):
    def __init__(self, *, half: bool, broken: bool = False) -> None:
        self._half, self._broken = half, broken
        self.told: list[str] = []

    def can_write_eof(self) -> bool:
        return self._half

    def write_eof(self) -> None:
        self.told.append("end")
        if self._broken:
            raise ConnectionResetError

    def close(self) -> None:
        self.told.append("close")


@pytest.mark.parametrize(
    ("pipe", "told"),
    [
        (Pipe(half=True), ["end"]),
        (Pipe(half=True, broken=True), ["end"]),
        (Pipe(half=False), ["close"]),
    ],
)
def test_half_an_end_is_said_where_there_is_one(pipe: Pipe, told: list[str]) -> None:
    end_writing(pipe)
    assert pipe.told == told
