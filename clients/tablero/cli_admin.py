"""The commands of a host. `tablero admin …` talks to the running server; the others need no server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from .cli_options import no_hosting, stop

app = typer.Typer(help="Send a command to your running server.", no_args_is_help=True)

Player = Annotated[str, typer.Argument(metavar="PLAYER", help="A name or an id.")]
Time = Annotated[str, typer.Option("--for", metavar="TIME", help="A time such as 30m, 2h or 7d (forever).")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason shown to them.")]
Address = Annotated[bool, typer.Option("--address", help="Also keep out newcomers from the same address.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as a line of JSON.")]


@app.command(name="list")
def show(
    addresses: Annotated[bool, typer.Option("--addresses", help="Also show addresses.")] = False,
    as_json: AsJson = False,
) -> None:
    """List all players and tables, and who is banned or muted."""
    _say("list", as_json, addresses="yes" if addresses else "")


@app.command()
def announce(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The message.")], as_json: AsJson = False
) -> None:
    """Send a message to all connected players."""
    _say("announce", as_json, text=text)


@app.command()
def kick(player: Player, why: Why = "", address: Address = False, as_json: AsJson = False) -> None:
    """Disconnect a player, who may come back after a minute."""
    _say("kick", as_json, player=player, why=why, address="yes" if address else "")


@app.command()
def ban(
    player: Annotated[str, typer.Argument(metavar="PLAYER|ADDRESS", help="A name, an id, or an address.")],
    time: Time = "",
    why: Why = "",
    address: Address = False,
    as_json: AsJson = False,
) -> None:
    """Disconnect and ban a player. Newcomers from the same address are kept out, too."""
    _say("ban", as_json, player=player, time=time, why=why, address="yes" if address else "")


@app.command()
def unban(
    player: Annotated[str, typer.Argument(metavar="PLAYER|ADDRESS", help="As in ban; list shows all.")],
    as_json: AsJson = False,
) -> None:
    """Lift a ban."""
    _say("unban", as_json, player=player)


@app.command()
def mute(
    player: Player, time: Time = "", why: Why = "", address: Address = False, as_json: AsJson = False
) -> None:
    """Mute a player, who can still play."""
    _say("mute", as_json, player=player, time=time, why=why, address="yes" if address else "")


@app.command()
def unmute(player: Player, as_json: AsJson = False) -> None:
    """Let a player speak again."""
    _say("unmute", as_json, player=player)


@app.command()
def close(
    room: Annotated[str, typer.Argument(metavar="ROOM", help="Its id, as list shows it, or its code.")],
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Close a table; its game doesn't count."""
    _say("close", as_json, room=room, why=why)


@app.command()
def drain(
    stop: Annotated[bool, typer.Option("--then-stop", help="Stop the server after the last game.")] = False,
    as_json: AsJson = False,
) -> None:
    """Let no new games begin. Running games go on."""
    _say("drain", as_json, stop="yes" if stop else "")


@app.command()
def undrain(as_json: AsJson = False) -> None:
    """Let new games begin again."""
    _say("undrain", as_json)


@app.command()
def end_tokens(player: Player, as_json: AsJson = False) -> None:
    """Sign a player out everywhere, for good, after a device was lost or stolen."""
    _say("end-tokens", as_json, player=player)


@app.command()
def games(
    day: Annotated[str, typer.Argument(metavar="DAY", help="A day such as 2026-11-19, in UTC.")],
    as_json: AsJson = False,
) -> None:
    """Print the games of a day, including private ones, as one line of JSON each."""
    _say("games", as_json, day=day)


@app.command()
def strike(
    player: Player,
    yes: Annotated[bool, typer.Option("--yes", help="Skip the question.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove a player's rated games and best times from all ratings. Shows the changes first, and asks."""
    if not yes:
        exit_code, text = _answer("strike", as_json, player=player)
        if as_json or exit_code:
            _end(exit_code, text)
        typer.echo(text)
        typer.confirm("Strike them? They stay visible, and count no more.", abort=True)
    _say("strike", as_json, player=player, yes="yes")


@app.command()
def load(as_json: AsJson = False) -> None:
    """Show the load of the server."""
    _say("load", as_json)


@app.command(name="doctor")
def check(as_json: AsJson = False) -> None:
    """Check the running server: its settings, port, disk, clock, database and network."""
    _say("doctor", as_json)


@app.command()
def settings(as_json: AsJson = False) -> None:
    """Show the settings of the running server, and where each comes from."""
    _say("settings", as_json)


@app.command()
def audit(as_json: AsJson = False) -> None:
    """Show the last commands of hosts to this server."""
    _say("audit", as_json)


@app.command()
def token(
    new: Annotated[bool, typer.Option("--new", help="Replace the old token.")] = False,
) -> None:
    """Make the token of the host's pages, and print the file that holds it."""
    try:
        from tablero_server.host.admin import NoServer, make_token
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    try:
        typer.echo(make_token(new=new))
    except NoServer as none:
        stop(str(none), 2)


def _say(command: str, as_json: bool, **arguments: str) -> NoReturn:
    _end(*_answer(command, as_json, **arguments))


def _answer(command: str, as_json: bool, **arguments: str) -> tuple[int, str]:
    """The exit code, and the text to print."""
    try:
        from tablero_server.host.admin import NoServer, run
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    try:
        said = {name: text for name, text in arguments.items() if text}
        return run(command, as_json, **said)
    except NoServer as none:
        stop(str(none), 2)


def _end(exit_code: int, text: str) -> NoReturn:
    typer.echo(text, err=exit_code != 0)
    raise typer.Exit(exit_code)


# Commands without a running server


Database = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="As for `tablero serve` (TABLERO_DATABASE)."),
]
OneObject = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Host = Annotated[str | None, typer.Option("--host", help="As for `tablero serve`.")]
Port = Annotated[int | None, typer.Option("--port", min=0, max=65535, help="As for `tablero serve`.")]


def config(
    changed: Annotated[
        bool, typer.Option("--changed", help="Only settings that differ from their defaults.")
    ] = False,
    as_json: OneObject = False,
) -> None:
    """Show each setting of the server, its value, and where that comes from."""
    try:
        from tablero_server.operations.configuration import WrongSettings, show
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    try:
        typer.echo(show(as_json=as_json, changed=changed))
    except WrongSettings as wrong:
        stop(str(wrong), 2)


def doctor(
    host: Host = None,
    port: Port = None,
    database: Database = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """Check whether a server can run here: one line for each check, with the fix."""
    try:
        from tablero_server.host.admin import running_port
        from tablero_server.operations.doctor import run
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    port = running_port(database) if port is None else port
    _show(*run(as_json=as_json, host=host, port=port, database=database))


File = Annotated[Path, typer.Argument(metavar="FILE", help="The copy.")]
Replace = Annotated[bool, typer.Option("--replace", help="Replace what is there already.")]


def backup(
    file: File, database: Database = None, replace: Replace = False, as_json: OneObject = False
) -> None:
    """Copy the database into FILE, even while the server runs, and compare the two."""
    try:
        from tablero_server.operations.copies import backup as back_up
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    _show(*back_up(file, database, replace=replace, as_json=as_json))


def restore(
    file: File, database: Database = None, replace: Replace = False, as_json: OneObject = False
) -> None:
    """Put the copy FILE in place of the database, while the server is stopped."""
    try:
        from tablero_server.operations.copies import restore as put_back
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    _show(*put_back(file, database, replace=replace, as_json=as_json))


def _show(exit_code: int, text: str) -> NoReturn:
    typer.echo(text)
    raise typer.Exit(exit_code)
