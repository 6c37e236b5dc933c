"""Agents play every game to the end over streamable HTTP, at an arena that is a process of its own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.games import game
from parlour.plugins import names
from parlour.referee.replay import verify
from tests.cli.served import Served
from tests.server.agents import MODERN, agent

SETTINGS = """
port = {port}
store = "{store}"
log = "off"
tries_a_minute = 10000
quick_s = 0.2
listeners = {{}}
"""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("arena"), SETTINGS)
    served.start()
    try:
        yield served
    finally:
        served.kill()


@pytest.mark.parametrize("name", names())
def test_an_agent_plays_the_game_to_the_end(arena: Served, name: str) -> None:
    async def work() -> None:
        mode = "legacy" if name == "forsale" else MODERN
        async with agent(arena.url, mode=mode) as ada:
            assert game(name).title in (await ada.does("read_rules", game=name))["rules"]
            await ada.sit(game=name, name="Ada")
            over = await ada.play()
            assert ada.answers and over["players"][over["your_seat"]] == "Ada"
            assert len(over["scores"]) == len(over["ranks"]) == len(over["players"])
            found = await ada.client.read_resource(f"parlour://matches/{over['match']}/transcript")
            text: str = found.contents[0].text  # type: ignore[union-attr]
        assert verify(text.encode(), game).holds == "yes"

    asyncio.run(work())


def test_the_rules_are_resources(arena: Served, tmp_path: Path) -> None:
    async def work() -> None:
        async with agent(arena.url) as ada:
            found = (await ada.client.list_resources()).resources
            assert [str(each.uri) for each in found] == [f"parlour://rules/{name}" for name in names()]
            for each in found:
                [rules] = (await ada.client.read_resource(str(each.uri))).contents
                assert each.title and each.title.removeprefix("Rules of ") in rules.text  # type: ignore[union-attr]
            [template] = (await ada.client.list_resource_templates()).resource_templates
            assert template.uri_template == "parlour://matches/{match}/transcript"

    asyncio.run(work())
