"""The commands of `tablero` about bots. Each imports what it needs when it runs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from .cli_options import Insecure, Name, Server, address, stop
from .client.addresses import DEFAULT

PaceWords = Annotated[
    list[str] | None,
    typer.Option(
        "--pace",
        metavar="[LEVEL=]FACTOR",
        envvar="TABLERO_BOT_PACE",
        help="Against people: 1 as usual, 0 no delay, 2 twice as slow; repeatable, for single levels.",
    ),
]
Greetings = Annotated[
    bool,
    typer.Option(
        "--greetings/--no-greetings",
        envvar="TABLERO_BOT_GREETINGS",
        help="Wish people good luck, and say good game (--greetings).",
    ),
]


def bots(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """List the bundled bots, and the document from which each comes."""
    from .brains import bundled

    if as_json:
        shown = {
            game: {name: {"about": level.about, "document": level.document} for name, level in levels.items()}
            for game, levels in bundled().items()
        }
        typer.echo(json.dumps(shown))
        return
    for game, levels in bundled().items():
        for name, level in levels.items():
            document = f" (document {level.document})" if level.document else ""
            typer.echo(f"{f'{game}:{name}':<26}{level.about}{document}")


def bot(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="GAME:LEVEL, FILE.py:Class or cmd:COMMAND (an engine).")
    ],
    server: Server = DEFAULT,
    room: Annotated[str | None, typer.Option("--room", metavar="ID", help="Sit down in this room.")] = None,
    code: Annotated[str | None, typer.Option("--code", help="Sit down in the room with this code.")] = None,
    name: Name = None,
    pace: PaceWords = None,
    greetings: Greetings = True,
    insecure: Insecure = False,
) -> None:
    """Let one bot play in one room, or everywhere it is invited."""
    from .bots.host import HostOptions, play_online
    from .brains import UnknownBrain, find_brain

    if room and code:
        stop("Say --room or --code, not both.", 2)
    try:
        brain = find_brain(spec)
    except UnknownBrain as unknown:
        stop(str(unknown), 2)
    options = HostOptions(
        server=address(server),
        name=name or brain.level,
        room=room,
        code=code,
        pace=_pace(pace),
        greets=greetings,
        insecure=insecure,
    )
    raise typer.Exit(play_online([brain], options))


def bot_check(
    words: Annotated[
        list[str], typer.Argument(metavar="SPEC | -- COMMAND...", help="A bot, or how to start an engine.")
    ],
    seconds: Annotated[float, typer.Option(min=1, help="Seconds to play.")] = 30,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what is wrong with a bot, before anyone plays it."""
    from .check.check import check

    is_spec = len(words) == 1 and ":" in words[0]
    if len(words) == 1 and words[0].endswith(".py"):
        stop(f"Say which class: {words[0]}:Class, or how to start it: -- python3 {words[0]}", 2)
    report = check(words[0] if is_spec else f"cmd:{shlex.join(words)}", seconds)
    typer.echo(json.dumps(report.to_json()) if as_json else str(report))
    raise typer.Exit(report.exit_code)


def engine(spec: Annotated[str, typer.Argument(metavar="SPEC", help="GAME:LEVEL or FILE.py:Class.")]) -> None:
    """Let a Python bot speak the protocol in lines, on standard input and output."""
    from .brains import UnknownBrain, find_brain
    from .engine.stdio import serve as run_engine

    try:
        brain = find_brain(spec)
    except UnknownBrain as unknown:
        stop(str(unknown), 2)
    raise typer.Exit(run_engine(brain))


def bot_host(
    server: Server = DEFAULT,
    capacity: Annotated[int, typer.Option(min=1, max=1000, help="Number of games at once.")] = 50,
    name: Annotated[str | None, typer.Option("--name", help="Name (house with --key, else brains).")] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="GAME[:LEVEL]", help="Offer only this; repeatable.")
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            readable=True,
            help="The server's TABLERO_BOT_KEY: these are its host's own bots.",
        ),
    ] = None,
    pace: PaceWords = None,
    greetings: Greetings = True,
    until_eof: Annotated[bool, typer.Option("--until-eof", help="End when the standard input ends.")] = False,
    insecure: Insecure = False,
) -> None:
    """Offer all bundled bots at a server."""
    from .bots.host import HostOptions, chosen, play_online
    from .brains import UnknownBrain

    try:
        brains = chosen(only or [])
    except UnknownBrain as unknown:
        stop(str(unknown), 2)
    options = HostOptions(
        server=address(server),
        name=name or ("brains" if key is None else "house"),
        capacity=capacity,
        pace=_pace(pace),
        greets=greetings,
        host_key=None if key is None else key.read_text("utf-8").strip(),
        until_eof=until_eof,
        insecure=insecure,
    )
    raise typer.Exit(play_online(brains, options))


def arena(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC SPEC...", help="GAME:LEVEL or FILE.py:Class.")],
    games: Annotated[int, typer.Option(min=1, help="Games for each pair.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same contest.")] = 0,
    opening_plies: Annotated[
        str, typer.Option(metavar="K", help="Start after K random plies; 2-4 is 2 to 4.")
    ] = "0",
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game, such as size=5.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=256, help="Number of games at once.")] = 1,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop as soon as the first is proved better.")] = False,
    elo0: Annotated[float, typer.Option(help="For --sprt: not better than this,")] = 0.0,
    elo1: Annotated[float, typer.Option(help="or at least this much better.")] = 50.0,
    by_clock: Annotated[
        bool, typer.Option("--by-clock", help="Brains stop by the clock, as on a server; not repeatable.")
    ] = False,
    movetime: Annotated[
        int, typer.Option(metavar="MS", min=1, help="Milliseconds of an engine for a move.")
    ] = 1_000,
    nodes: Annotated[
        int, typer.Option(metavar="N", min=0, help="Work of an engine for a move; 0: no limit.")
    ] = 20_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as a page.")] = None,
    records: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep a record of each game.")] = None,
    server: Annotated[str | None, typer.Option(metavar="URL", help="Play there instead of here.")] = None,
    insecure: Insecure = False,
) -> None:
    """Let bots play each other. Say which one is stronger, and how certain that is."""
    from .arena.command import ArenaOptions
    from .arena.command import arena as run_arena

    options = ArenaOptions(
        specs=specs,
        games=games,
        seed=seed,
        opening_plies=opening_plies,
        options=tuple(option or ()),
        by_clock=by_clock,
        movetime=movetime,
        nodes=nodes,
        sprt=(elo0, elo1) if sprt else None,
        concurrency=concurrency,
        as_json=as_json,
        html=html,
        records=records,
        server=address(server) if server else None,
        insecure=insecure,
    )
    raise typer.Exit(run_arena(options))


def _pace(words: list[str] | None) -> dict[str, float]:
    from .bots.pace import read_pace

    try:
        return read_pace(words or [])
    except ValueError as wrong:
        stop(str(wrong), 2)
