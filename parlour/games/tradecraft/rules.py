"""The rules of tradeCraft in the order of RULES.md, whose numbers the comments cite."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from parlour.core import (
    Ask,
    By,
    Dice,
    Event,
    Fault,
    IllegalAction,
    Leave,
    Position,
    Result,
    Seat,
    Stop,
    Table,
)
from parlour.core.values import without_controls
from parlour.games.tradecraft.amounts import Items, read_items, unwritten
from parlour.games.tradecraft.book import check
from parlour.games.tradecraft.history import Notes, newest, noted
from parlour.games.tradecraft.phases import (
    AnyPhase,
    Bench,
    Crafting,
    Deciding,
    Over,
    Proposing,
    Ready,
    covers,
    moved,
    shown,
    whole,
)
from parlour.games.tradecraft.recipes import book
from parlour.games.tradecraft.redeal import redealt
from parlour.games.tradecraft.setup import begun
from parlour.games.tradecraft.trade import trade
from parlour.games.tradecraft.values import (
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
    Phase,
    Problem,
    Propose,
    Proposed,
    Rejected,
    TurnBegan,
    View,
)
from parlour.games.tradecraft.view import view

FREE = frozenset(["phase_error", "decision_invalid", "bad_query"])
"""Codes of faults that cost nothing and are not counted (RULES 8.1)."""
MOST_FAULTS = 1000
"""This many faults on one ask count as silence, so every game ends even without a clock (RULES 8.4)."""

NAMES: Mapping[type[Any], Phase] = {Proposing: "propose", Deciding: "decide", Crafting: "craft", Over: "over"}


class State(Position[View]):
    """A position of tradeCraft."""

    options: Options
    dice: Dice
    max_turn: int
    order: tuple[Seat, ...]
    """The order in which seats propose."""
    hands: list[Items]
    """By seat, as last shown to all; whole amounts only."""
    targets: list[Items]
    turn: int
    phase: AnyPhase
    gone: set[Seat]
    told: dict[By, Notes]
    """The history of each audience, without the open crafting phase."""

    @classmethod
    def new(cls, seats: int, options: Options, start: Problem | None, dice: Dice) -> "State":
        """RULES 1."""
        state = cls()
        problem = begun(seats, options, start, dice)
        order = list(range(seats))
        if options.order == "drawn":
            dice.shuffle(order)
        state.options, state.dice, state.order = options, dice, tuple(order)
        state.max_turn = problem.max_turn or options.max_turn
        state.hands = [unwritten(hand) for hand in problem.hands]
        state.targets = [unwritten(target) for target in problem.targets]
        state.turn, state.phase = 1, Proposing()
        state.gone = set()
        state.told = dict.fromkeys((None, *range(seats)), ())
        return state

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def phase_name(self) -> Phase:
        return NAMES[type(self.phase)]

    @property
    def proposer(self) -> Seat:
        """Seats take turns, whatever happened to earlier proposals (RULES 2.2)."""
        return self.order[(self.turn - 1) % self.seats]

    # Proposing (RULES 3)

    def _propose(self, seat: Seat, said: Propose) -> list[Event]:
        offer, request = trade(self.hands, seat, said)
        proposal = Proposed(seat, said.partner, shown(offer), shown(request), without_controls(said.message))
        self.phase = Deciding(proposal)
        return self._note([proposal])

    def _forgo(self, seat: Seat) -> list[Event]:
        """To the others it looks like a rejected proposal (RULES 3.9)."""
        events = self._note([Proposed(seat), Rejected(seat)])
        self._begin_crafting()
        return events

    # Deciding (RULES 4)

    def _decide(self, phase: Deciding, said: Decide) -> list[Event]:
        proposal = phase.proposal
        proposer, partner = proposal.proposer, proposal.partner
        assert partner is not None, "somebody decides"
        events: list[Event] = [Answered(proposer, partner, without_controls(said.message))]
        if said.decision == "accept":
            self._swap(proposal, partner)
            events += [Accepted(proposer, partner, proposal.offer, proposal.request), self._hands_shown()]
        else:
            events.append(Rejected(proposer))
        self._note([*events, *phase.left])
        self._begin_crafting()
        return [*events, *phase.left]

    def _swap(self, proposal: Proposed, partner: Seat) -> None:
        offer, request = unwritten(proposal.offer), unwritten(proposal.request)
        self.hands[proposal.proposer] = moved(self.hands[proposal.proposer], offer, request)
        self.hands[partner] = moved(self.hands[partner], request, offer)

    def _hands_shown(self) -> HandsShown:
        return HandsShown(tuple([shown(hand) for hand in self.hands]))

    # Crafting (RULES 5)

    def _begin_crafting(self) -> None:
        self.phase = Crafting([Bench(hand.copy()) for hand in self.hands])

    def _check(self, seat: Seat, bench: Bench, said: Check) -> list[Event]:
        """The verdict replaces the one before (RULES 5.3)."""
        if bench.checks >= self.options.max_checks:
            raise IllegalAction("no_checks_left", f"check: the {bench.checks} checks of this turn are used up")
        checked, ready = self._verdict(seat, bench.hand, said)
        bench.checks += 1
        bench.ready = ready
        bench.told += noted([checked])
        return [checked]

    def _verdict(self, seat: Seat, hand: Items, said: Check) -> tuple[Checked, Ready | None]:
        try:
            inputs, outputs = read_items(said.input), read_items(said.output)
        except ValueError as e:
            return Checked(seat, {}, {}, 1, None, str(e), {}), None
        verdict = check(inputs, outputs, hand, whole_batches=self.options.whole_batches)
        returns = unwritten(verdict.returns)
        found = verdict.code, verdict.recipe, verdict.reason, shown(returns)
        checked = Checked(seat, shown(inputs), shown(outputs), *found)
        if verdict.code or verdict.recipe is None:
            return checked, None
        product = book().by_name[verdict.recipe].product
        return checked, Ready(inputs, {product: outputs[product]}, returns)

    def _apply(self, seat: Seat, bench: Bench) -> list[Event]:
        """Apply the checked recipe once; it must be checked again to be crafted again (RULES 5.4)."""
        ready = bench.ready
        if ready is None:
            raise IllegalAction("phase_error", "apply: there is no recipe that was checked and found good")
        if not covers(bench.hand, ready.input):
            raise IllegalAction("phase_error", "apply: the hand has become too small for what was checked")
        bench.hand, bench.ready = ready.applied(bench.hand), None
        applied = Applied(seat, shown(ready.input), shown(ready.output), shown(ready.returns), shown(bench.hand))
        bench.told += noted([applied])
        return [applied]

    def _done(self, phase: Crafting, seat: Seat) -> list[Event]:
        bench = phase.benches[seat]
        bench.hand, bench.ready, bench.done = whole(bench.hand), None, True
        finished = Finished(seat, shown(bench.hand))
        return [finished, *(self._end_turn(phase) if all(bench.done for bench in phase.benches) else ())]

    # The end of a turn, and of the game (RULES 7)

    def _end_turn(self, phase: Crafting) -> list[Event]:
        self._leave_benches()
        self.hands = [bench.hand for bench in phase.benches]
        shown = self._note([self._hands_shown()])
        if winners := [seat for seat in range(self.seats) if seat not in self.gone and self._has_target(seat)]:
            return shown + self._end("win", winners)
        if self.turn == self.max_turn:
            return shown + self._end("turns")
        self.turn += 1
        return shown + self._note([TurnBegan(self.turn, self.proposer)])

    def _leave_benches(self) -> None:
        """End the crafting phase and move its events into the history."""
        if isinstance(self.phase, Crafting):
            for who, notes in self.told.items():
                self.told[who] = newest(notes + self.phase.told(who))
            self.phase = Proposing()

    def _has_target(self, seat: Seat) -> bool:
        return covers(self.hands[seat], self.targets[seat])

    def _end(self, why: Literal["win", "turns", "nobody", "time"], winners: Sequence[Seat] = ()) -> list[Event]:
        self._leave_benches()
        decided = Decided(tuple(winners), why, tuple([shown(target) for target in self.targets]))
        self.phase = Over(decided)
        return self._note([decided])

    def result(self) -> Result | None:
        """Three points for a single winner, one each for several (RULES 7.5). Seats that left rank last (RULES 7.6)."""
        if not isinstance(self.phase, Over):
            return None
        winners = self.phase.decided.winners
        points = 3 if len(winners) == 1 else 1
        merits = [0 if seat in winners else 2 if seat in self.gone else 1 for seat in range(self.seats)]
        better = [sum(other < merit for other in merits) for merit in merits]
        first = 1 if winners else 2
        scores = tuple(points if seat in winners else 0 for seat in range(self.seats))
        return Result(scores, tuple(first + n for n in better))

    # The interface to the referee

    def _new_asks(self) -> dict[By, Ask[Any]]:
        """Asks of a phase share its deadline (RULES 8.5)."""
        turn, span = self.turn, 3 * self.turn
        match self.phase:
            case Proposing():
                return {self.proposer: MakeProposal(span=span, turn=turn)}
            case Deciding(proposal=proposal):
                return {proposal.partner: DecideProposal(span=span + 1, turn=turn)}
            case Crafting(benches=benches):
                most = self.options.max_checks
                return {
                    seat: CraftItems(
                        span=span + 2, turn=turn, checks=most - bench.checks, ready=bench.ready is not None
                    )
                    for seat, bench in enumerate(benches)
                    if not bench.done
                }
        return {}

    def play(self, by: By, action: Action | Table) -> list[Event]:
        events = self._play_table_act(action) if by is None else self._act(by, action)
        self._changed()
        return events

    def _act(self, seat: Seat, action: Action | Table) -> list[Event]:
        """An action that does not fit the phase changes nothing (RULES 8.1)."""
        phase = self.phase
        if seat in self.asks():
            match phase, action:
                case Proposing(), Propose():
                    return self._propose(seat, action)
                case Proposing(), Forgo():
                    return self._forgo(seat)
                case Deciding(), Decide():
                    return self._decide(phase, action)
                case Crafting(), Check():
                    return self._check(seat, phase.benches[seat], action)
                case Crafting(), Apply():
                    return self._apply(seat, phase.benches[seat])
                case Crafting(), Done():
                    return self._done(phase, seat)
        said, name = type(action).__name__.lower(), self.phase_name
        raise IllegalAction("phase_error", f"{said}: not now, in the phase {name}", {"phase": name})

    def _play_table_act(self, act: Action | Table) -> list[Event]:
        if isinstance(self.phase, Over):
            raise IllegalAction("over", "the match is over")
        match act:
            case Leave(seat=seat, why=why) if 0 <= seat < self.seats and seat not in self.gone:
                return self._leave(Left(seat, why))
            case Stop():
                return self._announced() + self._end("time")
        raise IllegalAction("not_here", f"{type(act).__name__}: there is no such thing in tradeCraft")

    def _leave(self, left: Left) -> list[Event]:
        """RULES 8.6. During a decision, a departure is announced only after it (RULES 9.3)."""
        self.gone.add(left.seat)
        if isinstance(self.phase, Deciding):
            leavers = sorted((*self.phase.left, left), key=lambda each: each.seat)
            self.phase = Deciding(self.phase.proposal, tuple(leavers))
            told = [] if len(self.gone) < self.seats else self._announced()
        else:
            told = self._note([left])
        return told if len(self.gone) < self.seats else told + self._end("nobody")

    def known_gone(self) -> list[Seat]:
        """Seats that have left, as far as it was announced."""
        unknown = [left.seat for left in self.phase.left] if isinstance(self.phase, Deciding) else []
        return sorted(self.gone.difference(unknown))

    def _announced(self) -> list[Event]:
        """Announce departures that are not announced yet."""
        return self._note(self.phase.left) if isinstance(self.phase, Deciding) else []

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> Action | None:
        """RULES 8.2-8.4."""
        last = faults[-1]
        if last.kind == "unasked" or seat not in self.asks():
            return None
        refused = sum(fault.code not in FREE for fault in faults)
        silent = last.kind in ("late", "gone") or last.code == "no_checks_left" or len(faults) >= MOST_FAULTS
        match self.phase:
            case Proposing():
                return Forgo() if silent or refused >= self.options.max_invalid_proposals else None
            case Deciding():
                return Decide("reject") if silent else None
            case _:
                return Done() if silent else None

    def _note(self, events: Sequence[Event]) -> list[Event]:
        """Add events to the histories. Events of the crafting phase are kept at the benches instead."""
        for who, notes in self.told.items():
            seen = [each for event in events if (each := event.seen_by(who)) is not None]
            self.told[who] = notes + noted(seen)
        return list(events)

    def history(self, who: By) -> Notes:
        phase = self.phase
        return newest(self.told[who] + (phase.told(who) if isinstance(phase, Crafting) else ()))

    def _new_view(self, who: By) -> View:
        return view(self, who)

    redeal = redealt

    def copy(self) -> "State":
        twin = State()
        twin.options, twin.dice, twin.max_turn, twin.order = self.options, self.dice.copy(), self.max_turn, self.order
        twin.hands, twin.targets = [hand.copy() for hand in self.hands], [target.copy() for target in self.targets]
        twin.turn, twin.gone, twin.told = self.turn, self.gone.copy(), self.told.copy()
        twin.phase = self.phase.copy() if isinstance(self.phase, Crafting) else self.phase
        return twin


def has_finished(state: State, seat: Seat) -> bool:
    """Whether the seat is done in this crafting phase and the game is sure to end with it (RULES 8.9)."""
    phase = state.phase
    if not isinstance(phase, Crafting) or not (bench := phase.benches[seat]).done:
        return False
    return state.turn == state.max_turn or covers(bench.hand, state.targets[seat])
