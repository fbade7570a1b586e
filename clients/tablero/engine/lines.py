"""Messages of the wire as lines of JSON.

Law: a message is one line of ASCII; JSON escapes every line break inside it.
"""

from __future__ import annotations

import json

from pydantic import BaseModel

from tablero_protocol.codec import CODECS, to_wire

JSON = CODECS["tablero.v1.json"]
"""The codec that reads a line."""


def line_of(message: BaseModel) -> str:
    wire = to_wire(message)
    return json.dumps({"type": wire["type"], **wire}, separators=(",", ":")) + "\n"
