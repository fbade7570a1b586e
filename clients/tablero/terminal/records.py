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

from tablero.catalogue.refusals import in_words
from tablero.catalogue.speech import sentence, translate
from tablero_games.position import Position, Style
from tablero_games.record.file import Header, Invalid, RecordedTurn, read
from tablero_games.record.verify import game_of, positions, verify
from tablero_protocol.text import clean

from ..client.addresses import is_public
from ..client.identity import stored_token
from ..client.unreachable import why_unreachable
from . import sentences
from .sentences import time_left
from .who import Who, listed

_PATIENCE = 10.0
_SECONDS_TO_PREPARE = 120.0
_HOW_ENDED = {
    True: sentence("All agree to a draw."),
    "claimed": sentence("A draw is claimed, because a player was away for too long."),
    "away": sentence("The game is aborted, because everybody was away for too long."),
    "left": sentence("The game is aborted, because a player left."),
    "noFirstMove": sentence("The game is aborted, because a first move was not made in time."),
    "closed": sentence("The game is aborted, because the host closed the table."),
    "kicked": sentence("The game is aborted, because a player was sent away."),
}
_WITHOUT_WINNERS = {
    "draw": sentence("The game is a draw"),
    "loss": sentence("Nobody wins"),
    "aborted": sentence("The game is aborted and counts for nobody"),
}
_VERDICTS = (sentence("valid"), sentence("valid so far"), sentence("valid so far, sealed"))


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
    if as_json:
        print(json.dumps(verdict.to_json()))
    elif verdict.invalid is not None:
        print(complaint(verdict.invalid))
    else:
        print(translate(str(verdict)))
    if verdict.board and not as_json:
        print(verdict.board)
    return 0 if verdict.valid else 1


def replay_file(file: Path, style: Style, pause: Callable[[], object]) -> int:
    """Prints each position and who played what, with a pause after each; the exit code."""
    try:
        record = read(_text(file))
        game, _ = game_of(record.header)
        players = ", ".join(_names(record.header))
        print(translate("{game}: {names}", game=translate(game.title), names=players))
        if record.sealed:
            list(positions(record))  # raises Invalid, if it is
            for ply, sealed in enumerate(record.turns, start=1):
                print(_told(ply, sealed, record.header))
            print(translate("The game is not over: what it hides is sealed, and nothing is drawn."))
            return 0
        for ply, (turn, position) in enumerate(positions(record)):
            if turn is not None:
                pause()
                print(_told(ply, turn, record.header))
                if turn.leaves_position:
                    continue
            seat = 0 if turn is None or turn.seat is None else turn.seat
            print(game.draw(position.view(seat), style, translate), end="\n\n")
        print(_ending(position, record.header))
    except Invalid as invalid:
        print(complaint(invalid), file=sys.stderr)
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


def complaint(invalid: Invalid) -> str:
    reason = translate(invalid.sentence, **invalid.fields)
    return clean(translate("invalid at line {line}: {reason}", line=invalid.line, reason=reason))


def _sentence(body: bytes, status: int) -> str:
    try:
        answer = json.loads(body)
        why = in_words(answer.get("reason", ""), answer.get("fields", {}), answer["message"])
        return sentences.refused_line(why, answer["code"], verbose=False)
    except (ValueError, KeyError, TypeError, AttributeError):
        return translate("The server at this address has no records (HTTP {status}).", status=status)


def _text(file: Path) -> str:
    """The file, one letter a byte: not a single byte is read as another, or refused before `read` sees it."""
    return file.read_bytes().decode("latin-1")


def _names(header: Header) -> list[str]:
    return [
        clean(name) if name else translate("seat {seat}", seat=seat) for seat, name in enumerate(header.names)
    ]


def _told(ply: int, turn: RecordedTurn, header: Header) -> str:
    if turn.move is not None and turn.seat is not None:
        who, move = _names(header)[turn.seat], clean(turn.move)
        return translate("{ply}. {who} plays {move}.", ply=ply, who=who, move=move)
    return f"{ply}. {_deed(turn, header)}"


def _deed(turn: RecordedTurn, header: Header) -> str:
    """What was done other than to move."""
    if turn.paused is not None:
        return translate("All agree to a pause, for {time} at most.", time=time_left(turn.paused))
    if turn.continued is not None:
        return translate("The game goes on.")
    if turn.seat is None:
        return translate(_HOW_ENDED[turn.aborted or turn.drawn])
    who = Who(_names(header)[turn.seat])
    if turn.added_time is not None:
        time = time_left(turn.added_time)
        return translate("{who} gives the rivals {time} more.", who=who.name, time=time)
    return sentences.what_was_done(who, turn.withdrew, turn.took_back) or translate(
        "{who} plays.", who=who.name
    )


def _ending(position: Position, header: Header) -> str:
    outcome = position.outcome
    if outcome is None:
        return translate("The game is not over.")
    names = _names(header)
    winners = [names[seat] for seat in sorted(outcome.winners)]
    if not winners:
        result = translate(_WITHOUT_WINNERS[outcome.kind])
    else:
        told = sentence("{who} wins") if len(winners) == 1 else sentence("{who} win")
        result = translate(told, who=listed(winners))
    return translate("{result} ({reason}).", result=result, reason=sentences.why_ended(outcome.reason))
