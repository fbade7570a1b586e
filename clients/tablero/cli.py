"""The command `tablero`. A subcommand imports what it needs when it runs, so that it starts in a moment."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal, NoReturn, TypeAlias

import typer

from . import cli_bots
from .cli_options import Insecure, Name, Server, address, player_name, stop
from .client.addresses import DEFAULT, join_code, looks_like_address

app = typer.Typer(
    name="tablero",
    help="Board games with people and bots: host, play, and write your own player.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

RecordFile = Annotated[
    Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True, help="A record.")
]
Style: TypeAlias = Literal["ascii", "unicode", "emoji"]
Drawn = Annotated[
    Style | None, typer.Option("--style", help="How to draw boards; else what the terminal can show.")
]


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
        stop(_no_hosting(missing), 2)
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
        server=address(server),
        name=player_name(name),
        join=table,
        as_json=as_json,
        boards=boards,
        style=style,
        insecure=insecure,
    )
    raise typer.Exit(run_play(options))


app.command()(cli_bots.bots)
app.command()(cli_bots.bot)
app.command(name="bot-check")(cli_bots.bot_check)
app.command()(cli_bots.engine)
app.command(name="bot-host")(cli_bots.bot_host)
app.command()(cli_bots.arena)


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
        text = fetch(address(server), room, player_name(name))
    except NoRecord as none:
        stop(str(none), 1)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_bytes(text)
    except OSError as error:
        stop(f"Cannot write {out}: {error.strerror}.", 2)


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
        stop(_no_hosting(missing), 2)
    try:
        exit_code, text = run(command, as_json, **arguments)
    except NoServer as none:
        stop(str(none), 2)
    typer.echo(text, err=exit_code != 0)
    raise typer.Exit(exit_code)


def _no_hosting(missing: ModuleNotFoundError) -> str:
    return f"Hosting needs more packages ({missing.name}): pip install 'tablero[server]'"


def main() -> None:
    app()
