"""BotHost: which seats it takes, what it answers, when it leaves."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

from tablero import Bot
from tablero.bots.host import BotHost, card, tell_outages
from tablero.brains import find_brain
from tablero.dice import dice
from tests.harness.naughty import Cheats, Crashes
from tests.harness.rig import ANA, BEN, HARD, Json, Rig, held, joined, message, turn

US = {**ANA, "bot": True}
"""The host; the rig is greeted as Ana, and that she is a bot here changes nothing for it."""


class Host(Rig):
    def __init__(
        self, *specs: str, capacity: int = 2, brains: Sequence[type[Bot]] = (), pace: float = 0
    ) -> None:
        super().__init__()
        bundled = [find_brain(spec) for spec in specs or ("tic-tac-toe:hard", "tic-tac-toe:random")]
        self.host = BotHost(
            self.client, [*bundled, *brains], capacity, dice(1), pace={"": pace}, greets=False
        )

    def invite(self, level: str | None = "tic-tac-toe:hard", room: str = "r1", **more: Any) -> None:
        about = {"game": "tic-tac-toe", "options": {}, "by": BEN, "until": 0, "seat": 1}
        about |= {"invite": f"to-{room}", **more}
        if level is not None:
            about["level"] = level
        self.tell(message(type="invited", room=room, **about))

    def sit(self, *seats: Json, room: str = "r1", level: str = "tic-tac-toe:hard") -> None:
        self.invite(level, room=room)
        id = self.one("join")["id"]
        self.tell(joined(*(seats or (BEN, {**US, "level": level})), room=room, seq=2, re=id))
        self.sent()


def test_the_card_lists_every_level_of_every_game() -> None:
    brains = [find_brain(spec) for spec in ("tic-tac-toe:easy", "connect-four:random", "tic-tac-toe:hard")]
    assert card(brains, 7).model_dump() == {
        "brains": [
            {"game": "tic-tac-toe", "levels": ["easy", "hard"]},
            {"game": "connect-four", "levels": ["random"]},
        ],
        "capacity": 7,
    }


def test_an_invitation_is_accepted_and_the_bot_plays() -> None:
    host = Host()
    host.invite()
    join = host.one("join")
    assert (join["room"], join["seat"], join["invite"]) == ("r1", 1, "to-r1")
    assert join["subscribe"] == ["nextPlayer", "members", "offers"]
    host.tell(joined(BEN, {**US, "level": "tic-tac-toe:hard"}, seq=2, re=join["id"]))
    host.tell(turn(3, seat=1), turn(4, "0........", seat=1))
    host.think()
    move = host.one("playTurn")
    assert (move["seat"], move["ply"], move["move"]) == (1, 1, "b2")


def test_against_a_person_it_takes_its_time() -> None:
    host = Host(pace=10)
    host.sit()
    host.tell(turn(3, "0........", seat=1))
    host.think()
    assert host.sent_types() == []
    host.shell.pass_time(10)
    assert host.one("playTurn")["move"] == "b2"


@pytest.mark.parametrize("level", ["tic-tac-toe:perfect", "connect-four:hard"])
def test_what_it_does_not_play_is_declined(level: str) -> None:
    host = Host()
    host.invite(level, game=level.partition(":")[0])
    assert host.one("decline")["invite"] == "to-r1"


def test_an_invitation_without_a_level_gets_the_first_brain() -> None:
    host = Host("tic-tac-toe:random")
    host.invite(None)
    host.tell(joined(BEN, US, seq=2, re=host.one("join")["id"]), turn(3, "0........", seat=1))
    host.think()
    assert host.one("playTurn")["seat"] == 1


def test_more_games_than_its_capacity_are_declined() -> None:
    host = Host(capacity=1)
    host.sit()
    host.invite(room="r2")
    assert host.one("decline")["invite"] == "to-r2"


def test_a_game_that_it_is_about_to_join_counts() -> None:
    host = Host(capacity=1)
    host.invite(room="r1")
    host.invite(room="r2")
    assert host.sent_types() == ["join", "decline"]
    assert host.host.games == 1


def test_a_second_seat_in_a_room_is_no_second_game() -> None:
    host = Host(capacity=1)
    host.sit()
    host.invite(room="r1", invite="again", seat=0)
    assert host.one("join")["invite"] == "again"


def test_a_seat_that_it_did_not_get_leaves_its_place_to_another() -> None:
    host = Host(capacity=1)
    host.invite(room="r1")
    id = host.one("join")["id"]
    host.tell(message(type="refused", re=id, code="unknownInvite", message="Too late."))
    assert host.host.games == 0
    host.invite(room="r2")
    assert host.sent_types() == ["join"]


def test_a_table_where_the_game_is_over_is_left_for_a_new_game() -> None:
    host = Host(capacity=1)
    host.sit()
    host.tell(turn(3, "000.11...", seat=1))
    host.invite(room="r2")
    leave = host.one("leave")
    assert host.host.games == 1
    host.tell(message(type="left", room="r1", seq=4, player=US, reason="left", re=leave["id"]))
    assert host.one("join")["room"] == "r2"


def test_each_seat_has_its_own_bot_at_its_own_level() -> None:
    host = Host()
    levels = [{**US, "level": f"tic-tac-toe:{level}"} for level in ("hard", "random")]
    host.tell(joined(*levels, seq=2))
    host.sent()
    host.tell(turn(3, "01.......", seat=0), turn(3, "01.......", seat=1))
    host.think()
    assert host.one("playTurn")["seat"] == 0
    host.tell(turn(4, "010......", seat=0), turn(4, "010......", seat=1))
    host.think()
    assert host.one("playTurn")["seat"] == 1


WAITING: dict[str, Any] = {"state": "waiting", "seq": 2}
EASY_AND_HARD = ("tic-tac-toe:easy", "tic-tac-toe:hard")


def at_a_table(*levels: str) -> Host:
    """A table of three that waits; Ben is on seat 0, the bot plays these levels on the others."""
    host = Host(*EASY_AND_HARD)
    host.invite(levels[0])
    ours = [{**US, "level": level} for level in levels]
    host.tell(joined(BEN, *ours, None, re=host.one("join")["id"], **WAITING))
    host.sent()
    return host


def bots_of(host: Host) -> dict[int, str]:
    return {seat: bot.level for seat, bot in host.host._rooms["r1"].bots.items() if bot.player == seat}


def test_a_bot_whose_seat_was_freed_leaves_the_table() -> None:
    host = at_a_table("tic-tac-toe:hard")
    host.tell(message(type="freed", room="r1", seq=3, seat=1, player=US))
    assert host.one("leave")["room"] == "r1"


def test_a_bot_that_has_another_seat_stays() -> None:
    host = at_a_table(*EASY_AND_HARD)
    host.tell(message(type="freed", room="r1", seq=3, seat=1, player=US))
    assert host.sent_types() == []
    assert bots_of(host) == {2: "hard"}


@pytest.mark.parametrize(
    ("change", "bots"),
    [
        ({"type": "swapped", "seats": [0, 1]}, {0: "easy", 2: "hard"}),
        ({"type": "swapped", "seats": [1, 2]}, {1: "hard", 2: "easy"}),
        ({"type": "began", "seats": [1, 2]}, {0: "easy", 1: "hard"}),
    ],
)
def test_bots_change_seats_as_their_owner_says(change: Json, bots: dict[int, str]) -> None:
    host = at_a_table(*EASY_AND_HARD)
    host.tell(message(room="r1", seq=3, **change))
    assert bots_of(host) == bots
    assert host.sent_types() == []


def test_it_follows_into_a_rematch_and_leaves_the_old_table() -> None:
    host = Host()
    host.sit()
    host.tell(turn(3, "000.11...", seat=1))
    host.tell(message(type="rematch", room="r1", seq=4, next="r2"))
    host.tell(joined({**US, "level": "tic-tac-toe:hard"}, BEN, room="r2", seq=3))
    assert host.one("leave")["room"] == "r1"
    host.tell(turn(4, seat=0, room="r2"))
    host.think()
    assert (host.one("playTurn")["room"], len(host.client.rooms)) == ("r2", 2)
    host.tell(message(type="left", room="r1", seq=5, player=US, reason="left"))
    assert list(host.client.rooms) == ["r2"]


def test_it_leaves_when_the_last_person_has_left_but_not_in_the_middle_of_a_game() -> None:
    host = Host()
    host.sit()
    cleo = {"id": "cleo", "name": "Cleo"}
    host.tell(message(type="joined", room="r1", seq=3, player=cleo))
    host.tell(turn(4, "000.11...", seat=1))
    host.tell(message(type="left", room="r1", seq=5, player=BEN, reason="left"))
    assert host.sent() == []
    host.tell(message(type="left", room="r1", seq=6, player=cleo, reason="left"))
    assert host.one("leave")["room"] == "r1"


def test_a_game_that_goes_on_without_people_is_left_at_its_end() -> None:
    host = Host()
    host.sit(HARD, {**US, "level": "tic-tac-toe:hard"})
    host.tell(turn(3, "0........", seat=1))
    assert "leave" not in host.sent_types()
    host.tell(turn(4, "000.11...", seat=1))
    assert host.one("leave")["room"] == "r1"


def test_a_bot_gets_up_when_its_room_closes() -> None:
    host = Host()
    host.sit()
    host.tell(turn(3, "0........", seat=1))
    host.tell(message(type="left", room="r1", seq=4, player=US, reason="gone"))
    host.think()
    assert host.sent() == []
    assert host.host.games == 0


@pytest.mark.parametrize(
    ("brain", "said"),
    [
        (Crashes, "I crashed (ZeroDivisionError) and resign."),
        (Cheats, "I played an illegal move and resign."),
    ],
)
def test_what_goes_wrong_is_said_in_the_room_before_the_resignation(brain: type[Bot], said: str) -> None:
    host = Host(brains=[brain])
    for room in ("r1", "r2"):
        host.sit(room=room, level="tic-tac-toe:hard" if room == "r2" else f"tic-tac-toe:{brain.level}")
        host.tell(turn(3, "0........", seat=1, room=room))
    host.think()
    wires = host.sent()
    for wire in wires:
        if wire["type"] == "playTurn" and wire["move"] == "z9":
            host.tell(message(type="refused", re=wire["id"], code="illegalMove", message="No such cell."))
    said_and_done = [wire for wire in [*wires, *host.sent()] if wire.get("move") != "z9"]
    assert sorted((wire["room"], wire["type"]) for wire in said_and_done) == [
        ("r1", "resign"),
        ("r1", "say"),
        ("r2", "playTurn"),
    ]
    words = [wire for wire in said_and_done if wire["room"] == "r1"]
    assert (words[0]["text"], words[1]["seat"]) == (said, 1)


def test_a_brain_that_cannot_even_begin_leaves_with_a_word() -> None:
    class Stillborn(Bot):
        game = "tic-tac-toe"

        def __init__(self) -> None:
            raise OSError("no such table")

    host = Host(brains=[Stillborn])
    host.invite("tic-tac-toe:stillborn")
    host.tell(joined(BEN, {**US, "level": "tic-tac-toe:stillborn"}, seq=2, re=host.one("join")["id"]))
    wires = [wire for wire in host.sent() if wire["type"] != "subscribe"]
    assert [wire["type"] for wire in wires] == ["say", "resign", "leave"]
    assert wires[0]["text"] == "I crashed (OSError) and resign."


def test_a_seat_from_before_for_which_there_is_no_brain_any_more_is_left() -> None:
    host = Host()
    host.tell(joined(BEN, {**US, "level": "tic-tac-toe:clairvoyant"}, seq=2))
    assert host.one("leave")["room"] == "r1"


def test_it_goes_on_where_it_was_after_the_server_was_gone() -> None:
    host = Host()
    host.sit()
    host.tell(turn(3, "0........", seat=1))
    host.drop()
    host.think()
    host.return_(session="s2", rooms=[held("r1", 1)])
    wires = {wire["type"]: wire for wire in host.sent()}
    assert (wires["playTurn"]["ply"], wires["join"]["room"]) == (1, "r1")


def test_a_server_that_came_back_without_its_rooms_finds_every_place_free() -> None:
    host = Host(capacity=1)
    host.sit()
    host.tell(turn(3, "0........", seat=1))
    host.drop()
    host.return_(session="s2")
    id = host.one("join")["id"]
    host.tell(message(type="refused", re=id, code="unknownRoom", message="No such room."))
    assert host.host.games == 0
    host.think()  # of a game that is gone
    assert host.sent() == []
    host.invite(room="r2")
    assert host.sent_types() == ["join"]


def looked(host: Host, *seats: Json | None, **more: Any) -> None:
    """It was sent to a room and sees it from outside."""
    host.ask(host.host.play_in(None, "ABCD-EFGH"))
    join = host.one("join")
    assert (join["code"], join["watch"]) == ("ABCD-EFGH", True)
    host.tell(joined(*seats, seq=2, re=join["id"], **more))


def test_sent_to_one_room_it_takes_a_free_seat_and_ends_with_it() -> None:
    host = Host()
    looked(host, BEN, None, state="waiting")
    join = host.one("join")
    assert (join["room"], "watch" in join) == ("r1", False)
    host.tell(joined(BEN, US, seq=3, re=join["id"]), turn(4, "0........", seat=1))
    host.think()
    assert host.one("playTurn")["seat"] == 1
    assert not host.shell.finished
    host.tell(message(type="left", room="r1", seq=5, player=US, reason="left"))
    assert (host.shell.finished, host.host.exit_code) == (True, 0)


def test_sent_to_a_room_where_it_has_a_seat_it_goes_on() -> None:
    host = Host()
    looked(host, BEN, US)
    host.tell(turn(3, "0........", seat=1))
    host.think()
    assert host.one("playTurn")["seat"] == 1


def test_sent_to_a_room_of_another_game_it_takes_no_seat(caplog: pytest.LogCaptureFixture) -> None:
    host = Host()
    looked(host, BEN, None, state="waiting", game="quoridor")
    assert host.one("leave")["room"] == "r1"
    assert "Room r1 plays quoridor; this bot plays tic-tac-toe." in caplog.text
    host.tell(message(type="left", room="r1", seq=3, player=US, reason="left"))
    assert (host.shell.finished, host.host.exit_code) == (True, 2)


def test_sent_to_a_full_room_it_does_not_stay_to_watch(caplog: pytest.LogCaptureFixture) -> None:
    host = Host()
    looked(host, BEN, {**BEN, "id": "eva"})
    host.tell(joined(BEN, {**BEN, "id": "eva"}, seq=2, re=host.one("join")["id"]))
    assert host.one("leave")["room"] == "r1"
    assert "Room r1 has no free seat." in caplog.text
    host.tell(message(type="left", room="r1", seq=3, player=US, reason="left"))
    assert (host.shell.finished, host.host.exit_code) == (True, 1)


def test_sent_to_one_room_that_refuses_it_ends_at_once() -> None:
    host = Host()
    host.ask(host.host.play_in("r9", None))
    id = host.one("join")["id"]
    host.tell(message(type="refused", re=id, code="unknownRoom", message="No such room."))
    assert (host.shell.finished, host.host.exit_code) == (True, 1)


def test_it_ends_with_the_program_that_started_it_even_while_it_looks_for_the_server(tmp_path: Path) -> None:
    nobody_there = "ws://127.0.0.1:1/ws"
    ended = run(
        [sys.executable, "-m", "tablero", "bot-host", "--until-eof", "--server", nobody_there],
        input="",
        env={**os.environ, "TABLERO_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert ended.returncode == 0, ended.stderr


def test_each_outage_is_told_once_also_one_at_the_start(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    rig = Rig(greeted=False)
    tell_outages(rig.client, "10.0.0.7:8470")
    told = "Can't reach the server at 10.0.0.7:8470. Retrying…"
    rig.drop(None)
    rig.drop(None)
    assert caplog.messages == [told]
    rig.return_()
    rig.drop()
    rig.drop()
    assert caplog.messages == [told, told]
