"""A client that plays all matches of its entry in a league."""

from collections.abc import Iterator
from typing import Any

import pytest

from parlour import client
from parlour.client import Client, Finished, Refused
from parlour.client.leagues import LeagueApi
from parlour.core import Result
from parlour.protocol.league_forms import LeagueState, NextTable

ENDED = NextTable("over", None, "forsale")


def at(table: str | None, state: LeagueState = "running") -> NextTable:
    return NextTable(state, table, "forsale")


def played(monkeypatch: pytest.MonkeyPatch, tables: list[NextTable], ends: list[str]) -> list[str]:
    """The tables that a client plays at, if the arena names `tables`. `ends`: by game, the code of its refusal, if it
    does not end as usual."""
    named: Iterator[NextTable] = iter([*tables, ENDED])
    tried: list[str] = []

    def play(self: Client, game_name: str, bot: Any, *, table: str) -> Finished:
        tried.append(table)
        if code := ends[len(tried) - 1]:
            raise Refused(code, "so it is")
        return Finished(table, 0, ("ada", "bob"), Result((1, 0), (1, 2)))

    monkeypatch.setattr(client.leagues, "ASK_S", 0.0)
    monkeypatch.setattr(LeagueApi, "next_table", lambda self, league: next(named))
    monkeypatch.setattr(Client, "play", play)
    Client("http://127.0.0.1:1", "token").play_league("a", lambda view, ask, dice: None)
    return tried


def test_each_table_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [at(None), at("a"), at("a"), at(None), at("b"), at("b")]
    assert played(monkeypatch, tables, ["", ""]) == ["a", "b"]


@pytest.mark.parametrize("code", ["over", "no_such_table", "dropped", "void", "begun"])
def test_a_match_that_is_missed_does_not_end_the_league(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(monkeypatch, [at("a"), at("a"), at("b")], [code, ""]) == ["a", "b"]


@pytest.mark.parametrize("code", ["unreachable", "bug"])
def test_a_match_that_may_be_resumed_is_played_again(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(monkeypatch, [at("a"), at("a"), at("a"), at("b")], [code, "", ""]) == ["a", "a", "b"]


def test_other_refusals_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused) as refused:
        played(monkeypatch, [at("a"), at("b")], ["bad_token", ""])
    assert refused.value.code == "bad_token"
