"""Messages of the wire as lines of JSON: how they are written, and cut out of what a program prints.

Law: a line is plain ASCII, so no message can hold what somebody takes for the end of a line.
"""

from __future__ import annotations

import json

from pydantic import BaseModel

from tablero_protocol.codec import CODECS, MAX_CLIENT_FRAME, to_wire

JSON = CODECS["tablero.v1.json"]
"""What reads a line."""


def line_of(message: BaseModel) -> str:
    wire = to_wire(message)
    return json.dumps({"type": wire["type"], **wire}, separators=(",", ":")) + "\n"


class LineCutter:
    """Cuts bytes into lines. Of a line that is too long it keeps as much as shows that it is."""

    def __init__(self, longest: int = MAX_CLIENT_FRAME) -> None:
        self._kept = longest + 1
        self._rest = b""

    @property
    def rest(self) -> bytes:
        """What came after the last end of a line."""
        return self._rest

    def cut(self, data: bytes) -> list[bytes]:
        """The lines that end in `data`, without their ends."""
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = self._rest + lines[0]
            self._rest = b""
        self._rest = (self._rest + rest)[: self._kept]
        return [line[: self._kept] for line in lines]
