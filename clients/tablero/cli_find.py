"""The command `tablero find`, and the server that `tablero play` takes where none is named."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from .catalogue.speech import speak, translate
from .cli_options import Language, stop
from .client.addresses import DEFAULT

_SECONDS = 1.5


def find(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=60, help="How long to listen for answers.")
    ] = _SECONDS,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each.")] = False,
    lang: Language = None,
) -> None:
    """List the servers in your network that `tablero serve --lan` started."""
    if as_json:
        speak("en")
    from .terminal import nearby

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


def server_to_play(server: str) -> str:
    """`server` if it is named, or answers on this machine; else one of the network's, by choice."""
    if server != DEFAULT:
        return server
    from .terminal import nearby

    if nearby.answers(server):
        return server
    found = nearby.addresses_of(nearby.find(_SECONDS))
    if not found:
        return server
    for line in nearby.lines(found):
        typer.echo(line, err=True)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        stop(translate("Say which: tablero play {address}", address=found[0][1]), 1)
    chosen = nearby.choose(found, input)
    if chosen is None:
        raise typer.Exit(1)
    return chosen
