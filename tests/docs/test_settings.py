"""The pages for whoever hosts an arena name every setting, every figure and every word that the code has."""

import inspect
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from parlour.cli.serving import serve
from parlour.games import game
from parlour.plugins import names
from parlour.server.settings import BadSettings, Settings, read_settings, tables, usual_ports
from parlour.server.venue import installed_venues
from parlour.tables.seating import QUICK, house_bot
from tests.docs.pages import ROOT, blocks, page, rows

HOSTING = ROOT / "examples" / "hosting"
VENUES = {name: venue.settings for name, venue in installed_venues().items() if venue is not None}
KINDS: dict[str, type[Struct]] = {"": Settings, **{f"venues.{name}.": kind for name, kind in VENUES.items()}}
"""By what is written before their settings where the section is not plain."""
SETTINGS = [(section, name) for section, kind in KINDS.items() for name in kind.__struct_fields__]


def told(cell: str) -> Any:
    """A value as it would stand in the file."""
    return None if cell == "none" else tomllib.loads(f"it = {cell.strip('`')}")["it"]


def settings_rows(section: str = "") -> dict[str, list[str]]:
    """By name, the rows of a section: of the server, or of a venue."""
    text, *venues = re.split(r"^### (?=venues\.)", page("settings.md"), flags=re.M)
    if section:
        [text] = [part for part in venues if part.startswith(section.rstrip("."))]
    found = [row for row in rows(text) if re.fullmatch(r"`\w+`", row[0])]
    return {row[0].strip("`"): row for row in found}


@pytest.mark.parametrize("section", KINDS)
def test_every_setting_has_its_row(section: str) -> None:
    assert settings_rows(section).keys() == set(KINDS[section].__struct_fields__)


def test_every_venue_has_its_section() -> None:
    assert re.findall(r"^### venues\.(\w+)$", page("settings.md"), re.M) == [*VENUES]


@pytest.mark.parametrize(("section", "name"), SETTINGS)
def test_what_a_setting_is_if_not_told(section: str, name: str) -> None:
    default = getattr(KINDS[section](), name)
    assert told(settings_rows(section)[name][1]) == ([*default] if isinstance(default, tuple) else default)


def test_the_flags_are_those_of_the_command() -> None:
    flags = {f"--{name.replace('_', '-')}" for name in inspect.signature(serve).parameters if name != "settings"}
    assert {row[2].strip("`") for row in settings_rows().values() if row[2].startswith("`--")} == flags


def test_what_only_a_file_can_set_is_said() -> None:
    *first, last = [f"`{name}`" for name in tables(Settings)]
    assert f"{', '.join(first)} and {last} are tables" in page("settings.md")
    for name in (name for kind in VENUES.values() for name in tables(kind)):
        assert f"`{name}` is a table" in page("settings.md")


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


def test_a_setting_that_cannot_be_is_refused_in_the_words_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text("rooms = 5")
    for file, environment in ((None, {"PARLOUR_PORT": "70000"}), (tmp_path / "arena.toml", {})):
        with pytest.raises(BadSettings) as refusal:
            read_settings(file, environment)
        assert f"parlour: settings: {refusal.value}\n" in page("settings.md")


# Limits


def test_the_limits_of_both_pages_are_the_same() -> None:
    section = page("settings.md").partition("## Limits")[2].partition("## listeners")[0]
    bounds = {row[0] for row in rows(section)}
    limits = {row[0] for row in rows(page("limits.md"))}
    assert bounds <= limits, bounds - limits


def test_every_setting_on_the_page_of_limits_is_one() -> None:
    named = {row[0].strip("`") for row in rows(page("limits.md")) if row[0].startswith("`")}
    assert named <= {section + name for section, name in SETTINGS}


# Tables of the arena's own page


def test_the_bots_that_take_free_seats() -> None:
    listed = {row[0]: row for row in rows(page("arena.md").partition("## Quick matches")[2].partition("\n## ")[0])}
    for name in names():
        row, rules = listed[rules_title(name)], game(name)
        if name != "colorfight":
            assert (
                row[1].startswith(str(QUICK[rules.hosting.seating].usual_seats(rules)))
                and f"`{house_bot(rules).spec}`" in row[2]
            )


def rules_title(name: str) -> str:
    return game(name).title


# Files to begin with


def test_the_settings_to_begin_with_are_the_usual_ones() -> None:
    settings = read_settings(HOSTING / "arena.toml", {})
    usual = Settings()
    assert settings.lines_port() == usual.lines_port()
    assert [each[:2] for each in settings.dialects()] == [each[:2] for each in usual.dialects()]
    alike = set(Settings.__struct_fields__) - {"tcp_port", "listeners", "commands", "venues"}
    assert all(getattr(settings, name) == getattr(usual, name) for name in alike)
    assert settings.venues == {name: kind() for name, kind in VENUES.items()}
    assert settings.commands


def test_what_stands_behind_a_mark_can_be_set(tmp_path: Path) -> None:
    text = re.sub(r"^# (?=[a-z_]+ = )", "", (HOSTING / "arena.toml").read_text(), flags=re.M)
    (tmp_path / "arena.toml").write_text(text.replace('store = "sqlite:///arena.db"\n', ""))
    settings = read_settings(tmp_path / "arena.toml", {})
    assert settings.trusted_proxies == ("127.0.0.1",)
    assert settings.venues["colorfight"].room_bots == ("greedy",)


def test_the_unit_is_one_that_systemd_can_read(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    unit = tmp_path / "parlour.service"
    text = (HOSTING / "parlour.service").read_text()
    unit.write_text(re.sub("^ExecStart=.*$", "ExecStart=/bin/true", text, flags=re.M))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert "parlour" not in done.stderr, done.stderr
