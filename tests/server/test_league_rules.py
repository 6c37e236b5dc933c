"""The rules of leagues without a server: draws and rankings."""

import pytest

from parlour.protocol.league_forms import LeagueEntry, LeagueFormat, LeagueStanding
from parlour.server.leagues.draw import MOST_MATCHES, Drawn, draw, most_entries, most_matches
from parlour.server.leagues.export import csv_of
from parlour.server.leagues.pseudonyms import new_alias
from parlour.server.leagues.table import counted, table
from parlour.store.league_values import SeatResult, Slot, StoredEntry, StoredLeague


def a_league(format: LeagueFormat, seats: int = 2, deals: int = 1, rounds: int = 3) -> StoredLeague:
    return StoredLeague(
        "0", "Spring", "dominion", format, "running", seats, deals, rounds, "{}", 0, None, False, 1, created_ms=0
    )


def entries(count: int, gone: str = "") -> list[StoredEntry]:
    """Entries called a, b, c and so on, in the order of their places."""
    names = "abcdefghij"[:count]
    return [
        StoredEntry(n, "0", "client", "", 1, n, n, None, "withdrawn" if n in gone else "in", place)
        for place, n in enumerate(names)
    ]


def over(slot: Slot, *ranks: int, absent: tuple[int, ...] = ()) -> Slot:
    results = tuple(SeatResult(rank, 10 - rank, 0) for rank in ranks)
    own = {field: getattr(slot, field) for field in Slot.__struct_fields__}
    return Slot(**{**own, "state": "over", "results": results, "absent": absent})


def won(drawn: Drawn) -> list[Slot]:
    """All matches of a round are won by the entry with the first letter."""
    return [over(slot, *(1 if entry == min(slot.entries) else 2 for entry in slot.entries)) for slot in drawn.slots]


def lineups(drawn: Drawn | None) -> list[str]:
    assert drawn is not None
    return sorted("".join(sorted(slot.entries)) for slot in drawn.slots)


def test_in_a_round_robin_everybody_meets_everybody_and_the_seats_rotate() -> None:
    drawn = draw(a_league("round-robin", deals=2), entries(4), [], [])
    assert drawn is not None and lineups(drawn) == sorted(["ab", "ac", "ad", "bc", "bd", "cd"] * 2)
    assert [slot.n for slot in drawn.slots] == [*range(1, 13)]
    for name in "abcd":
        seats = [slot.entries.index(name) for slot in drawn.slots if name in slot.entries]
        assert seats.count(0) == seats.count(1) == 3
    assert draw(a_league("round-robin", deals=2), entries(4), won(drawn), [()]) is None


def test_the_matches_of_a_round_robin_are_in_random_order_and_every_pair_meets_before_any_meets_again() -> None:
    many = [StoredEntry(f"{n}", "0", "client", "", 1, "x", "x", None, "in", n) for n in range(60)]
    drawn = draw(a_league("round-robin", deals=2), many, [], [])
    assert drawn is not None and len(drawn.slots) == 2 * 60 * 59 / 2
    pairs = [frozenset(slot.entries) for slot in drawn.slots]
    assert len({*pairs[:1770]}) == len({*pairs[1770:]}) == 1770
    assert len({name for pair in pairs[:500] for name in pair}) == 60, "nobody waits until others have played all"


def test_a_gauntlet_is_against_the_first_place() -> None:
    assert lineups(draw(a_league("gauntlet", seats=3), entries(4), [], [])) == ["abc", "abd", "acd"]


def test_a_knock_out_goes_on_without_entries_that_have_left() -> None:
    league = a_league("knock-out")
    first = draw(league, entries(5), [], [])
    assert first is not None and first.byes == ("a",) and len(first.slots) == 2
    slots = won(first)
    second = draw(league, entries(5), slots, [first.byes])
    assert second is not None and second.round == 1 and len(second.slots) == 1 and len(second.byes) == 1
    assert second.slots[0].n == 3
    gone = draw(league, entries(5, gone="a"), slots, [first.byes])
    assert lineups(gone) == ["bc"] and gone is not None and gone.byes == ()
    final = [*slots, *won(gone)]
    assert draw(league, entries(5, gone="a"), final, [first.byes, ()]) is None
    assert draw(league, entries(5, gone="abcd"), slots, [first.byes]) is None, "one alone plays no final"


def test_swiss_draws_neighbours_and_nobody_who_has_left() -> None:
    league = a_league("swiss", rounds=2)
    first = draw(league, entries(4), [], [])
    assert first is not None and lineups(first) == ["ab", "cd"]
    slots = won(first)
    assert lineups(draw(league, entries(4), slots, [()])) == ["ac", "bd"]
    shrunk = draw(league, entries(4, gone="b"), slots, [()])
    assert lineups(shrunk) == ["ac"] and shrunk is not None and shrunk.byes == ("d",)
    assert draw(league, entries(4, gone="bcd"), slots, [()]) is None
    assert draw(league, entries(4), [*slots, *won(shrunk)], [(), ()]) is None, "all rounds are played"


def test_absent_players_are_ranked_last_and_get_nothing() -> None:
    slot = Slot("0", 1, 0, "over", 1, 0, "m", ("a", "b", "c"))
    places = table("round-robin", entries(3), counted([over(slot, 1, 2, 3, absent=(0,))]))
    assert [(place.entry.id, place.rank, place.figures.points) for place in places] == [
        ("b", 1, 1.0),
        ("c", 2, 0.5),
        ("a", 3, 0.0),
    ]
    assert [place.figures.wins for place in places] == [1, 0, 0]
    assert [place.figures.absences for place in places] == [0, 0, 1]


def test_equal_entries_share_a_rank_and_void_matches_count_for_nobody() -> None:
    tie = over(Slot("0", 1, 0, "over", 1, 0, "m", ("a", "b")), 1, 1)
    void = Slot("0", 2, 0, "void", 1, 3, "n", ("a", "c"))
    missed = Slot("0", 3, 0, "missed", 1, 0, "o", ("c", "b"), absent=(0, 1))
    places = table("round-robin", entries(3), counted([tie, void, missed]))
    found = {place.entry.id: (place.rank, place.figures.matches, place.figures.mean) for place in places}
    assert found == {"a": (1, 1, 0.5), "b": (2, 2, 0.25), "c": (3, 1, 0.0)}
    assert {place.entry.id: place.rank for place in table("swiss", entries(3), counted([tie]))} == {
        "a": 1,
        "b": 1,
        "c": 3,
    }
    assert [place.rank for place in table("swiss", entries(3, gone="a"), counted([tie]))] == [1, 2, None]


def test_in_a_knock_out_the_round_comes_first() -> None:
    first = [over(Slot("0", n, 0, "over", 1, 0, "m", pair), 1, 2) for n, pair in ((1, ("a", "b")), (2, ("c", "d")))]
    final = over(Slot("0", 3, 1, "over", 1, 0, "m", ("a", "c")), 2, 1)
    ranks = {place.entry.id: place.rank for place in table("knock-out", entries(4), counted([*first, final]))}
    assert ranks == {"c": 1, "a": 2, "b": 3, "d": 3}


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss", "knock-out"])
def test_no_league_has_too_many_matches(format: LeagueFormat) -> None:
    for seats in (2, 4):
        most = most_entries(format, seats, 5, 10)
        assert seats < most and most_matches(format, most, seats, 5, 10) <= MOST_MATCHES
    assert most_entries("swiss", 2, 1000, 100) == 0


def test_a_spreadsheet_calculates_no_name() -> None:
    entry = LeagueEntry("1", "=1+1", "client", "in", None, ("@anna", "ben"))
    row = LeagueStanding(None, "1", "=1+1", None, 0.5, 0.5, 1, 0.0, 0, 0, "withdrawn")
    _, *lines = csv_of([entry], [row]).decode().splitlines()
    assert lines == [
        ",'@anna,'=1+1,client,withdrawn,0.5000,0.5000,1,0.0000,0,0,",
        ",ben,'=1+1,client,withdrawn,0.5000,0.5000,1,0.0000,0,0,",
    ]


def test_pseudonyms_are_different() -> None:
    taken: set[str] = set()
    for _ in range(1300):
        taken.add(new_alias(taken))
    assert len(taken) == 1300
