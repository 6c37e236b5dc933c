"""Who sees what."""

from parlour.core import Close, Dice
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Failed, Turned
from tests.games.colorfight.tables import errors, table, turn


def two() -> State:
    return table("1h 1e . / . 2g2 2h2", energy=500, gold=300, field={(1, 0): 25})


def test_everybody_sees_the_whole_map_and_all_users() -> None:  # RULES 9.1
    state = two()
    view = state.view(0)
    assert (view.owner, view.building) == ((1, 1, 0, 0, 2, 2), "he  gh")
    assert (view.level, view.force_field) == ((1, 1, 1, 1, 2, 2), (0, 25, 0, 0, 0, 0))
    assert view.attack_cost == (1000, 75, 50, 50, 50, 1000)
    assert (view.gold, view.energy) == ((10, 2, 2, 2, 6, 20), (10, 6, 3, 3, 3, 20))
    assert set(view.natural_gold) == {2} and set(view.natural_energy) == {3} and set(view.natural_cost) == {50}
    assert [(user.energy, user.gold, user.tech_level) for user in view.users] == [(500, 300, 1), (500, 300, 2)]
    assert view == state.view(1) == state.view(None)


def test_a_list_is_seen_by_nobody_before_its_round_is_played() -> None:  # RULES 5.11, 9.1
    state = two()
    before, asks = state.view(1), state.asks()[1]
    assert state.play(0, Command(("a 2 0 60", "huh"))) == []
    assert state.play(0, Command(("a 0 1 60",))) == []
    assert state.view(1) == state.view(None) == before and state.asks()[1] == asks


def test_whoever_sent_a_list_is_no_longer_waited_for() -> None:  # RULES 1.2, 5.11
    state = two()
    assert state.asks()[0].waits and state.asks()[1].waits
    state.play(0, Command())
    assert not state.asks()[0].waits and state.asks()[1].waits
    state.play(None, Close())
    assert state.asks()[0].waits and state.asks()[1].waits


def test_mistakes_are_told_to_a_player_that_made_them_alone() -> None:  # RULES 9.1, 9.2
    events = turn(two(), "huh", "")
    [failed] = [event for event in events if isinstance(event, Failed)]
    assert failed.seen_by(0) == failed and failed.seen_by(1) is None and failed.seen_by(None) is None
    [turned] = [event for event in events if isinstance(event, Turned)]
    assert turned.seen_by(0) == turned.seen_by(1) == turned.seen_by(None) == turned


def test_no_view_has_anybodys_mistakes_whatever_the_option_says() -> None:  # RULES 9.2
    shown, hidden = (table("1h . / . 2h", errors=each) for each in ("shown", "hidden"))
    for state in (shown, hidden):
        turn(state, "huh", "")
        assert len(errors(state)) == 1
    assert shown.view(1) == hidden.view(1) and shown.view(0) == shown.view(1)


def test_others_lists_and_mistakes_might_be_any() -> None:  # RULES 9.1
    state = two()
    turn(state, "huh", "huh")
    state.play(0, Command(("a 2 0 60",)))
    state.play(1, Command(("a 2 0 61",)))
    dealt = [state.redeal(0, Dice(b"%d" % number)) for number in range(20)]
    assert all(other.players[0] == state.players[0] and other.view(0) == state.view(0) for other in dealt)
    assert len({other.players[1].given for other in dealt}) > 2 and len({len(errors(each, 2)) for each in dealt}) > 1


def test_whether_and_how_often_others_have_sent_lists_might_be_otherwise() -> None:  # RULES 5.11, 9.1
    state = two()
    for given in (False, True):
        if given:
            state.play(1, Command(("a 2 0 61",)))
        dealt = [state.redeal(0, Dice(b"%d" % number)).players[1] for number in range(40)]
        assert {player.given is None for player in dealt} == {False, True}
        assert all((player.given is None) == (player.lists == 0) for player in dealt)
        assert len({player.lists for player in dealt}) > 5
