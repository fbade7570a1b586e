"""A check for each limit: commands succeed at the limit, and are refused beyond it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from itertools import cycle
from typing import Any

from msgpack import packb

from tablero_protocol.scan import FROM_CLIENT
from tablero_server.core.hub import _PACKER
from tablero_server.core.limits.limits import Limits, Rate
from tablero_server.settings import Settings
from tablero_server.wire.connection import Outbox
from tests.harness.desk import FREE, Desk, Message, Peer
from tests.harness.desk_games import all_go, is_packed, table

Check = Callable[[], tuple[bool, bool]]
"""A check; it returns whether commands succeed at the limit, and whether beyond."""
SETTINGS: dict[str, Check] = {}
LIMITS: dict[str, Check] = {}


def setting(check: Check) -> Check:
    SETTINGS[check.__name__] = check
    return check


def limit(check: Check) -> Check:
    LIMITS[check.__name__] = check
    return check


def desk(**settings: Any) -> Desk:
    """A desk with the limits from these settings, by default without rate limits."""
    given = Settings(**settings).limits
    free = {"turns": FREE, "messages": FREE, "chat": FREE} if not settings.keys() & RATES else {}
    limits = {field.name: getattr(given, field.name) for field in fields(Limits)}
    return Desk(**{**limits, **free})


RATES = {
    "turns_burst",
    "turns_per_second",
    "messages_burst",
    "messages_per_second",
    "chat_burst",
    "chat_seconds",
}


def well(answer: Message) -> bool:
    return bool(answer["type"] != "refused")


def times(count: int, ask: Callable[[], Message]) -> tuple[bool, bool]:
    """Whether a command succeeds `count` times, and whether once more."""
    at = [well(ask()) for _ in range(count)]
    return all(at), well(ask())


def comes(at: Desk, name: str, address: str = "203.0.113.9") -> Message:
    peer = at.connect()
    at.hub.arrive(peer.number, address)
    return peer.ask("hello", protocol=1, client="test", name=name)


def from_afar(at: Desk) -> Peer:
    assert well(comes(at, "ann"))
    return at.peers[len(at.peers)]


# Numbers


@setting
def rooms_per_person() -> tuple[bool, bool]:
    ann = desk(rooms_per_person=3).peer()
    return times(3, lambda: ann.ask("createRoom", game="tic-tac-toe"))


@setting
def room_entries() -> tuple[bool, bool]:
    """Fills a seated player's quarter; opening the room already used one entry."""
    ann, _, room = desk(room_entries=100).pair()
    return times(24, lambda: ann.ask("say", room=room, text="hello"))


@setting
def room_turns() -> tuple[bool, bool]:
    ann = desk(room_turns=400).peer()
    room = ann.create("minesweeper", options={"width": 4, "height": 1, "mines": 0})
    flags = cycle(("flag a1", "unflag a1"))
    return times(400, lambda: ann.play(room, next(flags)))


@setting
def entries() -> tuple[bool, bool]:
    """Before the first turn, three entries start the game."""
    return _until_full(desk(entries=1_003), 1_000)


@setting
def entries_per_player() -> tuple[bool, bool]:
    return _until_full(desk(entries_per_player=1_000), 999)


def _until_full(desk: Desk, turns: int) -> tuple[bool, bool]:
    """Plays that many turns after the entry by which their author joined, and one more."""
    ann = desk.peer()
    room = ann.create("minesweeper", options={"width": 4, "height": 1, "mines": 0})
    flags = cycle(("flag a1", "unflag a1"))
    return times(turns, lambda: ann.play(room, next(flags)))


@limit
def entries_anyway() -> tuple[bool, bool]:
    return _until_full(Desk(entries=1, entries_anyway=3), 2)


@limit
def closed_rooms() -> tuple[bool, bool]:
    def known(others: int) -> bool:
        ann = Desk(closed_rooms=3).peer()
        room, *rooms = [ann.create() for _ in range(1 + others)]
        for each in (room, *rooms):
            ann.ask("leave", f"leave-{each}", room=each)
        return well(ann.ask("leave", f"leave-{room}", room=room))

    return known(2), known(3)


@limit
def lobby_bytes() -> tuple[bool, bool]:
    """A page holds some lines; one more line is on the next page."""

    def is_whole(bytes: int) -> bool:
        at = Desk(lobby_bytes=bytes)
        at.peer("bob")
        return "more" not in at.peer("ann").ask("watchLobby")

    most = sum(
        len(packb({"id": "i" * 12, "name": name, "bot": False, "games": 0})) for name in ("bob", "ann")
    )
    return is_whole(most), is_whole(most - 1)


@setting
def rooms() -> tuple[bool, bool]:
    at = desk(rooms=3)
    return times(3, lambda: at.peer().ask("createRoom", game="tic-tac-toe"))


@setting
def correspondence_per_person() -> tuple[bool, bool]:
    ann = desk(correspondence_per_person=3).peer()
    return times(3, lambda: ann.ask("createRoom", game="tic-tac-toe", clock={"days": 1}))


@setting
def correspondence() -> tuple[bool, bool]:
    at = desk(correspondence=3)
    return times(3, lambda: at.peer().ask("createRoom", game="tic-tac-toe", clock={"days": 1}))


@setting
def watchers() -> tuple[bool, bool]:
    at = desk(watchers=2)
    _, _, room = at.pair()
    return times(2, lambda: at.peer("cat").ask("join", room=room))


@setting
def sockets_per_player() -> tuple[bool, bool]:
    at = desk(sockets_per_player=3)
    ann = at.peer()
    return times(2, lambda: at.connect().ask("hello", protocol=1, client="test", token=ann.token))


@setting
def outbox_messages() -> tuple[bool, bool]:
    outbox = Outbox(Settings(outbox_messages=3).outbox_messages, 1_000)
    return [outbox.put(b"x") for _ in range(3)] == [True] * 3, outbox.put(b"x")


@setting
def outbox_bytes() -> tuple[bool, bool]:
    outbox = Outbox(100, Settings(outbox_bytes=1_024).outbox_bytes)
    return outbox.put(bytes(1_000)) and outbox.put(bytes(24)), outbox.put(b"x")


@limit
def renames() -> tuple[bool, bool]:
    at = Desk(renames=Rate(60_000, 3))
    ann, names = at.peer("ann"), cycle(("bob", "cat"))
    return times(
        3, lambda: at.connect().ask("hello", protocol=1, client="test", token=ann.token, name=next(names))
    )


@limit
def searches() -> tuple[bool, bool]:
    at = Desk(searches=2)
    at.slow, ann = True, at.peer()
    for _ in range(2):
        ann.create("minesweeper", options={"noGuess": True})
    return len(at.hub.rooms.searches) == 2, well(
        ann.ask("createRoom", game="minesweeper", options={"noGuess": True})
    )


@limit
def searches_at_once() -> tuple[bool, bool]:
    at = Desk(searches_at_once=3)
    at.slow = True
    begun = []
    for _ in range(4):
        at.peer().create("minesweeper", options={"noGuess": True})
        begun.append(len(at.asked))
    return begun[:3] == [1, 2, 3], begun[3] == 4


@limit
def all_preparations() -> tuple[bool, bool]:
    """Whether someone with one preparation gets another."""

    def gets_another(others: int) -> bool:
        at = Desk(all_preparations=2)
        at.slow = True
        *_, ann = peers = [at.peer() for _ in range(others + 1)]
        for peer in peers:
            peer.create("minesweeper", options={"noGuess": True})
        return well(ann.ask("createRoom", game="minesweeper", options={"noGuess": True}))

    return gets_another(0), gets_another(1)


@limit
def remembered_answers() -> tuple[bool, bool]:
    def remembered(others: int) -> bool:
        at = Desk(remembered_answers=3)
        ann = at.peer()
        room = ann.create()
        ann.ask("unwatchLobby", "first")
        for _ in range(others):
            ann.ask("unwatchLobby")
        return ann.ask("leave", "first", room=room).get("code") == "idReused"

    return remembered(2), remembered(3)


@limit
def chat_length() -> tuple[bool, bool]:
    ann, _, room = Desk().pair()
    longest = Limits().chat_length
    try:
        beyond = well(ann.ask("say", room=room, text="x" * (longest + 1)))
    except ValueError:
        beyond = False  # the message's own model refuses it
    return well(ann.ask("say", room=room, text="x" * longest)), beyond


@limit
def frame_bytes() -> tuple[bool, bool]:
    """Tested on a socket, in tests/server/wire/test_network.py, with 4,096 bytes and with one more."""
    return Limits().frame_bytes == FROM_CLIENT.frame, Limits().frame_bytes > FROM_CLIENT.frame


# Durations


def _has_played(at: Desk) -> Peer:
    """A player who has just finished a game with another person."""
    ann, _, room = at.pair()
    at.now += 1
    ann.ask("resign", room=room, seat=0)
    ann.ask("leave", room=room)
    return ann


@setting
def session_seconds() -> tuple[bool, bool]:
    def same(milliseconds: int) -> bool:
        at = desk(session_seconds=2)
        ann = at.peer()
        at.drop(ann)
        at.tick(milliseconds)
        return at.back(ann).session == ann.session

    return same(1_999), same(2_000)


@setting
def absence_seconds() -> tuple[bool, bool]:
    def waited_for(milliseconds: int) -> bool:
        at = desk(absence_seconds=3)
        ann, bob, room = at.pair()
        at.drop(ann)
        at.tick(milliseconds)
        return not well(bob.ask("claim", room=room, seat=1))

    return waited_for(2_999), waited_for(3_000)


@setting
def waiting_minutes() -> tuple[bool, bool]:
    def kept(milliseconds: int) -> bool:
        at = desk(waiting_minutes=1)
        ann = at.peer()
        room = ann.create()
        at.drop(ann)
        at.tick(milliseconds)
        return room in at.hub.rooms.open

    return kept(59_999), kept(60_000)


@setting
def idle_minutes() -> tuple[bool, bool]:
    def open(milliseconds: int) -> bool:
        at = desk(idle_minutes=1)
        ann, _, room = at.pair()
        ann.ask("resign", room=room, seat=0)
        at.tick(milliseconds)
        return room in at.hub.rooms.open

    return open(59_999), open(60_000)


@setting
def token_days() -> tuple[bool, bool]:
    def known(milliseconds: int) -> bool:
        at = desk(token_days=1)
        ann = at.peer()
        at.tick(milliseconds)
        return well(at.connect().ask("hello", protocol=1, client="test", token=ann.token))

    return known(86_399_999), known(86_400_000)


@setting
def first_move_seconds() -> tuple[bool, bool]:
    def running(milliseconds: int) -> bool:
        at = desk(first_move_seconds=3)
        _, _, room = at.pair(clock={"base": 1, "increment": 0})
        at.tick(milliseconds)
        return at.room(room).state.value == "playing"

    return running(2_999), running(3_000)


@setting
def countdown_seconds() -> tuple[bool, bool]:
    def begun(milliseconds: int) -> bool:
        at = desk(countdown_seconds=5)
        _, _, room = at.pair("minesweeper", options={"mode": "race"})
        at.tick(milliseconds)
        return at.room(room).state.value == "playing"

    return begun(5_000), begun(4_999)


@setting
def grace_seconds() -> tuple[bool, bool]:
    """After a restart, a clock of one second runs out one second after the grace."""

    def running(milliseconds: int) -> bool:
        at = desk(grace_seconds=5, first_move_seconds=0)
        _, _, room = at.pair(clock={"base": 1, "increment": 0})
        at.restart()
        at.tick(milliseconds)
        position = at.room(room).position
        return position is not None and position.outcome is None

    return running(5_999), running(6_001)


@setting
def name_days() -> tuple[bool, bool]:
    def known(milliseconds: int) -> bool:
        at = desk(session_seconds=0.1, name_days=1, absence_seconds=0.5)
        ann = _has_played(at)
        at.drop(ann)
        at.tick(100)
        at.tick(milliseconds)
        return well(at.connect().ask("hello", protocol=1, client="test", token=ann.token))

    return known(86_399_999), known(86_400_000)


@limit
def newcomer_memory_ms() -> tuple[bool, bool]:
    def known(milliseconds: int) -> bool:
        at = Desk(session_memory_ms=100, newcomer_memory_ms=1_000, absence_ms=500)
        ann = at.peer()
        at.drop(ann)
        at.tick(100)
        at.tick(milliseconds)
        return well(at.connect().ask("hello", protocol=1, client="test", token=ann.token))

    return known(999), known(1_000)


@limit
def hand_over_ms() -> tuple[bool, bool]:
    def opens(milliseconds: int) -> bool:
        at = Desk(hand_over_ms=1_000)
        code = at.peer().ask("handOver")["code"]
        at.tick(milliseconds)
        return well(at.connect().ask("hello", protocol=1, client="test", handOver=code))

    return opens(999), opens(1_000)


@limit
def devices() -> tuple[bool, bool]:
    at = Desk(devices=3)
    ann = at.peer()

    def one_more() -> Message:
        given = ann.ask("handOver")
        return at.peer(None, handOver=given["code"]).welcome if well(given) else given

    return times(2, one_more)


@setting
def players() -> tuple[bool, bool]:
    at = desk(players=3)
    return times(3, lambda: at.connect().ask("hello", protocol=1, client="test"))


@limit
def seen_every_ms() -> tuple[bool, bool]:
    """A visit is not saved again before this time has passed."""

    def saved_anew(milliseconds: int) -> bool:
        at = Desk(seen_every_ms=1_000)
        ann = _has_played(at)
        played = at.now
        at.now += milliseconds
        at.drop(ann)
        return at.players[ann.player].seen != played

    return saved_anew(1_000), saved_anew(999)


def invitation(milliseconds: int, **guest: Any) -> bool:
    """Whether an invitation is still open after that time."""
    at = Desk(invite_ms=2_000, bot_invite_ms=1_000)
    ann, bot = at.peer(), at.bot("rob", "tic-tac-toe:easy")
    room = ann.create()
    ann.ask("invite", room=room, seat=1, **(guest or {"player": at.peer("bob").player}))
    assert bot.closed is None
    at.tick(milliseconds)
    return bool(at.hub.invitations.kept(room))


@limit
def invitations() -> tuple[bool, bool]:
    at = Desk(invitations=Rate(4_000, 3))
    ann = at.peer()

    def invite() -> Message:
        return ann.ask("invite", room=ann.create(), seat=1, player=at.peer("bob").player)

    return times(3, invite)


@limit
def invitations_to() -> tuple[bool, bool]:
    at = Desk(invitations_to=3)
    bob = at.peer("bob")

    def invite() -> Message:
        ann = at.peer("ann")
        return ann.ask("invite", room=ann.create(), seat=1, player=bob.player)

    return times(3, invite)


@limit
def muted() -> tuple[bool, bool]:
    at = Desk(muted=3)
    ann, others = at.peer("ann"), iter([at.peer("bob") for _ in range(4)])
    return times(3, lambda: ann.ask("mute", player=next(others).player))


@limit
def seeks() -> tuple[bool, bool]:
    ann = Desk(seeks=3).peer()
    return times(3, lambda: ann.ask("seek", game="quoridor"))


@limit
def seeks_of_address() -> tuple[bool, bool]:
    at = Desk(seeks_of_address=2, seeks=1)
    peers = iter([at.peer(f"p{number}", address="203.0.113.9") for number in range(3)])
    clocks = iter((60, 61, 62))
    return times(2, lambda: next(peers).ask("seek", game="quoridor", clock={"base": next(clocks)}))


@limit
def bot_after_ms() -> tuple[bool, bool]:
    def stands_alone(milliseconds: int) -> bool:
        at = Desk(bot_after_ms=1_000)
        at.house("quoridor:easy")
        at.peer().ask("seek")
        at.tick(milliseconds)
        return bool(at.hub.pairing.standing)

    return stands_alone(999), stands_alone(1_000)


@limit
def invite_ms() -> tuple[bool, bool]:
    return invitation(1_999), invitation(2_000)


@limit
def bot_invite_ms() -> tuple[bool, bool]:
    return invitation(999, bot="tic-tac-toe:easy"), invitation(1_000, bot="tic-tac-toe:easy")


# Sizes


def resumed(missed: int, **settings: Any) -> tuple[bool, int]:
    """Resumes after that many missed events. Returns whether they came one by one, and their bytes."""
    at = desk(**settings)
    ann, bob, room = at.pair(subscribe=["chat"])
    seq = at.room(room).head
    for _ in range(missed):
        bob.ask("say", room=room, text="hello")
    ann.ask("resume", room=room, epoch=at.room(room).epoch, seq=seq)
    told = [message for message in ann.seen if message["type"] == "said"]
    return len(told) == missed, len(_PACKER.pack(told))


@setting
def replay_events() -> tuple[bool, bool]:
    return resumed(3, replay_events=3)[0], resumed(4, replay_events=3)[0]


@setting
def replay_bytes() -> tuple[bool, bool]:
    _, size = resumed(3)
    return resumed(3, replay_bytes=size)[0], resumed(3, replay_bytes=size - 1)[0]


# Rates


@limit
def replays() -> tuple[bool, bool]:
    def told(asked: int) -> bool:
        """Whether the last of that many resuming players gets the events one by one."""
        ann, bob, room = Desk(replays=Rate(1_000, 3)).pair()
        for player, move in ((ann, "a1"), (bob, "b1"), (ann, "a2")):
            player.play(room, move)
        at = ann.desk.room(room)
        answers = [ann.ask("resume", room=room, epoch=at.epoch, seq=at.head - 2) for _ in range(asked)]
        return bool(answers[-1]["type"] == "ok")

    return told(3), told(4)


@setting
def turns_burst() -> tuple[bool, bool]:
    ann, _, room = desk(turns_burst=3).pair()
    asked = [ann.refused("playTurn", room=room, seat=0, ply=9, move="b2") for _ in range(4)]
    return asked[:3] == ["stale"] * 3, asked[3] != "rateLimited"


@setting
def messages_burst() -> tuple[bool, bool]:
    ann = desk(messages_burst=3).peer()
    return times(3, lambda: ann.ask("ping"))


def said(at: Desk) -> tuple[bool, bool]:
    """Whether a phrase can be sent, and whether other text."""
    ann, _, room = at.pair()
    return well(ann.ask("say", room=room, phrase="goodLuck")), well(ann.ask("say", room=room, text="na na"))


@setting
def chat() -> tuple[bool, bool]:
    return said(desk(chat="phrases"))


@limit
def talk() -> tuple[bool, bool]:
    return said(Desk(talk="phrases"))


@setting
def chat_burst() -> tuple[bool, bool]:
    ann, _, room = desk(chat_burst=3, messages_burst=100).pair()
    return times(3, lambda: ann.ask("say", room=room, text="hello"))


def refilled(at: Desk, after: int, ask: Callable[[], Message]) -> tuple[bool, bool]:
    """Whether exactly one more command is possible after that time."""
    while well(ask()):
        pass
    at.now += after
    return times(1, ask)


@setting
def turns_per_second() -> tuple[bool, bool]:
    at = desk(turns_per_second=4, turns_burst=3)
    ann, _, room = at.pair()

    def turn() -> Message:
        answer = ann.ask("playTurn", room=room, seat=0, ply=9, move="b2")
        return {"type": "refused" if answer["code"] == "rateLimited" else "stale"}

    return refilled(at, 250, turn)


@setting
def messages_per_second() -> tuple[bool, bool]:
    at = desk(messages_per_second=4, messages_burst=3)
    ann = at.peer()
    return refilled(at, 250, lambda: ann.ask("ping"))


@setting
def chat_seconds() -> tuple[bool, bool]:
    at = desk(chat_seconds=3, chat_burst=2, messages_burst=100)
    ann, _, room = at.pair()
    return refilled(at, 3_000, lambda: ann.ask("say", room=room, text="hello"))


@setting
def guests_per_hour() -> tuple[bool, bool]:
    at = desk(guests_per_hour=3)
    return times(3, lambda: comes(at, "ann"))


@setting
def all_guests_per_minute() -> tuple[bool, bool]:
    at = desk(all_guests_per_minute=3)
    return times(3, lambda: at.connect().ask("hello", protocol=1, client="test"))


@setting
def new_rooms_per_minute() -> tuple[bool, bool]:
    ann = from_afar(desk(new_rooms_per_minute=3))
    return times(3, lambda: ann.ask("createRoom", game="tic-tac-toe"))


@setting
def own_rooms_per_minute() -> tuple[bool, bool]:
    ann = desk(own_rooms_per_minute=3).peer()
    return times(3, lambda: ann.ask("createRoom", game="tic-tac-toe"))


@setting
def codes_per_minute() -> tuple[bool, bool]:
    ann = from_afar(desk(codes_per_minute=3))
    tried = [ann.refused("join", code="0000-0000") for _ in range(4)]
    return tried[:3] == ["wrongCode"] * 3, tried[3] != "rateLimited"


@setting
def wrong_codes_per_minute() -> tuple[bool, bool]:
    """Tries codes from an address without another limit, each as another player."""
    at = desk(wrong_codes_per_minute=3)
    tried = [at.peer(f"ann{each}").refused("join", code="0000-0000") for each in range(4)]
    return tried[:3] == ["wrongCode"] * 3, tried[3] != "rateLimited"


@setting
def patience() -> tuple[bool, bool]:
    at = desk(patience=3, messages_burst=1)
    ann = at.peer()
    ann.ask("ping")
    for _ in range(3):
        ann.ask("ping")
    there = ann.closed is None
    ann.ask("ping")
    return there, ann.closed is None


@limit
def packed_entries() -> tuple[bool, bool]:
    """Packs as many entries as one room has; another room then stays loaded."""
    at = Desk(packed_entries=6)
    rooms = [table(at)[2] for _ in range(2)]
    all_go(at)
    first, second = sorted((is_packed(at, room) for room in rooms), reverse=True)
    return first, second


@limit
def packed_log() -> tuple[bool, bool]:
    at = Desk(packed_log=6)
    rooms = [table(at, "quoridor", moves)[2] for moves in (2, 3)]
    all_go(at)
    at_most, beyond = (is_packed(at, room) for room in rooms)
    return at_most, beyond
