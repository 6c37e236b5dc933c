"""Dominion: build a deck, and turn it into points before the provinces run out."""

from parlour.core import Game
from parlour.games.dominion import bots, rules, setup, words
from parlour.games.dominion.builder import Builder
from parlour.games.dominion.dialect import Lines, TextLines
from parlour.games.dominion.store import Stored
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

GAME: Game[Action] = Game(
    name="dominion",
    title="Dominion",
    summary="build a deck, and turn it into points before the provinces run out",
    version=1,
    seats=setup.SEATS,
    options=Options,
    actions=(Play, Buy, CleanUp, Discard, Reveal),
    most_bytes=MOST_BYTES,
    prices=(Waste, EndTurn, AnyDiscard),
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
    dialects={"stdio": Lines, "tcp": Lines, "text": TextLines},
    scribe=Stored,
    say=words.say,
    board=words.board,
    hear=words.hear,
    hint=words.hint,
)

__all__ = ["GAME"]
