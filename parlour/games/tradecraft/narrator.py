"""Events and views as text, for people and for language models."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from parlour.core import Event, Seat
from parlour.core.quoting import one_line, player, quoted, words_of
from parlour.games.tradecraft.amounts import Amount, Written
from parlour.games.tradecraft.answers import Craftable, Craftables, Formula, ItemFacts
from parlour.games.tradecraft.values import (
    Accepted,
    Answered,
    Applied,
    Batch,
    Checked,
    Decided,
    Finished,
    HandsShown,
    Left,
    Proposed,
    Rejected,
    TurnBegan,
    View,
)

VERDICTS = {0: "can be crafted, and waits to be applied", 1: "is not a recipe", 2: "needs more than there is in hand"}


def listed(items: Mapping[str, Amount]) -> str:
    """`2 stick, 1/2 coal`."""
    return ", ".join(f"{amount} {one_line(item)}" for item, amount in items.items()) or "nothing"


def formula(input: Mapping[str, Amount], output: Mapping[str, Amount]) -> str:
    """`1 coal + 1 stick -> 4 torch`."""
    sides = [
        " + ".join(f"{amount} {one_line(item)}" for item, amount in side.items()) or "nothing"
        for side in (input, output)
    ]
    return " -> ".join(sides)


class Narrator(Struct, frozen=True):
    """Writes events and views for one player, or for spectators."""

    names: Sequence[str]
    me: Seat | None = None
    labels: bool = False
    """Whether names are quoted beside the seat, and messages labelled as another player's words."""

    # Subjects and verbs

    def _name(self, seat: Seat) -> str:
        return player(self.names, seat) if self.labels else self.names[seat]

    def _who(self, seat: Seat) -> str:
        return "you" if seat == self.me else self._name(seat)

    def _saying(self, seat: Seat, message: str) -> str:
        """The end of a sentence, with the message if there is one."""
        if not message:
            return "."
        return f". {words_of(self.names, seat, message, self.me)}" if self.labels else f", saying: {quoted(message)}"

    def _whose(self, seat: Seat) -> str:
        return "your" if seat == self.me else f"{self._name(seat)}'s"

    def _does(self, seat: Seat, verb: str) -> str:
        """`you offer`, `alice offers`."""
        return f"you {verb}" if seat == self.me else f"{self._name(seat)} {THIRD.get(verb, verb + 's')}"

    def _all(self, seats: Iterable[Seat]) -> str:
        return " and ".join(self._who(seat) for seat in seats)

    # Events

    def told(self, event: Event) -> str:
        """One line; for hands and targets, one more for each player."""
        said = self._told(event)
        return said[:1].upper() + said[1:] if said.startswith("you") else said

    def _told(self, event: Event) -> str:
        match event:
            case TurnBegan(turn=turn, proposer=proposer):
                return f"Turn {turn}: {self._does(proposer, 'are')} to propose."
            case Proposed():
                return self._proposed(event)
            case Answered(proposer=proposer, partner=partner, message=message):
                words = self._saying(partner, message) if message else " without a word."
                return f"{self._does(partner, 'reply')} to {self._who(proposer)}{words}"
            case Accepted(proposer=proposer, partner=partner, offer=offer, request=request):
                gives = f"{self._does(proposer, 'give')} {self._who(partner)} {listed(offer)}"
                return f"{self._whose(proposer)} proposal is accepted: {gives} for {listed(request)}."
            case Rejected(proposer=proposer):
                return f"{self._whose(proposer)} proposal is rejected."
            case HandsShown(hands=hands):
                return "\n".join(["Hands:", *self._hands(hands)])
            case Checked():
                return self._checked(event)
            case Applied(seat=seat, input=input, output=output, returns=returns, hand=hand):
                back = f" ({listed(returns)} left over)" if returns else ""
                crafts = f"{self._does(seat, 'craft')} {formula(input, output)}{back}"
                return f"{crafts}, and {self._have(seat)} {listed(hand)}."
            case Finished(seat=seat, hand=hand):
                kept = "" if hand is None else f", and {self._have(seat)} {listed(hand)}"
                return f"{self._does(seat, 'are')} done crafting{kept}."
            case Left(seat=seat, why=why):
                return f"{self._does(seat, 'have')} left ({one_line(why)})."
            case Decided():
                return "\n".join(self._decided(event))
        raise TypeError(f"not an event of tradeCraft: {event!r}")

    def _have(self, seat: Seat) -> str:
        return "now have" if seat == self.me else "now has"

    def _proposed(self, event: Proposed) -> str:
        if event.partner is None:
            return f"{self._does(event.proposer, 'have')} made a proposal."
        offers = f"{self._does(event.proposer, 'offer')} {self._who(event.partner)} {listed(event.offer)}"
        return f"{offers} for {listed(event.request)}{self._saying(event.proposer, event.message)}"

    def _checked(self, event: Checked) -> str:
        reason = f": {one_line(event.reason)}" if event.reason else ""
        checks = f"{self._does(event.seat, 'check')} {formula(event.input, event.output)}"
        return f"{checks}. It {VERDICTS[event.code]}{reason}."

    def _decided(self, event: Decided) -> list[str]:
        return [f"The game is over. {self._winners(event.winners)}", *self._targets(event.targets)]

    def _winners(self, winners: Sequence[Seat]) -> str:
        if not winners:
            return "Nobody has their target: all lose."
        points = "3 points" if len(winners) == 1 else "1 point each"
        has = "have" if len(winners) > 1 or winners[0] == self.me else "has"
        said = f"{self._all(winners)} {has} won: {points}."
        return said[:1].upper() + said[1:] if said.startswith("you") else said

    def _targets(self, targets: Sequence[Written]) -> list[str]:
        return ["Targets:", *self._hands(targets)]

    def _hands(self, hands: Sequence[Written], gone: Sequence[Seat] = ()) -> list[str]:
        notes = [" (you)" if seat == self.me else " (gone)" if seat in gone else "" for seat in range(len(hands))]
        return [f"  {self._name(seat)}{notes[seat]}: {listed(hand)}" for seat, hand in enumerate(hands)]

    # Views

    def seen(self, view: View) -> str:
        """The position, and what the player can do now."""
        head = f"Turn {view.turn} of {view.max_turn}, phase {view.phase}. The proposer is {self._who(view.proposer)}."
        lines = [head]
        if view.seat is not None:
            lines.append(f"You are {self._name(view.seat)}. Your secret target is {listed(view.target)}.")
        if view.whole_batches:
            lines.append("Recipes are crafted in whole batches only.")
        if list(view.order) != sorted(view.order):
            lines.append(f"The order of proposing is {', '.join(self._name(seat) for seat in view.order)}.")
        lines += ["Hands, as all know them:", *self._hands(view.hands, view.gone), *self._now(view)]
        return "\n".join(lines)

    def _now(self, view: View) -> list[str]:
        match view.phase:
            case "propose":
                return ["Propose a trade."] if view.proposer == self.me else []
            case "decide" if view.proposal is not None:
                mine = view.proposal.partner is not None and view.proposal.partner == self.me
                return [self.told(view.proposal), *(["Accept it or reject it."] if mine else [])]
            case "craft":
                done = [f"Done crafting: {self._all(view.done)}."] if view.done else []
                return [*self._crafting(view), *done]
        if view.targets is None or view.winners is None:
            return []
        return [f"The game is over. {self._winners(view.winners)}", *self._targets(view.targets)]

    def _crafting(self, view: View) -> list[str]:
        if self.me is None:
            return []
        held = f"You now hold {listed(view.hand)}."
        if self.me in view.done:
            return [held]
        waits = [] if view.checked is None else [f"Ready to be applied: {batch(view.checked)}."]
        apply = "apply it, check something else" if waits else "check a recipe"
        return [held, *waits, f"You may {apply}, or be done. Checks left: {view.checks}."]

    def history(self, view: View) -> str:
        """The history, oldest first."""
        return "\n".join(self.told(event) for event in view.history)


def about(answer: ItemFacts | Craftables) -> str:
    """The answer to a free query as text."""
    if isinstance(answer, Craftables):
        lines = [f"{recipe(each.recipe)} ({_times(each)})" for each in answer.recipes]
        return "\n".join(lines) or answer.reason or "Nothing can be crafted from that."
    if not answer.known and not answer.stands_for:
        return f"There is no item {quoted(answer.item)}."
    lines = [f"Any of {', '.join(answer.stands_for)}."] if answer.stands_for else []
    lines += [f"Burns {answer.ticks} ticks; 200 smelt one item."] if answer.ticks else []
    lines += [f"{answer.item} is made: {recipe(each)}" for each in answer.made_by]
    lines += [f"{answer.item} is used: {recipe(each)}" for each in answer.used_by]
    return "\n".join(lines) or f"{answer.item} can neither be made nor used."


def _times(found: Craftable) -> str:
    return f"at most {found.most} times" + (", only in fractions" if found.only_in_fractions else "")


def recipe(recipe: Formula) -> str:
    """`1 raw_iron + fuel -> 1 iron_ingot`."""
    parts = [f"{count} {slot.replace('|', ' or ')}" for slot, count in recipe.input.items()]
    return f"{' + '.join([*parts, *(['fuel'] if recipe.burns else [])])} -> {recipe.count} {recipe.product}"


THIRD = {"are": "is", "have": "has", "reply": "replies"}


def batch(batch: Batch) -> str:
    back = f", {listed(batch.returns)} left over" if batch.returns else ""
    return formula(batch.input, batch.output) + back


def opening(view: View, names: Sequence[str]) -> str:
    """The public hands, and for a seat its own target."""
    hands = [f"  {name}: {listed(hand)}" for name, hand in zip(names, view.hands, strict=True)]
    own = [] if view.seat is None else [f"  target of {names[view.seat]}: {listed(view.target)}"]
    return "\n".join(["  Hands:", *(f"  {hand}" for hand in hands), *own])


def say(event: Event, names: Sequence[str]) -> str:
    """An event for spectators. All but headings are indented."""
    said = Narrator(names).told(event)
    return said if isinstance(event, TurnBegan | Decided) else "\n".join(f"  {line}" for line in said.splitlines())
