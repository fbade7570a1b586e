"""The program `tablero play`: connects a client, a keyboard and a screen."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from getpass import getpass
from platform import node
from threading import Thread
from typing import Any

from tablero.catalogue.refusals import in_words
from tablero.catalogue.speech import translate, translate_plural
from tablero.client.addresses import is_this_machine, typed
from tablero.client.client import Client
from tablero.client.connection import connect, run_main
from tablero.client.identity import Identity
from tablero.errors import Disconnected, InsecureServer, Refused
from tablero_games.position import Style
from tablero_protocol.codes import Code
from tablero_protocol.text import clean

from ..playing.board_lines import UNLIMITED
from ..playing.current_table import CurrentTable
from ..playing.local_server import INSTALL, LocalServer, NotStarted, missing_for_a_server, others_at
from ..playing.narrator import Display, Narrator
from ..playing.options import BadOptionsFile, Preferences, ScreenOptions, load, place
from ..playing.sentences import refused_line
from ..playing.who import listed, named
from .bell import Bell
from .colours import may_colour
from .editor import END, LineEditor
from .line_mode import LineMode
from .lines import Screen, editor_for_terminal, key_by_key, read_keys, read_lines, style_for


class Prompt:
    """Call `show` with a presence notice when it changes; empty when all players are connected."""

    def __init__(self, client: Client, table: CurrentTable, show: Callable[[str], None]) -> None:
        self._client = client
        self._table = table
        self._show = show
        self._shown = ""
        table.news.subscribe(self._look)

    def _look(self, _: object) -> None:
        words = self._words()
        if words != self._shown:
            self._shown = words
            self._show(words)

    def _words(self) -> str:
        if not self._client.is_open:
            return translate("no connection")
        members = self._table.room.away if self._table.room is not None else []
        names = [named(member.player) for member in members if member.player != self._client.player]
        if not names:
            return ""
        return translate_plural("{who} is away", "{who} are away", len(names), who=listed(names))


_LONGEST_DEVICE = 40


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """The options of the command line."""

    server: str
    name: str
    join: str | None = None
    as_json: bool = False
    boards: bool | None = None
    """Whether to show boards; None means on a terminal, but not in a pipe."""
    style: Style | None = None
    """The style of boards; None for the best one of the terminal."""
    verbose: bool = False
    """Whether to say the codes of refusals."""
    insecure: bool = False
    rename: bool = False
    """Whether the player chose the name. If not, it is only for a newcomer."""
    hand_over: str | None = None
    """A code from another device, which makes this device that device's player."""
    passphrase: str | None = None
    """The server's passphrase for newcomers. None to ask when needed."""
    replace: bool = False
    """Whether `hand_over` needs no confirmation."""


class AlreadySomebody(Exception):
    """This device has a player there, who must not be replaced without asking."""


def play(options: PlayOptions) -> int:
    """Run the line mode as a whole program, and return the exit code."""
    try:
        return run_main(_play(options))
    except InsecureServer as insecure:
        print(f"{insecure} (--insecure)", file=sys.stderr)
        return 2
    except AlreadySomebody as somebody:
        print(somebody, file=sys.stderr)
        return 2
    except Disconnected as nobody:
        print(clean(str(nobody)), file=sys.stderr)
        return 1
    except Refused as refused:
        if refused.code == Code.PASSPHRASE_NEEDED and options.passphrase is None and _is_somebody_there():
            passphrase = getpass(f"{translate('Passphrase:')} ")
            return play(replace(options, passphrase=passphrase)) if passphrase else 1
        why = in_words(refused.reason, refused.fields, refused.sentence)
        print(refused_line(why, refused.code, verbose=options.verbose), file=sys.stderr)
        return 1


async def _play(options: PlayOptions) -> int:
    try:
        return await _visit(options)
    except Disconnected:
        if not (is_this_machine(options.server) and _is_somebody_there()) or options.as_json:
            raise
    if not _wants_a_server() or (server := await _begin_server(options)) is None:
        return 1
    try:
        return await _visit(options, hosts=True)
    finally:
        await server.stop()


def _wants_a_server() -> bool:
    """Whether a server can be started here, and the person agrees."""
    print(translate("No server is running on this computer."))
    if missing_for_a_server() is not None:
        print(translate("To start a server here: {command}", command=INSTALL))
        return False
    asked = f"{translate('Start a server here, with bots, and play')}? {translate('Type yes to continue:')} "
    return input(asked).strip().lower() in ("yes", "y")


async def _begin_server(options: PlayOptions) -> LocalServer | None:
    print(translate("Starting a server here…"))
    server = LocalServer()
    try:
        await server.start(options.server)
    except NotStarted as failed:
        print(clean(str(failed)), file=sys.stderr)
        return None
    return server


async def _visit(options: PlayOptions, *, hosts: bool = False) -> int:
    with Identity(options.server, options.name) as identity, ExitStack() as stack:
        if options.hand_over is not None and identity.token is not None and not options.replace:
            _ask_to_be_somebody_else(options, identity.called)
        connection = connect(
            options.server,
            name=options.name,
            rename=options.rename,
            token=identity.token,
            hand_over=options.hand_over,
            passphrase=options.passphrase,
            device=node()[:_LONGEST_DEVICE],
            insecure=options.insecure,
        )
        if options.as_json:
            out = Screen(sys.stdout, prompt=False, broken=connection.client.finish)
            connection.client.received.subscribe(partial(_print_json, out))
        async with connection as client:
            identity.keep(client.session.token, client.player.name)
            client.connected.subscribe(
                lambda welcome: identity.keep(client.session.token, welcome.player.name)
            )
            mode = _seat_down(client, options, stack)
            if hosts:
                mode.hosts_others = partial(others_at, client)
            try:
                await client.wait_ended()
            except asyncio.CancelledError:
                mode.interrupted()
                raise
            return 1 if client.ended or mode.turned_away else 0


def _own_options() -> ScreenOptions:
    try:
        return load(place())
    except BadOptionsFile as bad:
        print(bad, file=sys.stderr)
        return ScreenOptions()


def _is_somebody_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _ask_to_be_somebody_else(options: PlayOptions, called: str) -> None:
    """Ask before replacing this device's player. Raises AlreadySomebody without a yes."""
    told = translate(
        "This device is already {name} at {server}. That player would be lost.",
        name=clean(called),
        server=typed(options.server),
    )
    if not _is_somebody_there():
        raise AlreadySomebody(f"{told} {translate('To replace that player, use --replace.')}")
    print(told)
    if input(f"{translate('Type yes to continue:')} ").strip().lower() != "yes":
        raise AlreadySomebody(translate("Nothing changed. The code still works until its minute is over."))


def _drop(line: str) -> None:
    """Ignore an event: with --json the program prints messages instead."""


def _seat_down(client: Client, options: PlayOptions, stack: ExitStack) -> LineMode:
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not options.as_json
    editor = editor_for_terminal() if at_terminal else None
    out = Screen(
        sys.stdout,
        prompt=at_terminal,
        broken=client.finish,
        editor=editor,
        colours=may_colour(os.environ),
        later=client.post,
    )
    err = Screen(sys.stderr, prompt=False, broken=client.finish)
    display = Display(
        boards=(sys.stdout.isatty() if options.boards is None else options.boards) and not options.as_json,
        style=options.style or style_for(sys.stdout),
        moves_wait=not sys.stdin.isatty(),
        size=(lambda: out.size) if at_terminal else lambda: UNLIMITED,
        verbose=options.verbose,
        asks=at_terminal,
    )
    table = CurrentTable(client)
    say, note = (_drop, err.print) if options.as_json else (out.print, out.print)
    show_board = out.show_board if editor is not None else None
    narrator = Narrator(client, table, say, note, display, show_board, out.keep_board)
    preferences = Preferences(place(), _own_options())
    bell = Bell(client, table, preferences, note, out.ring if at_terminal else None)
    mode = LineMode(client, table, narrator, bell)
    Prompt(client, table, out.show_state)
    mode.begin(options.join)
    if editor is None:
        _read_lines(client, out, mode)
    else:
        _read_keys(client, out, mode, editor, stack)
    return mode


def _read_lines(client: Client, out: Screen, mode: LineMode) -> None:
    """Read whole lines from a pipe, or from a terminal with its own editing."""

    def line(text: str) -> None:
        out.entered()
        mode.line(text)
        out.prompt()

    _in_a_thread(
        read_lines, lambda text: client.post(partial(line, text)), lambda: client.post(mode.input_over)
    )


def _read_keys(client: Client, out: Screen, mode: LineMode, editor: LineEditor, stack: ExitStack) -> None:
    """Read every key, so that the typed text stays whole when other lines are printed."""

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
        out.resized()

    stack.callback(out.end)
    begin()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGCONT, begin)  # after Ctrl-Z and fg
    loop.add_signal_handler(signal.SIGWINCH, out.resized)
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
    """Print the message without the token, because output is often stored or shown."""
    shown = {key: value for key, value in message.items() if key != "token"}
    out.print(json.dumps(shown, ensure_ascii=True))
