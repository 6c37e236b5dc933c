"""The page about agents has every tool with its arguments, and every limit as it is."""

import json
import re

from jsonschema import Draft202012Validator

from parlour.server.agents.agent_tools import PROGRESS_S, TOOLS, WaitCall
from parlour.transports.limits import (
    AGENT_IDLE_S,
    AGENT_WAIT_S,
    AGENTS_PER_ACCOUNT,
    AGENTS_PER_ADDRESS,
    MOST_AGENTS,
)
from tests.docs.pages import blocks, page, rows


def test_the_table_has_every_tool_with_its_arguments() -> None:
    listed = {row[0].strip("`"): row for row in rows(page("mcp.md").partition("{ #tools }")[2].partition("\n## ")[0])}
    for tool in TOOLS:
        assert re.findall(r"`(\w+)`", listed[tool.name][1]) == [*tool.arguments.__struct_fields__]
    assert [name for name in listed if name in {tool.name for tool in TOOLS}] == [tool.name for tool in TOOLS]


def test_schemas_are_such_that_every_model_takes() -> None:
    """Some refuse patterns with a look-ahead, and arrays without items."""
    for tool in TOOLS:
        Draft202012Validator.check_schema(tool.schema)
        text = json.dumps(tool.schema)
        assert tool.schema["type"] == "object" and tool.words and "(?" not in text and '"array"' not in text
        assert all(field.get("description") for field in tool.schema["properties"].values())


def test_the_figures_of_the_page() -> None:
    text = " ".join(page("mcp.md").split())
    assert f"({WaitCall().seconds:g} unless told otherwise, {AGENT_WAIT_S:g} at most)" in text
    assert f"progress every {PROGRESS_S:g} seconds" in text and f"no tool for {AGENT_IDLE_S:g} seconds" in text
    limits = (
        f"{AGENTS_PER_ACCOUNT} seats for one account, {AGENTS_PER_ADDRESS} for one address and {MOST_AGENTS} in all"
    )
    assert limits in text


def test_the_configurations_are_json() -> None:
    assert all("parlour" in json.loads(block)["mcpServers"] for block in blocks("mcp.md", "json"))
