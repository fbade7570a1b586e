"""The report of a contest: JSON for programs, text for people, and a page of HTML.

Law: the page has no script and no picture, and loads nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import pairwise
from typing import Any

from .result import Result
from .score import Score

Records = Mapping[int, str]
"""The record file of each game, by game number."""


def to_json(result: Result, seconds: float, records: Records | None = None) -> dict[str, Any]:
    """The result as JSON. Equal contests differ only in `seconds`. If there is only one pair, its fields are
    also at the top level.
    """
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
    """All failures, with player, kind and place, so that they can be reproduced."""
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
    """The report of one pair, in one or two lines."""
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
    """An Elo difference with its bounds; a missing bound is written as infinite."""
    low, high = score.elo_interval
    limit = "∞" if score.share > 0.5 else "-∞"
    middle = limit if score.elo is None else f"{score.elo:+.0f}"
    return f"{middle} ({'-∞' if low is None else f'{low:+.0f}'} to {'∞' if high is None else f'{high:+.0f}'})"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


# The HTML page

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
body { color: #1c1c1c; background: #fff; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { border: 1px solid #bbb; padding: .25rem .6rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
code { overflow-wrap: anywhere; }
.bar { display: inline-block; height: .8em; background: #2a6fb0; }
@media (prefers-color-scheme: dark) {
  body { color: #e8e8e8; background: #171717; } th, td { border-color: #555; } .bar { background: #6db0ef; }
}
"""
_BINS = (0.0, 0.0001, 0.001, 0.01, 0.1, 1.0, 10.0, float("inf"))
"""Bounds in seconds of the bars in the histogram of thoughts."""


def to_html(result: Result, seconds: float, records: Records | None = None) -> str:
    contest = result.contest
    title = f"Arena: {contest.game}"
    options = ", ".join(f"{name}={value}" for name, value in contest.options.items()) or "default options"
    parts = [
        f"<h1>{_text(title)}</h1>",
        f"<p>{_text(options)}; {len(result.tasks)} games, seed {contest.seed}, {seconds:.1f} s.</p>",
    ]
    if result.sprt is not None:
        parts.append(
            f"<p>Elo {result.sprt.elo1:g} rather than {result.sprt.elo0:g}: <b>{result.verdict}</b>.</p>"
        )
    parts += ["<h2>Standings</h2>", _standings(result), "<h2>Each against each</h2>", _crosses(result)]
    parts += ["<h2>Failures</h2>", _failures(result, records or {})]
    parts += ["<h2>Seconds a thought</h2>", _thinking(result)]
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
    )
    return head + "\n".join(parts) + "\n</body></html>\n"


def _standings(result: Result) -> str:
    rows = [
        [_text(each.name), each.games, f"{each.points:g}", percent(each.share), each.failed]
        for each in result.standings()
    ]
    return _table(["bot", "games", "points", "share", "failed"], rows)


def _crosses(result: Result) -> str:
    """The table of wins, draws and losses of the row's bot. Below them is the Elo difference, once for each
    pair.
    """
    names = result.contest.names
    rows: list[list[object]] = []
    for row, name in enumerate(names):
        cells: list[object] = [_text(name)]
        for column in range(len(names)):
            score = result.scores.get((min(row, column), max(row, column)))
            if score is None:
                cells.append("")
            elif row < column:
                cells.append(f"{score.wins} / {score.draws} / {score.losses}<br>Elo {told_elo(score)}")
            else:
                cells.append(f"{score.losses} / {score.draws} / {score.wins}")
        rows.append(cells)
    return _table(["won / drawn / lost", *map(_text, names)], rows)


def _failures(result: Result, records: Records) -> str:
    failures: list[dict[str, Any]] = [
        failure for pair in result.scores for failure in failures_of(result, pair, records)
    ]
    if not failures:
        return "<p>None.</p>"
    rows: list[list[object]] = [
        [
            _text(failure["name"]),
            failure["kind"],
            _text(failure["sentence"]),
            f"seat {failure['seat']}, seed {failure['seed']}",
            f"<code>{_text(' '.join(failure['moves']) or 'no moves')}</code>",
            _text(failure["record"] or ""),
        ]
        for failure in failures
    ]
    return _table(["bot", "what", "why", "where", "moves", "record"], rows)


def _thinking(result: Result) -> str:
    rows: list[list[object]] = []
    bins = list(pairwise(_BINS))
    for name, seconds in result.thoughts().items():
        counts = [sum(low <= each < high for each in seconds) for low, high in bins]
        most = max(counts) or 1
        bars = [
            f'{count}<br><span class="bar" style="width:{4 * count / most:.2f}em"></span>' for count in counts
        ]
        longest = f"{max(seconds):.3f}" if seconds else ""
        rows.append([_text(name), *bars, longest])
    heads = [f"below {high:g}" for _, high in bins[:-1]] + ["longer"]
    return _table(["bot", *heads, "longest"], rows)


def _table(heads: list[str], rows: list[list[Any]]) -> str:
    head = "".join(f"<th>{each}</th>" for each in heads)
    body = "\n".join("<tr>" + "".join(f"<td>{each}</td>" for each in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>\n{body}</table>"


def _text(text: object) -> str:
    return escape(str(text))
