"""generate/reference.py: the tables of docs/protocol-reference.md say in words what the schemas say."""

from __future__ import annotations

import pytest

from generate.reference import PAGE, with_tables
from generate.schema import FROM_CLIENT, FROM_SERVER
from tablero_protocol.codes import Close, Code
from tablero_protocol.reasons import REASONS
from tablero_protocol.scan import FROM_CLIENT as CLIENT_BOUNDS

TEXT = PAGE.read_text(encoding="utf-8")


def made(part: str) -> str:
    """That part of the page alone."""
    page = with_tables(f"before <!-- generated: {part} --> of old <!-- end --> after")
    assert page.startswith(f"before <!-- generated: {part} -->\n\n")
    assert page.endswith("\n\n<!-- end --> after")
    return page.split("-->\n\n")[1].split("\n\n<!--")[0]


def section(part: str, heading: str) -> str:
    return made(part).split(f"#### {heading}\n")[1].split("\n#### ")[0]


def test_the_tables_of_the_page_are_those_of_the_models() -> None:
    assert with_tables(TEXT) == TEXT, "it is out of date: run `make schema`"


def test_what_is_written_by_hand_stays() -> None:
    assert with_tables("# A page\n\nwith <!-- a comment -->\n") == "# A page\n\nwith <!-- a comment -->\n"


def test_a_part_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        made("weather")


def test_the_page_has_every_generated_part() -> None:
    for kind, model in (FROM_CLIENT | FROM_SERVER).items():
        fields = TEXT.split(f"#### `{kind}`\n")[1].split("\n#### ")[0]
        for name, field in model.model_fields.items():
            assert name == "type" or f"| `{field.alias}` |" in fields
    for code in Code:
        assert f"| `{code.value}` |" in TEXT
    for close in Close:
        assert f"| {close.value} |" in TEXT


@pytest.mark.parametrize(
    ("message", "row"),
    [
        ("hello", "| `id` | text | 1 to 36 visible ASCII characters | required |"),
        ("hello", "| `protocol` | whole number | 0 to 1,000 | required |"),
        ("hello", "| `name` | text | at most 64 characters | absent |"),
        ("hello", "| `bot` | [BotCard](#botcard) |  | absent |"),
        ("createRoom", "| `private` | true or false |  | `false` |"),
        ("createRoom", "| `seat` | whole number or null | 0 to 7 | `0` |"),
    ],
)
def test_a_row_says_what_a_field_may_be_and_what_it_is_when_it_is_absent(message: str, row: str) -> None:
    assert row in section("client messages", f"`{message}`")


def test_a_list_of_a_few_words_names_them_and_how_many_there_may_be() -> None:
    row = (
        "| `subscribe` | list of `nextPlayer` or `chat` or `members` or `offers` | at most 4 entries | `[]` |"
    )
    assert row in section("client messages", "`createRoom`")


def test_a_message_is_linked_where_another_names_it_and_not_where_it_names_itself() -> None:
    assert "[`welcome`](#welcome)" in section("client messages", "`hello`")
    assert "[`hello`]" not in section("client messages", "`hello`")


def test_what_several_messages_share_has_a_section_without_being_a_message() -> None:
    assert "`capacity`" in section("parts of messages", "BotCard")
    assert "#### Hello" not in made("parts of messages")


def test_every_reason_every_close_and_every_bound_has_a_row() -> None:
    for reason, why in REASONS.items():
        assert f"| `{reason}` | `{why.code.value}` | {why.sentence} |" in made("reasons").splitlines()
    assert [line.split(" | ")[0] for line in made("closes").splitlines()[2:]] == [
        f"| {close.value}" for close in Close
    ]
    assert f"| bytes of a frame | {CLIENT_BOUNDS.frame:,} |" in made("limits")
