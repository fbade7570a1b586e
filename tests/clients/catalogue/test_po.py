"""Catalogue files: what is written is read back, and what is no catalogue is refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablero.catalogue.po import BadCatalogue, Message, read, write

texts = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], include_characters='\n"\\'))
ids = texts.filter(bool)


@given(
    st.lists(
        st.one_of(
            st.builds(Message, ids, forms=st.tuples(texts), fuzzy=st.booleans()),
            st.builds(Message, ids, ids, forms=st.tuples(texts, texts), places=st.just(("a/b.py", "c.py"))),
        )
    )
)
def test_what_is_written_is_read_back(messages: list[Message]) -> None:
    assert read(write(messages)) == messages


def test_a_file_looks_as_other_tools_write_it() -> None:
    messages = [
        Message("", forms=("Language: fr\nPlural-Forms: x;\n",)),
        Message('Say "hello".', forms=("Dis « hello ».",), places=("a.py", "b.py")),
        Message("{number} day", "{number} days", ("{number} jour", "{number} jours"), fuzzy=True),
    ]
    assert write(messages) == (
        'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Plural-Forms: x;\\n"\n'
        '\n#: a.py b.py\nmsgid "Say \\"hello\\"."\nmsgstr "Dis « hello »."\n'
        '\n#, fuzzy\nmsgid "{number} day"\nmsgid_plural "{number} days"\n'
        'msgstr[0] "{number} jour"\nmsgstr[1] "{number} jours"\n'
    )


def test_what_other_tools_write_is_read() -> None:
    comments = "# by hand\n#. seen in help\n#: a.py:12\n#, fuzzy, python-brace-format\n"
    text = 'msgid ""\n"One "\n"two"\nmsgstr "x"\n\n\n'
    assert read(comments + text) == [Message("One two", forms=("x",), places=("a.py:12",), fuzzy=True)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('msgid "a"\n', "Line 1 begins a message without msgstr"),
        ('\nmsgstr "a"\n', "Line 2 begins a message without msgid"),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\n', "without msgstr[1]"),
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', "Line 2 says msgid a second time"),
        ('msgid "a\nmsgstr "c"\n', "Line 1 is not understood"),
        ('msgid "a"\nmsgstr "c" d\n', "Line 2 is not understood"),
        ('"a"\n', "Line 1 is not understood"),
        ('msgid "a"\nmsgstr "c\\x"\n', "Line 2 has a backslash"),
        ('msgid "a"\nmsgstr "c"d"\n', "Line 2 is not quoted well"),
        ('msgctxt "menu"\nmsgid "a"\nmsgstr "b"\n', "Line 1 is not understood"),
    ],
)
def test_what_is_no_catalogue_is_refused_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(BadCatalogue) as refused:
        read(text)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    ("message", "is_translated"),
    [
        (Message("a", forms=("b",)), True),
        (Message("a"), False),
        (Message("a", forms=("b",), fuzzy=True), False),
        (Message("a", "as", ("b", "")), False),
    ],
)
def test_what_somebody_has_to_look_at_is_not_translated(message: Message, is_translated: bool) -> None:
    assert message.is_translated == is_translated
