"""The commands `tablero identity …`: list this device's players, and move them to another device."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tablero_protocol.text import clean

from .catalogue.speech import translate
from .cli_options import Language, stop

app = typer.Typer(help="This device's players at servers.", no_args_is_help=True)

File = Annotated[str, typer.Argument(metavar="FILE|-", help="A file, or - for standard input or output.")]


@app.command(name="list")
def show(lang: Language = None) -> None:
    """List this device's players at all servers."""
    from .client.addresses import typed
    from .client.identity import saved_identities

    for each in saved_identities():
        typer.echo(f"{clean(each.called)}  {each.kind}  {clean(typed(each.server))}")


@app.command()
def export(file: File, lang: Language = None) -> None:
    """Write all identities to a file. Anyone with the file can play as these players."""
    from .client.identity import identities_as_text, write_identities

    if file == "-":
        typer.echo(identities_as_text(), nl=False)
        return
    try:
        write_identities(Path(file))
    except FileExistsError:
        stop(translate("{file} already exists. Choose another name.", file=file), 2)
    except OSError as error:
        stop(translate("Can't write {file}: {why}.", file=file, why=error.strerror), 2)
    typer.echo(
        translate("Anyone with {file} can play as these players. Keep it private.", file=file), err=True
    )


@app.command(name="import")
def import_(
    file: File,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace this device's players of the same name.")
    ] = False,
    lang: Language = None,
) -> None:
    """Import another device's identities from its file."""
    from .client.identity import NotImported, import_identity, read_identities

    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
        players = read_identities(text)
    except OSError as error:
        stop(translate("Can't read {file}: {why}.", file=file, why=error.strerror), 2)
    except ValueError as wrong:
        stop(str(wrong), 2)
    complaints = []
    for player in players:
        about = {"name": clean(player.called), "server": clean(player.server)}
        try:
            if import_identity(player, replace=replace):
                typer.echo(translate("You are now {name} at {server} on this device, too.", **about))
            else:
                typer.echo(translate("You are already {name} at {server} on this device.", **about))
        except NotImported as why:
            complaints.append(clean(str(why)))
    if complaints:
        stop("\n".join(complaints), 1)
