"""tradeCraft: trade and craft your way to a target that nobody else knows."""

from importlib.resources import files

from parlour.core import Encoding, Game, Hosting, Rules, Words
from parlour.games.tradecraft import answers, bots, narrator, rules, setup, words
from parlour.games.tradecraft.book import DIGEST
from parlour.games.tradecraft.counts import counts
from parlour.games.tradecraft.lines import Lines, LoginLines
from parlour.games.tradecraft.negotiator import Negotiator
from parlour.games.tradecraft.planner import planner
from parlour.games.tradecraft.text import TEXT
from parlour.games.tradecraft.values import (
    MOST_BYTES,
    Accepted,
    Action,
    Answered,
    Applied,
    Apply,
    Check,
    Checked,
    CraftItems,
    Decide,
    Decided,
    DecideProposal,
    Done,
    Finished,
    Forgo,
    HandsShown,
    Left,
    MakeProposal,
    Options,
    Problem,
    Propose,
    Proposed,
    Rejected,
    TurnBegan,
    View,
)


def encoded(seats: int, options: Options) -> Encoding:
    """Imported when it is needed, for it needs NumPy."""
    from parlour.games.tradecraft.encoding import TradecraftEncoding

    return TradecraftEncoding(seats, options)


GAME: Game[Action] = Game(
    interface=1,
    name="tradecraft",
    title="tradeCraft",
    summary="trade and craft your way to a target that nobody else knows",
    rules=Rules(
        version=1,
        data=DIGEST,
        seats=setup.SEATS,
        options=Options,
        start=Problem,
        prepare=setup.prepare,
        actions=(Propose, Decide, Check, Apply, Done),
        prices=(Forgo,),
        borne=rules.FREE,
        most_bytes=MOST_BYTES,
        asks=(MakeProposal, DecideProposal, CraftItems),
        events=(
            TurnBegan,
            Proposed,
            Answered,
            Accepted,
            Rejected,
            HandsShown,
            Checked,
            Applied,
            Finished,
            Left,
            Decided,
        ),
        view=View,
        new=rules.State.new,
        resolve=setup.resolve,
        bound=setup.bound,
        finished=rules.has_finished,
        query=answers.query,
        questions=(answers.ItemInfo, answers.PossibleRecipes, answers.History),
        replies=(answers.ItemFacts, answers.Craftables, answers.Memory),
    ),
    words=Words(
        guide=files(__name__).joinpath("guide.md").read_text(encoding="utf-8"),
        say=narrator.say,
        board=words.board,
        opening=narrator.opening,
        hear=words.hear,
        hint=words.hint,
        part=words.part,
        to_act=words.to_act,
    ),
    hosting=Hosting(
        bots={"random": bots.random, "planner": planner, "negotiator": Negotiator},
        strengths={"random": "random", "planner": "medium", "negotiator": "hard"},
        house_bot="planner",
        limit_s=180.0,
        dialects={"lines": Lines, "login": LoginLines},
        command_dialect="lines",
        socket_dialect="login",
        ports={"login": 6},
    ),
    text=TEXT,
    encoding=encoded,
    counts=counts,
)

__all__ = ["GAME"]
