"""Liar's Dice: bid on dice that nobody has seen, or call the bluff."""

from importlib.resources import files

from liars_dice import bots, rules, words
from liars_dice.values import (
    Action,
    Bid,
    BidOrCall,
    Challenge,
    Exact,
    Left,
    Lost,
    Options,
    Raised,
    Revealed,
    Rolled,
    RoundBegan,
    View,
)
from parlour.core import Game, Hosting, Rules, Standing, Words

GAME: Game[Action] = Game(
    interface=1,
    name="liarsdice",
    title="Liar's Dice",
    summary="bid on dice that nobody has seen, or call the bluff",
    rules=Rules(
        version=1,
        seats=rules.SEATS,
        options=Options,
        actions=(Bid, Challenge, Exact),
        asks=(BidOrCall,),
        events=(RoundBegan, Rolled, Raised, Revealed, Lost, Left),
        view=View,
        new=rules.State.new,
        resolve=rules.resolve,
        bound=rules.bound,
        finished=rules.is_out,
    ),
    words=Words(
        guide=files(__name__).joinpath("guide.md").read_text(encoding="utf-8"),
        say=words.say,
        board=words.board,
        opening=words.opening,
        hear=words.hear,
        hint=words.hint,
        part=words.part,
        to_act=words.to_act,
        standing=Standing("Dice", words.standing),
    ),
    hosting=Hosting(
        bots={"random": bots.random, "reckoner": bots.reckoner},
        strengths={"random": "random", "reckoner": "medium"},
        house_bot="reckoner",
        short=Options(dice=2),
    ),
)

__all__ = ["GAME"]
