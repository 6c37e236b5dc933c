"""For Sale as text, for language models: rules, views, questions and events; and answers from text."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from parlour.core import Event, Seat, TextForm
from parlour.core.answer_forms import AnswerField, AnswerForm, schema_of, written
from parlour.core.answer_reading import read_answer
from parlour.core.answer_values import Unclear, whole
from parlour.core.quoting import one_line, player, sentence
from parlour.games.forsale.values import (
    Action,
    Bid,
    BidOrPass,
    ChequesOpened,
    ChooseEstate,
    Chose,
    EstatesOpened,
    Left,
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

PARTS = {1: "Part I, auction", 2: "Part II, sale", 3: "The match is over. Last sale"}
NUMBER = re.compile(r"\d{1,9}(?:\.0+)?")
AMOUNT = re.compile(r"(\d{1,9}(?:\.0+)?)(?: coins?)?", re.IGNORECASE)
ESTATE = re.compile(r"(?:(?:the|my) )?(?:estate |house |number )?(\d{1,9}(?:\.0+)?)", re.IGNORECASE)


def cards(values: Sequence[int]) -> str:
    return " ".join(map(str, values)) or "none"


# Views


def view(view: View, names: Sequence[str]) -> str:
    me = view.seat
    kind = "cheques" if view.part == 2 else "estates"
    lines = [f"{PARTS[view.part]} {view.round} of {view.rounds}."]
    lines += [f"On the table: {kind} {cards(view.market)}."] if view.part < 3 else []
    if view.part == 1:
        lines.append(f"Highest bid: {view.record or 'none yet'}. To bid: {_turn(view, names)}.")
    lines += ["Players:", *(_row(view, seat, names) for seat in range(len(view.coins)))]
    if me is not None:
        lines.append(
            f"Your estates: {cards(view.hand)}. Your cheques: {cards(view.cheques)} (sum {sum(view.cheques)})."
        )
    return "\n".join(lines)


def _turn(view: View, names: Sequence[str]) -> str:
    return "nobody" if view.turn is None else player(names, view.turn, view.seat)


def _row(view: View, seat: Seat, names: Sequence[str]) -> str:
    coins = view.coins[seat]
    facts = [f"coins {'hidden' if coins is None else coins}"]
    if view.part == 1:
        facts += [f"bid {view.bids[seat]}", "still in" if seat in view.inside else "passed"]
    you = " (you)" if seat == view.seat else ""
    return f"- {player(names, seat)}{you}: {', '.join(facts)}"


# Events


def event(event: Event, names: Sequence[str], reader: Seat | None) -> str:
    return "\n".join(map(sentence, _told(event, names, reader)))


def _told(event: Event, names: Sequence[str], reader: Seat | None) -> list[str]:
    def who(seat: Seat) -> str:
        return player(names, seat, reader)

    match event:
        case EstatesOpened(round=round, estates=estates, first=first):
            return [f"auction {round}: estates {cards(estates)} on the table; first to bid: {who(first)}"]
        case Raised(seat=seat, bid=bid):
            return [f"{who(seat)} bid {bid}"]
        case Passed(seat=seat, estate=estate, paid=paid, refund=refund):
            return [f"{who(seat)} passed, took estate {estate} and paid {paid} (refund {refund})"]
        case Won(seat=seat, estate=estate, paid=paid):
            return [f"{who(seat)} won the auction: took estate {estate} and paid {paid}"]
        case ChequesOpened(round=round, cheques=cheques):
            return [f"sale {round}: cheques {cards(cheques)} on the table"]
        case Chose(seat=seat, estate=estate):
            return [f"{who(seat)} secretly chose {'a random estate' if estate is None else f'estate {estate}'}"]
        case Sold(estates=estates, cheques=cheques):
            by_value = sorted(range(len(estates)), key=lambda seat: -estates[seat])
            return [f"{who(seat)} sold estate {estates[seat]} for cheque {cheques[seat]}" for seat in by_value]
        case Left(seat=seat, why=why):
            return [f"{who(seat)} left for good ({one_line(why)})"]
        case Suspected(fault=fault):
            return [f"inconsistency {fault.code}: {one_line(fault.words)}"]
    raise TypeError(f"not an event of For Sale: {event!r}")


# Asks


def ask(ask: BidOrPass | ChooseEstate, view: View, names: Sequence[str]) -> str:
    if isinstance(ask, BidOrPass):
        return "\n".join(["Your decision: bid or pass.", *_bids(ask), *_passing(ask, view)])
    return "\n".join(
        [
            "Your decision: choose one of your estates to sell. All choose in secret, then all are shown together.",
            f"You may sell: {cards(view.hand)}.",
            f"Write for example: {_sell_example(view)}",
        ]
    )


def _bids(ask: BidOrPass) -> list[str]:
    if ask.coins <= ask.record:
        return [f"The highest bid is {ask.record} and you have {ask.coins} coins, so you cannot bid."]
    least = ask.record + 1
    return [
        f"You may bid a total of {least} to {ask.coins} coins (your bid so far: {ask.bid}).",
        f"Write for example: bid {least}",
    ]


def _passing(ask: BidOrPass, view: View) -> list[str]:
    if not ask.may_pass:
        return ["You open this auction and may not pass."]
    lowest = f"take estate {view.market[0]}" if view.market else "take the lowest estate"
    price = f"get half of your bid of {ask.bid} back, and pay the rest" if ask.bid else "and pay nothing"
    return [f"{'Or write' if ask.coins > ask.record else 'Write'}: pass", f"If you pass, you {lowest}, {price}."]


def _sell_example(view: View) -> str:
    return f"sell {view.hand[0] if view.hand else 1}"


# Answers


def forms(ask: BidOrPass | ChooseEstate, view: View) -> list[AnswerForm]:
    """Bid and pass in an auction, sell in a sale. An amount alone is a bid, a number alone the estate to sell."""
    if isinstance(ask, ChooseEstate):
        estates = {"type": "integer", "enum": list(view.hand), "description": "The value of one of your estates."}
        fields = (AnswerField("estate", whole, estates),)
        return [
            AnswerForm(name="sell", make=Sell, example=_sell_example(view), fields=fields, words=_estate, bare=NUMBER)
        ]
    bid = AnswerForm(
        name="bid",
        make=Bid,
        example=f"bid {ask.record + 1}",
        fields=(AnswerField("amount", whole, _amounts(ask)),),
        words=_amount,
        bare=NUMBER,
        offered=ask.coins > ask.record,
    )
    return [bid, AnswerForm(name="pass", make=Pass, example="pass", words=_nothing, offered=ask.may_pass)]


def _amounts(ask: BidOrPass) -> Mapping[str, object]:
    words = "For bid: your whole bid in coins, not the raise."
    return {"type": "integer", "minimum": ask.record + 1, "maximum": ask.coins, "description": words}


def _amount(rest: str) -> Mapping[str, object] | None:
    found = AMOUNT.fullmatch(rest)
    return {"amount": found[1]} if found else {} if not rest else None


def _estate(rest: str) -> Mapping[str, object] | None:
    found = ESTATE.fullmatch(rest)
    return {"estate": found[1]} if found else {} if not rest else None


def _nothing(rest: str) -> Mapping[str, object] | None:
    return None if rest else {}


def schema(ask: Any, view: View, names: Sequence[str]) -> Mapping[str, object]:
    return schema_of(forms(ask, view))


def parse(text: str, ask: Any, view: View, names: Sequence[str]) -> Action:
    action: Action = read_answer(text, forms(ask, view))
    return action


def render(action: Action, names: Sequence[str]) -> str:
    match action:
        case Bid(amount=amount):
            return written("bid", {"amount": amount})
        case Pass():
            return written("pass", {})
        case Sell(estate=estate):
            return written("sell", {"estate": estate})
        case SellAny():
            raise Unclear("a price is never an answer")


TEXT = TextForm(
    rules=files(__package__).joinpath("text.md").read_text(encoding="utf-8"),
    view=view,
    event=event,
    ask=ask,
    schema=schema,
    render=render,
    parse=parse,
)
