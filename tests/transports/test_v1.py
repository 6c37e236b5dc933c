"""Protocol 1: every message fits its published schema, and what does not is told so."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from parlour.core import (
    Again,
    AgainAnswer,
    Answer,
    AnswerRefused,
    Asked,
    BadMessage,
    Event,
    Hello,
    Leave,
    Over,
    Place,
    Question,
    Replied,
    Stderr,
    Void,
)
from parlour.games import game
from parlour.games.tradecraft import answers
from parlour.protocol.v1 import V1, schema
from parlour.testing.walk import Case, Walk, cases
from tests.contract.subjects import SUBJECTS
from tests.toys import lotto

QUESTIONS = {"lotto": lotto.HowOften(), "tradecraft": answers.History()}
"""One for each game that answers any."""

HELLO = Hello("forsale", 1, "c0" * 32, True, 0)


def messages(case: Case) -> list[bytes]:
    """All that every seat of a match is sent."""
    walk = Walk(case).begin().to_end()
    it = case.subject.game
    sent = []
    for seat in range(case.seats):
        dialect = V1(it)
        place = Place(it.name, "id", seat, ("a",) * case.seats, walk.match.options, "00" * 32)
        sent += (
            dialect.hello(HELLO) + dialect.began(place, walk.match.state.view(seat)) + dialect.error("code", "words")
        )
        for out in walk.outs:
            for notice in out.to(seat):
                if isinstance(notice, Event):
                    sent += dialect.event(notice)
                elif isinstance(notice, Asked):
                    view, options = walk.match.state.view(seat), walk.match.options
                    sent += dialect.asked(notice, view)
                    sent += dialect.again(Again(1, seat, place.players, options, notice.ask, view))
                elif isinstance(notice, AnswerRefused):
                    sent += dialect.refused(notice)
                elif isinstance(notice, Over):
                    sent += dialect.over(notice, walk.match.state.view(seat))
        sent += dialect.over(Over(Void("bug", "oops"), "00" * 32), walk.match.state.view(seat))
        if it.rules.query is not None:
            question = QUESTIONS[it.name]
            sent += dialect.replied(Replied(seat, 1, it.rules.query(walk.match.state.view(seat), question)))
    return sent


@pytest.mark.parametrize("name", sorted(SUBJECTS))
@settings(max_examples=15)
@given(st.data())
def test_what_the_referee_sends_fits_the_schema(name: str, data: st.DataObject) -> None:
    """One message of each kind, and a few more: the validator takes its time."""
    raw = messages(data.draw(cases(SUBJECTS[name])))
    assert not any(b"\n" in message for message in raw)
    sent = [json.loads(message) for message in raw]
    kinds = {message["type"]: message for message in sent}
    drawn = data.draw(st.lists(st.sampled_from(sent), max_size=3)) if sent else []
    for message in (*kinds.values(), *drawn):
        VALIDATORS[name].validate(message)


def validator(name: str, way: str) -> Draft202012Validator:
    whole = schema(SUBJECTS[name].game)
    return Draft202012Validator({"$ref": f"#/$defs/{way}", "$defs": whole["$defs"]})


VALIDATORS = {name: validator(name, "FromReferee") for name in SUBJECTS}


def test_what_players_send_fits_the_schema() -> None:
    fits = validator("forsale", "FromPlayer").is_valid
    assert fits({"type": "hello"}) and fits({"type": "hello", "name": "me", "salt": "s", "about": {"age": 7}})
    assert fits({"type": "answer", "id": 1, "action": {"type": "Bid", "amount": 3}})
    assert fits({"type": "answer", "id": 1, "action": {"type": "Pass"}})
    assert not fits({"type": "answer", "id": 1, "action": {"type": "SellAny"}})
    assert not fits({"type": "answer", "id": 1, "action": {"type": "Bid", "amount": "3"}})
    assert not fits({"type": "answer", "action": {"type": "Pass"}})


@pytest.mark.parametrize("name", sorted(SUBJECTS))
def test_the_schema_is_a_schema(name: str) -> None:
    document = schema(SUBJECTS[name].game)
    Draft202012Validator.check_schema(document)
    assert not any("_" in key or "[" in json.dumps(value.get("title", "")) for key, value in document["$defs"].items())


@given(st.binary(max_size=200))
def test_junk_is_a_bad_message_and_nothing_else(raw: bytes) -> None:
    dialect = V1(game("forsale"))
    for read in (dialect.read, dialect.introduced):
        with pytest.raises(BadMessage):
            read(raw)


@pytest.mark.parametrize(
    "raw",
    [b"", b"null", b"[]", b"7", b'"answer"', b"{}", b'{"type":"answer"}', b'{"type":"answer","id":-1,"action":{}}',
     b'{"type":"answer","id":1}', b'{"type":"ask"}', b"[" * 50_000, b'{"type":"answer","id":NaN,"action":{}}'],
)  # fmt: skip
def test_bad_messages(raw: bytes) -> None:
    with pytest.raises(BadMessage):
        V1(game("forsale")).read(raw)


def test_an_answer_keeps_its_number_and_its_action_as_it_came() -> None:
    said: Any = V1(game("forsale")).read(b'{"type":"answer","id":3,"action":{"type":"Bid","amount":4},"extra":1}')
    assert isinstance(said, Answer) and said.n == 3 and bytes(said.action) == b'{"type":"Bid","amount":4}'


def test_queries_are_read_where_a_game_answers_them() -> None:
    query = b'{"type":"query","id":3,"question":{"type":"HowOften"}}'
    assert V1(lotto.GAME).read(query) == Question(3, lotto.HowOften())
    with pytest.raises(BadMessage, match="answers no queries"):
        V1(game("forsale")).read(query)
    with pytest.raises(BadMessage, match="not a question of this game"):
        V1(lotto.GAME).read(query.replace(b"HowOften", b"Why"))


def test_whoever_leaves_says_no_more_than_that() -> None:
    leave = V1(game("forsale")).read(b'{"type":"leave","why":"newer clients may say"}')
    assert isinstance(leave, Leave) and leave.why == "quit"


def test_a_client_that_does_not_say_a_name_has_the_one_it_was_given() -> None:
    dialect = V1(game("forsale"), "given")
    assert dialect.introduced(b'{"type":"hello"}').name == "given"
    sitting = dialect.introduced(b'{"type":"hello","name":"own","salt":"s","about":{"age":7},"token":"t"}')
    assert (sitting.name, sitting.salt, sitting.about) == ("own", "s", {"age": 7})


@pytest.mark.parametrize(
    "raw",
    [
        b'{"type":"hello","name":5,garbage',
        b'{"type":"hello","toke\xcb":5,"name":5}',
        b'{"type":"hello","name":5,"name":"ok"}',
        b'{"type":"hello","name":5,"about":' + b"[" * 100_000,
        b'{"type":"hello","name":"a\\nb"}',
        b'{"type":"hello","name":null}',
    ],
)
def test_a_hello_that_cannot_be_read_is_a_bad_hello_whatever_is_wrong_with_it(raw: bytes) -> None:
    with pytest.raises(BadMessage) as refused:
        V1(game("forsale")).introduced(raw)
    assert refused.value.code == "bad_hello" and not refused.value.words.endswith("None")


def test_a_note_is_cut_at_a_character_and_stderr_and_again_are_no_inputs() -> None:
    v1 = V1(game("forsale"))
    read = v1.read(json.dumps({"type": "answer", "id": 1, "action": {}, "note": "a" + "ä" * 600}).encode())
    assert isinstance(read, Answer) and read.note == "a" + "ä" * 511
    for note in ("", None):
        read = v1.read(json.dumps({"type": "answer", "id": 1, "action": {}, "note": note}).encode())
        assert isinstance(read, Answer) and read.note == ""
    assert v1.read(b'{"type":"stderr","text":"x","more":1}') == Stderr("x")
    answer = v1.read(b'{"type":"again","id":3,"action":[1]}')
    assert isinstance(answer, AgainAnswer) and (answer.id, bytes(answer.action)) == (3, b"[1]")
    for empty in (b'{"type":"stderr"}', b'{"type":"stderr","text":1}'):
        assert v1.read(empty) == Stderr("")
    with pytest.raises(BadMessage):
        v1.read(b'{"type":"again","id":1}')


def test_again_is_for_those_who_say_so() -> None:
    v1 = V1(game("forsale"))
    v1.introduced(b'{"type":"hello"}')
    assert not v1.takes_again
    v1.introduced(b'{"type":"hello","again":true}')
    assert v1.takes_again
