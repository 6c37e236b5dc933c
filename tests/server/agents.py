"""Agents that play over MCP with the client of the library, and know nothing but what the tools tell them."""

import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

MODERN: Literal["2026-07-28"] = "2026-07-28"
"""The revision without sessions; `legacy` is the one before."""

Facts = dict[str, Any]


@asynccontextmanager
async def agent(url: str, token: str | None = None, mode: str = MODERN) -> AsyncIterator["Agent"]:
    """An agent at the arena of this address."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=300, trust_env=False) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield Agent(client)


class Agent:
    """Calls tools, and keeps its seat."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.seat = ""
        self.answers = 0

    async def tries(self, tool: str, **arguments: Any) -> tuple[bool, str, Facts]:
        """Whether the call failed, its text, and its facts."""
        said = await self.client.call_tool(tool, arguments)
        assert said.structured_content is not None
        return bool(said.is_error), said.content[0].text, said.structured_content  # type: ignore[union-attr]

    async def does(self, tool: str, **arguments: Any) -> Facts:
        """The facts of a call that succeeds."""
        failed, text, facts = await self.tries(tool, **arguments)
        assert not failed, text
        return facts

    async def fails(self, tool: str, **arguments: Any) -> str:
        """The error code of a call that fails, in one line."""
        failed, text, facts = await self.tries(tool, **arguments)
        assert failed and "\n" not in text and text == facts["words"], text
        code: str = facts["error"]
        return code

    async def sit(self, **wanted: Any) -> Facts:
        facts = await self.does("sit", **wanted)
        self.seat = facts["seat"]
        return facts

    async def turn(self) -> Facts:
        """Its next turn, or the end."""
        while True:
            facts = await self.does("wait", seat=self.seat, seconds=30)
            if facts["state"] != "waiting":
                return facts

    async def play(self) -> Facts:
        """Play to the end of the match with the answers that the arena suggests."""
        while (facts := await self.turn())["state"] == "your_turn":
            said = await self.does("answer", seat=self.seat, ask=facts["ask"], action=suggested(facts))
            assert said["accepted"]
            self.answers += 1
        assert facts["state"] == "over", facts
        return facts


def suggested(facts: Facts) -> str:
    """A legal answer, or else the last one that the question gives as an example."""
    if facts["legal"]:
        chosen: str = random.Random(facts["ask"]).choice(facts["legal"])
        return chosen
    question = facts["question"]
    found = re.findall(r"^(?:Or write|Write for example|Write): *(.+)$", question, re.M)
    found += re.findall(r"^- (.+)$", question.partition("Write for example:\n")[2], re.M)
    example: str = found[-1]
    return example
