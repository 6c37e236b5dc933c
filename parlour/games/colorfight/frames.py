"""Frames: whole positions as the game's own channels send them, in the source text's form and in today's compact form.

Few cells change in a turn, so the text of each cell is cached and only changed cells are written again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
import numpy as np

from parlour.games.colorfight.land import Land
from parlour.games.colorfight.rules import Player, State
from parlour.games.colorfight.tables import KINDS, LETTERS
from parlour.games.colorfight.values import Building

Info: TypeAlias = Mapping[str, Any]
"""The `info` part of a frame: settings of the game and the room."""

HEADERS = (
    "attack_cost",
    "force_field",
    "building",
    "gold",
    "energy",
    "owner",
    "position",
    "natural_gold",
    "natural_energy",
    "natural_cost",
)
"""The values of a compact cell, in order. Those that change often come first."""


def game_info(state: State, names: Sequence[str]) -> dict[str, Any]:
    """The source text's `get_game_info()`: plain dictionaries and lists, with users by uid."""
    return {
        "turn": state.turn,
        "info": source_info(state),
        "error": errors(state),
        "game_map": _rows(state),
        "users": {
            uid: {**user(uid, name, player), "cells": cells}
            for uid, (name, player, cells) in enumerate(
                zip(names, state.players, _cells(state.land, len(names)), strict=True), start=1
            )
        },
    }


def source_info(state: State) -> dict[str, Any]:
    options = state.options
    return {
        "max_turn": options.max_turn,
        "width": options.width,
        "height": options.height,
        "round_time": options.round_time,
        "ruleset": options.ruleset,
    }


def room_info(
    max_player: int, start_count_down: int = 0, allow_manual_mode: bool = False, game_id: str = "0"
) -> dict[str, Any]:
    """The additional `info` of a compact frame: about the room, which is not part of the match, and format versions."""
    return {
        "max_player": max_player,
        "start_count_down": start_count_down,
        "allow_manual_mode": allow_manual_mode,
        "game_id": game_id,
        "replay_version": 2,
        "game_version": 2,
    }


def errors(state: State) -> dict[int, list[str]]:
    """Errors of the last round by uid; no entries before the first round (RULES 10.6)."""
    if not state.turn:
        return {}
    shown = state.options.errors == "shown"
    return {uid: list(player.errors) if shown else [] for uid, player in enumerate(state.players, start=1)}


def user(uid: int, name: str, player: Player) -> dict[str, Any]:
    """A user in a full frame, without its cells."""
    return {
        "uid": uid,
        "username": name,
        "energy": player.energy,
        "gold": player.gold,
        "dead": player.dead,
        "energy_source": player.energy_source,
        "gold_source": player.gold_source,
        "tech_level": player.tech_level,
    }


def _rows(state: State) -> list[list[dict[str, Any]]]:
    land = state.land
    gold, energy = (output.tolist() for output in land.outputs())
    costs = land.attack_cost(state.rules.home_by_level).tolist()
    owner, building, level, field = (each.tolist() for each in (land.owner, land.building, land.level, land.field))
    naturals = (land.natural_gold.tolist(), land.natural_energy.tolist(), land.natural_cost.tolist())
    return [
        [
            {
                "position": [x, y],
                "building": {"name": KINDS[building[cell]], "level": level[cell]},
                "attack_cost": costs[cell],
                "owner": owner[cell],
                "gold": gold[cell],
                "energy": energy[cell],
                "natural_gold": naturals[0][cell],
                "natural_energy": naturals[1][cell],
                "natural_cost": naturals[2][cell],
                "force_field": field[cell],
            }
            for x in range(land.width)
            for cell in (y * land.width + x,)
        ]
        for y in range(land.height)
    ]


def _cells(land: Land, users: int) -> list[list[list[int]]]:
    """Each user's cells, column by column."""
    owner, width = land.owner.tolist(), land.width
    cells: list[list[list[int]]] = [[] for _ in range(users + 1)]
    for x in range(width):
        for y in range(land.height):
            cells[owner[y * width + x]].append([x, y])
    return cells[1:]


def building_counts(state: State) -> list[list[int]]:
    """The number of buildings by uid and kind."""
    land, kinds = state.land, len(KINDS)
    counts = np.bincount(land.owner * kinds + land.building, minlength=(len(state.players) + 1) * kinds)
    by_user: list[list[int]] = counts.reshape(-1, kinds).tolist()
    return by_user


class Frames:
    """Writes the frames of one match as JSON, turn by turn."""

    def __init__(self) -> None:
        self._before: Any = None

    def info(self, state: State, more: Info) -> Info:
        raise NotImplementedError

    def _cell(self, x: int, y: int, naturals: tuple[int, int, int]) -> str:
        """A format string for the cell, to be filled with cost, field, building, level, gold, energy and owner."""
        raise NotImplementedError

    def _user(self, uid: int, name: str, player: Player, count: Sequence[int]) -> dict[str, Any]:
        """A user without its cells. `count` has the number of its buildings by kind."""
        raise NotImplementedError

    map_form: tuple[str, str]
    """The text before and after the rows."""
    kinds: Sequence[str]
    """Names of the buildings in this form."""
    more: Mapping[str, Any] = {}
    """Additional keys of the frame."""

    def frame(self, state: State, names: Sequence[str], more: Info | None = None) -> bytes:
        """The current position as a frame."""
        self._update(state)
        parts = [
            b'{"turn":%d,"info":%b' % (state.turn, msgspec.json.encode(self.info(state, more or {}))),
            *[b'"%b":%b' % (key.encode(), msgspec.json.encode(value)) for key, value in self.more.items()],
            b'"error":%b' % msgspec.json.encode(errors(state)),
            f'"game_map":{self.map_form[0]}{",".join(self._text)}{self.map_form[1]}'.encode(),
            f'"users":{{{",".join(self._users(state, names))}}}}}'.encode(),
        ]
        return b",".join(parts)

    def _update(self, state: State) -> None:
        """Rewrite the cells that have changed since the last frame."""
        land = state.land
        if self._before is None:
            self._prepare(land)
            cells = np.arange(land.width * land.height)
        else:
            cells = land.changed(self._before)
        gold, energy = land.outputs()
        costs = land.attack_cost(state.rules.home_by_level)
        changing = (costs, land.field, land.building, land.level, gold, energy, land.owner)
        text, forms, kinds = self._text, self._forms, self.kinds
        values = zip(cells.tolist(), *[each[cells].tolist() for each in changing], strict=True)
        for cell, cost, field, kind, *rest in values:
            text[cell] = forms[cell] % (cost, field, kinds[kind], *rest)
        self._before = land.changing()

    def _prepare(self, land: Land) -> None:
        width, height = land.width, land.height
        naturals = list(zip(*[each.tolist() for each in land.naturals()], strict=True))
        self._forms = [self._cell(x, y, naturals[y * width + x]) for y in range(height) for x in range(width)]
        for y in range(height):  # a row is a list
            self._forms[y * width] = "[" + self._forms[y * width]
            self._forms[y * width + width - 1] += "]"
        self._text = [""] * (width * height)
        self._columns = np.arange(width * height).reshape(height, width).T.ravel()
        self._places = [f"[{cell // height},{cell % height}]" for cell in range(width * height)]

    def _users(self, state: State, names: Sequence[str]) -> list[str]:
        land, users = state.land, len(state.players)
        owner = land.owner[self._columns]
        order = np.argsort(owner, kind="stable")
        places = [self._places[cell] for cell in order.tolist()]
        starts = np.searchsorted(owner[order], np.arange(1, users + 2)).tolist()
        counts = building_counts(state)
        written = []
        for uid, (name, player) in enumerate(zip(names, state.players, strict=True), start=1):
            said = self._user(uid, name, player, counts[uid])
            cells = ",".join(places[starts[uid - 1] : starts[uid]])
            written.append(f'"{uid}":{msgspec.json.encode(said).decode()[:-1]},"cells":[{cells}]}}')
        return written


class SourceFrames(Frames):
    """Frames of the source text: every cell is an object."""

    map_form = "[", "]"
    kinds: Sequence[Building] = KINDS

    def info(self, state: State, more: Info) -> Info:
        return source_info(state)

    def _cell(self, x: int, y: int, naturals: tuple[int, int, int]) -> str:
        gold, energy, cost = naturals
        return (
            f'{{"position":[{x},{y}],"attack_cost":%d,"force_field":%d,"building":{{"name":"%s","level":%d}},'
            f'"gold":%d,"energy":%d,"owner":%d,'
            f'"natural_gold":{gold},"natural_energy":{energy},"natural_cost":{cost}}}'
        )

    def _user(self, uid: int, name: str, player: Player, count: Sequence[int]) -> dict[str, Any]:
        return user(uid, name, player)


class CompactFrames(Frames):
    """Frames of today's clients: every cell is a list, and the headers are sent once per frame."""

    map_form = f'{{"headers":{msgspec.json.encode(HEADERS).decode()},"data":[', "]}"
    kinds = LETTERS
    more: Mapping[str, Any] = {"chat": []}

    def info(self, state: State, more: Info) -> Info:
        return {**source_info(state), **more}

    def _cell(self, x: int, y: int, naturals: tuple[int, int, int]) -> str:
        gold, energy, cost = naturals
        return f'[%d,%d,["%s",%d],%d,%d,%d,[{x},{y}],{gold},{energy},{cost}]'

    def _user(self, uid: int, name: str, player: Player, count: Sequence[int]) -> dict[str, Any]:
        return compact_user(uid, name, player, count)


def compact_user(uid: int, name: str, player: Player, count: Sequence[int]) -> dict[str, Any]:
    """A user in a compact frame, without its cells. Our rules have no ranks and no taxes, so those are constant."""
    return {
        **user(uid, name, player),
        "verified": False,
        "ranking": 0,
        "tax_level": 0,
        "tax_amount": 0,
        "building_number": dict(zip(KINDS[1:], count[1:], strict=True)),
        "cell_number": player.cells,
    }
