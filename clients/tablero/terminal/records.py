"""Records for the command line: fetched from a server, checked, and stepped through as text.

Law: what stands in a record was written by somebody else, so it is cleaned before it is printed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit, urlunsplit
from urllib.request import Request, urlopen

from tablero_games.position import Position, Style
from tablero_games.record.file import Header, Invalid, RecordedTurn, read
from tablero_games.record.verify import game_of, positions, verify
from tablero_protocol.text import clean

from ..client.addresses import is_public
from ..client.identity import stored_token
from ..client.unreachable import why_unreachable

_PATIENCE = 10.0
_SECONDS_TO_PREPARE = 120.0
_HOW_GONE = {
    "resign": "resigns",
    "time": "is out of time",
    "gone": "is gone",
    "claimed": "was away for too long",
}
_HOW_ENDED = {
    True: "All agree to a draw.",
    "claimed": "A draw is claimed, because a player was away for too long.",
    "away": "The game is aborted, because everybody was away for too long.",
    "left": "The game is aborted, because a player left.",
    "noFirstMove": "The game is aborted, because a first move was not made in time.",
    "kicked": "The game is aborted, because a player was sent away.",
}
_WITHOUT_WINNERS = {"draw": "A draw", "loss": "Nobody wins", "aborted": "Aborted, it counts for nobody"}


class NoRecord(Exception):
    """The server has none for us; the text says why."""


def fetch(server: str, room: str, name: str) -> bytes:
    """The record of `room`, as the player called `name` here may have it. Raises NoRecord."""
    request = Request(_address(server, room))  # noqa: S310 - http or https: `_address` sees to it
    token = stored_token(server, name)
    if token is not None and (server.startswith("wss:") or not is_public(server)):
        # Not one of the headers that follow a redirection to somebody else.
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urlopen(request, timeout=_PATIENCE) as answer:  # noqa: S310
            record: bytes = answer.read()
    except HTTPError as refused:
        raise NoRecord(_sentence(refused.read(), refused.code)) from None
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else None
        why = reason if isinstance(reason, OSError) else error
        raise NoRecord(clean(why_unreachable(server, why))) from None
    return record


def verify_file(file: Path, as_json: bool) -> int:
    """Prints the verdict; the exit code."""
    until = time.monotonic() + _SECONDS_TO_PREPARE
    verdict = verify(_text(file), give_up=lambda: time.monotonic() > until)
    print(json.dumps(verdict.to_json()) if as_json else clean(str(verdict)))
    if verdict.board and not as_json:
        print(verdict.board)
    return 0 if verdict.valid else 1


def replay_file(file: Path, style: Style, pause: Callable[[], object]) -> int:
    """Prints each position and who played what, with a pause after each; the exit code."""
    try:
        record = read(_text(file))
        game, _ = game_of(record.header)
        print(f"{game.title}: {', '.join(_names(record.header))}")
        if record.sealed:
            list(positions(record))  # raises Invalid, if it is
            for ply, sealed in enumerate(record.turns, start=1):
                print(_told(ply, sealed, record.header))
            print("The game is not over: what it hides is sealed, so there is nothing to draw.")
            return 0
        for ply, (turn, position) in enumerate(positions(record)):
            if turn is not None:
                pause()
                print(_told(ply, turn, record.header))
            seat = 0 if turn is None or turn.seat is None else turn.seat
            print(game.draw(position.view(seat), style), end="\n\n")
        print(_ending(position, record.header))
    except Invalid as invalid:
        print(clean(f"invalid at line {invalid.line}: {invalid.reason}"), file=sys.stderr)
        return 1
    return 0


def wait_for_enter() -> None:
    """Until Enter is pressed, or the input ends."""
    sys.stdin.readline()


def _address(server: str, room: str) -> str:
    parts = urlsplit(server)
    scheme = {"ws": "http", "wss": "https"}[parts.scheme]
    path = f"{parts.path.removesuffix('/ws')}/api/rooms/{quote(room, safe='')}/record"
    return urlunsplit((scheme, parts.netloc, path, "", ""))


def _sentence(body: bytes, status: int) -> str:
    try:
        answer = json.loads(body)
        return f"No: {clean(answer['message'])} [{clean(answer['code'])}]"
    except (ValueError, KeyError, TypeError):
        return f"The server at this address has no records (HTTP {status})."


def _text(file: Path) -> str:
    """The file, one letter a byte: not a single byte is read as another, or refused before `read` sees it."""
    return file.read_bytes().decode("latin-1")


def _names(header: Header) -> list[str]:
    return [clean(name or f"seat {seat}") for seat, name in enumerate(header.names)]


def _told(ply: int, turn: RecordedTurn, header: Header) -> str:
    if turn.seat is None:
        return f"{ply}. {_HOW_ENDED[turn.aborted or turn.drawn]}"
    who = _names(header)[turn.seat]
    if turn.withdrew is not None:
        return f"{ply}. {who} {_HOW_GONE[turn.withdrew]}."
    if turn.took_back is not None:
        return f"{ply}. {who} takes {turn.took_back} back."
    return f"{ply}. {who} plays" + (f" {clean(turn.move)}." if turn.move is not None else ".")


def _ending(position: Position, header: Header) -> str:
    outcome = position.outcome
    if outcome is None:
        return "The game is not over."
    names = _names(header)
    winners = " and ".join(names[seat] for seat in sorted(outcome.winners))
    result = f"{winners} wins" if winners else _WITHOUT_WINNERS[outcome.kind]
    return f"{result} ({outcome.reason})."
