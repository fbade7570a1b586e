"""tablero_protocol/scan.py: a frame is counted before a parser sees it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablero_protocol.scan import FROM_CLIENT, FROM_SERVER, Bounds, FrameError, scan_json, scan_msgpack

FEW = Bounds(frame=1_000, depth=3, items=7, array=3, map=2)
Scan = Callable[[Any], None]


def by_msgpack(value: Any) -> None:
    scan_msgpack(msgpack.packb(value), FEW)


def by_json(value: Any) -> None:
    scan_json(json.dumps(value).encode(), FEW)


BOTH = pytest.mark.parametrize("scan", [by_msgpack, by_json])


def reason(scan: Callable[[], None]) -> str:
    with pytest.raises(FrameError) as caught:
        scan()
    return caught.value.reason


@BOTH
def test_a_value_at_every_bound_passes(scan: Scan) -> None:
    scan([[[1]], 2, 3])
    scan({"a": 1, "b": [1, 2]})


@BOTH
def test_a_container_too_deep_is_refused(scan: Scan) -> None:
    scan([[[]]])
    assert reason(lambda: scan([[[[]]]])) == "tooDeep"


@BOTH
def test_a_value_too_many_is_refused(scan: Scan) -> None:
    scan([[1, 2], [3], 4])
    assert reason(lambda: scan([[1, 2], [3, 4], 5])) == "tooManyValues"


def test_a_list_and_a_map_too_long_are_refused_in_json_where_no_parser_does_it() -> None:
    assert reason(lambda: by_json([1, 2, 3, 4])) == "longOrOpenList"
    assert reason(lambda: by_json({"a": 1, "b": 2, "c": 3})) == "longOrOpenList"


@pytest.mark.parametrize("scan", [scan_json, scan_msgpack])
def test_a_frame_that_is_too_long_is_refused_before_it_is_looked_at(
    scan: Callable[[bytes, Bounds], None],
) -> None:
    assert reason(lambda: scan(b"\xc1" * 1_001, FEW)) == "frameTooLong"


@pytest.mark.parametrize("frame", [b"}", b"[1]]", b"]["])
def test_a_bracket_that_closes_nothing_is_refused(frame: bytes) -> None:
    assert reason(lambda: scan_json(frame, FEW)) == "longOrOpenList"


def test_brackets_in_a_text_and_behind_a_backslash_count_for_nothing() -> None:
    scan_json(rb'["[[[[[\"]]]]]", "\\", 1]', FEW)


@pytest.mark.parametrize("frame", [b"", b"\x92\x01", b"\xa5abc", b"\x01\x01", b"\xd9\x05ab", b"\xdc\x00"])
def test_a_frame_that_ends_too_soon_or_too_late_is_refused(frame: bytes) -> None:
    assert reason(lambda: scan_msgpack(frame, FEW)) == "goesOn"


@pytest.mark.parametrize(
    "frame", [b"\xc1", b"\xc4\x01a", b"\xc7\x00\x01", b"\xd4\x01\x00", b"\xdb\x00\x00\x00\x00"]
)
def test_kinds_of_value_that_no_message_needs_are_refused(frame: bytes) -> None:
    assert reason(lambda: scan_msgpack(frame, FEW)) == "notNeeded"


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
@pytest.mark.parametrize("short", [True, False])
def test_a_float_that_is_no_number_is_refused(value: float, short: bool) -> None:
    frame = msgpack.packb([value], use_single_float=short)
    assert reason(lambda: scan_msgpack(frame, FEW)) == "notFinite"
    scan_msgpack(msgpack.packb([-1e30], use_single_float=short), FEW)


def test_an_error_tells_the_bound_that_was_broken() -> None:
    with pytest.raises(FrameError) as caught:
        by_msgpack([[[[]]]])
    assert caught.value.fields == {"most": FEW.depth}


def test_a_server_may_send_more_than_a_client() -> None:
    for bound in ("frame", "depth", "items", "array", "map"):
        assert getattr(FROM_CLIENT, bound) < getattr(FROM_SERVER, bound)


ANY_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(-1e300, 1e300)
    | st.text(st.characters(codec="utf-8"), max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=40), inner, max_size=20),
    max_leaves=30,
)  # fmt: skip


def counted(value: Any) -> int:
    """How many values there are in it, keys and itself counted too."""
    if isinstance(value, dict):
        return 1 + sum(1 + counted(inner) for inner in value.values())
    return 1 + sum(map(counted, value)) if isinstance(value, list) else 1


@settings(max_examples=200)
@given(ANY_VALUE)
def test_the_scan_counts_as_many_values_as_there_are(value: Any) -> None:
    items = counted(value)
    frame = msgpack.packb(value)
    scan_msgpack(frame, Bounds(len(frame), 100, items, items, items))
    if items > 1:
        fewer = Bounds(len(frame), 100, items - 1, items, items)
        assert reason(lambda: scan_msgpack(frame, fewer)) == "tooManyValues"
