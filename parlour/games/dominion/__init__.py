"""Dominion: build a deck, and turn it into points before the provinces run out."""

from importlib.resources import files

from parlour.core import Encoding, Game, Hosting, Rules, Standing, Words
from parlour.games.dominion import bots, rules, setup, words
from parlour.games.dominion.builder import Builder
from parlour.games.dominion.dialect import Lines, TextLines
from parlour.games.dominion.store import Stored
from parlour.games.dominion.text import TEXT
from parlour.games.dominion.values import (
    MOST_BYTES,
    Action,
    AnswerAttack,
    AnyDiscard,
    Buy,
    CleanedUp,
    CleanUp,
    CutShort,
    Discard,
    Discarded,
    Drew,
    EndTurn,
    Gained,
    Left,
    Options,
    Play,
    Played,
    Reveal,
    Revealed,
    Shuffled,
    TakeTurn,
    Trashed,
    TurnBegan,
    View,
    Waste,
    Wasted,
)


def encoded(seats: int, options: Options) -> Encoding:
    """Imported when it is needed, for it needs NumPy."""
    from parlour.games.dominion.encoding import DominionEncoding

    return DominionEncoding(seats, options)


GAME: Game[Action] = Game(
    interface=1,
    name="dominion",
    title="Dominion",
    summary="build a deck, and turn it into points before the provinces run out",
    rules=Rules(
        version=1,
        seats=setup.SEATS,
        options=Options,
        actions=(Play, Buy, CleanUp, Discard, Reveal),
        prices=(Waste, EndTurn, AnyDiscard),
        most_bytes=MOST_BYTES,
        asks=(TakeTurn, AnswerAttack),
        events=(
            TurnBegan,
            Played,
            Gained,
            Trashed,
            Drew,
            Discarded,
            Shuffled,
            Revealed,
            Wasted,
            CutShort,
            CleanedUp,
            Left,
        ),
        view=View,
        new=rules.State.new,
        resolve=setup.resolve,
        bound=setup.bound,
    ),
    words=Words(
        guide=files(__name__).joinpath("guide.md").read_text(encoding="utf-8"),
        say=words.say,
        board=words.board,
        hear=words.hear,
        hint=words.hint,
        part=words.part,
        to_act=words.to_act,
        standing=Standing("Points", words.standing),
    ),
    hosting=Hosting(
        bots={
            "random": bots.random,
            "money": bots.money,
            "militia": bots.militia,
            "smithy": bots.smithy,
            "bigmoney": bots.bigmoney,
            "bigmilitia": bots.bigmilitia,
            "bigsmithy": bots.bigsmithy,
            "builder": Builder,
        },
        strengths={
            "random": "random",
            "money": "easy",
            "militia": "easy",
            "smithy": "medium",
            "bigmoney": "medium",
            "bigmilitia": "medium",
            "bigsmithy": "medium",
            "builder": "hard",
        },
        house_bot="money",
        dialects={"json": Lines, "text": TextLines},
        command_dialect="json",
        socket_dialect="json",
        ports={"json": 3},
        scribe=Stored,
    ),
    text=TEXT,
    encoding=encoded,
)

__all__ = ["GAME"]
