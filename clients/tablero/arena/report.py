"""A contest told: as JSON for programs, and as text for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .result import Result
from .score import Score

Records = Mapping[int, str]
"""The file that keeps a game, by the game's number."""


def to_json(result: Result, seconds: float, records: Records | None = None) -> dict[str, Any]:
    """Equal for equal contests but for `seconds`. Two bots' pair is told at the top as well."""
    contest, records = result.contest, records or {}
    pairs = [_pair(result, pair, records) for pair in result.scores]
    told: dict[str, Any] = {
        "game": contest.game,
        "options": dict(contest.options),
        "seed": contest.seed,
        "opening_plies": list(contest.opening_plies),
        "names": list(contest.names),
        "seconds": seconds,
        "pairs": pairs,
        "standings": [standing.to_json() for standing in result.standings()],
    }
    if len(pairs) == 1:
        told |= pairs[0]
    if result.sprt is not None:
        [score] = result.scores.values()
        low, high = result.sprt.bounds
        told["sprt"] = {
            "elo0": result.sprt.elo0,
            "elo1": result.sprt.elo1,
            "llr": score.llr(result.sprt.elo0, result.sprt.elo1),
            "bounds": [low, high],
            "verdict": result.verdict,
        }
    return told


def failures_of(result: Result, pair: tuple[int, int], records: Records) -> list[dict[str, Any]]:
    """Who failed, how, and where, so that it can be tried again."""
    score = result.scores[pair]
    numbers = [task.number for task in result.tasks if task.pair == pair]
    names = [result.contest.names[each] for each in pair]
    return [
        {
            "kind": failed.failure.kind,
            "sentence": failed.failure.sentence,
            "name": names[not failed.by_first],
            "seat": failed.seat,
            "number": numbers[failed.at],
            "seed": score.matches[failed.at].seed,
            "opening": list(score.matches[failed.at].opening),
            "moves": list(score.matches[failed.at].moves),
            "record": records.get(numbers[failed.at]),
        }
        for failed in score.failed
    ]


def _pair(result: Result, pair: tuple[int, int], records: Records) -> dict[str, Any]:
    numbers = [task.number for task in result.tasks if task.pair == pair]
    return {
        "names": [result.contest.names[each] for each in pair],
        **result.scores[pair].to_json(),
        "failures": failures_of(result, pair, records),
        "records": [records[number] for number in numbers if number in records],
    }


def to_text(result: Result, seconds: float, records: Records | None = None) -> str:
    lines = []
    if len(result.scores) > 1:
        width = max(len(name) for name in result.contest.names) + 2
        lines.append(f"{'':{width}}{'games':>7}{'points':>8}{'share':>8}{'failed':>8}")
        for standing in result.standings():
            points, share = f"{standing.points:g}", percent(standing.share)
            lines.append(f"{standing.name:{width}}{standing.games:7}{points:>8}{share:>8}{standing.failed:8}")
        lines.append("")
    for (first, second), score in result.scores.items():
        names = (result.contest.names[first], result.contest.names[second])
        lines += told_score(score, *names)
    for pair in result.scores:
        for failure in failures_of(result, pair, records or {})[:5]:
            moves = " ".join(failure["moves"]) or "no moves"
            lines.append(
                f"{failure['name']} {failure['kind']} in game {failure['number']}: {failure['sentence']}"
            )
            lines.append(f"  seat {failure['seat']}, seed {failure['seed']}, after {moves}")
    if result.sprt is not None:
        [score] = result.scores.values()
        value = score.llr(result.sprt.elo0, result.sprt.elo1)
        low, high = result.sprt.bounds
        lines.append(
            f"Elo {result.sprt.elo1:g} rather than {result.sprt.elo0:g}: {result.verdict} "
            f"(LLR {value:.2f}, decided at {low:.2f} and {high:.2f})."
        )
    lines.append(f"{len(result.tasks)} games in {seconds:.1f} s, seed {result.contest.seed}.")
    return "\n".join(lines)


def told_score(score: Score, first: str, second: str) -> list[str]:
    """One pair in a line or two."""
    low, high = score.wilson
    what = "fields" if score.solo else "games"
    words = ("better", "equal", "worse") if score.solo else ("won", "drawn", "lost")
    counts = zip((score.wins, score.draws, score.losses), words, strict=True)
    lines = [
        f"{first} against {second}, {score.games} {what}: "
        + ", ".join(f"{count} {word}" for count, word in counts)
        + f" ({percent(score.share)}, {percent(low)} to {percent(high)}), Elo {told_elo(score)}."
    ]
    if score.solo:
        cleared = zip((first, second), score.cleared, strict=True)
        lines.append("  cleared: " + ", ".join(f"{name} {won}" for name, won in cleared) + ".")
    kinds = [(kind, score.failures(kind)) for kind in ("crashed", "illegal", "timeout")]
    if any(count for _, count in kinds):
        lines.append("  of these " + ", ".join(f"{count} {kind}" for kind, count in kinds) + ".")
    return lines


def told_elo(score: Score) -> str:
    """A difference with its bounds; what has none is infinite."""
    low, high = score.elo_interval
    limit = "∞" if score.share > 0.5 else "-∞"
    middle = limit if score.elo is None else f"{score.elo:+.0f}"
    return f"{middle} ({'-∞' if low is None else f'{low:+.0f}'} to {'∞' if high is None else f'{high:+.0f}'})"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"
