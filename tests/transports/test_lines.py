"""Lines out of bytes: whole, partial, too long."""

from hypothesis import given
from hypothesis import strategies as st

from parlour.transports.lines import LineSplitter


@given(st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"").replace(b"\r", b""))), st.data())
def test_lines_survive_any_cut(lines: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    splitter = LineSplitter()
    heard: list[bytes | None] = []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        heard += splitter.feed(stream[:cut])
        stream = stream[cut:]
    assert heard == lines


def test_a_line_that_is_too_long_is_dropped_and_the_next_is_heard() -> None:
    splitter = LineSplitter(most=10)
    assert splitter.feed(b"x" * 11) == []
    assert splitter.feed(b"x" * 100) == []
    assert splitter.dropped == 111
    assert splitter.feed(b"x\nnext\n") == [None, b"next"]
    assert splitter.dropped == 0
    assert splitter.feed(b"y" * 11 + b"\n" + b"z" * 10 + b"\n") == [None, b"z" * 10]


def test_windows_line_ends_are_line_ends() -> None:
    assert LineSplitter().feed(b"a\r\nb\n") == [b"a", b"b"]
