"""Dominion as text, for language models: rules, views, questions and events; and answers from text."""

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from parlour.core import Event, Seat, TextForm
from parlour.core.answer_forms import AnswerField, AnswerForm, schema_of, written
from parlour.core.answer_reading import read_answer
from parlour.core.answer_values import WRAPPING, Unclear, shown, spoken, words
from parlour.core.quoting import one_line, player, sentence
from parlour.games.dominion.cards import CARDS, TREASURES, WORTH
from parlour.games.dominion.values import (
    MOST_LETTERS,
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
from parlour.games.dominion.words import counted, many

NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
MOST_OF_A_KIND = 60
"""The largest number before a card: `2 copper`."""
MOST_WORDS = 300
"""Letters after `play`."""


# Views


def view(view: View, names: Sequence[str]) -> str:
    lines = [_heading(view, names), "Players:"]
    lines += [_row(view, seat, names) for seat in range(len(view.areas))]
    lines += ["Supply (cost: card x left):", *_supply(view), f"Trash: {counted(view.trash)}."]
    if view.seat is not None:
        lines.append(
            f"Your hand: {', '.join(view.hand) or 'empty'}. Its treasures are worth {_worth(view.hand)} money."
        )
        lines.append(f"All your cards, wherever they are: {_owned(view.owned)}.")
    return "\n".join(lines)


def _heading(view: View, names: Sequence[str]) -> str:
    if view.over:
        return "The match is over."
    whose = "your turn" if view.turn == view.seat else f"turn of {player(names, view.turn)}"
    left = f"actions {view.actions}, buys {view.buys}, money {view.money} (without treasures)"
    lines = [f"Turn {view.areas[view.turn].turns}: {whose}. Left: {left}."]
    lines += [f"Played in this turn: {counted(view.played)}."] if view.played else []
    lines += [f"Gained in this turn: {counted(view.gained)}."] if view.gained else []
    lines += [f"Bought of these: {counted(view.bought)}."] if view.bought else []
    if view.attacked is not None:
        lines.append(f"Under attack: {player(names, view.attacked, view.seat)}.")
    return "\n".join(lines)


def _row(view: View, seat: Seat, names: Sequence[str]) -> str:
    area = view.areas[seat]
    you = " (you)" if seat == view.seat else ""
    top = f", {area.top} on top" if area.top else ""
    gone = ", has left" if area.gone else ""
    cards = f"hand {area.hand}, deck {area.deck}, discard pile {area.discard}{top}"
    return f"- {player(names, seat)}{you}: {cards}, turns {area.turns}{gone}"


def _supply(view: View) -> list[str]:
    """The piles by cost, empty ones last."""
    costs = sorted({CARDS[card].cost for card in view.supply})
    piles = [(cost, [card for card in view.supply if CARDS[card].cost == cost and view.supply[card]]) for cost in costs]
    lines = [
        f"- {cost}: {', '.join(f'{card} x {view.supply[card]}' for card in cards)}" for cost, cards in piles if cards
    ]
    empty = [card for card, left in view.supply.items() if not left]
    return [*lines, *([f"- empty: {', '.join(empty)}"] if empty else [])]


def _owned(owned: Mapping[str, int]) -> str:
    points = sum(CARDS[card].points * count for card, count in owned.items())
    cards = ", ".join(f"{count} {card}" for card, count in owned.items())
    return f"{cards} ({points} {'point' if points == 1 else 'points'})"


def _worth(cards: Iterable[str]) -> int:
    return sum(WORTH.get(card, 0) for card in cards)


# Events


def event(event: Event, names: Sequence[str], reader: Seat | None) -> str:
    return sentence(_told(event, names, reader))


def _told(event: Event, names: Sequence[str], reader: Seat | None) -> str:
    def who(seat: Seat) -> str:
        return player(names, seat, reader)

    match event:
        case TurnBegan(seat=seat, turn=turn):
            return f"{'your turn' if seat == reader else f'turn of {who(seat)}'} began: turn {turn}"
        case Played(seat=seat, cards=cards):
            return f"{who(seat)} played {counted(cards)}"
        case Gained(seat=seat, card=card, bought=bought, to_hand=to_hand):
            return (
                f"{who(seat)} {'bought' if bought else 'gained'} {one_line(card)}{' into the hand' if to_hand else ''}"
            )
        case Trashed(seat=seat, card=card):
            return f"{who(seat)} trashed {one_line(card)}"
        case Drew(seat=seat, count=count, cards=cards):
            return f"{who(seat)} drew {counted(cards) if cards else many(count)}"
        case Discarded(seat=seat, count=count, top=top, cards=cards):
            return f"{who(seat)} discarded {counted(cards) if cards else many(count)}; {one_line(top)} is on top"
        case Shuffled(seat=seat):
            return f"{who(seat)} shuffled the discard pile: it is the deck now"
        case Revealed(seat=seat, card=card):
            return f"{who(seat)} revealed {one_line(card)}: the attack has no effect"
        case Wasted(seat=seat):
            return f"{who(seat)} lost an action"
        case CutShort(seat=seat, what=what, at=at):
            lost = "nothing was bought" if what == "treasures" else "it and all after it were not bought"
            return f"{who(seat)} named {what}, but number {at + 1} of them was not possible: {lost}"
        case CleanedUp(seat=seat, top=top):
            return f"{who(seat)} ended the turn" + (f"; {one_line(top)} is on top of the discard pile" if top else "")
        case Left(seat=seat, why=why):
            return f"{who(seat)} left for good ({one_line(why)})"
    raise TypeError(f"not an event of Dominion: {event!r}")


# Asks


def ask(ask: TakeTurn | AnswerAttack, view: View, names: Sequence[str]) -> str:
    if isinstance(ask, AnswerAttack):
        return "\n".join(
            [
                f"Your decision: you are attacked ({ask.card}). Discard exactly {many(ask.discard)} of your hand"
                f"{', or reveal a moat' if 'moat' in view.hand else ''}.",
                f"Your hand: {', '.join(view.hand)}.",
                *_written(forms(ask, view)),
            ]
        )
    lines = ["Your decision: play an action card, buy, or end your turn."]
    lines += _plays(ask, view)
    if ask.buys:
        most = "one card" if ask.buys == 1 else f"up to {ask.buys} cards"
        lines.append(f"You may buy {most} for {_money(ask, view)} money together: {_affordable(ask, view)}.")
    else:
        lines.append("You cannot buy any more in this turn.")
    return "\n".join([*lines, *_written(forms(ask, view))])


def _written(forms: Sequence[AnswerForm]) -> list[str]:
    return ["Write for example:", *(f"- {form.example}" for form in forms if form.offered)]


def _plays(ask: TakeTurn, view: View) -> list[str]:
    held = [card for card in dict.fromkeys(view.hand) if CARDS[card].kind == "action"]
    if not ask.actions:
        return ["You have no action left, so you cannot play action cards."] if held else []
    if not held:
        return ["You hold no action card."]
    ways = {card: playable(card, view) for card in held}
    able = [f"{card} ({in_words(way)})" if CARDS[card].choices else card for card, way in ways.items() if way]
    lines = [f"You may play: {', '.join(able)}. Choices in brackets are examples."] if able else []
    unable = [card for card, way in ways.items() if way is None]
    return [*lines, *(f"You cannot play {card}: there is nothing for it to do." for card in unable)]


def _money(ask: TakeTurn, view: View) -> int:
    return ask.money + _worth(view.hand)


def _affordable(ask: TakeTurn, view: View) -> str:
    money = _money(ask, view)
    cards = [card for card, left in view.supply.items() if left and CARDS[card].cost <= money]
    return ", ".join(f"{card} ({CARDS[card].cost})" for card in cards) or "nothing"


def playable(card: str, view: View) -> Play | None:
    """A way to play the card of the hand that is legal; None if there is none."""
    choices = CARDS[card].choices
    rest = list(view.hand)
    rest.remove(card)
    if choices in ((), ("discard",)):
        return Play(card, discard=tuple(rest[:1]) if choices else ())
    kinds = TREASURES if card == "mine" else tuple(CARDS)
    trash = next((held for held in rest if held in kinds), None) if "trash" in choices else None
    if "trash" in choices and trash is None:
        return None
    most = 4 if trash is None else CARDS[trash].cost + (3 if card == "mine" else 2)
    gains = [kind for kind in kinds if view.supply.get(kind) and CARDS[kind].cost <= most]
    if trash is None and not gains:
        return None
    return Play(card, trash=trash, gain=max(gains, key=lambda kind: CARDS[kind].cost) if gains else None)


# Answers


def forms(ask: TakeTurn | AnswerAttack, view: View) -> list[AnswerForm]:
    return _answers(ask, view) if isinstance(ask, AnswerAttack) else [_play(ask, view), _buy(ask, view), _end(view)]


def _answers(ask: AnswerAttack, view: View) -> list[AnswerForm]:
    cards = _cards(view.hand, f"For discard: exactly {ask.discard} of your hand.")
    cards = {**cards, "minItems": ask.discard, "maxItems": ask.discard}
    discard = AnswerForm(
        name="discard",
        make=Discard,
        example=f"discard {', '.join(view.hand[: ask.discard])}",
        fields=(AnswerField("cards", read_cards, cards),),
        words=lambda rest: _spoken_cards("cards", rest),
    )
    reactions = [card for card in dict.fromkeys(view.hand) if CARDS[card].reaction]
    card = AnswerField("card", read_card, _one_of(reactions, "For reveal."), required=False)
    reveal = AnswerForm(
        name="reveal",
        make=Reveal,
        example="reveal moat",
        fields=(card,),
        words=lambda rest: _spoken_card("card", rest) if rest else {},
        offered=bool(reactions),
    )
    return [discard, reveal]


def _play(ask: TakeTurn, view: View) -> AnswerForm:
    held = [card for card in dict.fromkeys(view.hand) if CARDS[card].kind == "action"]
    plays = {card: play for card in held if (play := playable(card, view)) is not None}
    gains = [card for card, left in view.supply.items() if left]
    return AnswerForm(
        name="play",
        make=Play,
        example=in_words(next(iter(plays.values()))) if plays else "play village",
        fields=(
            AnswerField("card", read_card, _one_of(list(plays), "For play: an action card of your hand.")),
            AnswerField("discard", read_cards, _cards(view.hand, "For play cellar: which cards to discard."), False),
            AnswerField("trash", _maybe, _one_of(view.hand, "For play mine or remodel: a card of your hand."), False),
            AnswerField("gain", _maybe, _one_of(gains, "For play mine, remodel or workshop: a card to gain."), False),
        ),
        words=_spoken_play,
        offered=bool(ask.actions and plays),
    )


def _buy(ask: TakeTurn, view: View) -> AnswerForm:
    money = _money(ask, view)
    cards = [card for card, left in view.supply.items() if left and CARDS[card].cost <= money]
    bought = {**_cards(cards, "For buy: cards of the supply, in this order."), "maxItems": max(1, ask.buys)}
    best = max(cards, key=lambda card: CARDS[card].cost, default="copper")
    paid = _cards([card for card in view.hand if card in WORTH], "For buy: the treasures to play, if not all.")
    return AnswerForm(
        name="buy",
        make=Buy,
        example=f"buy {best if CARDS[best].cost else 'nothing'}",
        fields=(AnswerField("cards", read_cards, bought), AnswerField("treasures", read_cards, paid, False)),
        words=lambda rest: _spoken_cards("cards", rest),
        offered=ask.buys > 0,
    )


def _end(view: View) -> AnswerForm:
    top = _one_of(view.hand, "For end: the card of your hand for the top of your discard pile, if it matters.")
    return AnswerForm(
        name="end",
        make=CleanUp,
        example="end",
        fields=(AnswerField("top", _maybe, top, False),),
        aliases=("end_turn", "end_my_turn", "end_the_turn", "clean_up", "cleanup"),
        words=lambda rest: _spoken_card("top", re.sub(r"^top\s+", "", rest)) if rest else {},
    )


def _one_of(cards: Sequence[str], about: str) -> dict[str, object]:
    some = {"enum": list(dict.fromkeys(cards))} if cards else {}
    return {"type": "string", **some, "description": about}


def _cards(cards: Sequence[str], about: str) -> dict[str, object]:
    some = {"enum": list(dict.fromkeys(cards))} if cards else {}
    return {"type": "array", "items": {"type": "string", **some}, "description": about}


# Cards in answers


def known(said: str) -> str | None:
    """The card of this name in any case, in singular or plural; None if there is none."""
    word = spoken(said.strip(WRAPPING))
    singular = word[:-3] + "y" if word.endswith("ies") else word[:-1] if word.endswith("s") else word
    return next((each for each in (word, singular) if each in CARDS), None)


def read_card(value: object) -> str:
    """A card. One that does not exist is left to the rules, which know what that costs."""
    said = words(value)
    card = known(said) or said.strip()
    if not 0 < len(card) <= MOST_LETTERS:
        raise Unclear(f"{shown(value)} is no card")
    return card


def _maybe(value: object) -> str | None:
    return None if value is None or value == "" else read_card(value)


def read_cards(value: object) -> tuple[str, ...]:
    """Cards as a list, or as text: `2 copper, estate`."""
    if isinstance(value, list):
        return tuple(map(read_card, value))
    found = _in_text(words(value))
    if found is None:
        raise Unclear(f"{shown(value)} is no list of cards")
    return found


def _in_text(text: str) -> tuple[str, ...] | None:
    """Known cards, with or without numbers; None if there are other words."""
    cards: list[str] = []
    count = None
    for word in re.sub(r"[,;+&]|\band\b", " ", text.lower()).split():
        if word in ("the", "my"):
            continue
        number = NUMBERS.get(word, int(word) if re.fullmatch("[0-9]{1,2}", word) else None)
        card = known(word)
        if number is not None and count is None and 0 < number <= MOST_OF_A_KIND:
            count = number
        elif card is not None:
            cards += [card] * (1 if count is None else count)
            count = None
        elif word not in ("nothing", "none") or text.strip().lower() != word:
            return None
    return None if count is not None else tuple(cards)


def _spoken_cards(field: str, rest: str) -> Mapping[str, object] | None:
    if not rest:
        return {}
    found = _in_text(rest)
    return None if found is None else {field: list(found)}


def _spoken_card(field: str, rest: str) -> Mapping[str, object] | None:
    card = known(re.sub(r"^(?:my|the|a)\s+", "", rest, flags=re.I))
    return None if card is None else {field: card}


_PLAY = re.compile(
    r"(?:my |the |a )?(?P<card>[a-z]+)"
    r"(?:[\s,:(]+discard(?:ing)?(?P<discard>[a-z0-9, &+]*))?"
    r"(?:[\s,:(]+trash(?:ing)?(?: my| the| an| a)? (?P<trash>[a-z]+))?"
    r"(?:[\s,:(]+(?:and |to |for )*gain(?:ing)?(?: the| an| a)? (?P<gain>[a-z]+))?\)?",
    re.IGNORECASE,
)


def _spoken_play(rest: str) -> Mapping[str, object] | None:
    """`smithy`, `cellar discarding estate`, `remodel, trash estate, gain silver`, `workshop silver`."""
    found = _PLAY.fullmatch(rest) if len(rest) <= MOST_WORDS else None
    if found is None or known(found["card"]) is None:
        return _short_play(rest)
    said: dict[str, object] = {"card": known(found["card"])}
    for field in ("trash", "gain"):
        if found[field] is not None:
            said[field] = known(found[field])
    if found["discard"] is not None:
        cards = _in_text(found["discard"])
        said["discard"] = None if cards is None else list(cards)
    return None if None in said.values() else said


def _short_play(rest: str) -> Mapping[str, object] | None:
    """The card and its choices in order, as in `remodel estate silver`."""
    card, *cards = _in_text(rest) or ("",)
    match CARDS[card].choices if card else ():
        case ("discard",):
            return {"card": card, "discard": cards}
        case ("gain",) if len(cards) == 1:
            return {"card": card, "gain": cards[0]}
        case ("trash", "gain") if len(cards) == 2:
            return {"card": card, "trash": cards[0], "gain": cards[1]}
    return None


def in_words(play: Play) -> str:
    """`play remodel, trash estate, gain silver`."""
    parts = [f"play {play.card}"]
    parts += [f"discard {', '.join(play.discard)}"] if play.discard else []
    parts += [f"trash {play.trash}"] if play.trash else []
    parts += [f"gain {play.gain}"] if play.gain else []
    return ", ".join(parts)


def schema(ask: Any, view: View, names: Sequence[str]) -> Mapping[str, object]:
    return schema_of(forms(ask, view))


def parse(text: str, ask: Any, view: View, names: Sequence[str]) -> Action:
    action: Action = read_answer(text, forms(ask, view))
    return action


def render(action: Action, names: Sequence[str]) -> str:
    match action:
        case Play(card=card, discard=discard, trash=trash, gain=gain):
            given = {"discard": list(discard), "trash": trash, "gain": gain}
            return written("play", {"card": card, **{name: value for name, value in given.items() if value}})
        case Buy(cards=cards, treasures=treasures):
            return written("buy", {"cards": cards, **({} if treasures is None else {"treasures": treasures})})
        case CleanUp(top=top):
            return written("end", {} if top is None else {"top": top})
        case Discard(cards=cards):
            return written("discard", {"cards": cards})
        case Reveal(card=card):
            return written("reveal", {"card": card})
        case Waste() | EndTurn() | AnyDiscard():
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
