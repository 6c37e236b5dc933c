"""The page on the command line has every command, and its errors are those that commands print."""

import re

import pytest

from tests.docs.pages import blocks, page
from tests.here import here, mistake_here

ERRORS = [
    found
    for block in blocks("cli.md", "console")
    for found in re.findall(r"^\$ parlour (.*)\nparlour: (.*)$", block, re.M)
]
"""The commands of the page that fail, and what they say."""


@pytest.mark.parametrize(("command", "words"), ERRORS)
def test_an_error_of_the_page_is_what_the_command_prints(command: str, words: str) -> None:
    assert mistake_here(*command.split()) == words


def test_every_command_has_its_section() -> None:
    listed = re.findall(r"^│ ([a-z][\w-]+)  ", here("--help").stdout, re.M)
    assert len(listed) > 10
    assert {*listed} == set(re.findall(r"^## parlour ([\w-]+)$", page("cli.md"), re.M))
