"""The rules of ColorfightII in the order of RULES.md, whose numbers the comments cite."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour.core import (
    Ask,
    BadOptions,
    By,
    Close,
    Dice,
    Event,
    Fault,
    IllegalAction,
    Join,
    Leave,
    Position,
    Result,
    Seat,
    Sitting,
    Stop,
    Table,
)
from parlour.games.colorfight.land import Cell, Ints, Land, totals
from parlour.games.colorfight.orders import Attacks, Purse, Work
from parlour.games.colorfight.tables import HOME, KINDS, MOST_FIELD, RULES, START_ENERGY, Rules
from parlour.games.colorfight.values import (
    MOST_LISTS,
    Changed,
    Command,
    Failed,
    Joined,
    Left,
    Options,
    Orders,
    Turned,
    User,
    View,
)
from parlour.games.colorfight.view import view

SEATS = range(257)
"""0: all players join later."""
SERVED = SEATS[1:]


class Player(Purse):
    """A player, and its list of orders for the open round."""

    energy_source: int
    gold_source: int
    cells: int = 1
    dead: bool = False
    here: bool = True
    given: Command | None = None
    lists: int = 0
    """How many lists it has sent in this round."""
    errors: tuple[str, ...] = ()
    """Errors of the last round."""

    def copy(self) -> "Player":
        return Player(*[getattr(self, name) for name in self.__struct_fields__])

    def seen(self) -> User:
        return User(
            self.energy, self.gold, self.energy_source, self.gold_source, self.tech_level, self.cells, self.dead
        )


class State(Position[View]):
    """A position of ColorfightII."""

    options: Options
    dice: Dice
    rules: Rules
    land: Land
    turn: int
    waiting: bool
    """Whether the host, not the clock, closes the first round, and has not yet done so (RULES 1.4)."""
    players: list[Player]
    stopped: bool

    @classmethod
    def new(cls, seats: int, options: Options, start: None, dice: Dice) -> "State":
        """RULES 2, 4."""
        state = cls()
        state.options, state.dice = options, dice
        if seats > options.width * options.height:
            raise BadOptions(f"there are {options.width * options.height} cells, and {seats} players need a home each")
        state.rules = RULES[options.ruleset]
        state.land = Land.fresh(options.width, options.height, state.rules.recipe, dice)
        state.turn, state.waiting, state.stopped = 0, seats == 0, False
        state.players = []
        for _ in range(seats):
            state._add_player()
        return state

    # Joining (RULES 4)

    def _add_player(self) -> Cell:
        home = self.dice.pick(self.land.free())
        self.players.append(Player(START_ENERGY, 0, 1, 10, 10))
        self.land.found(home, len(self.players))
        return home

    # A round (RULES 5, 6)

    def _play_round(self, events: list[Event]) -> None:
        self.turn += 1
        self.waiting = False
        before = self.land.changing()
        work = Work(self.land, self.rules, self.players)
        lists = [(seat, player.given.orders) for seat, player in enumerate(self.players) if player.given is not None]
        failed = work.carry_out(lists)
        for seat, player in enumerate(self.players):
            player.errors = failed.get(seat, ())
            player.given, player.lists = None, 0
        self._take_cells(work.attacks)
        self._count()
        self.land.decay()
        self._collect()
        events += [Failed(seat, failed[seat]) for seat in sorted(failed)]
        events.append(Turned(self.turn, self._changes(before), tuple([player.seen() for player in self.players])))

    def _take_cells(self, attacks: Attacks) -> None:
        """A cell goes to the player with more than half of the energy spent on it (RULES 5.6, 5.9, 5.10)."""
        land = self.land
        for cell, spent in attacks.items():
            owner = int(land.owner[cell])
            uid, most = max(self._counted(spent), key=_spent)
            total = sum(energy for _, energy in spent)
            taken = 2 * most > total
            if self.rules.destroyed == "attacked":
                lost = any(attacker != owner for attacker, _ in spent)
            else:
                lost = taken and uid != owner
            if lost:
                land.raze(cell)
            if taken:
                land.owner[cell] = uid
                land.field[cell] = min(MOST_FIELD, 2 * (2 * most - total))

    def _counted(self, spent: list[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """Uid and energy, added up per player or for each order (RULES 5.6)."""
        if not self.rules.sums or len(spent) == 1:
            return spent
        sums: dict[int, int] = {}
        for uid, energy in spent:
            sums[uid] = sums.get(uid, 0) + energy
        return list(sums.items())

    def _count(self) -> None:
        """Count cells, income and tech levels (RULES 6.1)."""
        land, count = self.land, len(self.players)
        gold, energy = land.outputs()
        golds, energies = totals(land.owner, gold, count), totals(land.owner, energy, count)
        cells: list[int] = np.bincount(land.owner, minlength=count + 1).tolist()
        for uid, player in enumerate(self.players, start=1):
            player.gold_source, player.energy_source, player.cells = golds[uid], energies[uid], cells[uid]
            player.tech_level = 0
        for cell in np.flatnonzero(land.building == HOME).tolist():
            player = self.players[int(land.owner[cell]) - 1]
            player.tech_level = max(player.tech_level, int(land.level[cell]))

    def _collect(self) -> None:
        """Pay out the income (RULES 6.3). A player without a cell is dead for good (RULES 6.4)."""
        for player in self.players:
            player.energy += player.energy_source
            player.gold += player.gold_source
            player.dead = player.dead or not player.cells

    def _changes(self, before: Ints) -> tuple[Changed, ...]:
        land = self.land
        cells = land.changed(before)
        parts = (land.owner[cells], land.building[cells], land.level[cells], land.field[cells])
        owners, buildings, levels, fields = (part.tolist() for part in parts)
        kinds = [KINDS[building] for building in buildings]
        return tuple(zip(cells.tolist(), owners, kinds, levels, fields, strict=True))

    # The interface to the referee

    def alive(self) -> list[Seat]:
        """The seats that can still give orders."""
        return [seat for seat, player in enumerate(self.players) if player.here and not player.dead]

    def is_over(self) -> bool:
        """RULES 8."""
        if self.stopped or self.turn >= self.options.max_turn:
            return True
        owners = sum(not player.dead for player in self.players)
        return self.options.last_standing_ends and self.turn > 0 and len(self.players) > 1 and owners < 2

    def _new_asks(self) -> dict[By, Ask[Any]]:
        if self.is_over():
            return {}
        span = None if self.waiting else self.turn
        asks: dict[By, Ask[Any]] = {None: Ask(span=span)}
        for seat in self.alive():
            asks[seat] = Orders(turn=self.turn, uid=seat + 1, waits=self.players[seat].given is None, span=span)
        return asks

    def play(self, by: By, action: Command | Table) -> list[Event]:
        events: list[Event] = []
        if by is None:
            self._play_table_act(action, events)
            self._changed()
            return events
        player = self.players[by] if by in self.asks() else None
        if player is None:
            raise IllegalAction("not_asked", "you are not asked anything now")
        if not isinstance(action, Command):
            raise IllegalAction("wrong_kind", f"{type(action).__name__}: a list of orders is wanted")
        if player.lists == MOST_LISTS:
            raise IllegalAction("too_many_lists", f"a list: you have sent {MOST_LISTS} in this round already")
        player.lists += 1
        player.given = action
        self._asks = None  # views do not show it, so the cached view stays valid
        return events

    def _play_table_act(self, act: Command | Table, events: list[Event]) -> None:
        match act:
            case _ if self.is_over():
                raise IllegalAction("over", "the match is over")
            case Join(name=name, salt=salt):
                if not self.land.free():
                    raise IllegalAction("map_full", "Map is full")
                if salt:
                    self.dice.stir(salt.encode())
                home = self._add_player()
                events.append(Joined(len(self.players) - 1, name, home))
            case Close():
                self._play_round(events)
            case Leave(seat=seat, why=why) if 0 <= seat < len(self.players) and self.players[seat].here:
                self.players[seat].here = False
                events.append(Left(seat, why))
            case Stop():
                self.stopped = True
            case _:
                raise IllegalAction("not_here", f"{type(act).__name__}: there is no such thing in ColorfightII now")

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> None:
        """No fault has a price: a seat that is late gives no orders (RULES 7.1)."""
        return

    def _new_view(self, who: By) -> View:
        return view(self, who)

    def view(self, who: By) -> View:
        """All seats and spectators share one object, built once a turn."""
        return super().view(None)

    def result(self) -> Result | None:
        """Gold decides, also for players who died or left; equal gold is equal rank (RULES 8.2)."""
        if not self.is_over():
            return None
        gold = [player.gold for player in self.players]
        return Result(tuple(gold), tuple(1 + sum(other > own for other in gold) for own in gold))

    def copy(self) -> "State":
        twin = State()
        twin.options, twin.rules, twin.dice, twin.land = self.options, self.rules, self.dice.copy(), self.land.copy()
        twin.turn, twin.waiting, twin.stopped = self.turn, self.waiting, self.stopped
        twin.players = [player.copy() for player in self.players]
        return twin

    def redeal(self, seat: Seat, dice: Dice) -> "State":
        """Draw again what is hidden: the others' lists of this round, and the errors of their last ones."""
        twin = self.copy()
        for other, player in enumerate(twin.players):
            if other != seat:
                if player.given is not None or (player.here and not player.dead):
                    player.lists = dice.below(MOST_LISTS + 1)
                    orders = (f"u {dice.below(10)} {dice.below(10)}",) * dice.below(3)
                    player.given = Command(orders) if player.lists else None
                player.errors = ("something",) * dice.below(3)
        twin.dice = dice.split()
        return twin


def _spent(entry: tuple[int, int]) -> int:
    return entry[1]


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    """No option depends on the players."""
    return options


def bound(seats: int, options: Options) -> int:
    """Each player joins once and sends at most MOST_LISTS lists a round."""
    most = seats or options.width * options.height
    return most * (1 + MOST_LISTS * options.max_turn) + options.max_turn
