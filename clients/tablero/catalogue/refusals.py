"""Translate the server's refusals from their reason and fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablero_games import GAMES
from tablero_games.record.complaints import COMPLAINTS
from tablero_games.refusals import SENTENCES
from tablero_protocol.notices import NOTICES
from tablero_protocol.reasons import REASONS

from .speech import filled, spoken, translate


def in_words(reason: str, fields: Mapping[str, Any], english: str) -> str:
    """Translate a server's `english` sentence. It stays English if its reason is unknown here."""
    known = reasons().get(reason)
    if known is None or spoken() == "en":
        return translate(english)  # some sentences have no reason
    said = translate(known)
    try:
        return english if said == known else filled(said, _with_titles(_with_complaint(fields)))
    except (LookupError, ValueError, TypeError, AttributeError):
        return english


def reasons() -> dict[str, str]:
    """The English sentence for every reason: for a refusal, a notice or a complaint about a record."""
    of_commands = {reason: why.sentence for reason, why in REASONS.items()}
    return {**SENTENCES, **COMPLAINTS, **NOTICES, **of_commands}


def _with_complaint(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Translate the complaint about a record, which is a sentence within the sentence of a refusal."""
    if "wrong" not in fields:
        return fields
    said = in_words(fields["wrong"], fields["wrongFields"], fields["complaint"])
    return {**fields, "complaint": said.removesuffix(".")}


def _with_titles(fields: Mapping[str, Any]) -> dict[str, Any]:
    titles = {game.title for game in GAMES.values()}
    return {
        name: translate(value) if isinstance(value, str) and value in titles else value
        for name, value in fields.items()
    }
