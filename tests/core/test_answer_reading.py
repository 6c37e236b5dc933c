"""Answers are read leniently in form and strictly in meaning."""

import re
import time
from typing import Any

import pytest

from parlour.core import BadMessage, Value
from parlour.core.answer_forms import AnswerField, AnswerForm, schema_of
from parlour.core.answer_reading import MOST_ANSWER, read_answer
from parlour.core.answer_values import Unclear, one_of, seat_of, whole, words


class Bid(Value, frozen=True):
    amount: int


class Pass(Value, frozen=True):
    pass


class Give(Value, frozen=True):
    to: int
    what: dict[str, int]
    message: str = ""


def amount(rest: str) -> dict[str, object] | None:
    return {"amount": rest} if re.fullmatch(r"[\d.]+", rest) else {} if not rest else None


FORMS = [
    AnswerForm(
        name="bid",
        make=Bid,
        example="bid 5",
        fields=(AnswerField("amount", whole, {"type": "integer"}),),
        words=amount,
        bare=re.compile(r"\d+(\.0+)?"),
    ),
    AnswerForm(name="pass", make=Pass, example="pass", aliases=("give_up",), words=lambda rest: None if rest else {}),
    AnswerForm(
        name="give",
        make=Give,
        example='{"action": "give", "to": 1, "what": {"coal": 1}}',
        fields=(
            AnswerField("to", seat_of(["ada", "Bob", "bob b"]), {"type": "integer"}),
            AnswerField("what", lambda value: value, {"type": "object"}),
            AnswerField("message", words, {"type": "string"}, required=False),
        ),
        words=lambda rest: None,
    ),
]


def read(text: str) -> Any:
    return read_answer(text, FORMS)


@pytest.mark.parametrize(
    "text",
    [
        "bid 5",
        "Bid 5.",
        "**BID: 5**",
        "5",
        "5.0",
        "`bid 5`",
        "I bid 5!",
        "I will bid 5.",
        "<think>I could pass.\npass</think>bid 5",
        "<answer>bid 5</answer>",
        '{"answer": "bid 5"}',
        "I choose to bid 5",
        "bid 5 because I can",
        "I'll bid 5 because the estates are far apart.",
        "They are alike, so I bid 5.",
        "Should I pass? No. I bid 5.",
        "I could pass.\nAnswer: bid 5",
        "bid(5)",
        "bid(amount=5.0)",
        "My move: bid(amount = 5)",
        '{"bid": 5}',
        'I think that is best, so: {"bid": 5}.',
        '```json\n{"action": "bid", "amount": 5}\n```',
        '{"action": "bid", "amount": "5.0", "reasoning": "pass is worse"}',
        '{"action": "bid 5"}',
        '{"type": "Bid", "amount": 5}',
        '{"amount": 5}',
        '{"name": "bid", "arguments": {"amount": 5}}',
        '{"name": "answer", "arguments": "{\\"action\\": \\"bid\\", \\"amount\\": 5}"}',
        '{"function": {"name": "bid", "arguments": {"amount": 5}}}',
        '[{"bid": {"amount": 5}}]',
        "{'action': 'bid', 'amount': 5,}",
        "{action: bid, amount: 5}",
        '{"thought": "hm"} {"bid": 5} and once more {"bid": 5}',
        "Do not pass.\n\nbid 5",
        "- bid 5",
        "I do not like the estates, but I must act, so I bid 5.",
        "I do not have a better idea, so my move is: bid(5)",
        "Never mind the others. I bid 5.",
        "No, I bid 5",
        "I bid 5, please.",
        '1. pass\n2. bid 5\n\nThe second is better:\n\n```json\n{"action": "bid", "amount": 5}\n```',
        'Pass: this costs nothing. Still:\n{"action": "bid", "amount": 5}',
        '{"action": "bid", "amount": 5, "to": null, "what": null, "message": ""}',
        "Bid 5. Good luck to all of you!",
        "I think I'll bid 5.",
        "**Answer:** bid 5",
        "Me: bid 5",
        "My last word: bid 5",
        '{"arguments": {"action": "bid", "amount": 5}}',
        '{"input": {"action": "bid", "amount": "5"}}',
        '{"decision": {"Action": "Bid", "Amount": 5.0}}',
        '{"answer": "{\\"action\\": \\"bid\\", \\"amount\\": 5}"}',
        '{"type": "object", "properties": {"action": "bid", "amount": 5}, "required": ["action"]}',
        '{"tool": "answer", "parameters": {"action": "bid", "amount": 5}}',
        '{"action": "bid", "arguments": {"amount": 5}}',
        '{"action": {"type": "bid", "amount": 5}}',
        '{"action": {"name": "bid", "amount": 5}}',
        '{"action": "bid", "amount": 5, "confidence": 0.9}',
        '{"bid": 5, "pass": false, "give": null}',
        '[{"bid": 5}, {"bid": 5}]',
        'answer(action="bid", amount=5)',
        'answer({"action": "bid", "amount": 5})',
        '"{\\"action\\": \\"bid\\", \\"amount\\": 5}"',
        "{\u201caction\u201d: \u201cbid\u201d, \u201camount\u201d: 5}",
    ],
)
def test_an_answer_may_be_written_in_many_ways(text: str) -> None:
    assert read(text) == Bid(5)


@pytest.mark.parametrize(
    "text",
    [
        *("pass", "Pass.", '{"pass": true}', '{"action":"PASS"}', "give up", "give-up!", "pass()"),
        '{"action": "pass", "amount": 5}',  # a model that fills in all numbers of the schema
        '{"action": "pass", "amount": 0, "to": 1, "what": {}, "message": ""}',
        '{"action": "pass", "bid": null}',
    ],
)
def test_an_answer_without_fields(text: str) -> None:
    assert read(text) == Pass()


@pytest.mark.parametrize("who", ['"BOB"', '"bob"', "1", "1.0", '"seat 1"', '"1"', '"seat 1 \\"Bob\\""'])
def test_players_are_named_by_name_in_any_case_or_by_seat(who: str) -> None:
    assert read(f'Well: {{"action": "give", "to": {who}, "what": {{"coal": 2}}}}!') == Give(1, {"coal": 2})


def test_a_call_has_values_by_place_and_by_name() -> None:
    given = Give(0, {"coal": 1}, 'it\'s "ok"\n')
    assert read("give('ada', {'coal': 1}, message='it\\'s \"ok\"\\n')") == given
    assert read('give(to=ada, what={coal: 1}, message="it\'s \\"ok\\"\\n")') == given


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bid 5\npass", "Understood several answers: bid 5; pass. Give one only."),
        ("Bid 5. Or pass.", "Understood several answers: bid 5; pass."),
        ('{"bid": 5} {"bid": 6}', "Understood several answers: bid 5; bid 6."),
        ('{"bid": 5, "pass": true}', "Understood several answers: bid, pass."),
        ("bid 5 or pass", "Understood bid, but not '5 or pass'."),
        ("bid five", "Understood bid, but not 'five'."),
        ("bid", "Understood bid, but amount is missing."),
        ('{"action": "bid"}', "Understood bid, but amount is missing."),
        ('{"action": "bid", "amount": true}', "Understood bid, but amount: True is no whole number."),
        ('{"action": "bid", "amount": 5.5}', "5.5 is no whole number"),
        ('{"action": "bid", "amount": null}', "None is no whole number"),
        ('{"action": "bid", "amount": 5, "to": 1}', "Understood bid, but not 'to'; it has amount."),
        ('{"bid": 5, "bid": 6}', "The answer has the name 'bid' twice in one object."),
        ('{"action": "bid", "amount": NaN}', "'NaN' is no whole number"),
        ('{"action": "bid", "amount": 1e999}', "The answer has a number that is too large."),
        ('{"bid": false}', "Understood bid, but not False."),
        ("bid(5, 6)", "too many values"),
        ("bid(5, amount=6)", "too many values"),
        ('{"action": "give", "to": "bo", "what": {}}', "to: 'bo' is no player"),
        ('{"action": "give", "to": 7, "what": {}}', "to: 7 is no player"),
        ('{"action": "give", "to": 1, "what": [1]}', "Understood give, but its values are not possible"),
        ("I will not pass", "No answer was understood."),
        ("I won't bid 5.", "No answer was understood."),
        ("If Bob bids, pass.", "No answer was understood."),
        ("Pass?", "No answer was understood."),
        ('{"bid": 5', "No answer was understood."),
        ('{"note": {"bid": 5}', "No answer was understood."),
        ("", "No answer was understood."),
        ("Answer:", "No answer was understood."),
        ("I will not, however, pass.", "It is not clear whether you mean this: pass."),
        ("Do not, under any circumstances, pass.", "not clear whether you mean this: pass"),
        ("What I will never do: pass.", "not clear whether you mean this: pass"),
        ("I refuse: pass", "not clear whether you mean this: pass"),
        ("Do not do this:\nbid 5", "not clear whether you mean this: bid 5"),
        ("Pass - no, bid 5", "not clear whether you mean this: pass"),
        ("pass, not!", "not clear whether you mean this: pass"),
        ("Pass. Wait, no.", "Understood pass, but it seems to be taken back."),
        ("He says: pass", "not clear whether you mean this: pass"),
        ("!pass()", "not clear whether you mean this: pass"),
        ("bid 1.000", "'1.000' is no whole number"),
        ("pass instead of bid 5", "Understood pass, but not 'instead of bid 5'"),
        ("I would rather not pass", "No answer was understood."),
        ("bid 5, 6", "not clear whether you mean this: bid 5"),
        ("bid 5 - 10", "not clear whether you mean this: bid 5"),
        ("I will not bid(5)", "not clear whether you mean this: bid 5"),
        ("I considered bid(5), but I pass.", "not clear whether you mean this: bid 5"),
        ("bid(5)? No.", "not clear whether you mean this: bid 5"),
        ("bid(5) would be a mistake", "not clear whether you mean this: bid 5"),
        ('Not {"bid": 5}, but {"pass": true}', "not clear whether you mean this: bid 5"),
        ('If she bids, {"pass": true}', "not clear whether you mean this: pass"),
        ('bid 5. {"action": "pass"}', "Understood several answers: pass; bid 5."),
        ('bid 5\n{"action": "pass"}', "Understood several answers: pass; bid 5."),
        ("bid(5) is tempting. I pass.", "Understood several answers|not clear"),
        ("bid(5), no, pass()", "not clear whether you mean this: bid 5; pass"),
        ('{"action": "pass", "amount": "five"}', "Understood pass, but not 'amount'; it has no fields"),
        ('{"action": "pass", "price": 5}', "Understood pass, but not 'price'; it has no fields"),
        ('{"action": "pass", "message": "if Bob does"}', "Understood pass, but not 'message'; it has no fields"),
        ('{"action": "bid", "amount": 5, "until": 9}', "Understood bid, but not 'until'; it has amount."),
        ('[{"bid": 5}, {"pass": true}]', "Understood several answers: bid 5; pass."),
        ('{"pass": false, "bid": null}', "Understood several answers: bid, pass."),
        ("Bob: pass", "not clear whether you mean this: pass"),
        ('"Bob": pass', "not clear whether you mean this: pass"),
        ("Seat 2 - pass", "not clear whether you mean this: pass"),
        ("Bob's answer: pass", "not clear whether you mean this: pass"),
        ("Bob:\npass", "not clear whether you mean this: pass"),
        ("Bob: pass\nI bid 5", "not clear whether you mean this: pass"),
        ('Bob: {"action": "pass"}', "not clear whether you mean this: pass"),
        ("Answer: Bob: pass", "not clear whether you mean this: pass"),
    ],
)
def test_what_is_not_clear_is_refused_with_what_was_understood(text: str, said: str) -> None:
    with pytest.raises(BadMessage) as refused:
        read(text)
    assert any(part in refused.value.words for part in said.split("|"))
    assert "Write for example: bid 5; pass; " in refused.value.words
    assert "\n" not in refused.value.words


def test_the_examples_of_a_refusal_can_be_read() -> None:
    for form in FORMS:
        assert read(form.example) is not None


@pytest.mark.parametrize(
    "junk",
    [
        "[" * MOST_ANSWER,
        '{"a":' * 20_000,
        '{"a":1,' * 10_000,
        "bid(" * 20_000,
        "bid " * 20_000,
        "bid 5, " * 10_000 + "pass",
        "a, " * 30_000,
        '"' * MOST_ANSWER,
        "'{" * 40_000,
        "\\" * MOST_ANSWER,
        "so " * 30_000,
        "-a" * 50_000,
        "{" + "a-" * 40_000 + "(",
        ". " * 50_000,
        "\n" * MOST_ANSWER,
        "answer:" * 10_000,
        "\ud800\udfff",
        '{"bid": "\\ud800"}',
        "x" * (MOST_ANSWER + 1),
        "9" * 10_000,
        '{"bid": ' + "9" * 10_000 + "}",
        '["' + "\\u0000" * 10_000,
        None,
        5,
    ],
)
def test_junk_is_refused_quickly(junk: Any) -> None:
    began = time.process_time()
    with pytest.raises(BadMessage) as refused:
        read(junk)
    assert time.process_time() - began < 2 and len(refused.value.words) <= 1000


def test_a_name_that_two_players_have_needs_the_seat() -> None:
    seat = seat_of(["ada", "Ada", "ADA", "1"])
    assert seat("Ada") == 1 and seat("seat 2") == 2 and seat(2.0) == 2 and seat_of(["seat 1", "ada"])("seat 1") == 1
    for unclear in ("aDA", "1", "nobody", True, None, [1], -1):
        with pytest.raises(Unclear):
            seat(unclear)


def test_words_of_a_choice_in_any_case() -> None:
    assert one_of(["gold_mine", "home"])(" Gold Mine. ") == "gold_mine"
    with pytest.raises(Unclear, match="'x' is none of gold_mine, home"):
        one_of(["gold_mine", "home"])("x")


def test_a_form_that_is_not_offered_is_read_but_not_named() -> None:
    forms = [FORMS[0], AnswerForm(name="pass", make=Pass, example="pass", offered=False, words=FORMS[1].words)]
    assert read_answer("pass", forms) == Pass()
    assert schema_of(forms)["properties"] == {
        "action": {"type": "string", "enum": ["bid"]},
        "amount": {"type": "integer"},
    }
    with pytest.raises(BadMessage, match=r"^No answer was understood\. Write for example: bid 5$"):
        read_answer("", forms)
