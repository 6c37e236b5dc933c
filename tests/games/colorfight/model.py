"""A slow reference model of a round of ColorfightII, in plain loops over cells and orders, to test the engine against.

It shares only the texts of orders with the engine: it has its own constants, parser and error messages.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

Spot = tuple[int, int]
"""x and y."""

Text = str | None
"""An order; None stands for an entry that is not a text."""


class Cell(Struct):
    natural_gold: int
    natural_energy: int
    natural_cost: int
    owner: int = 0
    building: str = "empty"
    level: int = 1
    force_field: int = 0


class Person(Struct):
    energy: int
    gold: int
    energy_source: int = 0
    gold_source: int = 0
    tech_level: int = 0
    cells: int = 0
    dead: bool = False
    errors: list[str] = []


class World(Struct):
    """A whole position. Cells are listed x by x, and then y by y."""

    ruleset: Literal["seed", "classic"]
    width: int
    height: int
    cells: dict[Spot, Cell]
    people: dict[int, Person]
    """By uid."""

    def around(self, spot: Spot) -> Iterator[Cell]:
        x, y = spot
        for near in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            if near in self.cells:
                yield self.cells[near]

    def attack_cost(self, spot: Spot) -> int:
        cell = self.cells[spot]
        if cell.building != "home":
            return cell.natural_cost + cell.force_field
        return 1000 * cell.level if self.ruleset == "classic" else 1000 + cell.force_field


def count(world: World) -> None:
    """Count all players' cells, incomes and tech levels."""
    for person in world.people.values():
        person.cells = person.energy_source = person.gold_source = person.tech_level = 0
    for cell in world.cells.values():
        if cell.owner == 0:
            continue
        owner = world.people[cell.owner]
        owner.cells += 1
        if cell.building == "home":
            owner.gold_source += 10 * cell.level
            owner.energy_source += 10 * cell.level
            if cell.level > owner.tech_level:
                owner.tech_level = cell.level
        else:
            owner.gold_source += cell.natural_gold * (1 + cell.level if cell.building == "gold_mine" else 1)
            owner.energy_source += cell.natural_energy * (1 + cell.level if cell.building == "energy_well" else 1)


# A round


Attacks = dict[Spot, list[tuple[int, int]]]


def play_round(world: World, lists: Mapping[int, Sequence[Text]]) -> None:
    """Lists are by uid."""
    attacks: Attacks = {}
    failed: dict[tuple[int, int], str] = {}
    for kinds in ("b", "u", "a") if world.ruleset == "seed" else ("bua",):
        for uid in sorted(lists):
            for place, text in enumerate(lists[uid]):
                done = carry_out(world, uid, text, kinds, attacks)
                if done:
                    failed[uid, place] = done
    for uid, person in world.people.items():
        person.errors = [failed[key] for key in sorted(failed) if key[0] == uid]
    for spot in world.cells:
        if spot in attacks:
            decide(world, spot, attacks[spot])
    count(world)
    fade(world)
    for person in world.people.values():
        person.energy += person.energy_source
        person.gold += person.gold_source
        if person.cells == 0:
            person.dead = True


def carry_out(world: World, uid: int, text: Text, kinds: str, attacks: Attacks) -> str:
    """The error of the order, or an empty string; orders of other kinds are skipped."""
    if text is None or text.split() == []:
        return f"{text} is not a command"
    letter, *rest = text.split()
    if letter not in ("a", "b", "u"):
        return f"{text} is a wrong command, cmd type {letter} is invalid"
    needed = {"a": 3, "b": 3, "u": 2}[letter]
    numbers = []
    for place in range(needed):
        if place == len(rest):
            return f"{text} is a wrong command, list index out of range"
        if letter == "b" and place == 2:
            continue
        if not re.fullmatch("[+-]?[0-9]+", rest[place]):
            return f"{text} is a wrong command, invalid literal for int() with base 10: {rest[place]!r}"
        numbers.append(int(rest[place]))
    if letter not in kinds:
        return ""
    spot = (numbers[0], numbers[1])
    if letter == "a":
        why = attack(world, uid, spot, numbers[2], attacks)
    elif letter == "b":
        why = build(world, uid, spot, rest[2])
    else:
        why = upgrade(world, uid, spot)
    return f"{text} failed, {why}." if why else ""


def attack(world: World, uid: int, spot: Spot, energy: int, attacks: Attacks) -> str:
    person = world.people[uid]
    if spot not in world.cells:
        return "Attack position is not in the map"
    if energy < world.attack_cost(spot):
        return "The energy spent is less than attack cost"
    if energy > person.energy:
        return "Do not have enough energy to attack"
    if all(near.owner != uid for near in world.around(spot)):
        return "No valid surrounding cell to attack"
    person.energy -= energy
    attacks.setdefault(spot, []).append((uid, energy))
    return ""


def build(world: World, uid: int, spot: Spot, letter: str) -> str:
    person = world.people[uid]
    if spot not in world.cells:
        return "Build position is not in the map"
    cell = world.cells[spot]
    if cell.owner != uid:
        return "You need to build on your own cell"
    if cell.building != "empty":
        return "There is a building on this cell already"
    if letter not in ("e", "g"):
        return "Not a correct building"
    if person.gold < 100:
        return "Not enough gold"
    person.gold -= 100
    cell.building = {"e": "energy_well", "g": "gold_mine"}[letter]
    cell.level = 1
    return ""


def upgrade(world: World, uid: int, spot: Spot) -> str:
    person = world.people[uid]
    if spot not in world.cells:
        return "Upgrade position is not in the map"
    cell = world.cells[spot]
    if cell.owner != uid:
        return "You need to upgrade on your own cell"
    if cell.building == "empty":
        return "You can not upgrade empty cell"
    if cell.level == 4:
        return "Level is already at maximum"
    if cell.building == "home":
        gold = energy = {1: 1000, 2: 2000, 3: 4000}[cell.level]
    else:
        if cell.level >= person.tech_level:
            return "You need to upgrade home first"
        gold = {1: 200, 2: 400, 3: 800}[cell.level]
        energy = gold if world.ruleset == "seed" else 0
    if energy > person.energy:
        return "Not enough energy"
    if gold > person.gold:
        return "Not enough gold"
    person.energy -= energy
    person.gold -= gold
    cell.level += 1
    return ""


def decide(world: World, spot: Spot, spent: list[tuple[int, int]]) -> None:
    """The cell's owner, building and force field after the attacks."""
    cell = world.cells[spot]
    total = sum(energy for _, energy in spent)
    attackers = {uid for uid, _ in spent}
    if world.ruleset == "seed":
        counted = [(uid, sum(energy for by, energy in spent if by == uid)) for uid in sorted(attackers)]
        if attackers - {cell.owner}:
            cell.building, cell.level = "empty", 1
    else:
        counted = spent
    for uid, energy in counted:
        if 2 * energy > total:
            if world.ruleset == "classic" and uid != cell.owner:
                cell.building, cell.level = "empty", 1
            cell.owner = uid
            cell.force_field = int(min(1000, 2 * (energy * 2 - total)))


def fade(world: World) -> None:
    for spot, cell in world.cells.items():
        enemies = sum(near.owner not in (0, cell.owner) for near in world.around(spot))
        cell.force_field -= int(cell.force_field * (0.05 * enemies))


# A map's costs


def blurred(cost: Mapping[Spot, int], percent: int) -> dict[Spot, int]:
    """One blur step, computed from the old costs only."""
    new = {}
    for (x, y), own in cost.items():
        near = [spot for spot in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)) if spot in cost]
        come = sum(cost[spot] * percent // 100 for spot in near)
        new[x, y] = own + come - own * len(near) * percent // 100
    return new


def renamed(world: World, name: Callable[[int], int]) -> World:
    """The same position with other uids."""
    cells = {}
    for spot, cell in world.cells.items():
        cells[spot] = Cell(
            cell.natural_gold,
            cell.natural_energy,
            cell.natural_cost,
            name(cell.owner) if cell.owner else 0,
            cell.building,
            cell.level,
            cell.force_field,
        )
    people = {name(uid): person for uid, person in world.people.items()}
    return World(world.ruleset, world.width, world.height, cells, dict(sorted(people.items())))
