"""What earlier releases and commits have written, which is kept in tests/fixtures and never made again."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from parlour.games import game
from parlour.referee.known_rules import UnknownRules, known_game
from parlour.referee.replay import read_header
from parlour.referee.transcript import encode, split

FIXTURES = Path(__file__).parent / "fixtures"
TRANSCRIPTS = sorted(FIXTURES.glob("release-*/*/*.jsonl"))
STORES = sorted(FIXTURES.glob("*/store"))


def named(path: Path) -> str:
    """A file, as a test is called for it."""
    return str(path.relative_to(FIXTURES))


def lines_of(path: Path) -> list[bytes]:
    return split(path.read_bytes())


def seed_beside(path: Path) -> bytes | None:
    """The seed of a match that is not finished."""
    beside = path.with_name(path.name + ".seed")
    return bytes.fromhex(beside.read_text()) if beside.exists() else None


def is_known(lines: Sequence[bytes]) -> bool:
    """Whether this release has the rules by which it was played."""
    try:
        known_game(read_header(lines[0]), game)
    except UnknownRules:
        return False
    return True


def with_header(lines: Sequence[bytes], **changes: Any) -> list[bytes]:
    """The same record under another header, each line linked anew: as another release would have written it."""
    head = read_header(lines[0])
    options = {**msgspec.json.decode(head.options), **changes.pop("options", {})}
    written = [encode(replace(head, options=Raw(encode(options)), **changes))]
    for line in lines[1:]:
        link = sha256(written[-1]).hexdigest()
        written.append(encode({**msgspec.json.decode(line), "prev": link}))
    return written


def joined(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)
