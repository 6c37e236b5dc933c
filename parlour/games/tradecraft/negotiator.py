"""The bot `negotiator`: guesses what the others want, pays with that, and avoids trades that let them win."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from parlour.core import Dice, Event, Place, Seat
from parlour.games.tradecraft.bots import Answer, Asked
from parlour.games.tradecraft.guesses import Rival, Sketch, Sketcher
from parlour.games.tradecraft.planner import (
    craft,
    named,
    nothing,
    others,
    own_plan,
    own_seat,
    planned,
    refusals,
    said,
    whole_hand,
)
from parlour.games.tradecraft.plans import Hand, Plan, plan, together, traded
from parlour.games.tradecraft.solver import Step
from parlour.games.tradecraft.values import (
    Accepted,
    Answered,
    CraftItems,
    Decide,
    HandsShown,
    MakeProposal,
    Propose,
    Proposed,
    Rejected,
    View,
)

ALONE, TOGETHER = 3.0, 1.0
"""Points for winning alone, and together with others."""
HOPED = 1.2
"""Expected points when nearly finished."""
BARE = 0.6
"""Factor on the expectation with nothing to offer that the others want."""
AGAIN = 0.8
"""Factor on the expectation after a rejected proposal."""
CALM = 0.85
"""Probability that nobody wins in a turn in which others trade."""
HELPED, TORN, IDLE = 0.9, 0.2, 0.05
"""Probability that a trade is accepted if it helps, if it helps but costs something needed, and if it does not help."""
WARY = 0.7
"""Factor on that for each helpful trade that the partner has refused."""
REPEATED = 0.3
"""Factor on that for each refused trade that was at least as good for the partner."""
SURE = 0.25
"""Get an item to pay another player with if the player wants it with at least this probability."""
THOUGHT_OF = 5
"""How many guesses per player are examined."""
MOST_OFFERED = 12
"""The most kinds in one offer."""


class Deal(Struct, frozen=True):
    """A trade that may be proposed."""

    partner: Seat
    offer: Hand
    request: Hand
    chance: float
    """Probability that it is accepted."""
    worth: float
    """Expected points."""


class Negotiator:
    """Follows all events, and keeps guesses about every other player."""

    def __init__(self) -> None:
        self._news: list[Event] = []
        """Events not yet processed."""
        self._hands: list[Hand] = []
        self._rivals: dict[Seat, Rival] = {}
        self._proposed: Proposed | None = None
        self._refused: list[Proposed] = []
        """Own proposals that were refused, since the partner's last trade."""
        self._wary: dict[Seat, float] = {}
        """By seat: how often it refused trades that should have helped, weighted by probability."""

    def sit(self, place: Place) -> None:
        Negotiator.__init__(self)

    def event(self, seen: Event) -> None:
        self._news.append(seen)

    def __call__(self, view: View, ask: Asked, dice: Dice) -> Answer:
        if isinstance(ask, CraftItems):
            return craft(view, ask, finish(view))
        self._learn(view)
        return self._propose(view, dice) if isinstance(ask, MakeProposal) else self._decide(view)

    # Learning what the others want

    def _learn(self, view: View) -> None:
        """Process the events since the last call."""
        me = own_seat(view)
        if not self._hands:
            self._hands = first_hands(view, self._news)
            self._rivals = {s: Rival(self._hands[s], self._rest(s)) for s in range(len(view.hands)) if s != me}
        before: Event | None = None
        for event in self._news:
            self._hear(event, before, me)
            before = event
        self._news.clear()
        self._look([whole_hand(hand) for hand in view.hands], crafted=False)

    def _hear(self, event: Event, before: Event | None, me: Seat) -> None:
        match event:
            case Proposed(proposer=proposer) if proposer == me:
                self._proposed = event
            case Proposed(proposer=proposer, partner=partner) if partner == me:
                self._rivals[proposer].wanted(whole_hand(event.request), whole_hand(event.offer))
            case Rejected(proposer=proposer) if proposer == me and self._proposed is not None:
                self._was_refused(self._proposed)
            case Accepted():
                self._was_accepted(event, me)
            case Answered(partner=partner, message=message) if partner != me:
                self._rivals[partner].named(named(message))
            case HandsShown(hands=hands):
                self._look([whole_hand(hand) for hand in hands], crafted=not isinstance(before, Accepted))

    def _was_refused(self, proposal: Proposed) -> None:
        partner = proposal.partner
        if partner is not None:
            offer, request = whole_hand(proposal.offer), whole_hand(proposal.request)
            self._wary[partner] = self._wary.get(partner, 0.0) + self._helps(partner, offer, request)
            self._rivals[partner].refused(offer, request)
            self._refused.append(proposal)

    def _was_accepted(self, trade: Accepted, me: Seat) -> None:
        """Proposals to this bot were already counted in `_hear`."""
        two = trade.proposer, trade.partner
        offer, request = whole_hand(trade.offer), whole_hand(trade.request)
        if me not in two:
            self._rivals[trade.proposer].wanted(request, offer)
        if trade.partner != me:
            self._rivals[trade.partner].wanted(offer, request)
            self._wary.pop(trade.partner, None)
        self._refused = [each for each in self._refused if each.partner not in two]

    def _look(self, hands: list[Hand], *, crafted: bool) -> None:
        self._hands = hands
        for seat, rival in self._rivals.items():
            look = rival.crafted if crafted else rival.sees
            look(hands[seat], self._rest(seat))

    def _rest(self, seat: Seat) -> Hand:
        return together([hand for other, hand in enumerate(self._hands) if other != seat])

    # Rating trades

    def _helps(self, partner: Seat, offer: Hand, request: Hand) -> float:
        """Probability that the partner accepts, judged by what the trade is good for."""
        hand = self._hands[partner]

        def likely(sketch: Sketch) -> float:
            return IDLE if not sketch.gains(offer) else TORN if sketch.loses(hand, request) else HELPED

        return sum([guess.likely * likely(guess.sketch) for guess in self._rivals[partner].guesses()])

    def _chance(self, partner: Seat, offer: Hand, request: Hand) -> float:
        """The same, corrected by earlier refusals."""
        again = [old for old in self._refused if old.partner == partner and no_better(offer, request, old)]
        wary = self._wary.get(partner, 0.0)
        return self._helps(partner, offer, request) * float(WARY**wary) * float(REPEATED ** len(again))

    def _finishes(self, seat: Seat, gets: Hand, gives: Hand) -> float:
        """Probability that the seat can craft its target after the trade."""
        sketcher = Sketcher(traded(self._hands[seat], gets, gives), {})
        likely = 0.0
        for guess in self._rivals[seat].guesses()[:THOUGHT_OF]:
            if guess.target:
                done = sketcher.sketch({guess.target: 1}) is not None
            else:
                done = bool(guess.sketch.lacks) and guess.sketch.gains(gets) == sum(guess.sketch.lacks.values())
            likely += guess.likely * done
        return likely

    def _hopes(self, view: View, takes: Mapping[Seat, Hand], spare: Hand) -> float:
        """Expected points if `takes` is still needed and `spare` is left to pay with."""
        left = (view.max_turn - view.turn) / len(view.hands)
        hopes = HOPED * (1 - float(0.6**left))
        for seat, items in takes.items():
            wanted = sum([guess.likely for guess in self._rivals[seat].guesses() if guess.gains(spare)])
            ease = wanted * float(WARY ** self._wary.get(seat, 0.0))
            hopes *= (BARE + (1 - BARE) * ease) * (1 - 0.01 * min(sum(items.values()), 20))
        return hopes

    def _worth(self, view: View, takes: Mapping[Seat, Hand], spare: Hand, risk: float) -> float:
        """Expected points after a trade. `risk` is the probability that another player wins at once."""
        return (1 - risk) * self._hopes(view, takes, spare) if takes else ALONE - risk * (ALONE - TOGETHER)

    # Proposing

    def _propose(self, view: View, dice: Dice) -> Propose:
        best = self._best(view)
        if best is None:
            return nothing(view, dice)
        words = f"Would you take {said(best.offer)} for {said(best.request)}?"
        return Propose(best.partner, {**best.offer}, {**best.request}, words)

    def _best(self, view: View) -> Deal | None:
        """The best trade to propose, if any is better than none. Risks take longest to compute, so they come last."""
        found = own_plan(view, refusals(view))
        if found is None:
            return None
        now = AGAIN * self._hopes(view, found.takes, found.spare)
        best: Deal | None = None
        for deal in sorted(self._deals(view, found, now), key=lambda deal: -deal.worth):
            if deal.worth <= (now if best is None else best.worth):
                break
            risk = self._finishes(deal.partner, deal.offer, deal.request)
            worth = self._worth(view, *after(found, deal.partner, deal.offer, deal.request), risk)
            expected = deal.chance * worth + (1 - deal.chance) * now
            if worth > now * patience(view) and (best is None or expected > best.worth):
                best = Deal(deal.partner, deal.offer, deal.request, deal.chance, expected)
        return best

    def _deals(self, view: View, found: Plan, now: float) -> Iterator[Deal]:
        """Possible trades, rated as if nobody else could win."""
        for partner in others(view):
            offers = distinct(self._offers(partner, found.spare))
            for request in distinct(self._requests(partner, found)):
                for offer in offers:
                    if offer.keys().isdisjoint(request):
                        chance = self._chance(partner, offer, request)
                        worth = self._worth(view, *after(found, partner, offer, request), 0.0)
                        yield Deal(partner, offer, request, chance, chance * worth + (1 - chance) * now)

    def _requests(self, partner: Seat, found: Plan) -> Iterator[Hand]:
        """Requests: what this bot needs from the partner, with or without items to pay another player with."""
        needed = found.takes.get(partner, {})
        yield needed
        for seat in found.takes:
            if seat != partner and (wanted := self._wanted(seat, partner, found.spare)):
                yield {**wanted, **needed}

    def _wanted(self, seat: Seat, giver: Seat, spare: Hand) -> Hand:
        """The item of `giver` that `seat` most probably lacks, if nothing in `spare` would help that seat."""
        likely: dict[str, float] = {}
        amounts: Hand = {}
        for guess in self._rivals[seat].guesses()[:THOUGHT_OF]:
            for item, amount in guess.sketch.lacks.items() if not guess.gains(spare) else ():
                if item in self._hands[giver]:
                    likely[item] = likely.get(item, 0.0) + guess.likely
                    amounts.setdefault(item, min(amount, self._hands[giver][item]))
        best = max(likely, key=lambda item: likely[item], default="")
        return {best: amounts[best]} if likely.get(best, 0.0) >= SURE else {}

    def _offers(self, partner: Seat, spare: Hand) -> Iterator[Hand]:
        """Offers that the partner may want: for one guess or for several, in different amounts."""
        ones: Hand = {}
        for guess in self._rivals[partner].guesses()[:THOUGHT_OF]:
            useful = {item: min(amount, spare[item]) for item, amount in guess.sketch.lacks.items() if item in spare}
            if useful:
                largest = max(useful, key=lambda item: useful[item])
                yield useful
                yield {largest: useful[largest]}
                yield traded(useful, {}, {largest: 1})
                yield {largest: 1}
                ones |= dict.fromkeys(useful, 1)
                yield dict(ones)
        some = list(spare)[:MOST_OFFERED]
        yield dict.fromkeys(some, 1)
        yield {item: spare[item] for item in some}

    # Deciding

    def _decide(self, view: View) -> Decide:
        """Accepts gifts and good trades. A refusal names what it would take."""
        proposal = view.proposal
        if proposal is None:
            return Decide("reject")
        offer, request = whole_hand(proposal.offer), whole_hand(proposal.request)
        if offer and not request:
            return Decide("accept", "Thank you.")
        now, then = own_plan(view), planned(view, proposal.proposer, offer, request)
        if (
            offer
            and then is not None
            and self._good(view, now, then, self._finishes(proposal.proposer, request, offer))
        ):
            return Decide("accept", "Deal.")
        lacks = {} if now is None else now.takes.get(proposal.proposer, {})
        return Decide("reject", f"I would rather have {said(lacks)}." if lacks else "Not this time.")

    def _good(self, view: View, now: Plan | None, then: Plan, risk: float) -> bool:
        """Whether the plan after a trade is better than the current one, or, if it wins at once, than waiting."""
        worth = self._worth(view, then.takes, then.spare, risk)
        if then.takes:
            return now is None or worth > 1.02 * self._hopes(view, now.takes, now.spare) * patience(view)
        best = self._best(view) if view.turn < view.max_turn else None
        calm = float(CALM ** turns_until(view)) if len(view.hands) > 2 else 1.0
        return best is None or worth > calm * best.worth


def after(found: Plan, partner: Seat, offer: Hand, request: Hand) -> tuple[dict[Seat, Hand], Hand]:
    """The items that are still needed after a trade, and those that are left to pay with."""
    needed = found.takes.get(partner, {})
    more = {item: amount for item, amount in request.items() if item not in needed}
    takes = {seat: items for seat, items in found.takes.items() if seat != partner}
    return takes, traded(found.spare, more, offer)


def distinct(hands: Iterable[Hand]) -> list[Hand]:
    found: list[Hand] = []
    for hand in hands:
        if hand and hand not in found:
            found.append(hand)
    return found


def no_better(offer: Hand, request: Hand, old: Proposed) -> bool:
    """Whether the trade is no better for the partner than one that was refused."""
    offered, asked = whole_hand(old.offer), whole_hand(old.request)
    less = all(offered.get(item, 0) >= amount for item, amount in offer.items())
    return less and all(request.get(item, 0) >= amount for item, amount in asked.items())


def patience(view: View) -> float:
    """Falls from 1 towards 0 during the game: late risks are better than nothing."""
    return 1 - (view.turn - 1) / view.max_turn


def turns_until(view: View) -> int:
    """Turns until this bot proposes again."""
    return (view.order.index(own_seat(view)) - (view.turn - 1)) % len(view.order)


def first_hands(view: View, news: Sequence[Event]) -> list[Hand]:
    """All hands before the unprocessed events, with a trade among them undone."""
    trade: Accepted | None = None
    for event in news:
        if isinstance(event, Accepted):
            trade = event
        elif isinstance(event, HandsShown):
            hands = [whole_hand(hand) for hand in event.hands]
            if trade is not None:
                offer, request = whole_hand(trade.offer), whole_hand(trade.request)
                hands[trade.proposer] = traded(hands[trade.proposer], offer, request)
                hands[trade.partner] = traded(hands[trade.partner], request, offer)
            return hands
    return [whole_hand(hand) for hand in view.hands]


def finish(view: View) -> tuple[Step, ...]:
    """All steps to the target, or none: crafting early would reveal the target."""
    hand = whole_hand(view.hands[own_seat(view)])
    found = plan(hand, {}, whole_hand(view.target), whole_batches=view.whole_batches)
    return () if found is None else found.steps
