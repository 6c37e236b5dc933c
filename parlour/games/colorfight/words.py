"""Events and views as text for people, and typed orders."""

from collections.abc import Sequence

from parlour.core import Board, Event, Seat
from parlour.games.colorfight.values import MOST_LETTERS, MOST_ORDERS, Command, Failed, Joined, Left, Turned, View


def say(event: Event, names: Sequence[str]) -> str:
    """One line per event; for errors, one line each."""
    match event:
        case Joined(name=name, at=at):
            return f"  {name} joins, with a home on cell {at}"
        case Turned(turn=turn, cells=cells, users=users):
            richest = max(users, key=lambda user: user.gold, default=None)
            lead = "" if richest is None else f"; {names[users.index(richest)]} leads with {richest.gold} gold"
            changed = "1 cell changed" if len(cells) == 1 else f"{len(cells) or 'no'} cells changed"
            return f"Round {turn}: {changed}{lead}"
        case Failed(seat=seat, words=words):
            return "\n".join(f"  {names[seat]}: {each}" for each in words)
        case Left(seat=seat, why=why):
            return f"  {names[seat]} left ({why})"
        case _:
            raise TypeError(f"not an event of ColorfightII: {event!r}")


def board(view: View, names: Sequence[str]) -> Board:
    """A row per player, and the map: a letter for each owner, in upper case where there is a building."""
    rows = tuple(
        (
            f"{_letter(uid)} {name}" + (" (dead)" if user.dead else ""),
            str(user.cells),
            f"{user.energy} (+{user.energy_source})",
            f"{user.gold} (+{user.gold_source})",
            str(user.tech_level),
        )
        for uid, (user, name) in enumerate(zip(view.users, names, strict=True), start=1)
    )
    heading = f"Round {view.turn} of {view.max_turn}"
    return Board(heading, ("player", "cells", "energy", "gold", "tech level"), rows, _map(view))


def part(view: View) -> str:
    """`Round 11`, `End`."""
    return "End" if view.over else f"Round {view.turn}"


def to_act(view: View) -> tuple[Seat, ...]:
    """Nobody: all give their orders in secret until the round closes."""
    return ()


def _letter(uid: int) -> str:
    return chr(ord("a") + (uid - 1) % 26)


def _map(view: View) -> str:
    cells = [
        "." if not owner else _letter(owner) if building == " " else _letter(owner).upper()
        for owner, building in zip(view.owner, view.building, strict=True)
    ]
    starts = range(0, len(cells), view.width)
    return "\n".join(" ".join(cells[start : start + view.width]) for start in starts)


def hear(text: str, view: View, ask: object) -> Command | str | None:
    """Orders separated by commas or semicolons; an empty line means no orders."""
    orders = [part.strip() for part in text.replace(";", ",").split(",")]
    given = [order for order in orders if order]
    if len(given) > MOST_ORDERS or any(len(order) > MOST_LETTERS for order in given):
        return f"at most {MOST_ORDERS} orders of {MOST_LETTERS} letters"
    return Command(tuple(given))


def hint(ask: object) -> str:
    return "orders separated by commas: a X Y ENERGY attacks, b X Y e or g builds, u X Y upgrades; Enter alone: none"


def standing(views: Sequence[View]) -> list[int]:
    """The gold of each seat; all seats have the same view."""
    return [user.gold for user in views[0].users] if views else []
