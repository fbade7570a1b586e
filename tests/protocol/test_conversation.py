"""The frames that the protocol's pages show, held against the codec and a real hub: the pages cannot lie."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from generate.examples import SERVER_EXAMPLES
from generate.schema import FROM_SERVER
from tablero_protocol.codec import CODECS
from tablero_server.core.hub import Hub

DOCS = Path(__file__).parents[2] / "docs"
FIRST_PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")
TOPICS = (DOCS / "protocol-topics.md").read_text(encoding="utf-8")
JSON = CODECS["tablero.v1.json"]
MADE_BY_THE_SERVER = re.compile(r"[0-9a-z]{12}|[0-9a-z]{26}|[0-9A-Z]{4}-[0-9A-Z]{4}|[\w-]{43}")
"""Keys, sessions, codes and tokens: another run has others."""


class Line(NamedTuple):
    """`who → frame` is what a client sends, `who ← frame` what it gets."""

    who: str
    sends: bool
    frame: str

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.frame)
        return message


def example() -> list[Line]:
    found = re.findall(r"^(\w+) ([→←]) (\{.*\})$", TOPICS, flags=re.MULTILINE)
    assert len(found) > 40
    return [Line(who, arrow == "→", frame) for who, arrow, frame in found]


def test_every_frame_of_the_first_page_is_a_message() -> None:
    whole = {message["type"]: message for message in SERVER_EXAMPLES}
    frames = [json.loads(frame) for frame in re.findall(r"(?m)^\{.*\}$", FIRST_PAGE)]
    assert len(frames) > 8
    for frame in frames:
        if "id" in frame:
            assert JSON.decode_client(json.dumps(frame)).type == frame["type"]
        else:  # the page leaves fields out
            fields = FROM_SERVER[frame["type"]].model_fields.values()
            assert frame.keys() <= {field.alias for field in fields}
            JSON.decode_server(json.dumps({**whole[frame["type"]], **frame}))


def test_the_first_page_is_short_enough_to_read() -> None:
    assert len(FIRST_PAGE.split()) <= 1000


def test_every_line_is_a_message() -> None:
    for line in example():
        message: Any = (JSON.decode_client if line.sends else JSON.decode_server)(line.frame)
        assert message.type == line.message["type"]


def test_every_command_is_answered_once_and_only_to_its_author() -> None:
    commands = {(line.who, line.message["id"]) for line in example() if line.sends}
    answers = Counter((line.who, line.message["re"]) for line in example() if "re" in line.message)
    assert answers == dict.fromkeys(commands, 1)


def test_a_command_that_is_sent_again_is_the_same() -> None:
    sent: dict[str, str] = {}
    for line in example():
        if line.sends:
            assert sent.setdefault(line.message["id"], line.frame) == line.frame


class Player:
    """Somebody at the hub: what arrived and was not looked at yet."""

    def __init__(self, peer: int) -> None:
        self.peer = peer
        self.arrived: list[dict[str, Any]] = []


class Stage:
    """Two players at one hub, who act the example out."""

    def __init__(self) -> None:
        self.hub = Hub(random.Random(7).randbytes)
        self.players = {"ana": Player(1), "bob": Player(2)}
        self.meaning: dict[str, str] = {}
        """A name made by the server, as the page has it, to what it is here."""
        self.now = 0

    def send(self, line: Line) -> None:
        player = self.players[line.who]
        if line.message["type"] == "hello" and "token" in line.message:  # the connection before it broke
            self.hub.dropped(player.peer, self.now)
            player.peer += 10
            player.arrived.clear()
        frame = line.frame
        for written, here in self.meaning.items():
            frame = frame.replace(written, here)
        self.now += 1
        by_peer = {player.peer: player for player in self.players.values()}
        for peer, message in self.hub.receive(player.peer, JSON.decode_client(frame), self.now).messages:
            by_peer[peer].arrived.append(json.loads(JSON.encode(message)))

    def get(self, line: Line) -> None:
        arrived = self.players[line.who].arrived.pop(0)
        assert self.with_meaning(line.message, arrived) == arrived

    def with_meaning(self, written: Any, here: Any) -> Any:
        """What the page has, with the names and times of this run."""
        if isinstance(written, dict) and isinstance(here, dict):
            meant = {self.meaning.get(key, key): value for key, value in written.items()}
            return {
                key: here.get(key) if key == "now" else self.with_meaning(value, here.get(key))
                for key, value in meant.items()
            }
        if isinstance(written, list) and isinstance(here, list) and len(written) == len(here):
            return [self.with_meaning(*pair) for pair in zip(written, here, strict=True)]
        if isinstance(written, str) and isinstance(here, str) and MADE_BY_THE_SERVER.fullmatch(written):
            return self.meaning.setdefault(written, here)
        return written


def test_a_real_hub_answers_as_the_page_says() -> None:
    stage = Stage()
    for line in example():
        if line.sends:
            stage.send(line)
        else:
            stage.get(line)
    assert [player.arrived for player in stage.players.values()] == [[], []]
