"""Read a player's answer in text: lenient in form, strict in meaning.

An answer is a JSON object, a function call or plain words, with other words around it. If there are objects or calls
that name an action, these count, and besides them only lines and sentences that are nothing but an answer. If there is
a line such as `Answer: ...`, only the text after the last such mark counts. All that counts has to mean the same
action: an answer that could mean two actions is refused, and so is one that the words around it may take back."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import msgspec

from parlour.core.answer_context import doubtful_at, negated, said_by_others, taken_back
from parlour.core.answer_forms import VERB, AnswerForm
from parlour.core.answer_sentences import (
    MOST_CLAUSES,
    after_mark,
    before_reason,
    hedged,
    is_fragment,
    is_numbered,
    parts_of,
    sentences,
    unwrapped,
    without_bullet,
)
from parlour.core.answer_values import MOST_SHOWN, WRAPPING, Unclear, shown, spoken
from parlour.core.errors import BadMessage
from parlour.core.loose_values import Call, Found, OddValue, values_in
from parlour.core.quoting import one_line
from parlour.core.values import action_words, plain

MOST_ANSWER = 100_000
"""Characters of an answer."""
MOST_LISTED = 3
"""Different answers that are listed in a refusal."""
MOST_REFUSAL = 900
"""Characters of a refusal, examples included."""
VERB_FIELDS = (VERB, "type", "move")
ARGUMENT_FIELDS = ("arguments", "args", "parameters", "input", "tool_input", "action_input", "properties")
TOOL_FIELDS = ("name", "tool", "tool_name", "function", "recipient_name")
WRAPPERS = (
    *("function", "tool_call", "answer", "final_answer", "response", "output", "final", "decision", "choice", "result"),
    *ARGUMENT_FIELDS,
)
BESIDE_WRAPPED = frozenset(("id", "type", "required", "additionalProperties"))
"""Fields beside a wrapped object: of function calls, and of a schema that was filled in."""
ANSWER_CALL = "answer"
"""A call of this name has the fields of an answer: it is the function that models are offered."""
_THOUGHTS = frozenset(("thought", "thoughts", "thinking", "reasoning", "analysis", "plan", "strategy", "confidence"))
_REASONS = frozenset(("reason", "rationale", "explanation", "justification", "comment", "note", "notes"))
ASIDE = _THOUGHTS | _REASONS
"""Fields in which models explain themselves. They are no part of an answer, unless the action has such a field."""


def read_answer(text: str, forms: Sequence[AnswerForm]) -> Any:
    """The one action that the text names; raises BadMessage with what was understood and what is missing."""
    if not isinstance(text, str):
        raise BadMessage("unclear", "The answer is no text.")
    if len(text) > MOST_ANSWER:
        raise BadMessage("too_long", f"The answer has {len(text)} characters; at most {MOST_ANSWER} are read.")
    return _Answer(_decoded(text.encode("utf-8", "replace").decode()), forms).action()


def _decoded(text: str) -> str:
    """The text itself, if the whole text is one JSON string; with straight quotes, if it has only curly ones."""
    if '"' not in text and "{" in text:
        text = text.replace("\u201c", '"').replace("\u201d", '"')
    if not text.strip().startswith('"'):
        return text
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return said.encode("utf-8", "replace").decode() if isinstance(said, str) else text


class _Answer:
    def __init__(self, text: str, forms: Sequence[AnswerForm]) -> None:
        self._text = after_mark(text)
        self._forms = forms
        self._by_name = {name: form for form in reversed(forms) for name in form.names()}
        self._fields = frozenset(field.name for form in forms for field in form.fields)
        longest_first = sorted(map(re.escape, self._by_name), key=len, reverse=True)
        self._verb = re.compile(rf"({'|'.join(longest_first).replace(chr(92) + ' ', '[ _-]+')})(?=[\s:,(]|$)", re.I)
        self._problems: list[str] = []
        self._hints: list[str] = []
        """The parts that were understood of words that are no answer."""
        self._doubts: list[Any] = []
        """Actions that the words around them may take back."""

    def action(self) -> Any:
        for readings in (self._structured, self._plain):
            found = _distinct(readings())
            if len(found) > 1:
                raise self._refusal("ambiguous", f"Understood several answers: {_listed(found)}. Give one only.")
            if self._problems:
                raise self._refusal("unclear", f"{self._problems[0]}.")
            doubts = [action for action in _distinct(iter(self._doubts)) if action not in found]
            if doubts and (found or readings == self._plain):
                why = f"It is not clear whether you mean this: {_listed(doubts)}. Give only your answer."
                raise self._refusal("ambiguous", why)
            if found:
                return found[0]
        raise self._refusal("unclear", f"{self._hints[0]}." if self._hints else "No answer was understood.")

    def _refusal(self, code: str, why: str) -> BadMessage:
        said, examples = plain(why, MOST_REFUSAL // 2), [form.example for form in self._forms if form.offered]
        while len(examples) > 1 and len("; ".join(examples)) > MOST_REFUSAL // 2:
            examples.remove(max(examples, key=len))  # an example that is cut off would be wrong
        return BadMessage(code, f"{said} Write for example: {'; '.join(examples)}")

    def _made(self, form: AnswerForm, given: Mapping[str, object]) -> list[Any]:
        """The action of this form with these fields. What is wrong or missing is noted."""
        try:
            return [_action(form, given)]
        except Unclear as e:
            self._problems.append(f"Understood {form.name}, but {e}")
            return []

    # Objects and calls

    def _structured(self) -> Iterator[Any]:
        calls = {name.replace(" ", mark) for name in self._by_name for mark in ("_", "-", "")} | {ANSWER_CALL}
        try:
            values = list(values_in(self._text, calls))
        except OddValue as e:
            self._problems.append(f"The answer has {e}")
            return
        named = [(found, actions) for found in values if (actions := self._value(found.value))]
        if not named:
            return
        rest = self._without([found for found, _ in named])
        for found, actions in named:
            if doubtful_at(self._text, found.begin, found.end):
                self._doubts += actions
            else:
                yield from actions
        yield from self._beside(rest)
        self._text = rest  # if all of them are in doubt, only the words beside them can still be an answer

    def _without(self, values: Sequence[Found]) -> str:
        """The text without these values."""
        ends, begins = [0, *(value.end for value in values)], [*(value.begin for value in values), len(self._text)]
        return " ; ".join(self._text[end:begin] for end, begin in zip(ends, begins, strict=True))

    def _beside(self, rest: str) -> Iterator[Any]:
        """Lines and sentences that are nothing but an answer. Numbered lines list possibilities."""
        for line in rest.splitlines():
            if not is_numbered(line):
                for sentence in sentences(line):
                    yield from self._phrase(sentence)

    def _call(self, call: Call) -> list[Any]:
        form = self._by_name.get(spoken(call.name)) or self._squeezed(call.name)
        if form is None:
            return self._answer_call(call)
        fields = [field.name for field in form.fields]
        match call.arguments:
            case [dict() as only] if not call.named and only.keys() <= set(fields):
                return self._made(form, only)
        if len(call.arguments) > len(fields) or call.named.keys() & set(fields[: len(call.arguments)]):
            self._problems.append(f"Understood {form.name}, but it has too many values")
            return []
        return self._made(form, dict(zip(fields, call.arguments, strict=False)) | call.named)

    def _answer_call(self, call: Call) -> list[Any]:
        """The action in a call such as `answer(action="bid", amount=5)`."""
        match call.arguments:
            case []:
                return self._value(call.named)
            case [str() as said] if not call.named:
                return self._whole_text(said)
            case [only] if not call.named:
                return self._value(only)
        return []

    def _squeezed(self, name: str) -> AnswerForm | None:
        found = [form for said, form in self._by_name.items() if said.replace(" ", "") == name.lower()]
        return found[0] if found else None

    def _value(self, value: Any) -> list[Any]:
        if isinstance(value, Call):
            return self._call(value)
        if isinstance(value, list):
            if value and all(isinstance(each, dict) for each in value):
                return [action for each in value for action in self._value(each)]
            lists = [form for form in self._forms if _takes_list(form)]
            return self._made(lists[0], {lists[0].fields[0].name: value}) if len(lists) == 1 else []
        return self._object(value) if isinstance(value, dict) else []

    def _object(self, given: dict[str, Any]) -> list[Any]:
        given = self._folded(given)
        for wrapper in WRAPPERS:
            if wrapper in self._fields:
                continue
            if given.keys() <= {wrapper} | BESIDE_WRAPPED | ASIDE and isinstance(given.get(wrapper), dict):
                return self._object(given[wrapper])
            if given.keys() <= {wrapper} | ASIDE and isinstance(given.get(wrapper), str):
                return self._wrapped_text(given[wrapper])
        called = [key for key in TOOL_FIELDS if isinstance(given.get(key), str)]
        if called and any(key in given for key in ARGUMENT_FIELDS):
            return self._tool_call(given, given[called[0]])
        for key in VERB_FIELDS:
            if isinstance(given.get(key), str | dict):
                found = self._named(given[key], {name: value for name, value in given.items() if name != key})
                if found is not None:
                    return found
        if called and called[0] not in self._fields and spoken(given[called[0]]) in self._by_name:
            return self._named(given.pop(called[0]), given) or []
        return self._unnamed(given)

    def _folded(self, given: dict[str, Any]) -> dict[str, Any]:
        """With names such as `Action` and `Amount` in lower case."""
        known = self._fields | {*VERB_FIELDS, *WRAPPERS, *TOOL_FIELDS} | ASIDE
        if all(key in known for key in given):
            return dict(given)
        folded = {key if key in known or key.lower() not in known else key.lower(): given[key] for key in given}
        return folded if len(folded) == len(given) else dict(given)

    def _wrapped_text(self, text: str) -> list[Any]:
        """The action in a text that a field holds: JSON, or plain words."""
        try:
            values = [found.value for found in values_in(text, ())]
        except OddValue:
            return []
        return self._object(values[0]) if len(values) == 1 and isinstance(values[0], dict) else self._whole_text(text)

    def _tool_call(self, given: dict[str, Any], name: str) -> list[Any]:
        arguments = next(given[key] for key in ARGUMENT_FIELDS if key in given)
        if isinstance(arguments, str):
            values = list(values_in(arguments, ()))
            arguments = values[0].value if len(values) == 1 else None
        if not isinstance(arguments, dict):
            return []
        form = self._by_name.get(spoken(name))
        return self._made(form, arguments) if form is not None else self._object(arguments)

    def _named(self, verb: Any, rest: dict[str, Any]) -> list[Any] | None:
        """The action that a field names, as in `{"action": "bid", "amount": 5}` or `{"action": "bid 5"}`, if any."""
        if isinstance(verb, dict):
            return None if rest.keys() - ASIDE else self._object(verb)
        if form := self._by_name.get(spoken(verb)):
            return self._made(form, self._own_fields(form, rest))
        return None if rest.keys() - ASIDE else self._whole_text(verb) or None

    def _own_fields(self, form: AnswerForm, rest: dict[str, Any]) -> Mapping[str, object]:
        """The fields of an action that is named. Some models give them in an object of their own, and some fill in all
        numbers of the schema, also for an action that has no fields."""
        if len(rest) == 1:
            [(name, value)] = rest.items()
            if name in ARGUMENT_FIELDS and name not in self._fields and isinstance(value, dict):
                return value
        if form.fields:
            return rest
        others = self._fields
        return {name: value for name, value in rest.items() if not (name in others and isinstance(value, int | float))}

    def _unnamed(self, given: dict[str, Any]) -> list[Any]:
        """The action that the fields belong to, or `{"bid": 5}`."""
        keys = given.keys() - ASIDE
        fitting = [form for form in self._forms if _fits(form, keys)]
        if len(fitting) == 1:
            return self._made(fitting[0], given)
        verbs = sorted(key for key in keys if spoken(key) in self._by_name)
        chosen = [key for key in verbs if given[key] is not None and given[key] is not False]
        if len(chosen) == 1:  # the others are null or false: `{"bid": 5, "pass": false}`
            given, verbs = {key: given[key] for key in given if key not in verbs or key in chosen}, chosen
        if len(verbs) > 1:
            self._problems.append(f"Understood several answers: {', '.join(map(spoken, verbs))}")
        if len(verbs) != 1:
            return []
        rest = {key: value for key, value in given.items() if key != verbs[0]}
        return self._keyed(self._by_name[spoken(verbs[0])], given[verbs[0]], rest)

    def _keyed(self, form: AnswerForm, value: Any, rest: dict[str, Any]) -> list[Any]:
        """The action whose name is a key: `{"bid": 5}`, `{"bid": {"amount": 5}}`, `{"pass": true}`."""
        fields = [field.name for field in form.fields]
        if isinstance(value, dict) and value.keys() <= set(fields):
            return self._made(form, rest | value)
        if value is True or value is None or value == "":
            return self._made(form, rest)
        if fields and fields[0] not in rest and value is not False:
            return self._made(form, rest | {fields[0]: value})
        self._problems.append(f"Understood {form.name}, but not {shown(value)}")
        return []

    # Plain words

    def _plain(self) -> Iterator[Any]:
        found = self._whole_text(self._text)
        yield from found
        before = ""
        for line in () if found else self._text.splitlines():
            if line.strip():
                yield from self._in_line(line, before)
                before = line

    def _in_line(self, line: str, before: str) -> Iterator[Any]:
        """The answers in a line. One after `Do not:` is in doubt."""
        introduced = before.rstrip(" \t*_").endswith(":") and (negated(before) or said_by_others(before))
        found = self._phrase(line)
        if introduced:
            self._doubts += found
        elif found:
            yield from found
        else:
            yield from self._in_sentences(line)

    def _whole_text(self, text: str) -> list[Any]:
        said = unwrapped(text)
        for form in self._forms:
            if form.bare is not None and form.bare.fullmatch(said):
                return self._spoken(form, said)
        return [] if "\n" in text.strip() else self._phrase(without_bullet(text))

    def _in_sentences(self, line: str) -> Iterator[Any]:
        answered: list[Any] = []
        for sentence in sentences(line):
            if answered and taken_back(sentence):
                self._problems.append(f"Understood {_listed(answered)}, but it seems to be taken back")
            elif not sentence.endswith("?"):
                found = self._phrase(sentence)
                if not found and not hedged(sentence):
                    found = self._in_parts(sentence)
                answered += found
                yield from found

    def _in_parts(self, sentence: str) -> list[Any]:
        """The answers in the parts of a sentence. What is said beside them must be more than a few words."""
        begins, parts = parts_of(sentence)
        read = [self._phrase(part) for part in parts]
        fragments = [place for place, part in enumerate(parts) if is_fragment(part)]
        sure: list[Any] = []
        for place in [place for place, found in enumerate(read) if found]:
            lead = parts[place][: parts[place].find(unwrapped(parts[place]))]
            before = ", ".join([*parts[max(0, place - MOST_CLAUSES) : place], lead])
            unsure = negated(before) or said_by_others(sentence[: begins[place]])
            (self._doubts if unsure or fragments[-1:] > [place] else sure).extend(read[place])
        return sure

    def _phrase(self, text: str) -> list[Any]:
        """The action, if the words are an answer and nothing else but a reason."""
        if text.rstrip().endswith("?"):
            return []
        said = text.strip(WRAPPING)
        begin = self._verb.match(said)
        if begin is None:
            said = unwrapped(text)
            begin = self._verb.match(said)
        if begin is None:
            return []
        form, rest = self._by_name[spoken(begin[1])], said[begin.end() :].strip(" \t:,")
        return self._spoken(form, rest) or self._spoken(form, before_reason(rest))

    def _spoken(self, form: AnswerForm, rest: str) -> list[Any]:
        """The action with these words after its name. What is wrong is kept as a hint."""
        given = _split(form, rest)
        try:
            if given is not None:
                return [_action(form, given)]
            if len(rest) <= MOST_SHOWN:
                self._hints.append(f"Understood {form.name}, but not {shown(rest)}")
        except Unclear as e:
            self._hints.append(f"Understood {form.name}, but {e}")
        return []


def _split(form: AnswerForm, rest: str) -> Mapping[str, object] | None:
    """The values of the fields in the plain words after the name."""
    if form.words is not None:
        return form.words(rest)
    if not rest:
        return {}
    return {form.fields[0].name: rest} if len(form.fields) == 1 else None


def _fits(form: AnswerForm, keys: Set[str]) -> bool:
    """Whether these are fields of this form, and all that it needs."""
    needed = {field.name for field in form.fields if field.required}
    return bool(keys) and needed <= keys <= {field.name for field in form.fields}


def _takes_list(form: AnswerForm) -> bool:
    return bool(form.fields) and form.fields[0].schema.get("type") == "array"


def _without_nothing(form: AnswerForm, given: Mapping[str, object]) -> Mapping[str, object]:
    """Without null and empty values of fields that this form does not need: a schema may ask for all fields."""
    needed = {field.name for field in form.fields if field.required}
    own = {field.name for field in form.fields}

    def is_nothing(name: str, value: object) -> bool:
        return value is None or (name not in own and value in ("", [], {}))

    return {name: value for name, value in given.items() if name in needed or not is_nothing(name, value)}


def _action(form: AnswerForm, given: Mapping[str, object]) -> Any:
    given = _without_nothing(form, given)
    fields = {field.name: field for field in form.fields}
    unknown = [name for name in given if name not in fields and name not in ASIDE]
    if unknown:
        raise Unclear(f"not {shown(unknown[0])}; it has {', '.join(fields) or 'no fields'}")
    missing = [field.name for field in form.fields if field.required and field.name not in given]
    if missing:
        raise Unclear(f"{', '.join(missing)} is missing")
    read = {}
    for name, field in fields.items():
        if name in given:
            try:
                read[name] = field.read(given[name])
            except Unclear as e:
                raise Unclear(f"{name}: {e}") from None
    return _checked(form.make(**read))


def _checked(action: Any) -> Any:
    """The action, if it may be sent: its type says how large numbers and how long texts may be."""
    try:
        return msgspec.convert(msgspec.to_builtins(action), type(action))
    except msgspec.ValidationError as e:
        raise Unclear(f"its values are not possible: {e}") from None


def _distinct(found: Iterator[Any]) -> list[Any]:
    """Different actions; no more than are listed in a refusal."""
    different: list[Any] = []
    for action in found:
        if action not in different:
            different.append(action)
            if len(different) > MOST_LISTED:
                break
    return different


def _listed(found: Sequence[Any]) -> str:
    return "; ".join(one_line(action_words(action), MOST_SHOWN) for action in found[:MOST_LISTED])
