"""Finds every sentence that clients show, and updates the catalogue files.

`python -m generate.translations --write` (make translations) adds new sentences, drops unused ones, and keeps
each translation. It then writes the files that the browser client needs.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po

import tablero
from tablero.catalogue.speech import LANGUAGES, PLURAL_RULES
from tablero_games import GAMES, refusals
from tablero_games.record.complaints import COMPLAINTS
from tablero_protocol.codes import WHY_CLOSED
from tablero_protocol.notices import NOTICES
from tablero_protocol.phrases import PHRASES
from tablero_protocol.reasons import REASONS

from . import lessons, page_texts

MARKS = {
    "translate": slice(1),
    "sentence": slice(1),
    "translate_plural": slice(2),
    "say": slice(1),
}
"""The functions that take English sentences, and which of their arguments are sentences."""
_MARKED = re.compile(rf"\b({'|'.join(MARKS)})\(")
CLIENTS = Path(tablero.__file__).parent
_SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z]{2,}|[a-z]{2,}[.!?]$")
_PACKAGES = (CLIENTS, Path(refusals.__file__).parent)
OUR_GAMES = [game for game in GAMES.values() if type(game).__module__.startswith("tablero_games.")]
"""The games of this repository. Games of other packages are not in our catalogue."""
_TABLES: dict[str, Iterable[str]] = {
    "tablero_protocol/reasons.py": [why.sentence for why in REASONS.values()],
    "tablero_protocol/notices.py": NOTICES.values(),
    "tablero_protocol/codes.py": WHY_CLOSED.values(),
    "tablero_protocol/phrases.py": PHRASES.values(),
    "tablero_games/refusals.py": [*refusals.ANY_GAME.values(), *refusals.ANY_OPTION.values()],
    "tablero_games": [said for game in OUR_GAMES for said in game.refusals.values()],
    "tablero_games/record/complaints.py": COMPLAINTS.values(),
    "tablero_games/catalogue.py": [game.title for game in OUR_GAMES],
}
"""Tables of English sentences in other packages, for which clients get only the reason and its fields."""
_HEADER = r"""msgid ""
msgstr ""
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=2; plural=({plural});\n"

"""
"""The header of a catalogue; Babel's own header would contain a date."""


def messages() -> Catalog:
    """All sentences that clients show, untranslated. Raises ValueError for a sentence with two plurals."""
    found = Catalog()
    for place, forms in _said():
        id = forms if len(forms) > 1 else forms[0]
        known = found.get(forms[0])
        if known is not None and known.id != id:
            other = known.locations[0][0]
            raise ValueError(f"{place} says with another plural than {other}: {forms[0]}")
        found.add(id, locations=[(place, 1)])
    return found


def _said() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each sentence with its place in the source and its English forms, in the order of the files."""
    for place, sentences in _TABLES.items():
        yield from ((place, (each,)) for each in sentences)
    for package in _PACKAGES:
        for path in sorted(package.rglob("*.py")):
            place = path.relative_to(package.parent).as_posix()
            yield from ((place, forms) for forms in said_in(path.read_text("utf-8"), place))
    yield from page_texts.said()


def said_in(source: str, place: str) -> Iterator[tuple[str, ...]]:
    """The forms of each marked sentence. Raises ValueError for a sentence that is not a plain string."""
    if not _MARKED.search(source):
        return
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        if not isinstance(node.func, ast.Name):
            continue
        texts = _marked(node)
        if any(isinstance(text, ast.JoinedStr | ast.BinOp) for text in texts):
            raise ValueError(f"{place}:{node.lineno}: {node.func.id} takes a plain text with {{fields}}.")
        english = tuple(str(text.value) for text in texts if isinstance(text, ast.Constant))
        yield from [english] if node.func.id == "translate_plural" else [(each,) for each in english]


def _marked(call: ast.Call) -> list[ast.expr]:
    """The sentences of a call; both of `a if b else c`."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    texts = call.args[MARKS.get(name, slice(0))]
    either = [[text.body, text.orelse] if isinstance(text, ast.IfExp) else [text] for text in texts]
    return [text for texts in either for text in texts]


def unmarked_in(source: str) -> Iterator[tuple[int, str]]:
    """The line and text of each string that looks like a sentence but is not marked as one."""
    tree = ast.parse(source)
    passed_over = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            passed_over |= {id(text) for text in _marked(node)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in passed_over else None
        if isinstance(node, ast.Constant) and isinstance(text, str) and _SENTENCE.search(text):
            yield node.lineno, text


def place_of(language: str) -> Path:
    return CLIENTS / "catalogue" / f"{language}.po"


def known(language: str) -> Catalog:
    """The catalogue file of this language; empty if there is none yet."""
    place = place_of(language)
    return read_po(BytesIO(place.read_bytes()), abort_invalid=True) if place.exists() else Catalog()


def updated(language: str) -> Catalog:
    """The catalogue of all current sentences, with known translations. A translation of a similar sentence is
    fuzzy.
    """
    catalog = known(language)
    catalog.update(messages())
    return catalog


def forms_of(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """The forms of a message's id, or of its translation."""
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def is_translated(message: Message) -> bool:
    return all(forms_of(message.string)) and not message.fuzzy


def written(language: str, catalog: Catalog) -> str:
    """The text of this language's file."""
    for message in catalog:
        message.flags &= {"fuzzy"}
    text = BytesIO()
    write_po(text, catalog, width=0, omit_header=True, include_lineno=False, ignore_obsolete=True)
    header = _HEADER.format(language=language, plural=PLURAL_RULES[language])
    return header + text.getvalue().decode().rstrip("\n") + "\n"


def _write(files: Mapping[Path, str], arguments: list[str]) -> None:
    for place, text in files.items() if arguments == ["--write"] else ():
        place.write_text(text, "utf-8")


def main(arguments: list[str]) -> int:
    for language in LANGUAGES:
        if language == "en":
            _write(lessons.files_of(language), arguments)
            continue
        catalog = updated(language)
        _write({place_of(language): written(language, catalog)}, arguments)
        _write(page_texts.files_of(language) | lessons.files_of(language), arguments)
        missing = [message for message in catalog if message.id and not is_translated(message)]
        name = place_of(language).name
        print(f"{name}: {len(missing)} to translate", *(message.id for message in missing), sep="\n  ")
        if catalog.obsolete:
            print(f"{name}: {len(catalog.obsolete)} that nobody says any more", *catalog.obsolete, sep="\n  ")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
