"""OpenSpiel's engine in C++: random legal actions of a card game with auctions, without observations."""

import random
import sys

import pyspiel
from measure import report


def played(game):
    """One episode; returns the moves of its players."""
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(random.random() * len(outcomes))][0])
            continue
        chosen = []
        for seat in range(game.num_players()):
            legal = state.legal_actions(seat)
            chosen.append(random.choice(legal))
        state.apply_actions(chosen)
        moves += len(chosen)
    return moves


def main():
    random.seed(1)
    game = pyspiel.load_game("goofspiel(players=4,num_cards=10)")
    report("OpenSpiel in C++, goofspiel, 4 seats: moves", lambda number: played(game), float(sys.argv[1]))


main()
