"""For Sale: buy estates by auction, then sell them for cheques."""

from importlib.resources import files

from parlour.core import Encoding, Game, Hosting, Rules, Standing, Words
from parlour.games.forsale import bots, rules, setup, thinker, words
from parlour.games.forsale.dialect import NamedNumbers, Numbers
from parlour.games.forsale.text import TEXT
from parlour.games.forsale.values import (
    Action,
    Bid,
    BidOrPass,
    ChequesOpened,
    ChooseEstate,
    Chose,
    EstatesOpened,
    Left,
    Options,
    Pass,
    Passed,
    Raised,
    Sell,
    SellAny,
    Sold,
    Suspected,
    View,
    Won,
)


def encoded(seats: int, options: Options) -> Encoding:
    """Imported when it is needed, for it needs NumPy."""
    from parlour.games.forsale.encoding import ForSaleEncoding

    return ForSaleEncoding(seats, options)


GAME: Game[Action] = Game(
    interface=1,
    name="forsale",
    title="For Sale",
    summary="buy estates by auction, then sell them for cheques",
    rules=Rules(
        version=1,
        seats=setup.SEATS,
        options=Options,
        actions=(Bid, Pass, Sell),
        prices=(SellAny,),
        asks=(BidOrPass, ChooseEstate),
        events=(EstatesOpened, Raised, Passed, Won, ChequesOpened, Chose, Sold, Left, Suspected),
        view=View,
        new=rules.State.new,
        resolve=setup.resolve,
        bound=setup.bound,
        finished=rules.has_finished,
        audits=setup.goes_on,
    ),
    words=Words(
        guide=files(__name__).joinpath("guide.md").read_text(encoding="utf-8"),
        say=words.say,
        board=words.board,
        explain=words.explain,
        part=words.part,
        to_act=words.to_act,
        standing=Standing("Coins and cheques", words.standing),
    ),
    hosting=Hosting(
        bots={"random": bots.random, "minimum": bots.minimum, "thinker": thinker.Thinker},
        strengths={"random": "random", "minimum": "easy", "thinker": "hard"},
        house_bot="minimum",
        short=Options(balances="open"),
        dialects={"numbers": Numbers, "named": NamedNumbers},
        command_dialect="numbers",
        socket_dialect="named",
        ports={"named": 2},
    ),
    text=TEXT,
    encoding=encoded,
)

__all__ = ["GAME"]
