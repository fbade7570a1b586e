"""The command `tablero`. Each subcommand imports only what it needs, so that the command starts quickly."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from . import cli_admin, cli_bots, cli_identity
from .catalogue.speech import speak, translate
from .cli_options import Insecure, Language, Name, Server, address, chosen_name, no_hosting, player_name, stop
from .client.addresses import DEFAULT, hand_over_code, join_code, looks_like_address

app = typer.Typer(
    name="tablero",
    help="Board games with people and bots: host, play, and write your own player.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_LISTEN_SECONDS = 1.5
RecordFile = Annotated[
    Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True, help="A record.")
]
Theme: TypeAlias = Literal["dark", "light", "contrast", "colour-blind", "mono"]
Glyphs: TypeAlias = Literal["ascii", "safe", "rich", "emoji"]
Style: TypeAlias = Literal["ascii", "unicode", "emoji"]
Drawn = Annotated[
    Style | None, typer.Option("--style", help="Style of the boards (the best of the terminal).")
]


def _say_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tablero {version('tablero')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def serve(
    host: Annotated[
        str | None, typer.Option(help="The address to listen on (127.0.0.1); 0.0.0.0 lets others in.")
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
    tls: Annotated[
        str | None, typer.Option(metavar="auto", help="Speak TLS with a self-signed certificate.")
    ] = None,
    tls_cert: Annotated[
        str | None, typer.Option(metavar="FILE", help="Speak TLS with this certificate, in PEM.")
    ] = None,
    tls_key: Annotated[str | None, typer.Option(metavar="FILE", help="The key of the certificate.")] = None,
    insecure: Annotated[
        bool | None, typer.Option("--insecure", help="Start without TLS even on a public address.")
    ] = None,
    lan: Annotated[
        bool | None, typer.Option("--lan", help="Let others in your network find and enter this server.")
    ] = None,
) -> None:
    """Host games. Options that are not given are read from the environment: TABLERO_HOST and so on."""
    try:
        from tablero_server.app import serve as run_server
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    options = {"tls": tls, "tls_cert": tls_cert, "tls_key": tls_key, "insecure": insecure, "lan": lan}
    raise typer.Exit(run_server(host=host, port=port, database=database, bots=bots, **options))


app.add_typer(cli_admin.app, name="admin")
app.add_typer(cli_identity.app, name="identity")
app.command()(cli_admin.config)
app.command()(cli_admin.doctor)
app.command()(cli_admin.backup)
app.command()(cli_admin.restore)


@app.command()
def play(
    where: Annotated[str | None, typer.Argument(metavar="[URL|CODE]", help="A server, or a table.")] = None,
    server: Server = DEFAULT,
    name: Name = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="One line for each event, for screen readers and pipes.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each message as a line of JSON.")] = False,
    boards: Annotated[
        bool | None, typer.Option("--board/--no-board", help="Draw the board after each turn.")
    ] = None,
    style: Drawn = None,
    theme: Annotated[
        Theme | None,
        typer.Option("--theme", help="Colours of the full screen (those of the terminal)."),
    ] = None,
    glyphs: Annotated[
        Glyphs | None, typer.Option("--glyphs", help="Letters and signs of boards on the full screen.")
    ] = None,
    hand_over: Annotated[
        str | None, typer.Option("--hand-over", metavar="CODE", help="Continue from another device.")
    ] = None,
    passphrase: Annotated[
        str | None,
        typer.Option(
            "--passphrase", envvar="TABLERO_PASSPHRASE", help="Passphrase of the server for newcomers."
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="With --hand-over: replace this device's player.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="In the line mode, show the codes of refusals.")
    ] = False,
    lang: Language = None,
    insecure: Insecure = False,
) -> None:
    """Play in this terminal, on the full screen if possible. Press ? there for help."""
    if as_json:
        speak("en")
    table = None
    if where is not None and looks_like_address(where):
        server, table, hand_over = where, join_code(where), hand_over or hand_over_code(where)
    elif where is not None:
        table = where
    if not (plain or as_json) and boards is None and style is None and _is_full_screen():
        from .full_screen.app import Visit
        from .full_screen.launch import show

        visit = Visit(
            server=address(server),
            name=player_name(name),
            join=table,
            insecure=insecure,
            rename=chosen_name(name) is not None,
            passphrase=passphrase or None,
            hand_over=hand_over,
            replace=replace,
        )
        raise typer.Exit(show(visit, os.environ, theme=theme, glyphs=glyphs))
    from .terminal.play import PlayOptions
    from .terminal.play import play as run_play

    options = PlayOptions(
        server=address(server_to_play(server)),
        name=player_name(name),
        join=table,
        as_json=as_json,
        verbose=verbose,
        boards=boards,
        style=style,
        insecure=insecure,
        rename=chosen_name(name) is not None,
        hand_over=hand_over,
        passphrase=passphrase or None,
        replace=replace,
    )
    raise typer.Exit(run_play(options))


def _is_full_screen() -> bool:
    """Whether the full screen can be shown here. If only a package is missing, say so once."""
    from .full_screen.launch import is_capable, is_installed, without_textual

    capable = is_capable(os.environ, is_terminal=sys.stdin.isatty() and sys.stdout.isatty())
    if capable and not is_installed():
        typer.echo(without_textual(), err=True)
    return capable and is_installed()


def server_to_play(server: str) -> str:
    """The server to play at: `server` if it is named, or if it answers here; else one chosen in the
    network.
    """
    if server != DEFAULT:
        return server
    from .playing import nearby

    if nearby.answers(server):
        return server
    found = nearby.addresses_of(nearby.find(_LISTEN_SECONDS))
    if not found:
        return server
    for line in nearby.lines(found):
        typer.echo(line, err=True)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        stop(translate("Choose a server, for example: tablero play {address}", address=found[0][1]), 1)
    chosen = nearby.choose(found, input)
    if chosen is None:
        raise typer.Exit(1)
    return chosen


@app.command()
def find(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=60, help="How long to listen for answers.")
    ] = _LISTEN_SECONDS,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each server.")] = False,
    lang: Language = None,
) -> None:
    """List the servers in your network that `tablero serve --lan` started."""
    if as_json:
        speak("en")
    from .playing import nearby

    found = nearby.addresses_of(nearby.find(seconds))
    if not found:
        stop("\n".join(nearby.nobody()), 1)
    if as_json:
        for name, address in found:
            typer.echo(json.dumps({"name": name, "address": address}))
        return
    for line in nearby.lines(found):
        typer.echo(line)
    typer.echo(translate("Play with: tablero play {address}", address=found[0][1]))


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
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The file to write.")] = None,
    lang: Language = None,
) -> None:
    """Fetch the record of a game, running or finished, as you may see it."""
    from .playing.records import NoRecord, fetch

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
        stop(translate("Can't write {file}: {why}.", file=out, why=error.strerror), 2)


@app.command()
def verify(
    file: RecordFile,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    lang: Language = None,
) -> None:
    """Play a record again and say whether it is valid. If not, say which line is wrong, and why."""
    if as_json:
        speak("en")
    from .playing.records import verify_file

    raise typer.Exit(verify_file(file, as_json))


@app.command()
def replay(
    file: RecordFile,
    step: Annotated[
        bool, typer.Option("--step", help="Stop at each position: next, back, or a number.")
    ] = False,
    auto: Annotated[
        float | None,
        typer.Option("--auto", min=0.05, max=60, metavar="SECONDS", help="Show the next move every SECONDS."),
    ] = None,
    style: Drawn = None,
    lang: Language = None,
) -> None:
    """Show a record, turn by turn."""
    from .terminal.lines import style_for
    from .terminal.replaying import own_stage, replay_file

    drawn = style or style_for(sys.stdout)
    raise typer.Exit(replay_file(file, drawn, own_stage(), step=step, pace=auto))


def main() -> None:
    try:
        app()
    except ImportError as error:
        from tablero_games import BrokenGame

        if not isinstance(error, BrokenGame):
            raise
        typer.echo(str(error), err=True)
        sys.exit(2)
