"""tablero_protocol/complaint.py: what is said of a message that is readable and yet wrong."""

from __future__ import annotations

from typing import Any

import pytest

from generate.examples import SERVER_EXAMPLES
from tablero_protocol.codec import CODECS, Codec, ProtocolError
from tablero_protocol.codes import Code

BOTH = pytest.mark.parametrize("codec", CODECS.values(), ids=["msgpack", "json"])


def refusal_of(codec: Codec, message: dict[str, Any]) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        codec.decode_client(codec.encode(message))
    return caught.value


UNFIT: dict[str, tuple[dict[str, Any], Code, str]] = {
    "no type": ({"id": "a1"}, Code.BAD_MESSAGE, "type is missing."),
    "a type that is no text": ({"type": 5, "id": "a1"}, Code.BAD_MESSAGE, "type must be text."),
    "a misspelt type": (
        {"type": "playTrun", "id": "a1"},
        Code.UNKNOWN_TYPE,
        'There is no message "playTrun"; did you mean "playTurn"?',
    ),
    "a type in another style": (
        {"type": "WATCH_LOBBY", "id": "a1"},
        Code.UNKNOWN_TYPE,
        'There is no message "WATCH_LOBBY"; did you mean "watchLobby"?',
    ),
    "an unknown type": ({"type": "xyz", "id": "a1"}, Code.UNKNOWN_TYPE, 'There is no message "xyz".'),
    "a server's type": ({"type": "lobby", "id": "a1"}, Code.UNKNOWN_TYPE, 'There is no message "lobby".'),
    "a type that is a page": (
        {"type": "x" * 2000, "id": "a1"},
        Code.UNKNOWN_TYPE,
        f'There is no message "{"x" * 39}…".',
    ),
    "a type that would move the cursor": (
        {"type": '\x1b[2J\u202e\n"ping"', "id": "a1"},
        Code.UNKNOWN_TYPE,
        'There is no message "?[2J???ping?".',
    ),
    "a field missing": ({"type": "leave", "id": "a1"}, Code.BAD_MESSAGE, "room is missing."),
    "a field too many": (
        {"type": "ping", "id": "a1", "when\x07": 1},
        Code.BAD_MESSAGE,
        'ping has no field "when?".',
    ),
    "a field in Python's spelling": (
        {"type": "subscribe", "id": "a1", "room": "r", "event": "chat", "legal_moves": True},
        Code.BAD_MESSAGE,
        'subscribe has no field "legal_moves"; did you mean "legalMoves"?',
    ),
    "a number for a text": (
        {"type": "leave", "id": "a1", "room": 5},
        Code.BAD_MESSAGE,
        "room must be text.",
    ),
    "a text for a number": (
        {"type": "resign", "id": "a1", "room": "r", "seat": "0"},
        Code.BAD_MESSAGE,
        "seat must be a whole number.",
    ),
    "true for a number": (
        {"type": "resign", "id": "a1", "room": "r", "seat": True},
        Code.BAD_MESSAGE,
        "seat must be a whole number.",
    ),
    "a fraction for a whole number": (
        {"type": "resign", "id": "a1", "room": "r", "seat": 1.0},
        Code.BAD_MESSAGE,
        "seat must be a whole number.",
    ),
    "a number for yes or no": (
        {"type": "answer", "id": "a1", "room": "r", "seat": 0, "offer": "o", "yes": 1},
        Code.BAD_MESSAGE,
        "yes must be true or false.",
    ),
    "below the least": (
        {"type": "resign", "id": "a1", "room": "r", "seat": -1},
        Code.BAD_MESSAGE,
        "seat must be at least 0.",
    ),
    "above the most": (
        {"type": "resign", "id": "a1", "room": "r", "seat": 8},
        Code.BAD_MESSAGE,
        "seat must be at most 7.",
    ),
    "an empty text": (
        {"type": "say", "id": "a1", "room": "r", "text": ""},
        Code.BAD_MESSAGE,
        "text must have at least 1 character.",
    ),
    "a text too long": (
        {"type": "say", "id": "a1", "room": "r", "text": "x" * 201},
        Code.BAD_MESSAGE,
        "text must have at most 200 characters.",
    ),
    "a room with a space": (
        {"type": "leave", "id": "a1", "room": "a b"},
        Code.BAD_MESSAGE,
        "room must be made of visible ASCII characters without spaces.",
    ),
    "an event that does not exist": (
        {"type": "subscribe", "id": "a1", "room": "r", "event": "turns"},
        Code.BAD_MESSAGE,
        "event must be 'nextPlayer', 'chat', 'members' or 'offers'.",
    ),
    "a list too long": (
        {"type": "join", "id": "a1", "room": "r", "subscribe": ["chat"] * 5},
        Code.BAD_MESSAGE,
        "subscribe must have at most 4 entries.",
    ),
    "a text for a list": (
        {"type": "join", "id": "a1", "room": "r", "subscribe": "chat"},
        Code.BAD_MESSAGE,
        "subscribe must be a list.",
    ),
    "a number for a map": (
        {"type": "createRoom", "id": "a1", "game": "g", "clock": 5},
        Code.BAD_MESSAGE,
        "clock must be a map.",
    ),
    "a bad field far inside": (
        {"type": "hello", "id": "a1", "protocol": 1, "client": "c", "bot": {"brains": [{"game": 1}]}},
        Code.BAD_MESSAGE,
        "bot.brains[0].game must be text.",
    ),
    "a field too many far inside": (
        {"type": "createRoom", "id": "a1", "game": "g", "clock": {"base": 5, "bonus": 5}},
        Code.BAD_MESSAGE,
        'clock has no field "bonus".',
    ),
    "a number for the options": (
        {"type": "createRoom", "id": "a1", "game": "g", "options": 5},
        Code.BAD_MESSAGE,
        "options must be a map.",
    ),
    "a field too many far inside that would fit further out": (
        {"type": "createRoom", "id": "a1", "game": "g", "clock": {"base": 5, "seats": 2}},
        Code.BAD_MESSAGE,
        'clock has no field "seats".',
    ),
    "an option of a wrong kind": (
        {"type": "createRoom", "id": "a1", "game": "g", "options": {"str": [1]}},
        Code.BAD_MESSAGE,
        "options.str must be text, a whole number, or true or false.",
    ),
    "an option with a name that is a page": (
        {"type": "createRoom", "id": "a1", "game": "g", "options": {"x" * 2000: None}},
        Code.BAD_MESSAGE,
        f"options.{'x' * 39}… must be text, a whole number, or true or false.",
    ),
}


@BOTH
@pytest.mark.parametrize("name", UNFIT)
def test_an_unfit_message_is_answered_with_its_code_and_a_plain_sentence(codec: Codec, name: str) -> None:
    message, code, sentence = UNFIT[name]
    refused = refusal_of(codec, message)
    assert (refused.code, refused.sentence, refused.re) == (code, sentence, "a1")
    assert str(refused) == sentence


@BOTH
@pytest.mark.parametrize("id", ["", "x" * 37, "a b", "é", 5, None, ["a1"]])
def test_an_id_that_is_none_is_not_repeated(codec: Codec, id: Any) -> None:
    refused = refusal_of(codec, {"type": "ping", "id": id})
    assert (refused.code, refused.re) == (Code.BAD_MESSAGE, None)
    assert refused.sentence.startswith("id must ")


@BOTH
def test_a_message_without_an_id_is_refused(codec: Codec) -> None:
    refused = refusal_of(codec, {"type": "ping"})
    assert (refused.code, refused.sentence, refused.re) == (Code.BAD_MESSAGE, "id is missing.", None)


@BOTH
def test_a_mistake_of_the_server_is_named_too(codec: Codec) -> None:
    welcome = next(example for example in SERVER_EXAMPLES if example["type"] == "welcome")
    wrong = {**welcome, "limits": {**welcome["limits"], "silenceSeconds": "20"}}
    with pytest.raises(ProtocolError, match=r"limits\.silenceSeconds must be a number"):
        codec.decode_server(codec.encode(wrong))
