"""No game of ours escapes the contract."""

from pathlib import Path

import pytest

from parlour import plugins
from tests.contract.subjects import SUBJECTS

OURS = sorted(plugin.name for plugin in plugins.found(plugins.GAMES) if plugin.package.split()[0] == plugins.OURS)


@pytest.mark.parametrize("name", OURS)
def test_every_game_is_under_contract(name: str) -> None:
    assert SUBJECTS[name].game is plugins.game(name)
    assert f'SUBJECTS["{name}"]' in Path(__file__).with_name(f"test_{name}.py").read_text()
