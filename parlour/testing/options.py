"""The options that the plug-in adds to pytest's command line."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("parlour")
    group.addoption("--update-golden", action="store_true", help="write the golden transcripts instead of comparing")
