"""What every game promises of options that it gained after its first release."""

import msgspec
import pytest
from msgspec.structs import fields, replace

from parlour.core import Value
from parlour.core.options import legacy_values
from tests.contract.subjects import SUBJECTS

TYPES = {
    f"{name}, {kind.__name__}": kind
    for name, subject in sorted(SUBJECTS.items())
    for kind in (subject.game.rules.options, subject.game.rules.start)
    if kind is not None
}


@pytest.mark.parametrize("name", TYPES)
def test_options_added_later_stand_at_the_end_and_their_legacy_values_are_legal(name: str) -> None:
    kind: type[Value] = TYPES[name]
    later = legacy_values(kind)
    assert [*later] == [*kind.__struct_fields__[len(kind.__struct_fields__) - len(later) :]]
    raw = msgspec.json.encode({field.name: later[field.name] for field in fields(kind) if field.name in later})
    parts = {field.encode_name: field.type for field in fields(kind) if field.name in later}
    for field, value in msgspec.json.decode(raw).items():
        assert msgspec.convert(value, parts[field]) == later[field]


@pytest.mark.parametrize("name", sorted(SUBJECTS))
def test_a_game_can_be_played_under_its_legacy_options(name: str) -> None:
    kind = SUBJECTS[name].game.rules.options
    options = replace(kind(), **legacy_values(kind))
    assert msgspec.json.decode(msgspec.json.encode(options), type=kind) == options
