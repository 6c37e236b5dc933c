"""The view of a seat. It is built from scratch, never by removing parts of the state."""

from typing import TYPE_CHECKING

from parlour.core import By
from parlour.games.tradecraft.phases import Bench, Crafting, Deciding, Over, shown
from parlour.games.tradecraft.values import Batch, View

if TYPE_CHECKING:
    from parlour.games.tradecraft.rules import State


def view(state: "State", who: By) -> View:
    """Targets, proposals and crafting are shown only to the seats involved (RULES 9)."""
    phase = state.phase
    decided = phase.decided if isinstance(phase, Over) else None
    bench = phase.benches[who] if isinstance(phase, Crafting) and who is not None else None
    return View(
        seat=who,
        phase=state.phase_name,
        turn=state.turn,
        max_turn=state.max_turn,
        order=state.order,
        proposer=state.proposer,
        whole_batches=state.options.whole_batches,
        hands=tuple([shown(hand) for hand in state.hands]),
        hand={} if who is None else shown(bench.hand if bench is not None else state.hands[who]),
        target={} if who is None else shown(state.targets[who]),
        proposal=phase.proposal.seen_by(who) if isinstance(phase, Deciding) else None,
        checked=None if bench is None else checked(bench),
        checks=0 if bench is None or bench.done else state.options.max_checks - bench.checks,
        done=tuple(phase.finished()) if isinstance(phase, Crafting) else (),
        gone=tuple(state.known_gone()),
        targets=None if decided is None else decided.targets,
        winners=None if decided is None else decided.winners,
        history=tuple([note.event for note in state.history(who)]),
    )


def checked(bench: Bench) -> Batch | None:
    ready = bench.ready
    return None if ready is None else Batch(shown(ready.input), shown(ready.output), shown(ready.returns))
