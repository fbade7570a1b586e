"""Identity: the same player at the next start, and never two programs at once."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import pytest

from tablero.client import identity
from tablero.client.identity import Identity

SERVER = "ws://127.0.0.1:8470/ws"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    return tmp_path


def remember(token: str, server: str = SERVER, name: str = "Ana") -> None:
    with Identity(server, name) as identity:
        identity.keep(token)


def recalled(server: str = SERVER, name: str = "Ana", *, bot: bool = False) -> str | None:
    with Identity(server, name, bot=bot) as identity:
        return identity.token


def test_a_token_is_there_again_at_the_next_start() -> None:
    assert recalled() is None
    remember("first")
    remember("second and longer")
    remember("third")
    assert recalled() == "third"


def test_each_server_name_and_kind_has_its_own() -> None:
    remember("secret")
    assert recalled(server="127.0.0.1:8470") == "secret"
    assert recalled(server="127.0.0.1:9000") is None
    assert recalled(name="Ben") is None
    assert recalled(bot=True) is None


@pytest.mark.parametrize("server", ["ws://localhost:8470/ws", "ws://[::1]:8470/ws"])
def test_one_is_the_same_by_every_spelling_of_this_machine(server: str) -> None:
    remember("first", server)
    assert recalled() == recalled(server) == "first"
    assert [each.server for each in identity.saved_identities()] == [server]
    assert recalled("ws://192.0.2.1:8470/ws") is recalled("ws://localhost:8471/ws") is None


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("ben", "ben"),
        ("jörg", "jorg"),
        ("max.mustermann", "max-mustermann"),
        ("DOMAIN\\maría", "DOMAIN-maria"),
        ("a-very-long-login-name-it-is", "a-very-long-login-na"),
        ("j", "guest"),
        ("root", "guest"),
        ("Иван", "guest"),
    ],
)
def test_whoever_says_no_name_is_called_as_on_this_machine_as_far_as_letters_go(
    monkeypatch: pytest.MonkeyPatch, login: str, name: str
) -> None:
    monkeypatch.setattr(identity, "getuser", lambda: login)
    assert identity.default_name() == name


def test_only_its_owner_may_read_it(own_home: Path) -> None:
    remember("secret")
    [file] = (own_home / "players").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_without_an_answer_nothing_is_kept(own_home: Path) -> None:
    assert recalled() is None
    assert list((own_home / "players").iterdir()) == []
    remember("secret")
    assert recalled() == "secret"


def test_whoever_waited_for_a_file_that_is_gone_takes_a_new_one(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Identity(SERVER, "Ana").__enter__()
    lock = identity._lock

    def late(file: IO[str]) -> bool:
        """Another program has gone, with its file, after this one has opened it."""
        first.__exit__(None, None, None)
        return lock(file)

    monkeypatch.setattr(identity, "_lock", late)
    remember("secret")
    monkeypatch.undo()
    monkeypatch.setenv("TABLERO_HOME", str(own_home))
    assert recalled() == "secret"


def test_a_second_program_is_another_player_for_as_long_as_the_first_runs() -> None:
    remember("secret")
    with Identity(SERVER, "Ana") as first, Identity(SERVER, "Ana") as second:
        assert (first.token, second.token) == ("secret", None)
        second.keep("second")
    assert recalled() == "secret"


def test_a_second_program_that_starts_again_beside_the_first_is_itself_again() -> None:
    remember("secret")
    with Identity(SERVER, "Ana"):
        remember("second")
        with Identity(SERVER, "Ana") as again, Identity(SERVER, "Ana") as third:
            assert (again.token, third.token) == ("second", None)


@pytest.mark.parametrize("content", ["", "no json", "[]", "{}", "null"])
def test_a_file_that_is_not_one_of_ours_is_no_token(own_home: Path, content: str) -> None:
    remember("secret")
    [file] = (own_home / "players").iterdir()
    file.write_text(content)
    assert recalled() is None
    remember("new")
    assert recalled() == "new"


def test_without_a_place_to_keep_it_one_is_a_passing_player(own_home: Path) -> None:
    (own_home / "players").write_text("in the way")
    remember("secret")
    assert recalled() is None
