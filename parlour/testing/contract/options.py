"""Promises of every game about its options, also about those that it gained after its first release."""

import msgspec
from msgspec.structs import fields, replace

from parlour.core import Value
from parlour.core.options import legacy_values
from parlour.testing.contract.base import ContractTests


class OptionsContract(ContractTests):
    """House rules and prepared positions, as they are written into headers."""

    def test_options_added_later_stand_at_the_end_and_their_legacy_values_are_legal(self) -> None:
        for kind in (self.game.rules.options, self.game.rules.start):
            if kind is not None:
                check_legacy(kind)

    def test_a_game_can_be_played_under_its_legacy_options(self) -> None:
        kind = self.game.rules.options
        options = replace(kind(), **legacy_values(kind))
        again = msgspec.json.decode(msgspec.json.encode(options), type=kind)
        assert again == options, f"{options} is read as {again} after it was written as JSON."


def check_legacy(kind: type[Value]) -> None:
    """Fields that are marked as added later are the last ones, and their legacy values are of their types."""
    later = legacy_values(kind)
    last = [*kind.__struct_fields__[len(kind.__struct_fields__) - len(later) :]]
    assert [*later] == last, f"{kind.__name__}: the fields with a legacy value, {[*later]}, are not the last: {last}"
    raw = msgspec.json.encode({field.name: later[field.name] for field in fields(kind) if field.name in later})
    types = {field.encode_name: field.type for field in fields(kind) if field.name in later}
    for name, value in msgspec.json.decode(raw).items():
        read = msgspec.convert(value, types[name])
        assert read == later[name], f"{kind.__name__}.{name}: the legacy value {later[name]!r} is read as {read!r}."
