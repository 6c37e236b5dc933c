"""Errors that only agents receive."""

from parlour.protocol.errors import RequestError


class ToolFailed(Exception):
    """A tool could not do what it should; the message says why, in one line."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class UnknownTool(Exception):
    """There is no tool of that name."""


class McpRefused(RequestError):
    """A request over MCP is refused before a tool is called."""
