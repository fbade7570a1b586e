"""The hash of a state: the same for equal states, however their JSON is written."""

from __future__ import annotations

from zlib import crc32

from tablero_protocol.state_hash import EVERY, state_hash


def test_it_is_the_crc_of_the_sorted_json_without_spaces() -> None:
    written = b'[[0,1],{"cells":"X.","winner":null}]'
    assert state_hash((0, 1), {"winner": None, "cells": "X."}) == f"{crc32(written):08x}"


def test_it_tells_states_apart_by_seats_and_by_view() -> None:
    hashes = {state_hash([seat], {"cells": cells}) for seat in (0, 1) for cells in ("X.", ".X")}
    assert len(hashes) == 4
    assert all(len(hash) == 8 for hash in hashes)


def test_a_client_is_checked_often_enough_to_notice_within_a_game() -> None:
    assert EVERY == 8
