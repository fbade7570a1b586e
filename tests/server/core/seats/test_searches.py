"""Whose turn it is to be searched for: one search a person, and nobody before those who have had none."""

from __future__ import annotations

import pytest

from tablero_server.core.seats.searches import Searches


def begun(searches: Searches) -> dict[str, int]:
    """What begins now: rooms, and their tickets."""
    rooms = {}
    while (due := searches.next()) is not None:
        rooms[due[1]] = due[0]
    return rooms


def test_as_many_run_at_once_as_may_and_the_next_follows() -> None:
    searches = Searches(2)
    for name in "abc":
        searches.begin(f"{name}1", name, name)
    running = begun(searches)
    assert list(running) == ["a1", "b1"]
    assert searches.end(running["a1"]) == "a1"
    assert list(begun(searches)) == ["c1"]


def test_one_person_has_one_place() -> None:
    searches = Searches(2)
    for number in range(5):
        searches.begin(f"a{number}", "a", "a")
    running = begun(searches)
    assert list(running) == ["a0"], "the second place is free for others"
    searches.begin("b0", "b", "b")
    assert list(begun(searches)) == ["b0"]
    searches.end(running["a0"])
    assert list(begun(searches)) == ["a1"]


def test_with_each_search_of_a_person_its_others_go_behind_everybody() -> None:
    searches = Searches(1)
    for room, person in (("a0", "a"), ("a1", "a"), ("a2", "a"), ("b0", "b"), ("c0", "c")):
        searches.begin(room, person, person)
    order = []
    while running := begun(searches):
        [(room, ticket)] = running.items()
        order.append(room)
        searches.end(ticket)
    assert order == ["a0", "b0", "c0", "a1", "a2"]


@pytest.mark.parametrize(
    ("theirs", "mine", "most"),
    [("{}", "elsewhere", 2 + 16), ("there", "there", 2 + 16), ("there", "elsewhere", 1)],
    ids=["each from elsewhere", "all from one address", "only the others from one address"],
)
def test_a_newcomer_waits_for_one_search_of_each_of_the_others_at_most(
    theirs: str, mine: str, most: int
) -> None:
    searches = Searches(2)
    for guest in range(16):
        for number in range(2):
            searches.begin(f"{guest}-{number}", str(guest), theirs.format(guest))
    running = begun(searches)
    searches.begin("mine", "me", mine)
    ended = 0
    while "mine" not in running:
        searches.end(running.pop(next(iter(running))))
        ended += 1
        running |= begun(searches)
    assert ended <= most


def test_others_from_an_address_wait_while_someone_elsewhere_does_and_no_longer() -> None:
    searches = Searches(2)
    for name in "abc":
        searches.begin(name, name, "there")
    running = begun(searches)
    assert list(running) == ["a", "b"], "nobody elsewhere waits"
    searches.begin("mine", "me", "here")
    searches.end(running["a"])
    assert list(begun(searches)) == ["mine"]
    searches.end(running["b"])
    assert list(begun(searches)) == ["c"]


def test_what_nobody_wants_any_more_keeps_its_place_until_it_ends() -> None:
    searches = Searches(1)
    searches.begin("a", "ann", "there")
    searches.begin("b", "bob", "here")
    running = begun(searches)
    searches.forget("a")
    assert (len(searches), searches.of("ann")) == (1, 0)
    assert begun(searches) == {}
    assert searches.end(running["a"]) is None
    assert list(begun(searches)) == ["b"]


def test_a_room_that_wants_another_one_does_not_get_the_first() -> None:
    searches = Searches(2)
    searches.begin("a", "ann", "there")
    first = begun(searches)["a"]
    searches.forget("a")
    searches.begin("a", "ann", "there")
    assert begun(searches) == {}, "its person has a search already"
    assert searches.end(first) is None
    second = begun(searches)["a"]
    assert searches.end(second) == "a"


def test_what_waits_and_what_runs_is_counted_by_person() -> None:
    searches = Searches(1)
    for room, person in (("a", "ann"), ("b", "ann"), ("c", "bob")):
        searches.begin(room, person, person)
    begun(searches)
    assert (len(searches), searches.of("ann"), searches.of("bob"), searches.of("eve")) == (3, 2, 1, 0)


def test_someone_waits_where_a_room_of_another_player_does() -> None:
    searches = Searches(1)
    for number in range(2):
        searches.begin(f"a{number}", "ann", "there")
    begun(searches)
    assert not searches.someone_waits, "her second room waits for her own search"
    searches.begin("b", "bob", "there")
    assert searches.someone_waits
    searches.forget("b")
    assert not searches.someone_waits
