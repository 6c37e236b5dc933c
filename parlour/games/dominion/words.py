"""Events and views in words, and actions from words, for people."""

from collections import Counter
from collections.abc import Iterable, Sequence

from parlour.core import Board, Event, Seat
from parlour.games.dominion.cards import CARDS, WORTH, held
from parlour.games.dominion.values import (
    Action,
    AnswerAttack,
    Buy,
    CleanedUp,
    CleanUp,
    CutShort,
    Discard,
    Discarded,
    Drew,
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
    Wasted,
)


def say(event: Event, names: Sequence[str]) -> str:
    match event:
        case TurnBegan(seat=seat, turn=turn):
            return f"{names[seat]}'s turn {turn}"
        case Played(seat=seat, cards=cards):
            return f"  {names[seat]} plays {counted(cards)}"
        case Gained(seat=seat, card=card, bought=bought, to_hand=to_hand):
            return f"  {names[seat]} {'buys' if bought else 'gains'} {card}{' to hand' if to_hand else ''}"
        case Trashed(seat=seat, card=card):
            return f"  {names[seat]} trashes {card}"
        case Drew(seat=seat, count=count, cards=cards):
            return f"  {names[seat]} draws {counted(cards) if cards else many(count)}"
        case Discarded(seat=seat, count=count, top=top, cards=cards):
            return f"  {names[seat]} discards {counted(cards) if cards else f'{many(count)}, {top} on top'}"
        case Shuffled(seat=seat):
            return f"  {names[seat]} shuffles"
        case Revealed(seat=seat, card=card):
            return f"  {names[seat]} reveals {card}: the attack has no effect"
        case Wasted(seat=seat):
            return f"  {names[seat]} loses an action"
        case CutShort(seat=seat, what=what, at=at):
            lost = "nothing is bought" if what == "treasures" else "it and all after it are not bought"
            return f"  {names[seat]} names {what}, but number {at + 1} is not possible: {lost}"
        case CleanedUp(seat=seat, top=top):
            return f"  {names[seat]} cleans up" + (f", {top} on top" if top else "")
        case Left(seat=seat, why=why):
            return f"  {names[seat]} has left ({why})"
        case _:
            raise TypeError(f"not an event of Dominion: {event!r}")


def counted(cards: Iterable[str]) -> str:
    """`2 copper, silver`."""
    return ", ".join(f"{count} {card}" if count > 1 else card for card, count in Counter(cards).items()) or "nothing"


def many(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def board(view: View, names: Sequence[str]) -> Board:
    """A row for each seat; own cards and the supply below."""
    left = f"{view.supply['province']} provinces left"
    whose = names[view.turn] + ("'" if names[view.turn].endswith("s") else "'s")
    heading = f"The match is over: {left}" if view.over else f"{whose} turn {view.areas[view.turn].turns}: {left}"
    rows = tuple(_row(view, seat, name) for seat, name in enumerate(names[: len(view.areas)]))
    columns = ("player", "hand", "deck", "played this turn", "discards", "on top")
    return Board(heading, columns, rows, "\n".join([*_shop(view), *_own(view)]))


def part(view: View) -> str:
    """`Turn 11`, `End`."""
    return "End" if view.over else f"Turn {view.areas[view.turn].turns}"


def to_act(view: View) -> tuple[Seat, ...]:
    """The seat that must answer an attack, or the one whose turn it is."""
    return () if view.over else (view.turn if view.attacked is None else view.attacked,)


def _shop(view: View) -> list[str]:
    """The supply by cost, most expensive first, empty piles included."""
    costs = sorted({CARDS[card].cost for card in view.supply}, reverse=True)
    return [
        f"{cost}: "
        + ", ".join(f"{left or 'no'} {card}" for card, left in view.supply.items() if CARDS[card].cost == cost)
        for cost in costs
    ]


def _own(view: View) -> list[str]:
    if view.seat is None or view.over:
        return []
    return [f"Your hand: {', '.join(view.hand) or 'nothing'}", f"You can spend {_purse(view)}"]


def _purse(view: View) -> int:
    return view.money + sum(WORTH.get(card, 0) for card in view.hand)


def _row(view: View, seat: int, name: str) -> tuple[str, ...]:
    area = view.areas[seat]
    played = "gone" if area.gone else counted(view.played) if seat == view.turn and view.played else ""
    return name, str(area.hand), str(area.deck), played, str(area.discard), area.top or ""


def hint(ask: TakeTurn | AnswerAttack) -> str:
    if isinstance(ask, AnswerAttack):
        return f"{ask.card}: discard CARD... ({ask.discard} of them), or reveal moat"
    can = [f"play CARD [ITS CHOICES] ({ask.actions} left)"] if ask.actions else []
    can += [f"buy CARD... ({ask.buys} left)"] if ask.buys else []
    return ", ".join([*can, "end [TOP CARD]"])


def hear(text: str, view: View, ask: TakeTurn | AnswerAttack) -> Action | None:
    """Read `play remodel estate silver`, `buy gold`, `end` or `discard copper copper`; None for anything else."""
    verb, *cards = text.lower().replace(",", " ").split() or [""]
    if any(card not in CARDS for card in cards):
        return None
    if isinstance(ask, AnswerAttack):
        match verb, cards:
            case "discard", _ if len(cards) == ask.discard and len(held(cards, view.hand)) == ask.discard:
                return Discard(tuple(cards))
            case "reveal", ([] | ["moat"]) if "moat" in view.hand:
                return Reveal()
        return None
    match verb, cards:
        case "play", [card, *choices] if ask.actions and card in view.hand:
            return _play(card, choices)
        case "buy", _ if len(cards) <= ask.buys > 0 and sum(CARDS[card].cost for card in cards) <= _purse(view):
            return Buy(tuple(cards))
        case "end", ([] | [_]):
            return CleanUp(*cards)
    return None


def _play(card: str, said: list[str]) -> Play | None:
    """The words after the card are its choices in order; the card to gain may be omitted."""
    choices = CARDS[card].choices
    if choices == ("discard",):
        return Play(card, discard=tuple(said))
    if not len(choices) - ("trash" in choices) <= len(said) <= len(choices):
        return None
    chosen = dict(zip(choices, said, strict=False))
    return Play(card, trash=chosen.get("trash"), gain=chosen.get("gain"))


def standing(views: Sequence[View]) -> list[int]:
    """The points of each seat's cards, from its own view."""
    return [sum(CARDS[card].points * many for card, many in view.owned.items()) for view in views]
