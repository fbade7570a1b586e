"""`tablero play`: a connection, a keyboard and a screen put together."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any

from tablero.client.client import Client
from tablero.client.connection import connect, run_main
from tablero.client.identity import Identity
from tablero.errors import Disconnected, InsecureServer, Refused
from tablero_games.position import Style
from tablero_protocol.text import clean

from .current_table import CurrentTable
from .editor import END, LineEditor
from .line_mode import LineMode
from .lines import Screen, editor_for_terminal, key_by_key, read_keys, read_lines, style_for
from .narrator import Display, Narrator
from .prompt import Prompt


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """What the command line asked for."""

    server: str
    name: str
    join: str | None = None
    as_json: bool = False
    boards: bool | None = None
    """None: on a terminal, but not in a pipe."""
    style: Style | None = None
    """None: what the terminal can show."""
    insecure: bool = False


def play(options: PlayOptions) -> int:
    """Runs the line mode as a whole program; gives the exit code."""
    try:
        return run_main(_play(options))
    except InsecureServer as insecure:
        print(f"{insecure} (--insecure)", file=sys.stderr)
        return 2
    except Disconnected as nobody:
        print(clean(str(nobody)), file=sys.stderr)
        return 1
    except Refused as refused:
        print(f"No: {clean(refused.sentence)} [{clean(refused.code)}]", file=sys.stderr)
        return 1


async def _play(options: PlayOptions) -> int:
    with Identity(options.server, options.name) as identity, ExitStack() as stack:
        connection = connect(
            options.server, name=options.name, token=identity.token, insecure=options.insecure
        )
        if options.as_json:
            out = Screen(sys.stdout, prompt=False, broken=connection.client.finish)
            connection.client.received.subscribe(partial(_print_json, out))
        async with connection as client:
            identity.keep(client.session.token)
            client.connected.subscribe(lambda _: identity.keep(client.session.token))
            mode = _seat_down(client, options, stack)
            try:
                await client.wait_ended()
            except asyncio.CancelledError:
                mode.interrupted()
                raise
            return 1 if client.ended or mode.turned_away else 0


def _seat_down(client: Client, options: PlayOptions, stack: ExitStack) -> LineMode:
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not options.as_json
    editor = editor_for_terminal() if at_terminal else None
    out = Screen(sys.stdout, prompt=at_terminal, broken=client.finish, editor=editor)
    err = Screen(sys.stderr, prompt=False, broken=client.finish)
    display = Display(
        boards=sys.stdout.isatty() if options.boards is None else options.boards,
        style=options.style or style_for(sys.stdout),
        moves_wait=not sys.stdin.isatty(),
        quiet=options.as_json,
    )
    table = CurrentTable(client)
    narrator = Narrator(client, table, out.print, err.print if options.as_json else out.print, display)
    mode = LineMode(client, table, narrator)
    Prompt(client, table, out.show_state)
    mode.begin(options.join)
    if editor is None:
        _read_lines(client, out, mode)
    else:
        _read_keys(client, out, mode, editor, stack)
    return mode


def _read_lines(client: Client, out: Screen, mode: LineMode) -> None:
    """Takes lines that are whole, from a pipe or from a terminal that lets one edit by itself."""

    def line(text: str) -> None:
        out.entered()
        mode.line(text)
        out.prompt()

    _in_a_thread(
        read_lines, lambda text: client.post(partial(line, text)), lambda: client.post(mode.input_over)
    )


def _read_keys(client: Client, out: Screen, mode: LineMode, editor: LineEditor, stack: ExitStack) -> None:
    """Takes every key, so that what is typed stays whole whatever is printed meanwhile."""

    def typed(keys: str) -> None:
        for line in editor.feed(keys):
            if line is END:
                mode.input_over()
                return
            out.entered(line)
            mode.line(line)
        out.prompt()

    def begin() -> None:
        stack.enter_context(key_by_key(sys.stdin.fileno()))
        out.prompt()

    stack.callback(out.end)
    begin()
    asyncio.get_running_loop().add_signal_handler(signal.SIGCONT, begin)  # after Ctrl-Z and fg
    _in_a_thread(
        read_keys, lambda keys: client.post(partial(typed, keys)), lambda: client.post(mode.input_over)
    )


def _in_a_thread(
    read: Callable[[int, Callable[[str], None], Callable[[], None]], None],
    take: Callable[[str], None],
    over: Callable[[], None],
) -> None:
    Thread(target=read, args=(sys.stdin.fileno(), take, over), daemon=True).start()


def _print_json(out: Screen, message: dict[str, Any]) -> None:
    """The message as received, but for the token: what is printed is often kept or shown."""
    shown = {key: value for key, value in message.items() if key != "token"}
    out.print(json.dumps(shown, ensure_ascii=True))
