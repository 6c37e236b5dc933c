"""ColorfightII: take cells, build on them, and have the most gold at the end."""

from importlib.resources import files

from parlour.core import Encoding, Game, Hosting, Rules, Standing, Words
from parlour.games.colorfight import bots, general, rules, words
from parlour.games.colorfight.replay import Replay
from parlour.games.colorfight.shorten import shortened
from parlour.games.colorfight.text import TEXT
from parlour.games.colorfight.values import MOST_RECORDED, Command, Failed, Joined, Left, Options, Orders, Turned, View


def encoded(seats: int, options: Options) -> Encoding:
    """Imported when it is needed, for it needs NumPy."""
    from parlour.games.colorfight.encoding import ColorfightEncoding

    return ColorfightEncoding(seats, options)


GAME: Game[Command] = Game(
    interface=1,
    name="colorfight",
    title="ColorfightII",
    summary="take cells, build on them, and have the most gold at the end",
    rules=Rules(
        version=1,
        seats=rules.SEATS,
        options=Options,
        actions=(Command,),
        shorten=shortened,
        most_bytes=MOST_RECORDED,
        most_recorded=MOST_RECORDED,
        asks=(Orders,),
        events=(Joined, Turned, Failed, Left),
        view=View,
        new=rules.State.new,
        resolve=rules.resolve,
        bound=rules.bound,
    ),
    words=Words(
        guide=files(__name__).joinpath("guide.md").read_text(encoding="utf-8"),
        say=words.say,
        board=words.board,
        hear=words.hear,
        hint=words.hint,
        part=words.part,
        to_act=words.to_act,
        standing=Standing("Gold", words.standing),
    ),
    hosting=Hosting(
        bots={"random": bots.random, "greedy": bots.greedy, "general": general.general},
        strengths={"random": "random", "greedy": "medium", "general": "hard"},
        house_bot="greedy",
        seating="open",
        served=rules.SERVED,
        short=Options(max_turn=60, width=14, height=14),
        scribe=Replay,
    ),
    text=TEXT,
    encoding=encoded,
)

__all__ = ["GAME"]
