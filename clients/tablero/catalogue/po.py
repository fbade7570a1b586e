"""Reads and writes a catalogue file: gettext's PO format, as far as this project uses it.

Law: what is written is read back the same, and what is not understood is refused with its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_KEYWORD = re.compile(r'(msgid|msgid_plural|msgstr|msgstr\[(?:0|1)\]) (".*")')
_ESCAPED = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n"})
_UNREADABLE = re.compile(r"\\(?![\"\\n])")


class BadCatalogue(ValueError):
    """A file that is no catalogue; the text says which line is wrong."""


@dataclass(frozen=True)
class Message:
    """A sentence in English, and as a translator wrote it: one form, or one for each number."""

    english: str
    plural: str = ""
    """The English sentence for several, where a number decides."""
    forms: tuple[str, ...] = ("",)
    places: tuple[str, ...] = ()
    """The files that say it."""
    fuzzy: bool = False
    """Taken over from another sentence: somebody has to look at it."""

    @property
    def is_translated(self) -> bool:
        return all(self.forms) and not self.fuzzy


def read(text: str) -> list[Message]:
    """All messages of a file; that of the header has the English sentence "". Raises BadCatalogue."""
    return [_message(lines) for lines in _paragraphs(text)]


def write(messages: Iterable[Message]) -> str:
    return "\n".join(map(_written, messages))


def _paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    lines: list[tuple[int, str]] = []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        if line.strip():
            lines.append((number, line.strip()))
        elif lines:
            yield lines
            lines = []


def _message(lines: list[tuple[int, str]]) -> Message:
    said: dict[str, str] = {}
    places: list[str] = []
    fuzzy = False
    keyword = ""
    for number, line in lines:
        if line.startswith("#"):
            places += line[2:].split() if line.startswith("#:") else []
            fuzzy |= line.startswith("#,") and "fuzzy" in line
        elif found := _KEYWORD.fullmatch(line):
            keyword = found[1]
            if keyword in said:
                raise BadCatalogue(f"Line {number} says {keyword} a second time.")
            said[keyword] = _unquoted(number, found[2])
        elif keyword and line.startswith('"'):
            said[keyword] += _unquoted(number, line)
        else:
            raise BadCatalogue(f"Line {number} is not understood: {line:.40}")
    forms = ["msgstr[0]", "msgstr[1]"] if "msgid_plural" in said else ["msgstr"]
    if missing := [name for name in ("msgid", *forms) if name not in said]:
        raise BadCatalogue(f"Line {lines[0][0]} begins a message without {missing[0]}.")
    plural = said.get("msgid_plural", "")
    return Message(said["msgid"], plural, tuple(said[form] for form in forms), tuple(places), fuzzy)


def _unquoted(number: int, text: str) -> str:
    if _UNREADABLE.search(text.replace("\\\\", "")):
        raise BadCatalogue(f'Line {number} has a backslash before something else than ", n or another.')
    try:
        read: str = json.loads(text)
    except ValueError:
        raise BadCatalogue(f"Line {number} is not quoted well: {text:.40}") from None
    return read


def _written(message: Message) -> str:
    lines = [f"#: {' '.join(message.places)}"] if message.places else []
    if message.fuzzy:
        lines.append("#, fuzzy")
    lines += _quoted("msgid", message.english)
    if message.plural:
        lines += _quoted("msgid_plural", message.plural)
        lines += [
            line for number, form in enumerate(message.forms) for line in _quoted(f"msgstr[{number}]", form)
        ]
    else:
        lines += _quoted("msgstr", message.forms[0])
    return "".join(f"{line}\n" for line in lines)


def _quoted(keyword: str, text: str) -> list[str]:
    """One line, but for a text of several."""
    lines = [f'"{line.translate(_ESCAPED)}"' for line in text.splitlines(keepends=True)]
    return [f"{keyword} {lines[0]}"] if len(lines) == 1 else [f'{keyword} ""', *lines]
