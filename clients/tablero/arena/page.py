"""A contest as one page of HTML: no script, no picture, and nothing from anywhere else."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import Any

from .report import Records, failures_of, percent, told_elo
from .result import Result

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
"""Seconds between which thoughts are counted together."""


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
    """Wins, draws and losses of the row's bot; below the first mention the Elo difference."""
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
