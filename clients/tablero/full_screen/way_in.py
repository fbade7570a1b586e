"""The way to a server: connecting, choices without a server, and changing servers.

Law: `Identity` stores the player at a server, as in the line mode.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from platform import node
from typing import TYPE_CHECKING

from tablero_protocol.codes import Code
from tablero_protocol.text import clean

from ..catalogue.refusals import in_words
from ..catalogue.speech import translate
from ..client.addresses import hand_over_code, is_this_machine, join_code, typed, websocket_url
from ..client.connection import connect
from ..client.identity import Identity
from ..errors import Disconnected, InsecureServer, Refused
from ..playing import nearby
from ..playing.local_server import INSTALL, LocalServer, NotStarted, missing_for_a_server, others_at
from ..playing.who import listed
from .dialogs import AskLine, Choice, Choose, Confirm

if TYPE_CHECKING:
    from .app import TableroApp

_LONGEST_DEVICE = 40
_LISTENS_SECONDS = 1.5


class WayIn:
    def __init__(self, app: TableroApp) -> None:
        self._app = app

    async def hold(self) -> bool:
        """Hold one connection from beginning to end. Return whether to continue."""
        app = self._app
        visit = app.visit
        logging.getLogger("tablero").addHandler(logging.NullHandler())  # log lines would disturb the screen
        app.say_hello(translate("Connecting to {server}…", server=typed(visit.server)))
        try:
            await self._visit()
        except InsecureServer as insecure:
            return await self._what_now(f"{insecure} (--insecure)", may_begin=False)
        except Disconnected as nobody:
            if is_this_machine(visit.server):
                return await self._what_now(
                    translate("No server is running on this computer."), may_begin=True
                )
            return await self._what_now(clean(str(nobody)), may_begin=False)
        except Refused as refused:
            if refused.code == Code.PASSPHRASE_NEEDED:
                return await self._ask_passphrase()
            why = in_words(refused.reason, refused.fields, refused.sentence)
            app.visit = replace(app.visit, hand_over=None)  # a code works once
            return await self._what_now(clean(why), may_begin=False)
        return True

    async def _visit(self) -> None:
        app, visit = self._app, self._app.visit
        with Identity(visit.server, visit.name) as identity:
            if visit.hand_over is not None and identity.token is not None and not visit.replace:
                told = translate(
                    "This device is already {name} at {server}. That player would be lost.",
                    name=clean(identity.called),
                    server=typed(visit.server),
                )
                if not await app.push_screen_wait(Confirm(told, translate("Continue"), translate("Cancel"))):
                    visit = replace(visit, hand_over=None)
            connection = connect(
                visit.server,
                name=visit.name,
                rename=visit.rename,
                token=identity.token,
                hand_over=visit.hand_over,
                passphrase=visit.passphrase,
                device=node()[:_LONGEST_DEVICE],
                insecure=visit.insecure,
            )
            async with connection as client:
                app.visit = replace(visit, hand_over=None)
                identity.keep(client.session.token, client.player.name)
                client.connected.subscribe(
                    lambda welcome: identity.keep(client.session.token, welcome.player.name)
                )
                app.welcome(client)
                await client.wait_ended()
                ended = client.ended
        app.queue = None
        if ended is not None:
            raise Disconnected(clean(in_words(ended.reason, ended.fields, ended.sentence)))

    async def _ask_passphrase(self) -> bool:
        app = self._app
        given = await app.push_screen_wait(AskLine(translate("Passphrase:")))
        if given is None:
            return await self._what_now(translate("This server requires a passphrase."), may_begin=False)
        app.visit = replace(app.visit, passphrase=given)
        return True

    async def _what_now(self, why: str, *, may_begin: bool) -> bool:
        """Ask what to do if there is no server, or if it refuses entry. Return whether to continue."""
        app = self._app
        app.say_hello(why)
        missing = missing_for_a_server()
        choices = [Choice("again", translate("Try again")), Choice("other", translate("Another server"))]
        if may_begin and missing is None:
            choices.insert(0, Choice("begin", translate("Start a server here, with bots, and play")))
        elif may_begin:
            why = f"{why}\n{translate('To start a server here: {command}', command=INSTALL)}"
        choices.append(Choice("end", translate("Quit")))
        question = Choose(why, choices)
        listening = asyncio.create_task(self._list_nearby(question)) if may_begin else None
        chosen = await app.push_screen_wait(question)
        if listening is not None:
            listening.cancel()
        match chosen:
            case "begin":
                await self._begin()
            case "other":
                await self.choose_server(app)
            case "again":
                pass
            case None | "end":
                return False
            case address:
                await self.follow(app, address)
        return True

    async def _list_nearby(self, question: Choose) -> None:
        """Add the servers of this network when they have answered."""
        found = await _heard_nearby()
        if question.is_attached:
            question.add(found)

    async def _begin(self) -> None:
        app = self._app
        app.say_hello(translate("Starting a server here…"))
        server = LocalServer()
        try:
            await server.start(app.visit.server)
        except NotStarted as failed:
            app.visit = replace(app.visit)
            app.say_hello(clean(str(failed)))
            return
        app.server = server

    @staticmethod
    async def follow(app: TableroApp, link: str) -> None:
        """Follow a link to its server and table, or continue from the device that made it."""
        try:
            url = websocket_url(link)
        except ValueError as wrong:
            app.tell(str(wrong))
            return
        if await may_end(app):
            app.visit = replace(app.visit, server=url, join=join_code(link), hand_over=hand_over_code(link))
            if app.queue is not None:
                app.queue.client.finish()

    @staticmethod
    async def choose_server(app: TableroApp) -> None:
        """Ask for a server: a former one, or a typed one."""
        known = [Choice(url, typed(url)) for url in app.preferences.options.servers]
        choices = [
            *known,
            Choice("lan", translate("Choose from this network")),
            Choice("", translate("Enter an address")),
        ]
        chosen = await app.push_screen_wait(Choose(translate("Which server?"), choices))
        if chosen == "lan":
            heard = await _heard_nearby()
            if not heard:
                app.tell(" ".join(nearby.nobody()))
                return
            chosen = await app.push_screen_wait(Choose(translate("Which server?"), heard))
        if chosen == "":
            asked = AskLine(
                translate("Server address:"),
                "",
                translate("For example games.example.org or 192.168.1.5:8470"),
            )
            chosen = await app.push_screen_wait(asked)
        if chosen is not None:
            await WayIn.follow(app, chosen)


async def _heard_nearby() -> list[Choice]:
    """The servers announced in this network, with their addresses."""
    found = await asyncio.to_thread(lambda: nearby.addresses_of(nearby.find(_LISTENS_SECONDS)))
    return [Choice(address, clean(name), address) for name, address in found]


async def may_end(app: TableroApp) -> bool:
    """Return whether the program may end. Asks first if a game goes on, or if others play on our server."""
    queue = app.queue
    if queue is not None and queue.table.is_playing:
        question = translate("You're playing. Your seat is kept for a few minutes.")
        if not await app.push_screen_wait(Confirm(question, translate("Go"), translate("Stay"))):
            return False
    server = app.server
    if server is None or not server.is_running:
        return True
    others = [] if queue is None else await others_at(queue.client)
    if others:
        question = translate(
            "Still on your server: {names}. If you quit, the server stops.", names=listed(others)
        )
        if not await app.push_screen_wait(Confirm(question, translate("Stop the server"), translate("Stay"))):
            return False
    await server.stop()
    app.server = None
    return True
