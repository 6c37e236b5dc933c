"""Check that a redeal changes everything its seat cannot know. Otherwise comparing with it would prove nothing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from parlour.testing.leaks import Leak
from parlour.testing.samples import Moment, Samples, redealt
from parlour.testing.state_parts import StatePart, equal, hidden, parts

FEW, MANY = 2, 12
"""How many redeals are tried at first, and before a part counts as unchanged."""


class Secret(Struct):
    """A part of the state that seats cannot see."""

    name: str
    dealt: list[Moment] = []
    """Moments in which a redeal changed it."""
    kept: list[Moment] = []
    """Moments in which the first redeals did not."""


def secrets(samples: Samples) -> list[Secret]:
    """All hidden parts of the game's states, found by experiment."""
    found: dict[str, Secret] = {}
    for moment in samples.moments:
        if moment.state.result() is None:
            dealt = [redealt(moment, number) for number in range(FEW)]
            for name, places in _hidden(moment).items():
                secret = found.setdefault(name, Secret(name))
                (secret.dealt if _changed(moment, places, dealt) else secret.kept).append(moment)
    return list(found.values())


def _hidden(moment: Moment) -> Mapping[str, set[StatePart]]:
    """Hidden parts by name. Parts of several other seats have the same name."""
    found: dict[str, set[StatePart]] = {}
    for like in moment.likes:
        for part in hidden(moment.state, moment.seat, moment.seats, like):
            found.setdefault(part.name, set()).add(part)
    return found


def _changed(moment: Moment, places: Iterable[StatePart], dealt: Iterable[Any]) -> bool:
    return any(_differs(part, moment.state, other) for other in dealt for part in places)


def _differs(part: StatePart, one: Any, other: Any) -> bool:
    try:
        return not equal(part.of(one), part.of(other))
    except (AttributeError, LookupError, TypeError):  # the redeal lacks this part, so it has changed
        return True


def check_redeals(samples: Samples, found: Sequence[Secret] | None = None) -> None:
    """Redeal changes each part of the state that a seat can neither see nor work out from what it was told."""
    deducible = samples.subject.deducible
    for secret in secrets(samples) if found is None else found:
        declared = any(covers(name, secret.name) for name in deducible)
        if secret.dealt and declared:
            raise Leak(f"{secret.name} is declared as deducible, but redeal changes it. Remove the declaration.")
        if not secret.dealt and not declared and not any(_changes(moment, secret.name) for moment in secret.kept[:3]):
            raise Leak(
                f"redeal keeps {secret.name}, which a seat cannot know. Deal it again in redeal; or, if a seat can "
                "work it out from what it was told, declare it in Subject.deducible."
            )
    existing = {part.name for it in samples.moments for part in parts(it.state, it.seat, it.seats)}
    for name in deducible:
        if not any(covers(name, part) for part in existing):
            raise Leak(f"{name} is declared as deducible, but there is no such part of the state.")


def _changes(moment: Moment, name: str) -> bool:
    """Whether one of many redeals changes what the first ones did not."""
    dealt = (redealt(moment, number) for number in range(MANY))
    return _changed(moment, _hidden(moment)[name], dealt)


def covers(declared: str, name: str) -> bool:
    """Whether a part is the declared one, or a part of that."""
    return name == declared or name.startswith((f"{declared}.", f"{declared}["))
