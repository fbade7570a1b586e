"""S15 and S16: no stranger's text moves a cursor, forges a line of a log, or passes for somebody else."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any, Literal, get_args

import pytest
import structlog
from pydantic import ValidationError

from generate.examples import CLIENT_EXAMPLES, SERVER_EXAMPLES
from tablero.playing.current_table import CurrentTable
from tablero.playing.narrator import Display, Narrator
from tablero.terminal.lines import Screen
from tablero_games import GAMES
from tablero_games.minesweeper.drawing import number_to_emoji
from tablero_games.position import Style
from tablero_protocol.messages import CLIENT_MESSAGE, SERVER_MESSAGE, ClientMessage
from tablero_protocol.text import clean, is_good_name, skeleton, without_controls
from tablero_server import logs
from tests.harness.desk import Desk
from tests.harness.raw import a_raw, request
from tests.harness.rig import ANA, BEN, Rig, joined, turn
from tests.harness.wire import a_server, a_table, a_wire

PAYLOADS = {
    "the clipboard": "\x1b]52;c;aGk=\x07",
    "a colour": "\x1b[31mred",
    "C1 controls": "\x9b31m\x90q\x9c",
    "a new line": "gg\r\nana: I resign",
    "a tab, a bell and a backspace": "a\tb\a\b\b\x7f",
    "a null": "a\x00b",
    "right to left": "abc\u202edef\u2066x\u2069",
    "no width": "a\u200bb\u200d\ufeffc\u2060",
    "line separators": "a\u2028b\u2029c\x85d",
    "tags": "a\U000e0041\U000e007f",
}
HARMFUL = {
    *map(chr, range(0x20)), "\x7f", *map(chr, range(0x80, 0xA0)),
    *"\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff",
    *map(chr, range(0xE0000, 0xE0080)),
}  # fmt: skip


BLANKS = {
    "a Hangul filler": "\u3164",
    "a Hangul choseong filler": "\u115f",
    "a Hangul jungseong filler": "\u1160",
    "a half-width Hangul filler": "\uffa0",
    "an empty Braille cell": "\u2800",
    "a musical control": "\U0001d173",
    "a musical null": "\U0001d159",
    "a grapheme joiner": "\u034f",
    "a Khmer vowel that is not written": "\u17b4",
    "a Mongolian separator": "\u180e",
    "a shorthand control": "\U0001bca0",
    "wide and narrow spaces": "\u00a0\u2003\u202f\u3000",
}


def harmful(text: str) -> set[str]:
    return HARMFUL & set(text)


def harmful_lines(text: str) -> set[str]:
    """In what is printed, where a line may end."""
    return harmful(text) - {"\n"}


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_s15_what_is_said_is_clean_before_it_is_kept(payload: str) -> None:
    ann, _, room = Desk().pair(subscribe=["chat"])
    said = ann.ask("say", room=room, text=f"x{payload}")
    assert said["type"] == "said"
    assert harmful(said["text"]) == set()
    assert len(said["text"]) > 0


@pytest.mark.parametrize("blank", BLANKS.values(), ids=BLANKS.keys())
def test_s15_a_line_of_nothing_that_can_be_seen_is_not_said(blank: str) -> None:
    ann, _, room = Desk().pair(subscribe=["chat"])
    assert ann.refused("say", room=room, text=blank * 3) == "badMessage"
    assert ann.ask("say", room=room, text=f"{blank}well{blank}played")["text"] == "well played"


def test_s15_an_accent_needs_a_letter_to_stand_on() -> None:
    ann, _, room = Desk().pair(subscribe=["chat"])
    assert ann.refused("say", room=room, text="\u0301\u0308\u0323") == "badMessage"
    assert ann.ask("say", room=room, text="\u0301cafe\u0301")["text"] == "café"


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_s15_no_other_field_brings_it_to_anybody(payload: str) -> None:
    """Commands with the payload in each of their fields, and everything that the server says about them."""
    desk = Desk()
    ann, bob, room = desk.pair(subscribe=["chat", "members", "offers"])
    commands: list[dict[str, Any]] = [
        {"type": "createRoom", "game": payload},
        {"type": "createRoom", "game": "connect-four", "options": {payload: 1}},
        {"type": "createRoom", "game": "connect-four", "options": {"columns": payload}},
        {"type": "createRoom", "game": "minesweeper", "options": {"mode": payload}},
        {"type": "join", "code": payload[:20]},
        {"type": "invite", "room": room, "seat": 1, "bot": payload},
        {"type": "playTurn", "room": room, "seat": 0, "ply": 0, "move": payload[:24]},
    ]
    for command in commands:
        answer = desk.receive(ann, {"id": desk.new_id(), **command})
        told = [answer["message"], answer["code"], *map(str, bob.seen)]
        assert answer["type"] == "refused"
        assert harmful("".join(told)) == set(), command
    guest = desk.connect()
    assert guest.refused("hello", protocol=1, client=payload, name=f"a{payload}") == "badName"


READ_BY_RULES = {
    "hello.name": "only good names are let in",
    "hello.token": "a secret, passed on to nobody",
    "hello.handOver": "there is such a code, or it is refused",
    "hello.passphrase": "compared, and passed on to nobody",
    "showRatings.game": "there is such a game, or it is refused",
    "showPlayer.player": "there is such a player, or it is refused",
    "showPlayer.rival": "there is such a player, or it is refused",
    "createRoom.game": "there is such a game, or it is refused",
    "watchBest.game": "there is such a game, or it is refused",
    "createRoom.options": "the game makes its own options of them",
    "seek.game": "there is such a game, or it is refused",
    "seek.options": "the game makes its own options of them",
    "setOptions.options": "the game makes its own options of them",
    "join.code": "there is such a code, or it is refused",
    "showTable.code": "there is such a code, or it is refused",
    "playTurn.move": "the game writes the move in its own way",
}
"""Text that is not cleaned, and why it is passed on to nobody as it came."""
CLEANED = {
    "hello.device": {"device": "TEXT"},
    "hello.client": {},
    "hello.bot.brains.game": {"bot": {"brains": [{"game": "TEXT", "levels": ["hard"]}]}},
    "hello.bot.brains.levels": {"bot": {"brains": [{"game": "tic-tac-toe", "levels": ["TEXT"]}]}},
    "invite.bot": {},
    "say.text": {},
}
"""Text that is passed on, or kept, and what says it."""


def texts_of(schema: Any, at: str, models: Any) -> Iterator[str]:
    """The path of each text in a message of that schema which may have more in it than visible ASCII."""
    if "$ref" in schema:
        yield from texts_of(models[schema["$ref"].rpartition("/")[2]], at, models)
    is_text = schema.get("type") == "string" and not schema.keys() & {"const", "enum"}
    if is_text and schema.get("pattern") != "^[!-~]+$":
        yield at
    for name, inner in schema.get("properties", {}).items():
        yield from texts_of(inner, f"{at}.{name}", models)
    for inner in (*schema.get("anyOf", ()), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield from texts_of(inner, at, models)


def test_s15_every_text_in_the_schema_is_cleaned_or_read_by_rules() -> None:
    found: set[str] = set()
    for model in get_args(ClientMessage):
        schema = model.model_json_schema(by_alias=True)
        found |= set(texts_of(schema, model.model_fields["type"].default, schema.get("$defs", {})))
    assert found == CLEANED.keys() | READ_BY_RULES.keys()


@pytest.mark.parametrize("path", CLEANED)
@pytest.mark.parametrize("payload", [*PAYLOADS.values(), *(f"x{blank}" for blank in BLANKS.values())])
def test_s15_what_is_passed_on_is_clean_when_it_has_been_read(path: str, payload: str) -> None:
    type, field, *_ = path.split(".")
    example = next(each for each in CLIENT_EXAMPLES if each["type"] == type)
    text = f"x{payload}"
    changed = json.loads(json.dumps(CLEANED[path] or {field: "TEXT"}).replace('"TEXT"', json.dumps(text)))
    read = CLIENT_MESSAGE.validate_python({**example, **changed}, by_alias=True, by_name=False)
    assert clean(text) in texts_in(read.model_dump())
    assert text not in texts_in(read.model_dump())


def test_s15_a_card_reaches_everybody_clean_and_a_level_of_nothing_is_refused() -> None:
    desk = Desk()
    card = {"brains": [{"game": "tic-tac-toe", "levels": ["\x1b[31mhard\u202e"]}], "capacity": 3}
    bot, ann = desk.peer("rob", bot=card), desk.peer("ann", bot=None)
    room = ann.create(subscribe=["members"])
    ann.ask("invite", room=room, seat=1, bot="tic-tac-toe:[31mhard")
    bot.join(room, invite=bot.of("invited")[0]["invite"])
    told = str([ann.ask("watchLobby"), ann.of("joined"), desk.journal[room], desk.room(room).seated])
    assert harmful(told) == set()
    assert "[31mhard" in told
    with pytest.raises(ValidationError, match="can be seen"):
        desk.bot("rod", "tic-tac-toe:\u3164")


# The terminal, at the mercy of a server


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


def strings_replaced(value: Any, payload: str, at: str = "") -> Iterator[Any]:
    """The value with the payload in each of its strings in turn, but for what makes it that message."""
    if isinstance(value, str) and at not in ("type", "re"):
        yield f"x{payload}"
    elif isinstance(value, dict):
        for key, inner in value.items():
            for changed in strings_replaced(inner, payload, key):
                yield {**value, key: changed}
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            for changed in strings_replaced(inner, payload, at):
                yield [*value[:index], changed, *value[index + 1 :]]


def printed_after(*told: dict[str, Any]) -> str:
    """What the line mode prints when a server says that."""
    out, rig = io.StringIO(), Rig()
    screen = Screen(out, prompt=False, broken=lambda: None)
    Narrator(rig.client, CurrentTable(rig.client), screen.print, screen.print, Display())
    rig.tell(joined(ANA, BEN, seq=2))
    rig.tell(turn(3))
    for message in told:
        try:
            rig.tell(SERVER_MESSAGE.validate_python(message, by_alias=True, by_name=False))
        except (ValidationError, ValueError, KeyError, IndexError):
            continue  # a server that says nonsense is left, or not understood
    return out.getvalue()


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_s15_a_terminal_shows_none_of_it_whatever_a_server_says(payload: str) -> None:
    printed = ""
    for example in SERVER_EXAMPLES:
        here = {**example, "room": "r1"} if "room" in example else example
        for changed in strings_replaced(here, payload):
            for seq in (4, 1_000):
                printed += printed_after({**changed, "seq": seq} if "seq" in changed else changed)
    assert printed.count("\n") > 200
    assert harmful_lines(printed) == set()


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_s15_not_even_what_nobody_has_cleaned_gets_through_the_screen(payload: str) -> None:
    out = io.StringIO()
    Screen(out, prompt=False, broken=lambda: None).print(f"x{payload}")
    assert harmful_lines(out.getvalue()) == set()


def test_s15_a_board_passes_through_the_screen_as_it_was_drawn() -> None:
    for game in GAMES.values():
        position = game.start(seats=2 if game.name != "minesweeper" else 1, seed=1)
        for style in get_args(Style):
            drawn = game.draw(position.view(0), style)
            assert without_controls(drawn) == drawn


def test_s15_a_number_drawn_as_an_emoji_passes_and_nothing_else_that_selects_a_variation() -> None:
    numbers = "".join(map(number_to_emoji, range(9)))
    assert without_controls(numbers) == numbers
    assert without_controls("a\ufe0f 9\ufe0f \ufe0f 1\ufe0e") == "a  9    1 "
    assert clean("1\ufe0f") == "1"


# The log


@pytest.fixture
def _logging() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.mark.usefixtures("_logging")
@pytest.mark.parametrize("form", ["json", "pretty"])
async def test_s15_a_log_holds_none_of_it(
    form: Literal["json", "pretty"], capsys: pytest.CaptureFixture[str]
) -> None:
    logs.set_up(form, "debug")
    structlog.configure(cache_logger_on_first_use=False)
    for payload in PAYLOADS.values():
        structlog.get_logger().warning("refused", origin=f"x{payload}")
        try:
            raise ValueError(f"x{payload}")
        except ValueError:
            structlog.get_logger().exception("a request failed")
    text = capsys.readouterr().err
    if form == "pretty":  # its own colours come from us
        text = without_colours(text)
    assert text.count("refused") == len(PAYLOADS)
    assert harmful_lines(text) == set()
    if form == "json":
        assert all(json.loads(line) for line in text.splitlines())


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


@pytest.mark.usefixtures("_logging")
async def test_s15_an_origin_cannot_write_into_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("json")
    structlog.configure(cache_logger_on_first_use=False)
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(request(Origin="http://\u009b31mevil\u202e.example".encode().decode("latin-1")))
        assert await raw.status() == 403
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["code"] == 403
    assert harmful(json.loads(line)["origin"]) == set()


# S16: names

IMITATIONS = {
    "case": "Carol",
    "capitals": "CAROL",
    "a digit for a letter": "car0l",
    "one for l": "caro1",
    "I for l": "caroI",
    "an underscore": "car_ol",
    "a dash at the end": "carol-",
    "dashes and digits": "c-a-r-0-1",
}
NO_NAMES = {
    "a Cyrillic letter": "c\u0430rol",
    "a Greek letter": "car\u03bfl",
    "a full-width letter": "\uff43arol",
    "a mathematical letter": "\U0001d41carol",
    "a combining mark": "caro\u0301l",
    "no width": "ca\u200brol",
    "right to left": "\u202ecarol",
    "a soft hyphen": "ca\u00adrol",
    "a non-breaking space": "carol\u00a0",
    "a space": "carol smith",
    "a new line": "carol\n",
    "an escape": "carol\x1b[2J",
    "a tag": "<b>carol",
    "empty": "",
    "one letter": "c",
    "too long": "c" * 21,
    "starting with a dash": "-carol",
    "admin": "admin",
    "Admin with a digit": "Adm1n",
    "a moderator": "m0derator",
    "the system": "5ystem",
    "the server": "_server_"[1:],
    "a bot": "B0T",
    "the program": "tab-lero",
    "an admin with a number": "admin-1",
    "an admin with digits": "1admin23",
    "the house's bot": "house-bot",
    "root": "root",
    "root in digits": "r00t",
    "staff": "staff",
    "staff of two words": "the_5taff",
    "a moderator by r and n": "rnoderator",
    "an administrator by c, l and digits": "aclm1n1strator",
}


@pytest.mark.parametrize("name", IMITATIONS.values(), ids=IMITATIONS.keys())
def test_s16_who_looks_like_somebody_else_is_told_apart(name: str) -> None:
    desk = Desk()
    carol = desk.peer("carol")
    imitation = desk.peer(name)
    assert carol.name == "carol"
    assert skeleton(imitation.name) != skeleton(carol.name)
    assert imitation.name.endswith("-2")


@pytest.mark.parametrize("name", NO_NAMES.values(), ids=NO_NAMES.keys())
def test_s16_what_is_no_name_is_refused(name: str) -> None:
    assert not is_good_name(name)
    assert Desk().connect().refused("hello", protocol=1, client="test", name=name) == "badName"


def test_s16_a_person_cannot_look_like_a_bot() -> None:
    """The label is the server's own and not part of a name, which has no brackets."""
    desk = Desk()
    bot, person = desk.bot("corners", "tic-tac-toe:hard"), desk.peer("corners-too")
    assert (bot.welcome["player"]["bot"], person.welcome["player"]["bot"]) == (True, False)
    for name in ("corners (bot, hard)", "corners-bot"):
        assert desk.connect().refused("hello", protocol=1, client="t", name=name) == "badName"


@pytest.mark.parametrize(
    "name", ["roots", "Abbott", "stafford", "modest", "Botond", "servera", "badminton", "al-ro0ty"]
)
def test_s16_a_name_that_only_begins_like_a_title_is_a_name(name: str) -> None:
    assert is_good_name(name)


async def test_s16_two_players_with_one_name_are_two_at_the_table() -> None:
    async with a_server() as server, a_table(server), a_wire(server) as other:
        assert (await other.hello("ANA"))["player"]["name"] == "ANA-2"


def test_cleaning_what_is_clean_changes_nothing() -> None:
    for text in ("¡Buena jugada, señor!", "棋", "a b", "naïve"):
        assert clean(text) == text
