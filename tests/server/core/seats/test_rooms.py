"""How rooms are made, filled, watched, left and closed."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_server.core.alarms import Alarms
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.ids import Ids, read_code
from tablero_server.core.limits.limits import Limits
from tablero_server.core.people.accounts import Accounts
from tablero_server.core.people.session import Account
from tablero_server.core.seats.rooms import RecentlyClosed
from tests.harness.desk import Desk, Message, Peer
from tests.harness.desk_games import win


def seats_of(answer: dict[str, object]) -> list[str | None]:
    table = answer["table"]
    assert isinstance(table, dict)
    return [seat and seat["name"] for seat in table["seats"]]


# Making one


def test_the_creator_sits_on_seat_0_and_gets_the_table() -> None:
    ann = Desk().peer("ann")
    answer = ann.ask("createRoom", game="connect-four", options={"columns": 5})
    table = answer["table"]
    assert (answer["seat"], answer["seq"]) == (0, 1)
    assert seats_of(answer) == ["ann", None]
    assert table["options"] == {"columns": 5, "rows": 6, "connect": 4}
    assert (table["state"], table["private"], table["game"]) == ("waiting", False, "connect-four")
    assert [member["player"]["name"] for member in table["members"]] == ["ann"]


@pytest.mark.parametrize("seat", [1, None])
def test_the_creator_may_choose_another_seat_or_none(seat: int | None) -> None:
    answer = Desk().peer("ann").ask("createRoom", game="tic-tac-toe", seat=seat)
    assert answer.get("seat") == seat
    assert seats_of(answer) == ([None, "ann"] if seat else [None, None])


def test_a_room_gets_a_seed_that_only_its_first_record_knows() -> None:
    desk = Desk()
    ann, bob = desk.peer("ann"), desk.peer("bob")
    rooms = [ann.create() for _ in range(2)]
    bob.join(rooms[0])
    seeds = {desk.journal[room][0].body["seed"] for room in rooms}
    assert len(seeds) == 2
    assert all(len(seed) > 40 for seed in seeds), "at least 128 bits"


def test_the_log_of_a_room_begins_with_what_it_is() -> None:
    desk = Desk()
    room = desk.peer().create("connect-four", clock={"base": 60, "increment": 1})
    created, joined = desk.journal[room]
    assert (created.kind, created.seq, created.cause) == ("created", 0, None)
    assert created.body["clock"] == {"base": 60, "increment": 1}
    assert (joined.kind, joined.seq, joined.seat) == ("joined", 1, 0)


# Joining


def test_whoever_joins_takes_the_first_free_seat() -> None:
    desk = Desk()
    room = desk.peer("ann").create(seat=1)
    assert desk.peer("bob").join(room)["seat"] == 0


def test_the_last_seat_starts_the_game() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    assert ann.seen == []
    bob = desk.peer("bob")
    bob.join(room)
    assert desk.entries(room) == ["created", "joined", "joined", "started"]
    assert [turn["seats"] for turn in (*ann.turns, *bob.turns)] == [[0], [0]]
    assert [turn["seat"] for turn in (*ann.turns, *bob.turns)] == [0, 1]


def test_without_a_seat_a_full_room_makes_you_a_spectator() -> None:
    desk = Desk()
    _, _, room = desk.pair()
    cat = desk.peer("cat")
    answer = cat.join(room)
    assert "seat" not in answer
    assert seats_of(answer) == ["ann", "bob"]
    [turn] = cat.turns
    assert "seat" not in turn


def test_who_only_wants_to_watch_takes_no_seat() -> None:
    desk = Desk()
    room = desk.peer("ann").create()
    assert "seat" not in desk.peer("bob").join(room, watch=True)
    assert desk.peer("cat").join(room)["seat"] == 1


@pytest.mark.parametrize("started", [False, True])
def test_a_taken_seat_is_refused(started: bool) -> None:
    desk = Desk()
    room = desk.peer("ann").create()
    if started:
        desk.peer("bob").join(room)
    assert desk.peer("cat").refused("join", room=room, seat=0) == "seatTaken"


def test_a_watcher_may_take_a_seat_later() -> None:
    desk = Desk()
    room = desk.peer("ann").create()
    bob = desk.peer("bob")
    bob.join(room, watch=True)
    assert bob.join(room, seat=1)["seat"] == 1
    assert desk.room(room).watchers() == 0


def test_one_player_may_hold_every_seat() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    ann.join(room, seat=1)
    assert ann.play(room, "b2")["seat"] == 0
    assert ann.play(room, "a1")["seat"] == 1


def test_there_is_a_limit_to_watchers_but_not_for_those_who_sit() -> None:
    desk = Desk(watchers=1)
    room = desk.peer("ann").create()
    desk.peer("bob").join(room, watch=True)
    assert desk.peer("cat").refused("join", room=room, watch=True) == "roomFull"
    assert desk.peer("dan").join(room)["seat"] == 1


def test_there_is_a_limit_to_the_rooms_of_a_person() -> None:
    desk = Desk(rooms=1)
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room, other = ann.create(), bob.create()
    assert ann.refused("join", room=other) == "tooManyRooms"
    assert ann.join(room, seat=1)["seat"] == 1, "in a room where it is already"


def test_a_bot_may_be_in_as_many_rooms_as_it_declared() -> None:
    desk = Desk(rooms=1)
    bot = desk.bot("rob", capacity=2)
    bot.create()
    bot.create()
    assert bot.refused("createRoom", game="tic-tac-toe") == "tooManyRooms"


@pytest.mark.parametrize("fields", [{}, {"room": "a", "code": "b"}])
def test_a_room_is_joined_by_id_or_by_code(fields: dict[str, str]) -> None:
    assert Desk().peer().refused("join", **fields) == "badMessage"


# Codes, and private rooms


@pytest.mark.parametrize("private", [False, True])
def test_every_room_is_joined_by_its_code(private: bool) -> None:
    desk = Desk()
    answer = desk.peer("ann").ask("createRoom", game="tic-tac-toe", private=private)
    joined = desk.peer("bob").ask("join", code=answer["code"])
    assert joined["room"] == answer["room"]
    assert joined["code"] == joined["table"]["code"] == answer["code"]


def test_to_strangers_a_private_room_is_unknown() -> None:
    desk = Desk()
    room = desk.peer("ann").create(private=True)
    assert desk.peer("bob").refused("join", room=room) == "unknownRoom"


def test_a_member_may_name_a_private_room() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create(private=True)
    assert desk.back(ann, same_session=False).join(room)["room"] == room


def test_a_code_is_read_as_people_write_it() -> None:
    desk = Desk()
    code = desk.peer("ann").ask("createRoom", game="tic-tac-toe", private=True)["code"]
    misread = code.lower().replace("-", "--").replace("0", "o").replace("1", "L")
    for number, written in enumerate((code, code.lower(), code.replace("-", ""), misread)):
        assert desk.peer(f"guest{number}").ask("join", code=written)["type"] == "joined"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("abcd-efgh", "ABCD-EFGH"),
        ("ABCDEFGH", "ABCD-EFGH"),
        ("a b c d e f g h", "ABCD-EFGH"),
        ("OIL0-1234", "0110-1234"),
    ],
)
def test_lenient_reading_of_codes(written: str, read: str) -> None:
    assert read_code(written) == read


def test_the_code_of_a_closed_room_is_wrong() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    answer = ann.ask("createRoom", game="tic-tac-toe", private=True)
    ann.ask("leave", room=answer["room"])
    assert desk.peer("bob").refused("join", code=answer["code"]) == "wrongCode"


def test_a_room_whose_log_is_from_before_all_had_codes_has_none() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    desk.damage(room, **{**desk.journal[room][0].body, "code": None})
    desk.restart()
    joined = desk.peer("bob").join(room)
    assert "code" not in joined
    assert "code" not in joined["table"]


# Tables for their players alone


def a_table_for_players(desk: Desk) -> tuple[Peer, str]:
    ann = desk.peer("ann")
    return ann, ann.create(watchers=False)


@pytest.mark.parametrize("watch", [False, True])
def test_nobody_joins_to_watch_where_that_is_not_wanted(watch: bool) -> None:
    desk = Desk()
    _, room = a_table_for_players(desk)
    if not watch:
        desk.peer("bob").join(room)
    answer = desk.peer("cat").ask("join", room=room, watch=watch)
    assert (answer["code"], answer["reason"]) == ("forbidden", "noWatchers")


def test_a_player_sits_down_at_a_table_without_watchers_and_comes_back_to_it() -> None:
    desk = Desk()
    _, room = a_table_for_players(desk)
    bob = desk.peer("bob")
    assert bob.join(room)["table"]["watchers"] is False
    desk.restart()
    assert desk.back(bob, same_session=False).join(room, watch=True)["table"]["watchers"] is False


def test_who_opens_a_table_without_watchers_may_arrange_it_without_a_seat() -> None:
    ann = Desk().peer("ann")
    answer = ann.ask("createRoom", game="tic-tac-toe", seat=None, watchers=False)
    assert answer["table"]["members"][0]["seats"] == []


def test_the_lobby_says_that_nobody_may_watch() -> None:
    desk = Desk()
    _, room = a_table_for_players(desk)
    [line] = desk.peer("zoe").ask("watchLobby")["rooms"]
    assert line["room"] == room
    assert "watchers" not in line


ASKED: dict[str, Message] = {
    "join": {"watch": True},
    "resume": {"epoch": "e", "seq": 0},
    "showHistory": {},
    "subscribe": {"event": "nextPlayer"},
}


def test_nothing_that_others_ask_tells_a_move_of_it() -> None:
    desk = Desk()
    ann, _, room = desk.pair(watchers=False)
    zoe, code = desk.peer("zoe"), desk.room(room).code

    def told() -> list[Message]:
        asked = [zoe.ask(type, room=room, **fields) for type, fields in ASKED.items()]
        asked += [zoe.ask(type) for type in ("watchLobby", "watchBest", "listRooms")]
        asked.append(zoe.ask("showTable", code=code))
        return [{**each, "re": "", "now": 0} for each in asked]

    before = told()
    ann.play(room, "b2")
    assert told() == before


# Leaving


def test_leaving_a_waiting_room_frees_the_seat() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    desk.peer("bob").join(room, watch=True)
    ann.ask("leave", room=room)
    assert desk.peer("cat").join(room)["seat"] == 0


def test_leaving_a_running_game_resigns() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    bob.play(room, "a1")
    answer = ann.ask("leave", room=room)
    assert (answer["type"], answer["reason"]) == ("left", "left")
    turn = bob.turns[-1]
    assert turn["last"] == {"seat": 0, "withdrew": "resign"}
    assert turn["outcome"]["winners"] == [1]
    assert desk.entries(room)[-2:] == ["withdrew", "left"]


def test_a_watcher_leaves_without_a_trace_in_the_game() -> None:
    desk = Desk()
    _, _, room = desk.pair()
    cat = desk.peer("cat")
    cat.join(room)
    cat.ask("leave", room=room)
    assert desk.room(room).state.value == "playing"
    assert cat.refused("say", room=room, text="hello") == "forbidden"


def test_a_room_closes_when_its_last_member_leaves() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    ann.ask("leave", room=room)
    bob.ask("leave", room=room)
    assert desk.entries(room)[-1] == "closed"
    assert room not in desk.hub.rooms.open
    assert bob.refused("join", room=room) == "unknownRoom"


def test_whoever_left_may_come_back_to_watch() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    ann.ask("leave", room=room)
    assert "seat" not in ann.join(room)


# Who hears of it


def test_members_hear_who_comes_and_goes() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create(subscribe=["members"])
    bob = desk.peer("bob")
    bob.join(room)
    [joined] = ann.of("joined")
    assert (joined["player"]["name"], joined["seat"]) == ("bob", 1)
    assert "table" not in joined
    bob.ask("leave", room=room)
    assert [message["type"] for message in ann.seen] == ["joined", "seq", "seq", "left"]
    assert [message["seq"] for message in ann.seen] == [2, 3, 4, 5]
    assert ann.seen[-1]["player"]["name"] == "bob"


def test_all_sessions_of_a_player_leave_together() -> None:
    desk = Desk()
    ann, _, room = desk.pair()
    second = desk.back(ann, same_session=False)
    second.join(room)
    ann.ask("leave", room=room)
    assert second.refused("say", room=room, text="still here?") == "forbidden"


class Closed:
    """As much of a room as is asked for here."""

    def __init__(self, id: str, code: str | None = None) -> None:
        self.id = id
        self.code = code
        self.log = [Entry(id, 1, "left", 0, Cause("ann", f"leave-{id}", 0), None, {})]


class Evening:
    def __init__(self, **limits: Any) -> None:
        self.accounts = Accounts(Ids(lambda size: bytes(size)), Limits())
        self.ann = self.accounts.by_id["ann"] = Account("ann", "ann", False, 0)
        self.alarms = Alarms()
        self.closed = RecentlyClosed(self.accounts, self.alarms, Limits(**limits))

    def close(self, id: str, now: int = 0, code: str | None = None) -> None:
        room: Any = Closed(id, code)
        self.accounts.know_commands(room.log)
        self.closed.add(room, now)

    @property
    def known(self) -> set[str]:
        """The commands whose answers would be repeated."""
        return set(self.ann.logged)


def test_a_room_is_found_by_its_id_and_by_the_code_that_led_to_it() -> None:
    evening = Evening()
    evening.close("r1", code="abc")
    evening.close("r2")
    assert evening.closed.room("r1").id == evening.closed.with_code("abc") == "r1"
    assert evening.closed.with_code("other") is None


def test_it_is_forgotten_with_its_commands_when_no_session_can_repeat_them() -> None:
    evening = Evening(session_memory_ms=100)
    evening.close("r1", now=50)
    assert list(evening.alarms.ring(149)) == []
    assert list(evening.alarms.ring(150)) == [("closed", "r1")]
    assert evening.known == {"leave-r1"}
    evening.closed.forget("r1")
    assert evening.known == set()
    evening.closed.forget("r1")


def test_one_too_many_is_forgotten_the_oldest_first_and_its_alarm_with_it() -> None:
    evening = Evening(closed_rooms=2)
    for id in ("r1", "r2", "r3"):
        evening.close(id)
    assert evening.known == {"leave-r2", "leave-r3"}
    assert set(evening.alarms.ring(10**9)) == {("closed", "r2"), ("closed", "r3")}


# The score of rematches


def test_a_row_of_rematches_keeps_the_score_by_player() -> None:
    desk = Desk()
    ann, bob, room = desk.pair()
    before = dict[str, int]()
    assert "won" not in desk.views(room).table()
    for winner, won in ((0, {ann.player: 1}), (0, {ann.player: 1, bob.player: 1}), (None, None)):
        if winner is None:
            ann.ask("offer", room=room, seat=0, what="draw")
            bob.ask("offer", room=room, seat=1, what="draw")
        else:
            win(desk, room, winner=winner)
        for peer in (ann, bob):
            peer.ask("offer", room=room, seat=desk.room(room).seats.index(peer.player), what="rematch")
        room, before = desk.room(room).next or "", won or before
        assert desk.views(room).table()["won"] == before
        desk.restart()
        ann, bob = desk.back(ann), desk.back(bob)
        for peer in (ann, bob):
            assert peer.join(room, watch=True)["table"]["won"] == before
