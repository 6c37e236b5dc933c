"""Views as a table for people, and typed text as actions."""

from collections.abc import Sequence

from parlour.core import Board, Seat
from parlour.games.tradecraft.amounts import unwritten
from parlour.games.tradecraft.answers import craftables, item_facts
from parlour.games.tradecraft.narrator import Narrator, about, batch, listed
from parlour.games.tradecraft.text import items_in, split_craft, split_trade
from parlour.games.tradecraft.values import (
    MOST_TEXT,
    Action,
    Apply,
    Check,
    CraftItems,
    Decide,
    DecideProposal,
    Done,
    MakeProposal,
    Propose,
    View,
)

STAGES = {"propose": "to be made", "decide": "to be decided", "craft": "settled, all craft", "over": "the game is over"}


def board(view: View, names: Sequence[str]) -> Board:
    """A row for each seat with its public hand, and below it what only the viewer knows."""
    whose = names[view.proposer] + ("'" if names[view.proposer].endswith("s") else "'s")
    heading = f"Turn {view.turn} of {view.max_turn}, {whose} proposal: {STAGES[view.phase]}"
    rows = tuple(
        (names[seat], str(seat), _note(view, seat), listed(hand)) for seat, hand in enumerate(view.hands[: len(names)])
    )
    return Board(heading, ("player", "seat", "", "hand"), rows, "\n".join(_own(view, names)))


def part(view: View) -> str:
    """`Turn 3`, `End`."""
    return "End" if view.phase == "over" else f"Turn {view.turn}"


def to_act(view: View) -> tuple[Seat, ...]:
    """The proposer, or the seats that still craft. Spectators do not see to whom a proposal was made (RULES 9)."""
    match view.phase:
        case "propose":
            return (view.proposer,)
        case "craft":
            return tuple(seat for seat in range(len(view.hands)) if seat not in (*view.done, *view.gone))
    return ()


def _note(view: View, seat: int) -> str:
    if view.winners is not None and seat in view.winners:
        return "won"
    return "gone" if seat in view.gone else "done" if seat in view.done else ""


def _own(view: View, names: Sequence[str]) -> list[str]:
    if view.targets is not None:
        return [f"{names[seat]} wanted {listed(target)}" for seat, target in enumerate(view.targets)]
    if view.seat is None:
        return []
    lines = [f"Your target: {listed(view.target)}"]
    if view.proposal is not None and view.proposal.partner is not None:
        lines.append(Narrator(names, view.seat).told(view.proposal))
    if view.phase == "craft":
        lines.append(f"You now hold {listed(view.hand)}")
    if view.checked is not None:
        lines.append(f"Ready to be applied: {batch(view.checked)}")
    return lines


def hint(ask: MakeProposal | DecideProposal | CraftItems) -> str:
    match ask:
        case MakeProposal():
            can = "offer 2 stick 1 coal to SEAT for 1 iron_ingot [: WORDS], with nothing on either side if you like"
        case DecideProposal():
            can = "accept [WORDS] or reject [WORDS]"
        case CraftItems():
            can = f"check 1 coal 1 stick = 4 torch ({ask.checks} left)" + (", apply" if ask.ready else "") + ", done"
    return f"{can}; also: item NAME, recipes"


def hear(text: str, view: View, ask: MakeProposal | DecideProposal | CraftItems) -> Action | str | None:
    """The action, the answer to a free query or an error as text, or None if the text is unclear."""
    verb, _, rest = text.strip().partition(" ")
    match verb.lower():
        case "item":
            return about(item_facts(rest.strip()))
        case "recipes":
            return about(craftables(unwritten(view.hand), view.whole_batches))
        case "offer" if isinstance(ask, MakeProposal):
            return _proposal(rest)
        case "accept" | "reject" as decision if isinstance(ask, DecideProposal):
            return Decide(decision, rest.strip()[:MOST_TEXT])
        case "check" if isinstance(ask, CraftItems):
            return _check(rest)
        case "apply" if isinstance(ask, CraftItems) and not rest:
            return Apply()
        case "done" if isinstance(ask, CraftItems) and not rest:
            return Done()
    return None


def _proposal(text: str) -> Propose | str | None:
    """`2 stick to 1 for 1 coal: words`."""
    trade, _, words = text.partition(":")
    match split_trade(trade):
        case (offer, partner, request) if partner.isdecimal() and len(partner) <= 3:
            try:
                return Propose(int(partner), items_in(offer), items_in(request), words.strip()[:MOST_TEXT])
            except ValueError as e:
                return str(e)
    return None


def _check(text: str) -> Check | str | None:
    """`1 coal 1 stick = 4 torch`."""
    sides = split_craft(text)
    try:
        return Check(items_in(sides[0]), items_in(sides[1])) if sides else None
    except ValueError as e:
        return str(e)
