"""The file by which a server knows its host's own bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero_server import app, bot_key
from tablero_server.bot_key import NoKey, read_or_make
from tablero_server.settings import Settings


def test_a_key_is_made_once_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    place = tmp_path / "bots"
    made = read_or_make(str(place))
    assert made.file == place
    assert len(made.text) == 43
    assert place.stat().st_mode & 0o777 == 0o600
    assert read_or_make(str(place)) == made


def test_two_servers_have_two_keys(tmp_path: Path) -> None:
    assert read_or_make(str(tmp_path / "a")).text != read_or_make(str(tmp_path / "b")).text


@pytest.mark.parametrize("text", ["", "short\n", "x" * 31, "\xff" * 40])
def test_a_file_without_a_key_is_no_key(tmp_path: Path, text: str) -> None:
    place = tmp_path / "bots"
    place.write_text(text, "latin-1")
    with pytest.raises(NoKey, match="bots"):
        read_or_make(str(place))
    assert place.read_text("latin-1") == text, "it may be something that somebody needs"


def test_no_folder_is_made_for_a_file_that_the_host_names(tmp_path: Path) -> None:
    with pytest.raises(NoKey, match="no/such"):
        app._bot_key(Settings(bot_key=str(tmp_path / "no" / "such" / "key")))
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_is_named_it_is_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_key, "user_data_path", lambda name: tmp_path / name)
    made = app._bot_key(Settings(bots=True))
    assert made is not None
    assert made.file == tmp_path / "tablero" / "bot-key"


def test_a_server_plays_without_it_where_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(bot_key, "user_data_path", lambda name: tmp_path / "file" / name)
    assert app._bot_key(Settings(bots=True)) is None


def test_a_server_without_bots_of_its_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_key, "user_data_path", lambda name: pytest.fail("nothing is to be kept"))
    assert app._bot_key(Settings(bots=False)) is None
