"""One set of commands, by whatever way they come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablero_server.app import Server
from tablero_server.host.audit import Audit
from tablero_server.host.conversation import HostConversation, in_words_of
from tests.harness.wire import RATED, a_server, a_table, a_wire


def of(server: Server, file: Path | None = None) -> HostConversation:
    return HostConversation(server.service, server.network, server.settings, Audit(file))


async def test_the_load_is_told_in_numbers_and_in_lines() -> None:
    async with a_server(connections=77) as server, a_table(server) as (ana, _, room):
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        answer = await of(server).answer("load", {}, "test")
    load = answer["load"]
    assert (load["connections"], load["mostConnections"], load["turns"]) == (2, 77, 1)
    assert (load["rooms"]["playing"], load["canSave"], load["draining"]) == (1, True, False)
    lines = dict(line.split("  ", 1) for line in answer["message"].splitlines())
    assert lines["Connections"] == "2 of 77, 2 players"
    assert lines["Rooms"].strip().startswith("1 playing; ")
    assert lines["Saves"].strip() == "yes"


async def test_the_settings_in_force_are_told_without_secrets() -> None:
    async with a_server(passphrase="sesame", watchers=7) as server:
        answer = await of(server).answer("settings", {}, "test")
    settings = {each["variable"]: each["value"] for each in answer["settings"]}
    assert (settings["TABLERO_WATCHERS"], settings["TABLERO_PASSPHRASE"]) == (7, "(hidden)")
    assert "sesame" not in str(answer)


async def test_what_changes_something_or_is_refused_is_kept_and_what_only_looks_is_not(
    tmp_path: Path,
) -> None:
    async with a_server() as server, a_wire(server) as ana:
        await ana.hello("ana")
        conversation = of(server, tmp_path / "audit")
        said: list[tuple[str, dict[str, Any]]] = [
            *(("list", {}), ("load", {}), ("announce", {"text": "Tea!"}), ("kick", {"player": "nobody"})),
            *(
                ("fly", {}),
                ("kick", {}),
                ("kick", {"player": 5}),
                ("kick", {"player": "ana", "service": "x"}),
            ),
        ]
        answers = [(await conversation.answer(name, asked, "test"))["ok"] for name, asked in said]
        kept = (await conversation.answer("audit", {}, "test"))["audit"]
    assert answers == [True, True, True, False, False, False, False, False]
    assert [(each["command"], each.get("refused")) for each in kept] == [
        ("announce", None),
        ("kick", "nobodyCalledThat"),
    ]


def test_short_times_are_milliseconds() -> None:
    assert (in_words_of(0.0025), in_words_of(2.0)) == ("2.5 ms", "2 s")


async def test_a_strike_is_kept_and_a_look_at_what_it_would_do_is_not(tmp_path: Path) -> None:
    async with a_server() as server, a_wire(server) as ana, a_wire(server, address="127.0.0.2") as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game="tic-tac-toe", **RATED))["room"]
        await ben.ask("join", room=room)
        for ply, move in enumerate(("a1", "a2", "b1", "b2", "c1")):
            await (ana, ben)[ply % 2].ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
        conversation = of(server, tmp_path / "audit")
        look, strike, again = [
            await conversation.answer("strike", {"player": "ana", **yes}, "test")
            for yes in ({}, {"yes": "yes"}, {})
        ]
        kept = (await conversation.answer("audit", {}, "test"))["audit"]
    assert (look["games"], strike["ok"], again["reason"]) == (1, True, "nothingToStrike")
    assert [(each["command"], each.get("refused")) for each in kept] == [
        ("strike", None),
        ("strike", "nothingToStrike"),
    ]
