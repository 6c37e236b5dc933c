"""The pages for whoever hosts an arena name every setting, every figure and every word that the code has."""

import inspect
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.cli.serving import serve
from parlour.games import game
from parlour.plugins import names
from parlour.server.settings import TABLES, Settings, read_settings, usual_ports
from parlour.tables.dealing import quick_seats
from parlour.tables.seating import house_bot
from tests.docs.pages import ROOT, blocks, page, rows

HOSTING = ROOT / "examples" / "hosting"
DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(Settings)}
DEFAULTS |= {
    field.name: field.default_factory()
    for field in msgspec.structs.fields(Settings)
    if field.default_factory is not msgspec.NODEFAULT
}


def told(cell: str) -> Any:
    """A value as it would stand in the file."""
    return None if cell == "none" else tomllib.loads(f"it = {cell.strip('`')}")["it"]


def settings_rows() -> dict[str, list[str]]:
    found = [row for row in rows(page("settings.md")) if re.fullmatch(r"`\w+`", row[0])]
    return {row[0].strip("`"): row for row in found}


def test_every_setting_has_its_row() -> None:
    assert settings_rows().keys() == set(Settings.__struct_fields__)


@pytest.mark.parametrize("name", Settings.__struct_fields__)
def test_what_a_setting_is_if_not_told(name: str) -> None:
    default = DEFAULTS[name]
    assert told(settings_rows()[name][1]) == ([*default] if isinstance(default, tuple) else default)


def test_the_flags_are_those_of_the_command() -> None:
    flags = {f"--{name.replace('_', '-')}" for name in inspect.signature(serve).parameters if name != "settings"}
    assert {row[2].strip("`") for row in settings_rows().values() if row[2].startswith("`--")} == flags


def test_what_only_a_file_can_set_is_said() -> None:
    *first, last = [f"`{name}`" for name in TABLES]
    assert f"{', '.join(first)} and {last} are tables" in page("settings.md")


def test_the_ports_that_follow_the_first_are_those_of_the_table() -> None:
    listed = [row for row in rows(page("settings.md")) if re.fullmatch(r"800\d", row[1] if len(row) == 3 else "")]
    settings = Settings()
    ports = {"tcp_port": settings.lines_port(), **{where: port for where, port, _, _ in settings.dialects()}}
    assert {re.findall("`(.*?)`", row[2])[-1]: int(row[1]) for row in listed} == ports
    assert [*ports] == ["tcp_port", *usual_ports()]


@pytest.mark.parametrize(
    "text", blocks("settings.md", "toml") + blocks("arena.md", "toml") + blocks("ways/commands.md", "toml")
)
def test_the_files_of_the_pages_can_be_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text(text)
    read_settings(tmp_path / "arena.toml", {}).dialects()


def test_a_setting_that_cannot_be_is_refused_in_the_words_of_the_page() -> None:
    try:
        read_settings(None, {"PARLOUR_PORT": "70000"})
    except ValueError as e:
        assert f"parlour: settings: {e}" in page("settings.md")
    else:
        raise AssertionError


# Limits


def test_the_limits_of_both_pages_are_the_same() -> None:
    section = page("settings.md").partition("## Limits")[2].partition("## listeners")[0]
    bounds = {row[0] for row in rows(section)}
    limits = {row[0] for row in rows(page("limits.md"))}
    assert bounds <= limits, bounds - limits


def test_every_setting_on_the_page_of_limits_is_one() -> None:
    named = {row[0].strip("`") for row in rows(page("limits.md")) if row[0].startswith("`")}
    assert named <= set(Settings.__struct_fields__)


# Tables of the arena's own page


def test_who_takes_the_seats_that_are_left() -> None:
    listed = {row[0]: row for row in rows(page("arena.md").partition("## Quick matches")[2].partition("\n## ")[0])}
    for name in names():
        row, rules = listed[rules_title(name)], game(name)
        if name != "colorfight":
            assert row[1].startswith(str(quick_seats(rules))) and f"`{house_bot(rules).spec}`" in row[2]


def rules_title(name: str) -> str:
    return game(name).title


# Files to begin with


def test_the_settings_to_begin_with_are_the_usual_ones() -> None:
    settings = read_settings(HOSTING / "arena.toml", {})
    usual = Settings()
    assert settings.lines_port() == usual.lines_port()
    assert [each[:2] for each in settings.dialects()] == [each[:2] for each in usual.dialects()]
    alike = set(Settings.__struct_fields__) - {"tcp_port", "listeners", "commands"}
    assert all(getattr(settings, name) == getattr(usual, name) for name in alike)
    assert settings.commands


def test_what_stands_behind_a_mark_can_be_set(tmp_path: Path) -> None:
    text = re.sub(r"^# (?=[a-z_]+ = )", "", (HOSTING / "arena.toml").read_text(), flags=re.M)
    (tmp_path / "arena.toml").write_text(text.replace('store = "sqlite:///arena.db"\n', ""))
    assert read_settings(tmp_path / "arena.toml", {}).trusted_proxies == ("127.0.0.1",)


def test_the_unit_is_one_that_systemd_can_read(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    unit = tmp_path / "parlour.service"
    text = (HOSTING / "parlour.service").read_text()
    unit.write_text(re.sub("^ExecStart=.*$", "ExecStart=/bin/true", text, flags=re.M))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert "parlour" not in done.stderr, done.stderr
