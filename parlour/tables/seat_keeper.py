"""The seats of one table: their owners, the connected clients, and players that have left and may return."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from msgspec import Struct

from parlour.core import Ask, Asked, Notice, Place, Seat, Value
from parlour.players.remote import RemotePlayer
from parlour.protocol.forms import Plan
from parlour.referee.player import Player, Post


class Occupant(Player, Protocol):
    """A player that can lose its seat to another connection of the same owner."""

    def on_replaced(self) -> None:
        """Disconnect, because another connection has the seat now."""


class Absent:
    """A seat without a connection. Its owner may resume it at any time.

    Asks with a default are answered with it, so that the absent player loses nothing.
    """

    follows = False

    def __init__(self) -> None:
        self._post: Post | None = None

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._post = post

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Asked) and self._post is not None and notice.ask.default is not None:
            self._post(notice.ask.default, notice.n)

    def auto(self, ask: Ask[Any]) -> Any | None:
        return ask.default


class Chair(Struct, eq=False):
    """A seat of a table."""

    plan: Plan
    account: int | None = None
    name: str | None = None
    salt: str = ""
    about: dict[str, int | str] = {}
    """Facts that the player stated, for the game; not stored."""
    occupant: Occupant | None = None
    """The connected player of its owner."""
    taken_at: float = 0.0
    """When the seat was taken, in loop time."""
    guest: bool = False
    """Whether the seat is freed if the connection is lost before the match."""
    must_connect: bool = False
    """Whether the match does not begin before its player is connected: a guest at a quick table may never return."""
    held_for: object = None
    """The client that the seat is reserved for while it introduces itself."""
    is_untold: bool = False
    """Whether its guest will be told its token just before the first line is stored."""
    is_told: bool = False
    """Whether its guest may have been told its token before the match began, and may resume the seat."""
    reserved_for: int | None = None
    """The only account that may take the seat: at a rematch, the one that had it before."""
    team: frozenset[int] = frozenset()
    """The accounts that share the seat: the newest connection of any of them has it. Empty: only `account` has it."""
    is_hopeless: bool = False
    """Whether its owner cannot return, because the account has no valid token, or was absent when a match of a league
    began."""
    is_late: bool = False
    """Whether its owner was absent when its last match of the league began, and is waited for only a moment."""
    is_kicked: bool = False
    """Whether its owner was removed from the match for good."""
    leaving: asyncio.TimerHandle | None = None
    """Set while its owner may return in time."""

    def freed(self) -> "Chair":
        """The seat without its player."""
        return Chair(self.plan, reserved_for=self.reserved_for)

    @property
    def player(self) -> RemotePlayer | None:
        """The occupant, if it is a client of ours."""
        return self.occupant if isinstance(self.occupant, RemotePlayer) else None

    @property
    def owners(self) -> frozenset[int]:
        """The accounts that may play at the seat."""
        return self.team or frozenset(() if self.account is None else (self.account,))

    def is_owned_by(self, account: int) -> bool:
        """Whether the account may play at the seat."""
        return account in self.team if self.team else account == self.account

    def loses(self, account: int) -> bool:
        """Take the seat from an account; whether no other account has it."""
        self.team -= {account}
        return not self.team

    @property
    def taken(self) -> bool:
        return self.name is not None

    @property
    def free(self) -> bool:
        return not self.taken and self.held_for is None

    @property
    def is_connected(self) -> bool:
        return self.player is not None and self.player.peer.gone is None

    @property
    def is_awaited(self) -> bool:
        """Whether its guest must resume before the match can begin: only the guest knows whether it has its token."""
        return self.is_told and not self.is_connected

    @property
    def is_missed(self) -> bool:
        """Whether the match waits for the player that has taken the seat, because it is not connected."""
        return self.must_connect and self.account is not None and not self.is_connected

    def is_expected(self, now: float, within_s: float, latest: float) -> bool:
        """Whether the player took the seat so recently that it may be about to connect for the first time."""
        return self.is_missed and self.player is None and now < min(self.taken_at + within_s, latest)

    @property
    def is_left(self) -> bool:
        """Whether its guest has disconnected before the match, and cannot resume it."""
        return self.guest and self.player is not None and not self.is_connected and not self.is_told

    @property
    def is_open_to_all(self) -> bool:
        """Whether any player may take it now."""
        return self.free and self.plan.kind == "open"

    def cancel_timer(self) -> None:
        """Cancel the timer: its owner has returned, or the match has ended."""
        if self.leaving is not None:
            self.leaving.cancel()
            self.leaving = None


class SeatKeeper:
    """Keeps the seats of a table for their owners, before the match and during it."""

    def __init__(self, chairs: list[Chair], return_s: float | None) -> None:
        """`return_s`: how long a seat of a running match is kept for a client that has lost its connection; None: until
        the end."""
        self.chairs = chairs
        self._return_s = return_s
        self.left: Callable[[Seat, str], None] = _nobody
        """Called with a seat of the running match whose owner has left for good, and why."""
        self.changed: Callable[[], None] = lambda: None
        """Called when a seat has become free, or the table is closed; set by its seating policy."""

    @property
    def accounts(self) -> list[int | None]:
        """The account of each seat."""
        return [chair.account for chair in self.chairs]

    @property
    def connected(self) -> dict[Seat, RemotePlayer]:
        """The last client of each seat that has had one."""
        return {seat: chair.player for seat, chair in enumerate(self.chairs) if chair.player is not None}

    def seat_of(self, account: int) -> Seat | None:
        return next((seat for seat, chair in enumerate(self.chairs) if chair.is_owned_by(account)), None)

    def name_of(self, account: int) -> str:
        """The name under which the account has a seat; empty if it has none."""
        return next((chair.name or "" for chair in self.chairs if chair.is_owned_by(account)), "")

    def people(self) -> int:
        """Number of seats taken by accounts or guests, not bots."""
        return sum(chair.account is not None for chair in self.chairs)

    def is_full(self) -> bool:
        return all(chair.taken for chair in self.chairs)

    # Reservations

    def held(self, holder: object) -> Seat | None:
        """The seat that is reserved for a client."""
        return next(
            (seat for seat, chair in enumerate(self.chairs) if holder is not None and chair.held_for is holder), None
        )

    def place_for(self, holder: object) -> Seat:
        """The seat that a client will probably get."""
        free = next((seat for seat, chair in enumerate(self.chairs) if chair.is_open_to_all), 0)
        return free if (held := self.held(holder)) is None else held

    def release(self, holder: object) -> None:
        """Cancel a client's reservation."""
        for chair in self.chairs:
            if chair.held_for is holder:
                chair.held_for = None
                self.changed()

    # Connections

    def has_newer(self, chair: Chair, occupant: Occupant) -> bool:
        """Disconnect a player if the owner of its seat has connected again in the meantime; whether that was so."""
        newer = chair.player if chair.is_connected else None
        if newer is None or not isinstance(occupant, RemotePlayer) or newer.order <= occupant.order:
            return False
        occupant.on_replaced()
        return True

    def occupy(self, chair: Chair, occupant: Occupant) -> None:
        """Give a seat to a player of its owner, and disconnect an earlier one."""
        chair.cancel_timer()
        before, chair.occupant = chair.occupant, occupant
        if before is not None and before is not occupant:
            before.on_replaced()

    def keep(self, chair: Chair) -> None:
        """From now on, keep the seat if its client loses the connection and the protocol lets clients return."""
        if chair.player is not None:
            chair.player.lost = partial(self.lose, chair) if chair.player.dialect.can_reconnect else None

    def lose(self, chair: Chair) -> None:
        """The connection of a seat is lost; its owner has some time to resume, unless it has done so already: the match
        may notice the end of a connection after the seat has a newer one."""
        if self._return_s is not None and chair.leaving is None and not (chair.is_kicked or chair.is_connected):
            chair.leaving = asyncio.get_running_loop().call_later(self._return_s, self._gone, chair, "dead")

    def begin_absent(self, chair: Chair) -> None:
        """Begin or resume the match without the player of a seat. Its owner may return later, if it can."""
        if chair.account is None or chair.is_hopeless:
            self._gone(chair, "dead")
        else:
            self.lose(chair)

    def kick(self, account: int) -> None:
        """Remove an account for good. The code that bars the account disconnects its clients."""
        for chair in self.chairs:
            if chair.is_owned_by(account) and not chair.is_kicked and chair.loses(account):
                chair.is_kicked, chair.occupant = True, None
                chair.cancel_timer()
                self._gone(chair, "kicked")

    def _gone(self, chair: Chair, why: str) -> None:
        self.left(self.chairs.index(chair), why)

    def end(self) -> None:
        """Cancel all timers, because the match has ended or stopped."""
        self.left = _nobody  # break the reference cycle with the table
        for chair in self.chairs:
            chair.cancel_timer()
            if chair.player is not None:
                chair.player.lost = None

    async def disconnect_all(self) -> None:
        for player in self.connected.values():
            await player.peer.close()


def _nobody(seat: Seat, why: str) -> None:
    """Placeholder for `SeatKeeper.left` while no match runs."""
