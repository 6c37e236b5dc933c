"""JSON values that follow each other, cut anywhere."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.transports.limits import VALUE_DEPTH
from parlour.transports.stream import JsonSplitter

jsons: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)

MESSAGES = [
    '"ada"',
    '["setup",[false,{"row#":1,"column#":5}]]',
    '{"type":"RESPONSE","id":"6f0c","body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '[2,"LEFT",90,{"row#":0,"column#":3}]',
    '"quo\\"te \\\\"',
    '{"glyph":"┼│─","brackets":"]}[{"}',
    "[]",
    "{}",
]


@given(st.lists(jsons, max_size=5), st.sampled_from(["", " ", "\n", "\r\n\t "]), st.booleans(), st.data())
def test_values_come_out_as_they_went_in_wherever_they_are_cut(
    values: list[Any], gap: str, raw: bool, data: st.DataObject
) -> None:
    texts = [json.dumps(value, ensure_ascii=not raw) for value in values]
    gaps = [
        gap or ("" if text[0] in '{["' and before[-1] in '}]"' else " ")
        for before, text in zip([" ", *texts], texts, strict=False)
    ]
    stream = (
        "".join(space + text for space, text in zip(gaps, texts, strict=True)).encode("utf-8", "surrogatepass") + b" "
    )
    splitter, found = JsonSplitter(), []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        found += splitter.feed(stream[:cut])
        stream = stream[cut:]
    assert [json.loads(raw or b"") for raw in found] == json.loads(json.dumps(values))


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_may_be_split_at_every_byte(message: str) -> None:
    raw = message.encode()
    for cut in range(1, len(raw)):
        splitter = JsonSplitter()
        assert splitter.feed(raw[:cut]) == []
        assert splitter.feed(raw[cut:]) == [raw]
    splitter = JsonSplitter()
    assert [found for byte in raw for found in splitter.feed(bytes([byte]))] == [raw]


def test_messages_may_come_together_with_nothing_between_them() -> None:
    together = "".join(MESSAGES).encode()
    assert JsonSplitter().feed(together) == [message.encode() for message in MESSAGES]


def test_a_number_ends_where_something_else_begins() -> None:
    splitter = JsonSplitter()
    assert splitter.feed(b"12") == []
    assert splitter.feed(b"3 true,") == [b"123", b"true", b","]


@pytest.mark.parametrize("junk", [b"}", b"]", b",", b":", b"\xff\xfe", b"'ada'", b"\x00", "┼".encode()])
def test_what_cannot_be_json_is_given_once_and_all_after_it_is_dropped(junk: bytes) -> None:
    splitter = JsonSplitter()
    assert splitter.feed(b'"ada"' + junk + b' "more"') == [b'"ada"', junk + b' "more"']
    assert splitter.feed(b'"and more"') == [] and splitter.dropped == 10


def test_a_message_that_is_too_long_is_none_and_the_end() -> None:
    splitter = JsonSplitter(most=10)
    assert splitter.feed(b'"12345678"') == [b'"12345678"']
    assert splitter.feed(b'"123456789"') == [None]
    splitter = JsonSplitter(most=10)
    assert splitter.feed(b'"12345678901234567890') == [None] and splitter.dropped == 21
    assert splitter.feed(b'"') == [] and splitter.dropped == 22


def test_nothing_is_nested_too_deeply() -> None:
    deep = b"[" * VALUE_DEPTH + b"]" * VALUE_DEPTH
    assert JsonSplitter().feed(deep) == [deep]
    [lost] = JsonSplitter().feed(b"[" + deep + b"]")
    assert lost is not None and not _is_json(lost)


def test_brackets_that_do_not_match_are_for_the_reader_to_find() -> None:
    assert JsonSplitter().feed(b"{]") == [b"{]"]


def _is_json(raw: bytes) -> bool:
    try:
        json.loads(raw)
    except ValueError:
        return False
    return True
