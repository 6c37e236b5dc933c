"""Maze: slide the walls, find your treasure, and come home first."""

from importlib.resources import files

from parlour.core import Encoding, Game, Hosting, Rules, Standing, Words
from parlour.games.maze import forms, rules, setup, strategies, words
from parlour.games.maze.course import Course
from parlour.games.maze.nash import Nash
from parlour.games.maze.observer import Observer
from parlour.games.maze.source import Source
from parlour.games.maze.text import TEXT
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


def encoded(seats: int, options: Options) -> Encoding:
    """Imported when it is needed, for it needs NumPy."""
    from parlour.games.maze.encoding import MazeEncoding

    return MazeEncoding(seats, options)


GAME: Game[Action] = Game(
    interface=1,
    name="maze",
    title="Maze",
    summary="slide the walls, find your treasure, and come home first",
    rules=Rules(
        version=1,
        seats=setup.SEATS,
        options=Options,
        start=Prepared,
        prepare=forms.prepare,
        actions=(Move, Pass, Ack),
        asks=(SetUp, TakeTurn, Hear),
        events=(Joined, GoalGiven, Began, Moved, Passed, Left, Decided),
        view=View,
        new=rules.State.new,
        resolve=setup.resolve,
        bound=setup.bound,
        finished=rules.has_finished,
    ),
    words=Words(
        guide=files(__name__).joinpath("guide.md").read_text(encoding="utf-8"),
        say=words.say,
        board=words.board,
        hear=words.hear,
        hint=words.hint,
        part=words.part,
        to_act=words.to_act,
        standing=Standing("Treasures", words.standing),
    ),
    hosting=Hosting(
        bots={
            "random": strategies.random,
            "riemann": strategies.riemann,
            "euclid": strategies.euclid,
            "nash": Nash,
        },
        strengths={"random": "random", "riemann": "easy", "euclid": "medium", "nash": "hard"},
        house_bot="riemann",
        seating="sign_up",
        served=setup.SERVED,
        limit_s=4.0,
        dialects={"source": Source, "course": Course},
        command_dialect="source",
        socket_dialect="source",
        ports={"source": 4, "course": 5},
        scribe=Observer,
    ),
    text=TEXT,
    encoding=encoded,
)

__all__ = ["GAME"]
