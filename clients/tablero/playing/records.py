"""Records for the command line: fetched from a server, checked, and shown as text step by step.

Law: a record comes from outside, so its text is cleaned before printing.
"""

from __future__ import annotations

import json
import time
from concurrent.futures import Future
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit, urlunsplit
from urllib.request import Request, urlopen

from tablero.catalogue.refusals import in_words
from tablero.catalogue.speech import sentence, translate
from tablero_games.record.file import Invalid
from tablero_games.record.verify import verify
from tablero_protocol.text import clean

from ..client.addresses import is_public
from ..client.identity import stored_token
from ..client.unreachable import why_unreachable
from . import sentences

_PATIENCE = 10.0
_SECONDS = 30.0
"""Maximum seconds for fetching a record."""
_MOST_MIB = 2
"""Maximum size of a record. The longest game, of 10,000 turns, takes about 1.5 million bytes."""
_SECONDS_TO_PREPARE = 120.0
_VERDICTS = (sentence("valid"), sentence("valid so far"), sentence("valid so far, sealed"))


class NoRecord(Exception):
    """The server has no record for us. The text says why."""


def fetch(server: str, room: str, name: str) -> bytes:
    """The record of `room`, as the player called `name` may see it. Raises NoRecord."""
    fetched: Future[bytes] = Future()

    def ask() -> None:
        try:
            fetched.set_result(_ask(server, room, name))
        except Exception as error:
            fetched.set_exception(error)

    # urllib limits each read, but not the sum of all. The thread is a daemon, so that the program can end
    # before it.
    Thread(target=ask, daemon=True).start()
    try:
        return fetched.result(_SECONDS)
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else None
        why = reason if isinstance(reason, OSError) else error
        raise NoRecord(clean(why_unreachable(server, why))) from None


def _ask(server: str, room: str, name: str) -> bytes:
    request = Request(_address(server, room))  # noqa: S310 - http or https: `_address` sees to it
    token = stored_token(server, name)
    if token is not None and (server.startswith("wss:") or not is_public(server)):
        # This header doesn't follow a redirection to another server.
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urlopen(request, timeout=_PATIENCE) as answer:  # noqa: S310
            return _bounded(answer)
    except HTTPError as refused:
        with refused:
            raise NoRecord(_sentence(_bounded(refused), refused.code)) from None


def _bounded(answer: IO[bytes]) -> bytes:
    body = answer.read((_MOST_MIB << 20) + 1)
    if len(body) > _MOST_MIB << 20:
        told = sentence("The server's answer is larger than any record ({most} MiB).")
        raise NoRecord(translate(told, most=_MOST_MIB))
    return body


def verify_file(file: Path, as_json: bool) -> int:
    """Print the verdict, and return the exit code."""
    until = time.monotonic() + _SECONDS_TO_PREPARE
    verdict = verify(text_of_file(file), give_up=lambda: time.monotonic() > until)
    if as_json:
        print(json.dumps(verdict.to_json()))
    elif verdict.invalid is not None:
        print(complaint(verdict.invalid))
    else:
        print(translate(str(verdict)))
    if verdict.board and not as_json:
        print(verdict.board)
    return 0 if verdict.valid else 1


def _address(server: str, room: str) -> str:
    parts = urlsplit(server)
    scheme = {"ws": "http", "wss": "https"}[parts.scheme]
    path = f"{parts.path.removesuffix('/ws')}/api/rooms/{quote(room, safe='')}/record"
    return urlunsplit((scheme, parts.netloc, path, "", ""))


def complaint(invalid: Invalid) -> str:
    reason = in_words(invalid.complaint, invalid.fields, invalid.reason)
    return clean(translate("invalid at line {line}: {reason}", line=invalid.line, reason=reason))


def _sentence(body: bytes, status: int) -> str:
    try:
        answer = json.loads(body)
        why = in_words(answer.get("reason", ""), answer.get("fields", {}), answer["message"])
        return sentences.refused_line(why, answer["code"], verbose=False)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return translate("The server at this address has no records (HTTP {status}).", status=status)


def text_of_file(file: Path) -> str:
    """The file as text, with one letter for each byte. So every byte reaches `read` unchanged."""
    return file.read_bytes().decode("latin-1")
