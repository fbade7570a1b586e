"""What a host says without a running server: how it is set up, whether it is well, copies of its database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from .cli_options import no_hosting, stop

Database = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="As of `tablero serve`; else TABLERO_DATABASE."),
]
Host = Annotated[str | None, typer.Option("--host", help="As of `tablero serve`.")]
Port = Annotated[int | None, typer.Option("--port", min=0, max=65535, help="As of `tablero serve`.")]


def config(
    changed: Annotated[bool, typer.Option("--changed", help="Only what is not the default.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
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
    """Say whether a server can run here: a line for each thing, and what to do."""
    try:
        from tablero_server.operations.doctor import run
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    _end(*run(as_json=as_json, host=host, port=port, database=database))


File = Annotated[Path, typer.Argument(metavar="FILE", help="The copy.")]
Replace = Annotated[bool, typer.Option("--replace", help="Also if something is there already.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def backup(file: File, database: Database = None, replace: Replace = False, as_json: AsJson = False) -> None:
    """Copy the database into FILE, also while the server runs, and compare the two."""
    try:
        from tablero_server.operations.copies import backup as back_up
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    _end(*back_up(file, database, replace=replace, as_json=as_json))


def restore(file: File, database: Database = None, replace: Replace = False, as_json: AsJson = False) -> None:
    """Put the copy FILE in place of the database, while the server is stopped."""
    try:
        from tablero_server.operations.copies import restore as put_back
    except ModuleNotFoundError as missing:
        stop(no_hosting(missing), 2)
    _end(*put_back(file, database, replace=replace, as_json=as_json))


def _end(exit_code: int, text: str) -> NoReturn:
    typer.echo(text, err=False)
    raise typer.Exit(exit_code)
