"""Reading protocol 1: notes and stderr are never a fault, and everything else is read as strictly as before."""

import msgspec
import pytest

from parlour.core import Answer, BadMessage, Stderr
from parlour.games import game
from parlour.protocol.v1 import V1, shortened


def read(raw: bytes) -> object:
    said = V1(game("forsale")).read(raw)
    return (msgspec.json.decode(said.action), said.n, said.note) if isinstance(said, Answer) else said


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        (b'"plan"', "plan"),
        (b"null", ""),
        (b"7", ""),
        (b'{"why": 1}', ""),
        (b'"half \\ud83d"', "half ?"),
        (b'"nul \\u0000"', "nul \0"),
    ],
)
def test_a_note_of_any_shape_is_no_fault(note: bytes, kept: str) -> None:
    action = {"type": "Bid", "amount": 2}
    assert read(b'{"type":"answer","id":3,"action":{"type":"Bid","amount":2},"note":%s}' % note) == (action, 3, kept)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b'{"type":"stderr","text":"a \\udcff b"}', "a ? b"),
        (b'{"type":"stderr","text":5}', ""),
        (b'{"type":"stderr"}', ""),
        (b'{"type":"stderr","text":"x","dropped":-1}', "x"),
    ],
)
def test_stderr_of_any_shape_is_no_fault(raw: bytes, text: str) -> None:
    assert read(raw) == Stderr(text)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b'{"type":"nonsense"}',
        b'{"type":"answer","id":-1,"action":1,"note":7}',
        b'{"type":"answer","id":1,"action":NaN,"note":7}',
        b'{"type":"answer","id":1,"action":"\\ud800","note":"x"}',
        b'{"type":"answer","id":1,"note":7}',
        b'{"type":"answer","id":1,"action":"\xff","note":7}',
        b"[" * 100_000,
    ],
)
def test_everything_else_is_read_as_strictly_as_without_a_note(raw: bytes) -> None:
    with pytest.raises(BadMessage):
        read(raw)


def test_a_note_is_cut_between_two_characters() -> None:
    assert shortened("😀" * 300) == "😀" * 256 and shortened("a" + "😀" * 300) == "a" + "😀" * 255
    assert shortened("half \ud83d") == "half ?"
