"""Orders: what each asks of the server, and that a refused one changes nothing, at a real server, too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tablero import connect
from tablero.bots.host import BotHost, card
from tablero.brains import find_brain
from tablero.client import commands
from tablero.dice import dice
from tests.harness.client import real_server
from tests.harness.rig import BEN as RIVAL
from tests.harness.rig import HARD as BOT
from tests.harness.rig import LIMITS, Json, joined, turn
from tests.harness.terminal import PATIENCE, Desk, Rival, Terminal, a_finished_game, a_terminal

HARD = card([find_brain("tic-tac-toe:hard")], 1)


async def check_that_nothing_has_changed(ana: Terminal, rival: Rival) -> None:
    """Ana is where she was, hears what is said there, and can still be asked for a rematch."""
    old = ana.room
    assert old.id == rival.room.id
    assert ana.unread == []
    await rival.room.say("are you still there?")
    await ana.hears("Ben: are you still there?")
    await rival.room.offer("rematch")
    await ana.hears("Ben wants a rematch. Type yes or no.")
    ana.types("yes")
    await ana.hears("The rematch begins. The seats have changed.")
    async with asyncio.timeout(PATIENCE):
        again = await rival.next.get()
    assert (again.seats, ana.room.id) == ([0], again.id)
    assert rival.gone in ([], ["Ana"])  # who goes to the rematch leaves, and not before


@asynccontextmanager
async def a_full_table(url: str) -> AsyncIterator[str]:
    async with connect(url, name="Cleo") as cleo, connect(url, name="Dora") as dora:
        room = await cleo.create_room("tic-tac-toe")
        await dora.join(room=room.id)
        yield room.id


REFUSED = {
    "create chess": "There is no game 'chess'",
    "create connect-four columns": "Write 'columns' as OPTION=VALUE",
    "create connect-four columns=99": r"\[badOptions\]",
    "create tic-tac-toe colour=red": r"\[badOptions\]",
    "create tic-tac-toe seats=3": r"\[badOptions\]",
    "create tic-tac-toe seat=7": r"\[noSuchSeat\]",
    "create tic-tac-toe bot=hard": "No bot here plays Tic-tac-toe.",
    "join": "Choose a table",
    "join ABCD-EFGH": r"\[wrongCode\]",
    "join ABCD-EFGH two": "A seat is a number",
    "join nowhere12345": r"\[unknownRoom\]",
    "watch ABCD-EFGH": r"\[wrongCode\]",
    "watch nowhere12345": r"\[unknownRoom\]",
}


@pytest.mark.parametrize("line", REFUSED)
async def test_what_is_refused_leaves_the_finished_table_as_it_was(line: str) -> None:
    async with real_server() as url, a_terminal(url, "Ana") as ana, connect(url, name="Ben") as ben:
        rival = await a_finished_game(ana, ben)
        ana.types(line)
        assert len(await ana.hears(REFUSED[line])) == 1
        await check_that_nothing_has_changed(ana, rival)


@pytest.mark.parametrize(
    ("line", "code", "settings"),
    [
        ("join {} 0", "seatTaken", {}),
        ("join {} 5", "noSuchSeat", {}),
        ("join {}", "roomFull", {"watchers": 0}),
        ("watch {}", "roomFull", {"watchers": 0}),
    ],
)
async def test_a_full_table_leaves_the_finished_one_as_it_was(
    line: str, code: str, settings: dict[str, Any]
) -> None:
    async with (
        real_server(**settings) as url,
        a_full_table(url) as full,
        a_terminal(url, "Ana") as ana,
        connect(url, name="Ben") as ben,
    ):
        rival = await a_finished_game(ana, ben)
        ana.types(line.format(full))
        assert len(await ana.hears(rf"\[{code}\]")) == 1
        await check_that_nothing_has_changed(ana, rival)


async def test_a_limit_on_new_tables_leaves_the_finished_one_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commands, "MOST_WAITS", 0)  # else it would try for a minute, and hear the same
    async with (
        real_server(new_rooms_per_minute=1, unlimited_nets="") as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="Ben") as ben,
    ):
        rival = await a_finished_game(ana, ben)
        ana.types("create tic-tac-toe")
        assert len(await ana.hears(r"\[rateLimited\]")) == 1
        await check_that_nothing_has_changed(ana, rival)


async def test_a_busy_bot_leaves_the_finished_table_as_it_was() -> None:
    async with (
        real_server() as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="Ben") as ben,
        connect(url, name="brains", bot=HARD) as house,
    ):
        await house.create_room("tic-tac-toe")
        rival = await a_finished_game(ana, ben)
        ana.types("create tic-tac-toe bot=hrad")
        await ana.hears("There is no bot 'hrad' for Tic-tac-toe; did you mean hard?")
        ana.types("create tic-tac-toe bot=hard")
        assert await ana.hears("busy") == ["Every bot that plays tic-tac-toe:hard is busy; try again soon."]
        await check_that_nothing_has_changed(ana, rival)


async def test_an_invitation_that_is_gone_leaves_the_finished_table_as_it_was() -> None:
    async with (
        real_server() as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="Ben") as ben,
        connect(url, name="Cleo") as cleo,
    ):
        rival = await a_finished_game(ana, ben)
        theirs = await cleo.create_room("connect-four")
        await cleo.invite(theirs, 1, player=ana.client.player.id)
        await ana.hears("Cleo invites you to play Connect Four, seat 1. Type yes or no.")
        await theirs.leave()
        ana.types("yes")
        assert len(await ana.hears(r"\[unknownInvite\]")) == 1
        await check_that_nothing_has_changed(ana, rival)


async def test_the_finished_table_is_left_when_the_next_one_is_there() -> None:
    async with real_server() as url, a_terminal(url, "Ana") as ana, connect(url, name="Ben") as ben:
        rival = await a_finished_game(ana, ben)
        left: asyncio.Queue[object] = asyncio.Queue()
        rival.room.members.subscribe(left.put_nowait)
        ana.types("create connect-four")
        await ana.hears("Connect Four, table .*: you are on seat 0")
        async with asyncio.timeout(PATIENCE):
            await left.get()
        assert rival.gone == ["Ana"]
        ana.types("leave")
        await ana.hears(rf"You left table {ana.room.id}\.")
        ana.types("leave")
        assert len(await ana.hears("You're not at a table")) == 1  # the old one is not come back to


async def test_who_only_watches_leaves_for_another_table_and_not_for_a_refusal() -> None:
    async with real_server() as url, a_full_table(url) as full, a_terminal(url, "Ana") as ana:
        ana.types(f"watch {full}")
        await ana.hears("you are watching")
        ana.types("join nowhere12345")
        await ana.hears(r"\[unknownRoom\]")
        assert ana.room.id == full
        ana.types("create tic-tac-toe")
        await ana.hears("you are on seat 0")
        ana.types(f"watch {full}")
        assert await ana.hears("You're at a table. Leave it first.")


async def test_who_watches_a_waiting_table_can_sit_down_there() -> None:
    async with (
        real_server() as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="Ben") as ben,
    ):
        room = await ben.create_room("connect-four", private=True)
        ana.types(f"watch {room.code}")
        assert "to sit down, or invite someone" in (await ana.hears("you are watching"))[-1]
        ana.types(f"watch {room.id}")
        await ana.hears("You're already at this table.")
        ana.types(f"join {room.code.replace('-', '').lower() if room.code else ''}")
        await ana.hears("You sit down on seat 1.")
        await ana.hears("The game begins. Ben to move.")
        ana.types(f"join {room.code}")
        await ana.hears("You're already at this table.")


async def test_who_watches_a_waiting_table_can_be_invited_to_a_seat_there() -> None:
    async with (
        real_server() as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="Ben") as ben,
    ):
        room = await ben.create_room("tic-tac-toe")
        ana.types(f"watch {room.id}")
        await ana.hears("you are watching")
        await ben.invite(room, 1, player=ana.client.player.id)
        await ana.hears("Ben invites you to play Tic-tac-toe, seat 1. Type yes or no.")
        ana.types("yes")
        await ana.hears("You sit down on seat 1.")
        ana.types("yes")
        await ana.hears("You have no invitation or offer to answer.")


async def test_an_invitation_that_comes_during_a_game_can_be_taken_after_it() -> None:
    async with (
        real_server() as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="Ben") as ben,
        connect(url, name="Cleo") as cleo,
    ):
        ana.types("create tic-tac-toe")
        await ana.hears("you are on seat 0")
        await ben.join(room=ana.room.id)
        await ana.hears("The game begins")
        theirs = await cleo.create_room("connect-four")
        await cleo.invite(theirs, 1, player=ana.client.player.id)
        await ana.hears("Cleo invites you .* Type no, or leave this table and then type yes.")
        ana.types("yes")
        await ana.hears("You're at a table. Leave it first.")
        ana.types("leave")
        await ana.hears("You left table")
        ana.types("yes")
        await ana.hears("Connect Four, table .*: you are on seat 1")


async def test_a_bot_is_invited_by_its_level_alone() -> None:
    async with (
        real_server() as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="brains", bot=HARD),
    ):
        ana.types("create tic-tac-toe")
        await ana.hears("you are on seat 0")
        ana.types("invite Hard")
        await ana.hears("Invited tic-tac-toe:hard to seat 1.")


async def test_at_a_table_for_one_the_bot_plays_and_the_person_watches() -> None:
    solver = [find_brain("minesweeper:pinv")]
    async with (
        real_server() as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="brains", bot=card(solver, 1)) as house,
    ):
        BotHost(house, solver, 1, dice(1), pace={"": 0})
        ana.types("create minesweeper bot=pinv")
        await ana.hears("The bot plays alone, and you watch.")
        await ana.hears("Minesweeper, table .*: you are watching.")
        await ana.hears("(Nobody|pinv.) wins")


async def test_at_the_limit_of_tables_who_says_so_leaves_the_finished_one() -> None:
    async with (
        real_server(rooms_per_person=1) as url,
        a_terminal(url, "Ana") as ana,
        connect(url, name="Ben") as ben,
    ):
        rival = await a_finished_game(ana, ben)
        ana.types("create connect-four")
        [refused] = await ana.hears("tooManyRooms")
        assert refused.endswith(
            "You can leave this table. Type yes to leave it and try again. [tooManyRooms]"
        )
        assert ana.room.id == rival.room.id
        await rival.room.say("are you still there?")
        await ana.hears("Ben: are you still there?")
        ana.types("yes")
        await ana.hears("You left table")
        await ana.hears("Connect Four, table .*: you are on seat 0")
        ana.types("yes")
        await ana.hears("You have no invitation or offer to answer.")


async def test_the_best_game_is_watched_until_one_goes_to_a_table() -> None:
    async with real_server() as url, a_full_table(url) as full, a_terminal(url, "Ana") as ana:
        ana.types("tv")
        await ana.hears(f"table {full}: you are watching")
        ana.types("create tic-tac-toe")
        await ana.hears("you are on seat 0")
        ana.types("tv off")
        await ana.hears("TV is off")
        ana.types("leave")
        await ana.hears("You left table")
        ana.types("tv")
        await ana.hears(f"table {full}: you are watching")
        ana.types("tv off")
        await ana.hears(f"You left table {full}")


# At the table


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("say  hello  you ", {"type": "say", "text": "hello  you"}),
        ("resign", {"type": "resign", "seat": 0}),
        ("draw", {"type": "offer", "seat": 0, "what": "draw"}),
        ("pause", {"type": "offer", "seat": 0, "what": "pause"}),
        ("continue", {"type": "offer", "seat": 0, "what": "continue"}),
        ("addtime", {"type": "addTime", "room": "r1", "seat": 0}),
        ("takeback", {"type": "offer", "seat": 0, "what": "takeback"}),
        ("rematch", {"type": "offer", "seat": 0, "what": "rematch"}),
        ("claim", {"type": "claim", "room": "r1", "seat": 0, "what": "win"}),
        ("claim draw", {"type": "claim", "seat": 0, "what": "draw"}),
        ("free 1", {"type": "freeSeat", "room": "r1", "seat": 1}),
        ("swap 0 1", {"type": "swapSeats", "seats": [0, 1]}),
        ("begin", {"type": "begin", "room": "r1"}),
        ("options clock=60", {"type": "setOptions", "clock": {"base": 60}}),
        ("options clock=none watchers=no", {"type": "setOptions", "clock": None, "watchers": False}),
        ("options columns=8 noGuess=no", {"type": "setOptions", "options": {"columns": 8, "noGuess": False}}),
    ],
)
def test_a_verb_asks_the_server(line: str, expected: Json) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    [wire] = desk.sent()
    assert {key: wire[key] for key in expected} == expected


@pytest.mark.parametrize("line", ["resign", "draw", "rematch", "claim", "takeback"])
def test_what_needs_a_seat_is_not_for_watchers(line: str) -> None:
    desk = Desk()
    desk.tell(joined(RIVAL, BOT), turn(2, seat=None))
    desk.forget()
    desk.type(line)
    assert (desk.noted, desk.sent()) == (["You're watching."], [])


@pytest.mark.parametrize("line", ["say hello", "board", "resign", "leave"])
def test_what_needs_a_table_says_how_to_get_one(line: str) -> None:
    desk = Desk()
    desk.type(line)
    assert desk.noted == ["You're not at a table. Create, join or watch one first."]


def test_only_a_win_or_a_draw_is_claimed() -> None:
    desk = Desk(seated=True)
    desk.type("claim everything")
    assert (desk.noted, desk.sent()) == (["Type claim to win, or claim draw for a draw."], [])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("say Good luck!", {"phrase": "goodLuck"}),
        ("say goodgame", {"phrase": "goodGame"}),
        ("say good evening", {"text": "good evening"}),
    ],
)
def test_where_only_phrases_may_be_said_one_is_found_by_its_name_or_words(line: str, said: Json) -> None:
    desk = Desk(seated=True)
    desk.drop()
    desk.return_(limits={**LIMITS, "chat": "phrases"})
    desk.sent()
    desk.type(line)
    sent = desk.one("say")
    assert {key: sent.get(key) for key in said} == said


def test_the_moves_so_far_are_listed_with_what_else_happened() -> None:
    desk = Desk(seated=True)
    desk.type("history")
    moves = [
        {"seat": ply % 2, "move": f"m{ply}", "seq": ply + 3, "ply": ply + 1, "at": 0} for ply in range(7)
    ]
    back = {"seat": 1, "tookBack": 2, "seq": 10, "ply": 8, "at": 0}
    gone = {"seat": 0, "withdrew": "resign", "seq": 11, "ply": 8, "at": 0}
    desk.answer("history", room="r1", turns=[*moves, back, gone])
    assert desk.noted == [
        "1. You m0  2. Ben m1  3. You m2  4. Ben m3  5. You m4  6. Ben m5",
        "7. You m6",
        "Ben takes 2 moves back.",
        "You resign.",
    ]


def test_before_the_first_move_there_is_no_history() -> None:
    desk = Desk(seated=True)
    desk.type("history")
    desk.answer("history", room="r1", turns=[])
    assert desk.noted == ["No move yet."]


@pytest.mark.parametrize(
    ("line", "usage"),
    [("free", "Usage: free SEAT"), ("swap 0", "Usage: swap SEAT SEAT"), ("free one", "A seat")],
)
def test_seats_that_are_not_named_are_asked_for(line: str, usage: str) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    assert desk.noted[0].startswith(usage)
    assert desk.sent() == []


def test_options_of_the_table_leave_those_of_the_game_alone() -> None:
    desk = Desk(seated=True)
    desk.type("options clock=60")
    assert "options" not in desk.one("setOptions")
