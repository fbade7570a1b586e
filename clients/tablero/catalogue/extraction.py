"""Finds every sentence that clients show, and brings the catalogue files up to date with them.

`python -m tablero.catalogue.extraction --write` (make translations) adds what is new, drops what nobody says
any more, and keeps each translation. It then writes what the browser client needs of them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from tablero_games import GAMES, refusals
from tablero_games.record.complaints import COMPLAINTS
from tablero_protocol.codes import WHY_CLOSED
from tablero_protocol.notices import NOTICES
from tablero_protocol.phrases import PHRASES
from tablero_protocol.reasons import REASONS

from . import browser
from .po import Message, read, write
from .speech import LANGUAGES, PLURAL_RULES

MARKS = {
    "translate": slice(1),
    "sentence": slice(1),
    "translate_plural": slice(2),
    "say": slice(1),
}
"""What is called with English sentences, and which of its arguments they are."""
_SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z]{2,}|[a-z]{2,}[.!?]$")
_PACKAGES = (Path(__file__).parents[1], Path(refusals.__file__).parent)
_TABLES: dict[str, Iterable[str]] = {
    "tablero_protocol/reasons.py": [why.sentence for why in REASONS.values()],
    "tablero_protocol/notices.py": NOTICES.values(),
    "tablero_protocol/codes.py": WHY_CLOSED.values(),
    "tablero_protocol/phrases.py": PHRASES.values(),
    "tablero_games/refusals.py": [*refusals.ANY_GAME.values(), *refusals.ANY_OPTION.values()],
    "tablero_games": [said for game in GAMES.values() for said in game.refusals.values()],
    "tablero_games/record/complaints.py": COMPLAINTS.values(),
    "tablero_games/catalogue.py": [game.title for game in GAMES.values()],
}
"""Sentences of other packages, which say them in English and tell clients the reason with its fields."""
_HEADER = (
    "Language: {language}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\nPlural-Forms: nplurals=2; plural=({plural});\n"
)


def messages() -> dict[str, Message]:
    """All that is shown, untranslated, by its English sentence, in the order of the files."""
    found: dict[str, Message] = {}
    for place, sentences in _TABLES.items():
        for each in sentences:
            _add(found, Message(each, places=(place,)))
    for package in _PACKAGES:
        for path in sorted(package.rglob("*.py")):
            place = path.relative_to(package.parent).as_posix()
            for message in said_in(path.read_text("utf-8"), place):
                _add(found, message)
    for message in browser.messages():
        _add(found, message)
    return found


def said_in(source: str, place: str) -> Iterator[Message]:
    """The sentences that are marked in a module. Raises ValueError for one that is no plain text."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        if not isinstance(node.func, ast.Name):
            continue
        texts = _marked(node)
        if any(isinstance(text, ast.JoinedStr | ast.BinOp) for text in texts):
            raise ValueError(f"{place}:{node.lineno}: {node.func.id} takes a plain text with {{fields}}.")
        english = [str(text.value) for text in texts if isinstance(text, ast.Constant)]
        if node.func.id == "translate_plural":
            yield Message(english[0], english[1], ("", ""), (place,))
        else:
            yield from (Message(each, places=(place,)) for each in english)


def _marked(call: ast.Call) -> list[ast.expr]:
    """The sentences of a call, both of `a if b else c`."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    texts = call.args[MARKS.get(name, slice(0))]
    either = [[text.body, text.orelse] if isinstance(text, ast.IfExp) else [text] for text in texts]
    return [text for texts in either for text in texts]


def unmarked_in(source: str) -> Iterator[tuple[int, str]]:
    """What looks like a sentence, and is marked nowhere: its line, and its text."""
    tree = ast.parse(source)
    passed_over = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            passed_over |= {id(text) for text in _marked(node)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in passed_over else None
        if isinstance(node, ast.Constant) and isinstance(text, str) and _SENTENCE.search(text):
            yield node.lineno, text


def _add(found: dict[str, Message], message: Message) -> None:
    known = found.get(message.english)
    if known is None:
        found[message.english] = message
        return
    if known.plural != message.plural:
        raise ValueError(
            f"{message.places[0]} says with another plural than {known.places[0]}: {message.english}"
        )
    found[message.english] = replace(known, places=tuple(dict.fromkeys((*known.places, *message.places))))


def updated(wanted: Mapping[str, Message], kept: Iterable[Message]) -> list[Message]:
    """The messages that are `wanted`, with what is known of them; like ones are kept for a translator."""
    by_english = {message.english: message for message in kept}
    gone = [english for english, old in by_english.items() if english not in wanted and old.is_translated]
    result = []
    for english, message in wanted.items():
        old = by_english.get(english)
        if old is None and (alike := get_close_matches(english, gone, 1, cutoff=0.75)):
            old = replace(by_english[alike[0]], fuzzy=True)
        known = old is not None and len(old.forms) == len(message.forms)
        result.append(replace(message, forms=old.forms, fuzzy=old.fuzzy) if old and known else message)
    return result


def place_of(language: str) -> Path:
    return Path(__file__).with_name(f"{language}.po")


def text_of(language: str) -> str:
    """What the file of this language should hold."""
    place = place_of(language)
    known = read(place.read_text("utf-8")) if place.exists() else []
    header = _HEADER.format(language=language, plural=PLURAL_RULES[language])
    return write([Message("", forms=(header,)), *updated(messages(), known)])


def main(arguments: list[str]) -> int:
    for language in LANGUAGES:
        if language == "en":
            continue
        text = text_of(language)
        if arguments == ["--write"]:
            place_of(language).write_text(text, "utf-8")
            for place, file in browser.files_of(language).items():
                place.write_text(file, "utf-8")
        missing = [message for message in read(text) if not message.is_translated]
        print(
            f"{place_of(language).name}: {len(missing)} to translate",
            *(m.english for m in missing),
            sep="\n  ",
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
