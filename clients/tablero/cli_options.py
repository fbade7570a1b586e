"""What several commands of `tablero` take and say alike."""

from __future__ import annotations

import os
from typing import Annotated, NoReturn

import typer

from .client.addresses import websocket_url

Server = Annotated[
    str, typer.Option("--server", metavar="URL", envvar="TABLERO_SERVER", help="Where to play.")
]
Name = Annotated[str | None, typer.Option("--name", help="What to be called.")]
Insecure = Annotated[bool, typer.Option("--insecure", help="Allow ws:// over a public network.")]


def address(server: str) -> str:
    try:
        return websocket_url(server)
    except ValueError as wrong:
        stop(str(wrong), 2)


def player_name(name: str | None) -> str:
    from .client.identity import default_name

    return name or os.environ.get("TABLERO_NAME") or default_name()


def stop(sentence: str, exit_code: int) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(exit_code)
