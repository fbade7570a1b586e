"""`run(MyBot)`: the main function of a bot's own file."""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from collections.abc import Sequence

from ..bot import Bot


def run(brain: type[Bot], arguments: Sequence[str] | None = None) -> None:
    """Play online with --server URL, else 100 games against "random" in this process. Ends the program."""
    options = _parser(brain).parse_args(arguments)
    sys.exit(_online(brain, options) if options.server else _local(brain, options))


def _parser(brain: type[Bot]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=f"The bot {brain.level} for {brain.game}.")
    parser.add_argument("--server", metavar="URL", help="play at this server until interrupted")
    parser.add_argument("--room", metavar="ID", help="sit down in this room")
    parser.add_argument("--code", help="sit down in the room with this code")
    parser.add_argument("--name", help="be called this")
    parser.add_argument("--insecure", action="store_true", help="allow ws:// over a public network")
    parser.add_argument("--games", type=int, default=100, help="how many local games (100)")
    parser.add_argument("--opponent", metavar="SPEC", help="a local opponent: GAME:LEVEL or FILE.py:Class")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same local games (0)")
    return parser


def _online(brain: type[Bot], options: argparse.Namespace) -> int:
    from .host import HostOptions, play_online

    chosen = HostOptions(
        server=options.server,
        name=options.name or brain.level,
        room=options.room,
        code=options.code,
        insecure=options.insecure,
    )
    return play_online([brain], chosen)


def _local(brain: type[Bot], options: argparse.Namespace) -> int:
    from .. import arena
    from ..brains import UnknownBrain, find_brain

    logging.getLogger("tablero").addHandler(logging.NullHandler())
    try:
        other = find_brain(options.opponent or f"{brain.game}:random")
        score = arena.play(brain, other, games=options.games, seed=options.seed)
    except (UnknownBrain, arena.WrongContest) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    print(
        f"{brain.game}:{brain.level} against {other.level}, {options.games} games: "
        f"{score.wins} won, {score.draws} drawn, {score.losses} lost."
    )
    for name, by_first in ((brain.level, True), (other.level, False)):
        own = [failed for failed in score.failed if failed.by_first is by_first]
        if own:
            kinds = Counter(failed.failure.kind for failed in own)
            counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
            print(f"{name} failed in {len(own)} games: {counts}. The first:")
            moves = " ".join(score.matches[own[0].at].moves) or "no moves"
            print(f"  game {own[0].at}, seed {options.seed}, after {moves}: {own[0].failure.sentence}")
    return 1 if score.failed else 0
