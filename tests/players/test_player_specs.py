"""From words to players."""

from pathlib import Path
from typing import Any

import pytest

from parlour.games import game
from parlour.players.player_specs import BadPlayer, ExecSpec, LocalSpec, load

FORSALE = game("forsale")


def test_a_file_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_the_bot.py").write_text("ANSWER = 42")
    (tmp_path / "mine.py").write_text("import beside_the_bot\ndef bot(view, ask, dice): return beside_the_bot.ANSWER")
    spec = load(FORSALE, str(tmp_path / "mine.py"))
    assert isinstance(spec, LocalSpec) and spec.name == "mine"
    assert spec.make()(None, None, None) == 42  # type: ignore[arg-type]


def test_a_module_may_lie_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lies_in_this_folder.py").write_text("def clever(view, ask, dice): return 7")
    monkeypatch.chdir(tmp_path)
    assert load(FORSALE, "lies_in_this_folder:clever").name == "clever"


def test_a_file_may_use_dataclasses_with_postponed_annotations(tmp_path: Path) -> None:
    lines = [
        "from __future__ import annotations",
        "import dataclasses",
        "@dataclasses.dataclass",
        "class bot:",
        "  n: int = 0",
        "  def __call__(self, view, ask, dice): return self.n",
    ]
    (tmp_path / "dc.py").write_text("\n".join(lines))
    assert isinstance(load(FORSALE, str(tmp_path / "dc.py")), LocalSpec)


def test_an_error_in_a_file_is_told_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text("None.nothing")
    with pytest.raises(BadPlayer, match="AttributeError: 'NoneType' object has no attribute 'nothing'"):
        load(FORSALE, str(tmp_path / "odd.py"))


@pytest.mark.parametrize(("stem", "name"), [("a" * 80, "a" * 64), ("b\x1b[2J", "b?[2J"), ("c\u202ed", "c?d")])
def test_names_are_fit_to_be_shown(tmp_path: Path, stem: str, name: str) -> None:
    (tmp_path / f"{stem}.py").write_text("def bot(view, ask, dice): pass")
    assert load(FORSALE, str(tmp_path / f"{stem}.py")).name == name


def test_a_command_is_named_for_its_script_or_its_program(tmp_path: Path) -> None:
    (tmp_path / "my_bot.js").write_text("")
    spec = load(FORSALE, f"exec:node {tmp_path / 'my_bot.js'} --fast")
    assert isinstance(spec, ExecSpec) and spec.name == "my_bot" and spec.argv[0] == "node"
    assert load(FORSALE, "exec:sleep 30").name == "sleep"
    with pytest.raises(BadPlayer, match="No closing quotation"):
        load(FORSALE, "exec:'")


class NeedsName:
    def __init__(self, name: str) -> None: ...

    def __call__(self, view: Any, ask: Any, dice: Any) -> Any: ...


class NotCalled:
    """No bot: it cannot be asked."""


async def waiting(view: Any, ask: Any, dice: Any) -> Any: ...


def two(view: Any, ask: Any) -> Any: ...


def four(view: Any, ask: Any, dice: Any, more: Any) -> Any: ...


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("math:sqrt", "a bot is a function of view, ask and dice"),
        ("math:pi", "a bot is a function of view, ask and dice"),
        (f"{__name__}:two", "a bot is a function of view, ask and dice"),
        (f"{__name__}:four", "a bot is a function of view, ask and dice"),
        (f"{__name__}:waiting", "a bot must not be async"),
        (f"{__name__}:NotCalled", "instances must be callable with view, ask and dice"),
        (f"{__name__}:NeedsName", "its class must be callable without arguments"),
    ],
)
def test_a_callable_that_is_not_a_bot_is_refused_before_the_match(text: str, why: str) -> None:
    with pytest.raises(BadPlayer) as refused:
        load(FORSALE, text)
    assert str(refused.value) == f"{text!r} is not a bot: {why}"
