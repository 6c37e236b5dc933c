"""A class name means one thing. Only games may share names: there the same name has the same role in every game."""

import re
from collections import defaultdict
from pathlib import Path

import parlour

PACKAGE = Path(parlour.__file__).parent
CLASS = re.compile(r"^ *class (\w+)[(:]", re.MULTILINE)


def test_a_class_name_outside_the_games_is_defined_once() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE)
        if where.parts[0] != "games":
            for name in CLASS.findall(path.read_text()):
                places[name].append(str(where))
    assert {"Game", "Arena", "Store"} <= places.keys()
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
