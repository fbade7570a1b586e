"""The command `tablero`. A subcommand imports what it needs when it runs, so that it starts in a moment."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal, NoReturn, TypeAlias

import typer

from .client.addresses import DEFAULT, join_code, looks_like_address, websocket_url

app = typer.Typer(
    name="tablero",
    help="Board games with people and bots: host, play, and write your own player.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Server = Annotated[
    str, typer.Option("--server", metavar="URL", envvar="TABLERO_SERVER", help="Where to play.")
]
Name = Annotated[str | None, typer.Option("--name", help="What to be called.")]
RecordFile = Annotated[
    Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True, help="A record.")
]
Style: TypeAlias = Literal["ascii", "unicode", "emoji"]
Drawn = Annotated[
    Style | None, typer.Option("--style", help="How to draw boards; else what the terminal can show.")
]
Insecure = Annotated[bool, typer.Option("--insecure", help="Allow ws:// over a public network.")]


def _say_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tablero {version('tablero')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say which this is.")
    ] = False,
) -> None:
    pass


@app.command()
def serve(
    host: Annotated[
        str | None, typer.Option(help="The address to listen on (127.0.0.1); 0.0.0.0 for everybody.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port (8470); 0 for any free one.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where games are kept; sqlite:///PATH, postgresql://…, or memory."),
    ] = None,
    bots: Annotated[
        bool | None, typer.Option("--bots/--no-bots", help="Start the bundled bots, too (--bots).")
    ] = None,
) -> None:
    """Host games. What is not said here is read from the environment, TABLERO_HOST and so on."""
    try:
        from tablero_server.app import serve as run_server
    except ModuleNotFoundError as missing:
        _stop(_no_hosting(missing), 2)
    raise typer.Exit(run_server(host=host, port=port, database=database, bots=bots))


admin = typer.Typer(help="Say something to your running server.", no_args_is_help=True)
app.add_typer(admin, name="admin")


@admin.command()
def revoke(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="A name or an id.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as a line of JSON.")] = False,
) -> None:
    """End a player's token, and close its connections."""
    _say_to_server("revoke", as_json, player=player)


@app.command()
def play(
    where: Annotated[str | None, typer.Argument(metavar="[URL|CODE]", help="A server, or a table.")] = None,
    server: Server = DEFAULT,
    name: Name = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="One line for each event (so far the only way).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each message as a line of JSON.")] = False,
    boards: Annotated[
        bool | None, typer.Option("--board/--no-board", help="Draw the board after each turn.")
    ] = None,
    style: Drawn = None,
    insecure: Insecure = False,
) -> None:
    """Play in this terminal. Type help there."""
    from .terminal.play import PlayOptions
    from .terminal.play import play as run_play

    table = None
    if where is not None and looks_like_address(where):
        server, table = where, join_code(where)
    elif where is not None:
        table = where
    options = PlayOptions(
        server=_address(server),
        name=_name(name),
        join=table,
        as_json=as_json,
        boards=boards,
        style=style,
        insecure=insecure,
    )
    raise typer.Exit(run_play(options))


@app.command()
def bots(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """List the bundled bots, and the document that each comes from."""
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


@app.command()
def bot(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="GAME:LEVEL, FILE.py:Class or cmd:COMMAND (an engine).")
    ],
    server: Server = DEFAULT,
    room: Annotated[str | None, typer.Option("--room", metavar="ID", help="Sit down in this room.")] = None,
    code: Annotated[str | None, typer.Option("--code", help="Sit down in the room with this code.")] = None,
    name: Name = None,
    insecure: Insecure = False,
) -> None:
    """Let one bot play: in one room, or wherever it is invited."""
    from .brains import UnknownBrain, find_brain
    from .hosting.host import HostOptions, play_online

    if room and code:
        _stop("Say --room or --code, not both.", 2)
    try:
        brain = find_brain(spec)
    except UnknownBrain as unknown:
        _stop(str(unknown), 2)
    options = HostOptions(
        server=_address(server), name=name or brain.level, room=room, code=code, insecure=insecure
    )
    raise typer.Exit(play_online([brain], options))


@app.command(name="bot-check")
def bot_check(
    words: Annotated[
        list[str], typer.Argument(metavar="SPEC | -- COMMAND...", help="A bot, or how to start an engine.")
    ],
    seconds: Annotated[float, typer.Option(min=1, help="How long to play it.")] = 30,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what is wrong with a bot, before anyone plays it."""
    from .check.check import check

    is_spec = len(words) == 1 and ":" in words[0]
    if len(words) == 1 and words[0].endswith(".py"):
        _stop(f"Say which class: {words[0]}:Class, or how to start it: -- python3 {words[0]}", 2)
    report = check(words[0] if is_spec else f"cmd:{shlex.join(words)}", seconds)
    typer.echo(json.dumps(report.to_json()) if as_json else str(report))
    raise typer.Exit(report.exit_code)


@app.command()
def engine(spec: Annotated[str, typer.Argument(metavar="SPEC", help="GAME:LEVEL or FILE.py:Class.")]) -> None:
    """Let a Python bot speak the protocol in lines, on standard input and output."""
    from .brains import UnknownBrain, find_brain
    from .engine.stdio import serve as run_engine

    try:
        brain = find_brain(spec)
    except UnknownBrain as unknown:
        _stop(str(unknown), 2)
    raise typer.Exit(run_engine(brain))


@app.command(name="bot-host")
def bot_host(
    server: Server = DEFAULT,
    capacity: Annotated[int, typer.Option(min=1, max=1000, help="How many games at once.")] = 50,
    name: Annotated[str, typer.Option("--name", help="What to be called.")] = "house",
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="GAME[:LEVEL]", help="Offer these alone; repeat it.")
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
    until_eof: Annotated[bool, typer.Option("--until-eof", help="End when the standard input ends.")] = False,
    insecure: Insecure = False,
) -> None:
    """Offer all bundled bots at a server."""
    from .brains import UnknownBrain
    from .hosting.host import HostOptions, chosen, play_online

    try:
        brains = chosen(only or [])
    except UnknownBrain as unknown:
        _stop(str(unknown), 2)
    options = HostOptions(
        server=_address(server),
        name=name,
        capacity=capacity,
        host_key=None if key is None else key.read_text("utf-8").strip(),
        until_eof=until_eof,
        insecure=insecure,
    )
    raise typer.Exit(play_online(brains, options))


@app.command()
def arena(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC SPEC...", help="GAME:LEVEL or FILE.py:Class.")],
    games: Annotated[int, typer.Option(min=1, help="How many games each two play.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same contest.")] = 0,
    opening_plies: Annotated[
        str, typer.Option(metavar="K", help="Begin behind so many random plies; 2-4 is 2 to 4.")
    ] = "0",
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Of the game, as in size=5.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=256, help="How many games at once.")] = 1,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop as soon as the first is proved better.")] = False,
    elo0: Annotated[float, typer.Option(help="For --sprt: not better than this,")] = 0.0,
    elo1: Annotated[float, typer.Option(help="or at least this much better.")] = 50.0,
    by_clock: Annotated[
        bool, typer.Option("--by-clock", help="Brains stop by the clock, as on a server; not repeatable.")
    ] = False,
    movetime: Annotated[
        int, typer.Option(metavar="MS", min=1, help="What engines may think about a move.")
    ] = 1_000,
    nodes: Annotated[
        int, typer.Option(metavar="N", min=0, help="The same in work done, without --by-clock; 0: no limit.")
    ] = 20_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with everything.")] = None,
    records: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep a record of each game.")] = None,
    server: Annotated[str | None, typer.Option(metavar="URL", help="Play there instead of here.")] = None,
    insecure: Insecure = False,
) -> None:
    """Let bots play each other, and say who is stronger, and how sure that is."""
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
        server=_address(server) if server else None,
        insecure=insecure,
    )
    raise typer.Exit(run_arena(options))


@app.command()
def record(
    room: Annotated[str, typer.Argument(metavar="ROOM", help="The id of the room, as `list` shows it.")],
    server: Server = DEFAULT,
    name: Name = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where to write it.")] = None,
) -> None:
    """Fetch the record of a game, running or finished, as you may see it."""
    from .terminal.records import NoRecord, fetch

    try:
        text = fetch(_address(server), room, _name(name))
    except NoRecord as none:
        _stop(str(none), 1)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_bytes(text)
    except OSError as error:
        _stop(f"Cannot write {out}: {error.strerror}.", 2)


@app.command()
def verify(
    file: RecordFile,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play a record again and say whether it is valid, or which line is not, and why."""
    from .terminal.records import verify_file

    raise typer.Exit(verify_file(file, as_json))


@app.command()
def replay(
    file: RecordFile,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before each turn.")] = False,
    style: Drawn = None,
) -> None:
    """Show a record, turn by turn."""
    from .terminal.lines import style_for
    from .terminal.records import replay_file, wait_for_enter

    raise typer.Exit(
        replay_file(file, style or style_for(sys.stdout), wait_for_enter if step else lambda: None)
    )


def _say_to_server(command: str, as_json: bool, **arguments: str) -> NoReturn:
    try:
        from tablero_server.admin import NoServer, run
    except ModuleNotFoundError as missing:
        _stop(_no_hosting(missing), 2)
    try:
        exit_code, text = run(command, as_json, **arguments)
    except NoServer as none:
        _stop(str(none), 2)
    typer.echo(text, err=exit_code != 0)
    raise typer.Exit(exit_code)


def _no_hosting(missing: ModuleNotFoundError) -> str:
    return f"Hosting needs more packages ({missing.name}): pip install 'tablero[server]'"


def _address(server: str) -> str:
    try:
        return websocket_url(server)
    except ValueError as wrong:
        _stop(str(wrong), 2)


def _name(name: str | None) -> str:
    from .client.identity import default_name

    return name or os.environ.get("TABLERO_NAME") or default_name()


def _stop(sentence: str, exit_code: int) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(exit_code)


def main() -> None:
    app()
