"""Maze: slide the walls, find your treasure, and come home first."""

from parlour.core import Game
from parlour.games.maze import forms, rules, setup, strategies, words
from parlour.games.maze.course import Course
from parlour.games.maze.nash import Nash
from parlour.games.maze.observer import Observer
from parlour.games.maze.source import Source
from parlour.games.maze.values import (
    Ack,
    Action,
    Began,
    Decided,
    GoalGiven,
    Hear,
    Joined,
    Left,
    Move,
    Moved,
    Options,
    Pass,
    Passed,
    Prepared,
    SetUp,
    TakeTurn,
    View,
)

GAME: Game[Action] = Game(
    name="maze",
    title="Maze",
    summary="slide the walls, find your treasure, and come home first",
    version=1,
    seats=setup.SEATS,
    served=setup.SERVED,
    options=Options,
    start=Prepared,
    actions=(Move, Pass, Ack),
    asks=(SetUp, TakeTurn, Hear),
    events=(Joined, GoalGiven, Began, Moved, Passed, Left, Decided),
    view=View,
    new=rules.State.new,
    resolve=setup.resolve,
    bound=setup.bound,
    finished=rules.has_finished,
    bots={
        "random": strategies.random,
        "riemann": strategies.riemann,
        "euclid": strategies.euclid,
        "nash": Nash,
    },
    dialects={"stdio": Source, "tcp": Source, "course": Course},
    scribe=Observer,
    prepare=forms.prepare,
    limit_s=4.0,
    say=words.say,
    board=words.board,
    hear=words.hear,
    hint=words.hint,
)

__all__ = ["GAME"]
