"""Tokens: minted, used, ended, and kept as hashes."""

from __future__ import annotations

from typing import Any

from tablero_server.core.effects import Effects
from tablero_server.core.entry import EndedToken, SavedToken
from tablero_server.core.limits.limits import Limits
from tablero_server.core.people.tokens import Token, Tokens

HOUR = 3_600_000


def a_table(**limits: Any) -> Tokens:
    return Tokens(Limits(**limits))


def test_a_token_is_found_by_its_text_and_by_nothing_else() -> None:
    tokens = a_table()
    text = "long and random"
    token = tokens.issue(text, "ann", "phone", 5)
    assert tokens.find(text) is token
    assert (token.player, token.device, token.created, token.used) == ("ann", "phone", 5, 5)
    assert text not in repr(vars(tokens))
    for other in ("", text[:-1], text + "x", token.id, token.hash.hex(), "\udcff"):
        assert tokens.find(other) is None


def test_its_id_tells_two_apart_and_nothing_of_the_hash() -> None:
    tokens = a_table()
    ids = {tokens.issue(f"text {number}", "ann", "", 0).id for number in range(100)}
    assert len(ids) == 100
    token = Token(b"\x00" * 32, "ann", "", 0, 0)
    assert (len(token.id), token.id.isascii()) == (8, True)
    assert token.id != "aaaaaaaa"


def used(tokens: Tokens, token: Token, now: int, device: str | None = None) -> tuple[SavedToken, ...]:
    """What is made durable of it."""
    effects = Effects()
    tokens.use(token, now, effects, device)
    return tuple(effects.kept_of(SavedToken))


def ended(tokens: Tokens, *ending: Token) -> list[bytes]:
    effects = Effects()
    tokens.end(ending, effects)
    return [hash for (hash,) in effects.kept_of(EndedToken)]


def test_a_token_whose_end_is_undone_opens_the_door_again() -> None:
    tokens, effects = a_table(), Effects()
    token = tokens.issue("1", "ann", "", 0)
    tokens.end([token], effects)
    for undo in effects.undo:
        undo(1)
    assert tokens.find("1") is token


def test_a_player_has_one_for_each_device() -> None:
    tokens = a_table()
    phone, desk = tokens.issue("1", "ann", "phone", 0), tokens.issue("2", "ann", "desk", 1)
    tokens.issue("3", "bob", "phone", 2)
    assert tokens.of("ann") == (phone, desk)
    assert tokens.of("nobody") == ()


def test_one_that_is_ended_opens_nothing_and_the_others_do() -> None:
    tokens = a_table()
    phone, desk = tokens.issue("1", "ann", "phone", 0), tokens.issue("2", "ann", "desk", 1)
    assert ended(tokens, phone) == [phone.hash]
    assert ended(tokens, phone) == [], "once"
    assert (tokens.find("1"), tokens.find("2")) == (None, desk)
    assert tokens.of("ann") == (desk,)
    assert ended(tokens, *tokens.of("ann")) == [desk.hash]
    assert (len(tokens), tokens._of) == (0, {})


def test_what_is_used_after_its_end_is_not_saved_again() -> None:
    tokens = a_table()
    token = tokens.issue("1", "ann", "", 0)
    ended(tokens, token)
    assert used(tokens, token, 5) == ()
    assert len(tokens) == 0


def test_one_lies_idle_for_so_long_and_no_longer() -> None:
    tokens = a_table(token_ms=100)
    token = tokens.issue("1", "ann", "", 0)
    assert not tokens.is_old(token, 99)
    used(tokens, token, 99)
    assert not tokens.is_old(token, 198)
    assert tokens.is_old(token, 199)


def test_its_last_use_is_saved_now_and_then_and_a_new_name_of_the_device_at_once() -> None:
    tokens = a_table(seen_every_ms=HOUR)
    token = tokens.issue("1", "ann", "", 0)
    assert used(tokens, token, 0) == (SavedToken(token.hash, "ann", "", 0, 0),)
    assert used(tokens, token, HOUR - 1) == ()
    assert used(tokens, token, HOUR) == (SavedToken(token.hash, "ann", "", 0, HOUR),)
    assert used(tokens, token, HOUR + 1, "phone") == (SavedToken(token.hash, "ann", "phone", 0, HOUR + 1),)
    assert used(tokens, token, HOUR + 2) == ()


def test_what_could_not_be_saved_is_saved_with_the_next_use() -> None:
    tokens = a_table()
    token = tokens.issue("1", "ann", "", 0)
    [saved] = used(tokens, token, 0)
    token.not_saved()
    assert used(tokens, token, 1) == (saved._replace(used=1),)


def test_one_from_before_a_restart_opens_the_door() -> None:
    tokens = a_table()
    token = tokens.issue("1", "ann", "phone", 3)
    [saved] = used(tokens, token, 3)
    later = a_table()
    later.admit(saved)
    again = later.find("1")
    assert again is not None
    assert (again.player, again.device, again.saved) == ("ann", "phone", saved)
    assert used(later, again, 4) == ()
