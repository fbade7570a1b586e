"""Settings: from the environment, with limits, and none of them required."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from tablero_protocol.phrases import ChatPolicy
from tablero_server.core.limits.limits import Limits, Rate
from tablero_server.core.people.entry_policy import EntryPolicy
from tablero_server.settings import Settings, read_first_line


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"TABLERO_{name.upper()}", raising=False)


def test_nothing_is_required() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.bots) == ("127.0.0.1", 8470, True)
    assert settings.allowed_origins == frozenset()


def test_what_is_not_set_leaves_the_limits_as_they_are() -> None:
    assert Settings().limits == Limits()


@pytest.mark.parametrize(
    ("variable", "text", "name", "value"),
    [
        ("TABLERO_HOST", "0.0.0.0", "host", "0.0.0.0"),
        ("TABLERO_PORT", "9000", "port", 9000),
        ("TABLERO_BOTS", "false", "bots", False),
        ("TABLERO_LOG", "json", "log", "json"),
        ("TABLERO_HELLO_SECONDS", "2.5", "hello_seconds", 2.5),
        ("TABLERO_CONNECTIONS", "7", "connections", 7),
        ("TABLERO_ADMIN_ADDRESS", "off", "host_pages", None),
        ("TABLERO_ADMIN_ADDRESS", "[::1]:99", "host_pages", ("::1", 99)),
    ],
)
def test_a_setting_is_read_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str, name: str, value: object
) -> None:
    monkeypatch.setenv(variable, text)
    assert getattr(Settings(), name) == value


def test_an_option_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_PORT", "9000")
    assert Settings(port=9001).port == 9001


@pytest.mark.parametrize("pace", ["slow", "1,5", "expert=", "1 expert=fast"])
def test_what_is_no_pace_is_refused(pace: str) -> None:
    assert Settings(bot_pace="1 expert=0.5").bot_pace == "1 expert=0.5"
    with pytest.raises(ValidationError, match="is no pace; write a factor"):
        Settings(bot_pace=pace)


@pytest.mark.parametrize(
    "name", ["https://games.example.org", "games.example.org:443", "Games.example.org", "*"]
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="is no name; write it in small letters"):
        Settings(names=f"fine.example.org, {name}")


@pytest.mark.parametrize("said", [{"tls_cert": "a"}, {"tls_key": "a"}])
def test_a_certificate_and_its_key_go_together(said: dict[str, str]) -> None:
    assert Settings(tls_cert="a", tls_key="b").speaks_tls
    with pytest.raises(ValidationError, match="say both"):
        Settings.model_validate(said)


def test_for_the_network_it_listens_everywhere_unless_an_address_was_chosen() -> None:
    assert Settings(lan=True).listen_on == "0.0.0.0"
    assert Settings(lan=True, host="192.168.1.5").listen_on == "192.168.1.5"
    assert Settings().listen_on == "127.0.0.1"


def test_variables_of_others_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_SERVER", "ws://elsewhere/ws")
    Settings()


def test_seconds_become_the_cores_milliseconds() -> None:
    limits = Settings(silence_seconds=1.5, session_seconds=60, absence_seconds=2).limits
    assert (limits.silence_ms, limits.session_memory_ms, limits.absence_ms) == (1500, 60_000, 2000)


def test_rooms_and_watchers_reach_the_core() -> None:
    limits = Settings(rooms=10, rooms_per_person=2, watchers=0).limits
    assert (limits.all_rooms, limits.rooms, limits.watchers) == (10, 2, 0)


@pytest.mark.parametrize("chat", ["phrases", "off"])
def test_a_name_changes_once_an_hour_where_the_chat_is_restricted(chat: ChatPolicy) -> None:
    assert Settings(chat=chat).limits.renames == Rate(3_600_000, 1)
    assert Settings(chat="on").limits.renames == Limits().renames


def test_origins_are_a_list_with_commas() -> None:
    settings = Settings(origins="https://a.example, https://b.example:8443,")
    assert settings.allowed_origins == {"https://a.example", "https://b.example:8443"}


@pytest.mark.parametrize(
    "origin", ["http://[::1]:8470", "https://xn--bcher-kva.example", "http://192.168.0.9:80"]
)
def test_an_origin_as_a_browser_sends_it_is_taken(origin: str) -> None:
    assert Settings(origins=origin).allowed_origins == {origin}


@pytest.mark.parametrize(
    "origin",
    [
        "foo",
        "good.example",
        "https://",
        "https://Good.example",
        "https://a.example/",
        "wss://a.example",
        "null",
        "*",
    ],
)
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(ValidationError, match="is no origin; write it as a browser does"):
        Settings(origins=f"https://fine.example,{origin}")


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("TABLERO_PORT", "70000"),
        ("TABLERO_PORT", "many"),
        ("TABLERO_LOG", "loud"),
        ("TABLERO_SILENCE_SECONDS", "0"),
        ("TABLERO_WATCHERS", "-1"),
        ("TABLERO_OUTBOX_BYTES", "10"),
        ("TABLERO_ADMIN_ADDRESS", "8471"),
    ],
)
def test_nonsense_is_refused(monkeypatch: pytest.MonkeyPatch, variable: str, text: str) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(ValidationError):
        Settings()


def test_a_passphrase_comes_from_the_environment_or_from_the_first_line_of_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert Settings().entry_policy == EntryPolicy()
    monkeypatch.setenv("TABLERO_ENTRY", "passphrase")
    monkeypatch.setenv("TABLERO_PASSPHRASE", "olé")
    assert Settings().entry_policy == EntryPolicy("passphrase", "olé")
    file = tmp_path / "passphrase"
    file.write_text("from a file \nnot this\n", "utf-8")
    monkeypatch.setenv("TABLERO_PASSPHRASE_FILE", str(file))
    assert Settings().entry_policy == EntryPolicy("passphrase", "from a file")


def test_who_asks_for_a_passphrase_has_to_say_which(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABLERO_ENTRY", "passphrase")
    with pytest.raises(ValidationError, match="TABLERO_PASSPHRASE_FILE"):
        Settings()
    (tmp_path / "empty").write_text("\n")
    for file, why in (("nowhere", "No such file"), ("empty", "is empty")):
        monkeypatch.setenv("TABLERO_PASSPHRASE_FILE", str(tmp_path / file))
        with pytest.raises(ValidationError, match=why):
            Settings()


def test_a_passphrase_is_in_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_PASSPHRASE", "olé, friend")
    assert "olé" not in repr(Settings())


def test_of_a_file_the_first_line_counts(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(" one \ntwo\n")
    assert read_first_line(str(file)) == "one"


@pytest.mark.parametrize(
    ("said", "path"), [("/", "/"), ("", "/"), ("games", "/games/"), ("/our/games.v2/", "/our/games.v2/")]
)
def test_a_path_has_a_slash_at_both_ends(said: str, path: str) -> None:
    assert Settings(base_path=said).base_path == path


@pytest.mark.parametrize("said", ["/a b/", "/ga?mes/", "/../", "https://games.example.org/x", "/ä/"])
def test_what_is_no_path_is_refused(said: str) -> None:
    with pytest.raises(ValidationError, match="is not a path; write it as /games/"):
        Settings(base_path=said)


@pytest.mark.parametrize(
    ("url", "whole"),
    [
        ("postgresql://ann@db/games", "postgresql://ann:s%2Fcr%40t@db/games"),
        (
            "postgresql://ann@db:99/games?sslmode=disable",
            "postgresql://ann:s%2Fcr%40t@db:99/games?sslmode=disable",
        ),
        ("postgresql://ann:own@db/games", "postgresql://ann:own@db/games"),
        ("sqlite:///games.db", "sqlite:///games.db"),
    ],
)
def test_a_database_without_a_password_has_that_of_a_file(tmp_path: Path, url: str, whole: str) -> None:
    file = tmp_path / "password"
    file.write_text("s/cr@t\n")
    assert Settings(database=url, database_password_file=str(file)).database == whole


def test_a_password_that_cannot_be_read_matters_to_postgresql_alone(tmp_path: Path) -> None:
    file = str(tmp_path / "none")
    assert Settings(database="memory", database_password_file=file).database == "memory"
    with pytest.raises(ValidationError, match=r"Cannot read its password from .*none: No such file"):
        Settings(database="postgresql://ann@db/games", database_password_file=file)
