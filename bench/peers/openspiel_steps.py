"""OpenSpiel: random legal actions, observation tensor and legal actions at every step."""

import random
import sys

import pyspiel
from measure import report


def played(game):
    """One episode; returns the steps of its players."""
    state = game.new_initial_state()
    steps = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(random.random() * len(outcomes))][0])
            continue
        acting = range(game.num_players()) if state.is_simultaneous_node() else [state.current_player()]
        chosen = []
        for seat in acting:
            state.observation_tensor(seat)
            legal = state.legal_actions(seat)
            chosen.append(legal[int(random.random() * len(legal))])
        state.apply_actions(chosen) if len(chosen) > 1 else state.apply_action(chosen[0])
        steps += len(chosen)
    return steps


def main():
    seconds = float(sys.argv[1])
    named = {
        "OpenSpiel in C++, Leduc poker, 2 seats": pyspiel.load_game("leduc_poker"),
        "OpenSpiel in C++, goofspiel, 4 seats": pyspiel.load_game("goofspiel(players=4,num_cards=10)"),
        "OpenSpiel in Python, liar's poker, 2 seats": _python_game(),
    }
    for what, game in named.items():
        report(what, lambda number, game=game: played(game), seconds)


def _python_game():
    from open_spiel.python.games import liars_poker  # registers it

    assert liars_poker
    return pyspiel.load_game("python_liars_poker")


main()
