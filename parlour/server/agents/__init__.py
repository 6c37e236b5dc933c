"""Agents: language models and other programs that play by calling tools, over MCP."""
