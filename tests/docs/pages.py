"""What stands on a page of the documentation, to be held against the code."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text()


def blocks(name: str, language: str) -> list[str]:
    """The code of a page that is in some language, but for what is included from elsewhere."""
    found = re.findall(rf"^``` ?(?:{language}|{{ \.{language}.*?}})\n(.*?)\n```$", page(name), re.M | re.S)
    return [text for text in found if "--8<--" not in text]


def titled(name: str, title: str) -> str:
    """The code that is to be saved as a file."""
    found = re.search(rf'^``` {{ \.\w+ title="{re.escape(title)}" }}\n(.*?)\n```$', page(name), re.M | re.S)
    assert found is not None, title
    return found[1] + "\n"


def commands(name: str, beginning: str) -> list[str]:
    """The commands of a page that begin so."""
    return [line for line in re.findall(r"^    (\S.*)$", page(name), re.M) if line.startswith(beginning)]


def rows(text: str) -> list[list[str]]:
    """Of all tables, without their heads."""
    found = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in re.findall(r"^\|.*\|$", text, re.M)
    ]
    return [
        row for n, row in enumerate(found) if not _is_rule(row) and not (n + 1 < len(found) and _is_rule(found[n + 1]))
    ]


def _is_rule(row: list[str]) -> bool:
    return all(set(cell) <= set("-:") for cell in row)
