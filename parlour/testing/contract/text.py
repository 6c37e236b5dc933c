"""The game as text for language models: it tells no secret, is read as it is written, and cannot be imitated."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import msgspec
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from parlour.core import BadMessage, By, Dice, Event, IllegalAction, TextForm
from parlour.core.generated_text import rules_text, text_of
from parlour.core.quoting import quoted
from parlour.core.values import MOST_NAME
from parlour.testing.contract.base import ContractTests
from parlour.testing.contract.hidden import positions_of
from parlour.testing.draws import a_walk, awaited_seats, few, seats_of
from parlour.testing.hostile_texts import HOSTILE, TRICKY_NAMES, adversarial_answers, drawn_from, odd_answers
from parlour.testing.leaks import Leak
from parlour.testing.samples import redealt

MOST_RULES, MOST_TEXT = 20_000, 24_000
"""Characters of the rules, and of a view, a question or an event."""
MOST_CHOICES = 8
"""Legal answers that are tried in one position."""
MOST_SECONDS = 1.0
"""CPU time for reading an answer that is made to take long."""
MANY = [f"name{seat:03}" for seat in range(300)]
REDEALS = 2

_FORM = re.compile(r"^(?:Or write|Write|Write for example): (.+)$")
_FORMS = re.compile(r"^(?:Answer|Write)\b.*:$")


class TextContract(ContractTests):
    """`Game.text`, or the form that is generated from the game's types."""

    @property
    def form(self) -> TextForm:
        return text_of(self.game)

    # Secrets

    def test_the_text_of_a_position_is_that_of_its_redeal(self) -> None:
        """Byte for byte; and it depends on nothing but the view and the ask."""
        for moment in positions_of(self).moments:
            names = [f"player {seat}" for seat in range(moment.seats)]
            told = self._texts(moment.state, moment.seat, names)
            for number in range(REDEALS):
                if self._texts(redealt(moment, number), moment.seat, names) != told:
                    raise Leak(f"the text for seat {moment.seat} tells a position from its redeal")
            if told != self._texts(moment.state, moment.seat, names):
                raise Leak("the text of the same position differs when it is asked for again")

    def _texts(self, state: Any, seat: int, names: Sequence[str]) -> list[str]:
        """All that a seat is told of a position. Copies of view and ask are given, since objects can be recognised."""
        view, ask, form = deepcopy(state.view(seat)), deepcopy(state.asks().get(seat)), self.form
        if ask is None:
            return [form.view(view, names)]
        return [form.view(view, names), form.ask(ask, view, names), json.dumps(form.schema(ask, view, names))]

    @few
    def test_the_text_of_an_event_depends_only_on_what_is_seen_of_it(self, data: st.DataObject) -> None:
        walk = a_walk(data, self.subject)
        seen = [
            (event.seen_by(who), who)
            for out in walk.outs
            for event in out.notices
            if isinstance(event, Event)
            for who in seats_of(walk.match)
        ]
        told = self._events(seen, walk.match.names)
        for seat in range(len(walk.match.names)):
            walk.match.state.redeal(seat, Dice(b"other")).view(seat)  # the last position seen is another one now
        for one, other in zip(told, self._events(seen, walk.match.names), strict=True):
            if one != other:
                raise Leak(f"the text of an event depends on more than the event: {one!r}, or {other!r}")

    def _events(self, seen: Sequence[tuple[Event | None, By]], names: Sequence[str]) -> list[str]:
        """The texts of copies of the events, as those who see them are told."""
        told = [self.form.event(deepcopy(event), [*names, "late", "later"], who) for event, who in seen if event]
        for said in told:
            assert 0 < len(said) <= MOST_TEXT, f"the text of an event has {len(said)} characters: {said[:200]}"
        return told

    # Answers

    @few
    def test_an_answer_is_read_as_it_is_written(self, data: st.DataObject) -> None:
        form = self.form
        for seat, view, ask, actions in self._decisions(data):
            for names in (MANY, TRICKY_NAMES * 30):
                validator = Draft202012Validator(form.schema(ask, view, names))
                for action in actions:
                    said = form.render(action, names)
                    for text in (said, f"```json\n{said}\n```", f"I have thought about it.\n\nAnswer: {said}\n"):
                        read = form.parse(text, ask, view, names)
                        assert read == action, f"seat {seat}: {text!r} is read as {read}, not as {action}"
                    wrong = next(validator.iter_errors(json.loads(said)), None) if said.startswith("{") else None
                    assert wrong is None, f"the schema refuses {said}: {wrong.message if wrong else ''}"

    @few
    def test_every_form_that_is_named_can_be_read(self, data: st.DataObject) -> None:
        """In questions, and in the reason why an answer is refused. A form of the game's own is a legal answer, too."""
        state = a_walk(data, self.subject).match.state
        for seat in awaited_seats(state):
            view, ask, names = state.view(seat), state.asks()[seat], TRICKY_NAMES * 30
            asked = self.form.ask(ask, view, names)
            assert len(asked) <= MOST_TEXT and len(self.form.view(view, names)) <= MOST_TEXT, "the text is too long"
            named = forms_in(asked)
            assert named, f"the text of {ask} names no answer:\n{asked}"
            for said in [*named, *self._hints(ask, view, names)]:
                self._check_named(state, seat, said, names)

    def _hints(self, ask: Any, view: Any, names: Sequence[str]) -> list[str]:
        try:
            self.form.parse("hm", ask, view, names)
        except BadMessage as e:
            assert "\n" not in e.words and len(e.words) <= 1000, f"no short line: {e.words!r}"
            hints = e.words.partition("Write for example: ")[2].split("; ")
            return [hint for hint in hints if hint] if self.game.text is not None else []
        raise AssertionError("'hm' is read as an answer")

    def _check_named(self, state: Any, seat: int, said: str, names: Sequence[str]) -> None:
        try:
            action = self.form.parse(said, state.asks()[seat], state.view(seat), names)
            if self.game.text is not None:
                state.copy().play(seat, action)
        except (BadMessage, IllegalAction) as e:
            raise AssertionError(f"the text names {said!r}, which is refused: {e}") from None

    @few
    def test_what_the_schema_allows_can_be_read(self, data: st.DataObject) -> None:
        dice = Dice(data.draw(st.binary(max_size=2)))
        for _, view, ask, actions in self._decisions(data):
            schema: Any = self.form.schema(ask, view, MANY)
            for action in actions:
                answer = json.loads(self.form.render(action, MANY))
                field = dice.pick(sorted(answer))
                drawn = drawn_from(schema["properties"][field], dice, schema.get("$defs", {}))
                if field != "action" and drawn is not None:
                    self.form.parse(json.dumps({**answer, field: drawn}), ask, view, MANY)

    def _decisions(self, data: st.DataObject) -> Iterator[tuple[int, Any, Any, list[Any]]]:
        """Seats that are asked in a drawn position, with view, ask and some legal answers."""
        state = a_walk(data, self.subject).match.state
        dice, bot = Dice(data.draw(st.binary(max_size=2))), self.game.hosting.bots["random"]
        for seat in awaited_seats(state):
            view, ask = state.view(seat), state.asks()[seat]
            choices = list(ask.choices or ())
            some = [dice.pick(choices) for _ in range(MOST_CHOICES)] if choices else []
            answers = [bot(view, ask, dice) for _ in range(3)]
            yield seat, view, ask, [action for action in (*answers, *some) if _is_sent(action, self.game.rules.actions)]

    # Junk

    def test_junk_is_refused_quickly(self) -> None:
        for view, ask in self._kinds_of_asks():
            for text in (*odd_answers(), *adversarial_answers()):
                began = time.process_time()
                try:
                    self.form.parse(text, ask, view, MANY)
                except BadMessage as e:
                    assert "\n" not in e.words and len(e.words) <= 1000, f"no short line: {e.words[:300]!r}"
                took = time.process_time() - began
                assert took < MOST_SECONDS, f"reading {text[:20]!r}... took {took:.1f} s"

    def _kinds_of_asks(self) -> list[tuple[Any, Any]]:
        """A view and an ask of each kind."""
        found: dict[type, tuple[Any, Any]] = {}
        for moment in positions_of(self).moments:
            for seat in awaited_seats(moment.state):
                ask = moment.state.asks()[seat]
                found.setdefault(type(ask), (moment.state.view(seat), ask))
        return list(found.values())

    # Other players' texts

    def test_names_are_quoted_wherever_they_stand(self) -> None:
        """The text with a hostile name is the same as with any other, except for the quotation."""
        for moment in positions_of(self).moments[::4]:
            usual = [f"name{seat:03}" for seat in range(moment.seats)]
            for number, attack in enumerate(HOSTILE):
                at = number % moment.seats
                names = [attack if seat == at else name for seat, name in enumerate(usual)]
                for one, other in zip(
                    self._texts(moment.state, moment.seat, names),
                    self._texts(moment.state, moment.seat, usual),
                    strict=True,
                ):
                    same = one.replace(quoted(attack, MOST_NAME), quoted(usual[at]))
                    assert same == other, f"the name {attack!r} is not quoted in:\n{one}"

    @few
    def test_texts_in_events_stay_on_their_line(self, data: st.DataObject) -> None:
        """Whatever a text of an event says, such as a message or the reason of a departure."""
        walk = a_walk(data, self.subject)
        attack = data.draw(st.sampled_from(HOSTILE))
        events = [event for out in walk.outs for event in out.notices if isinstance(event, Event)]
        for event in {type(event): event for event in events}.values():
            for field in _free_texts(type(event)):
                names = [*walk.match.names, "late", "later"]
                said, usual = (self.form.event(replace(event, **{field: text}), names, 0) for text in (attack, "x"))
                assert len(said.splitlines()) == len(usual.splitlines()), f"{field} breaks the lines of:\n{said}"
                shown = said.replace("\n", "")
                assert shown.isprintable() and "```" not in shown and "<|" not in shown, (
                    f"{field} is not quoted: {said}"
                )

    def test_the_rules_are_short(self) -> None:
        told = rules_text(self.game)
        assert 0 < len(told) <= MOST_RULES, f"the rules have {len(told)} characters; at most {MOST_RULES} are read"


def forms_in(asked: str) -> list[str]:
    """The answers that the text of a question names: after `Write:`, and in a list after `Write for example:`."""
    found: list[str] = []
    listing = False
    for line in asked.splitlines():
        if listing and line.startswith("- "):
            found.append(line[2:])
        else:
            listing = _FORMS.match(line) is not None
            found += _FORM.findall(line)
    return found


def _is_sent(action: Any, kinds: Sequence[type[Any]]) -> bool:
    return type(action) in kinds


def _free_texts(kind: type[Event]) -> list[str]:
    """The fields of an event that may have any text."""
    return [
        field.encode_name
        for field in msgspec.inspect.type_info(kind).fields  # type: ignore[attr-defined]
        if isinstance(field.type, msgspec.inspect.StrType) and field.type.pattern is None
    ]
