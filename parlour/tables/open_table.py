"""Open tables and their seats."""

import asyncio
import hmac
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from parlour.core import Game, Seat
from parlour.players.remote import RemotePlayer
from parlour.protocol.errors import RequestError
from parlour.protocol.feed import FeedChat, FeedWaiting, WatchedSeat
from parlour.protocol.forms import Plan, TableTerms
from parlour.referee.transcript import commitment, match_name
from parlour.tables.match_feed import Watcher, Watchers
from parlour.tables.seat_log import waiting_log


class Chair(Struct, eq=False):
    """A seat of an open table."""

    plan: Plan
    account: int | None = None
    name: str | None = None
    salt: str = ""
    about: dict[str, int | str] = {}
    """Facts that the player stated, for the game; not stored."""
    player: RemotePlayer | None = None
    """The connected client."""
    taken_at: float = 0.0
    """When the seat was taken, in loop time."""
    guest: bool = False
    """Whether the seat is freed if the connection is lost before the match."""
    is_guest: bool = False
    """Whether its player has no account, and so may never return."""
    held_for: object = None
    """The client that the seat is reserved for while it introduces itself."""
    is_untold: bool = False
    """Whether its guest will be told its token just before the first line is stored."""
    is_told: bool = False
    """Whether its guest may have been told its token before the match began, and may resume the seat."""
    reserved_for: int | None = None
    """The only account that may take the seat: at a rematch, the one that had it before."""

    def freed(self) -> "Chair":
        """The seat without its player."""
        return Chair(self.plan, reserved_for=self.reserved_for)

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
    def is_anybodys(self) -> bool:
        return self.free and self.plan.kind == "open"


class OpenTable:
    """A table that is not full yet."""

    def __init__(self, game: Game[Any], terms: TableTerms, seed: bytes, chairs: list[Chair]) -> None:
        self.game = game
        self.terms = terms
        self.seed = seed
        self.chairs = chairs
        self.key_hash: str | None = None
        self.rematch_of: str | None = None
        """The match whose players play again here."""
        self.is_kept = False
        """Whether it is stored. A quick table is stored when its first seat is taken."""
        self.is_due = False
        """Whether its waiting time is over. No more quick players are sent here, or the wait might never end."""
        self.latest = 0.0
        """When a table that is due stops waiting for guests that have not connected."""
        self.is_retried = False
        """Whether another attempt to begin its match is scheduled after a failure of the store."""
        self.timer: asyncio.TimerHandle | None = None
        self.due_at = 0.0
        """When its waiting time is over; not every loop's timer has its time."""
        self.lock = asyncio.Lock()
        self.closed = asyncio.Event()
        """Set when its match has begun or the table was dropped."""
        self._watchers = Watchers()
        """Spectators."""
        self._players: dict[int, Watchers] = {}
        """By account, players that watch their table."""
        self.resigned: Callable[[RemotePlayer], None] = lambda player: None
        """Called when a connected player gives up its seat; set by the arena."""

    @property
    def id(self) -> str:
        return match_name(self.seed)

    @property
    def commit(self) -> str:
        """The hash of the seed, published before the match."""
        return commitment(self.seed)

    def close(self) -> None:
        """The match begins, the table was dropped, or the server stops."""
        self.closed.set()
        self.resigned = lambda player: None  # the arena's function refers to this table
        for watchers in self._all_watchers():
            watchers.end()

    def watch(self, account: int | None = None) -> Watcher:
        """Send the seats now, and whenever `tell_seats` is called, until the table is closed. A player, who gives its
        account, is also sent the chat."""
        self._players = {each: watchers for each, watchers in self._players.items() if watchers}
        watchers = self._watchers if account is None else self._players.setdefault(account, Watchers())
        watcher = watchers.add([self.seats_message()])
        if self.closed.is_set():  # between the request and its first message
            watchers.end()
        return watcher

    def tell_seats(self) -> None:
        """Tell watchers that a seat was taken or freed."""
        if any(self._all_watchers()):
            message = self.seats_message()
            for watchers in self._all_watchers():
                watchers.tell(message)

    def tell_chat(self, message: FeedChat) -> None:
        """Send a chat message to the accounts that have a seat now."""
        encoded = msgspec.json.encode(message)
        for account, watchers in self._players.items():
            if self.seat_of(account) is not None:
                watchers.tell(encoded)

    def _all_watchers(self) -> list[Watchers]:
        return [self._watchers, *self._players.values()]

    def seats_message(self) -> bytes:
        """Its game and seats, for watchers."""
        seats = tuple(WatchedSeat(chair.plan.kind, chair.name) for chair in self.chairs)
        return msgspec.json.encode(FeedWaiting(self.game.name, seats))

    def is_full(self) -> bool:
        return all(chair.taken for chair in self.chairs)

    def is_ready(self) -> bool:
        """Whether the match can begin."""
        return self.is_full() and not any(chair.is_awaited or self.is_missed(chair) for chair in self.chairs)

    def is_missed(self, chair: Chair) -> bool:
        """Whether the others at a quick table wait for a guest that has taken a seat and is not connected."""
        return self.terms.quick and chair.is_guest and chair.account is not None and not chair.is_connected

    def is_expected(self, chair: Chair, now: float, within_s: float) -> bool:
        """Whether a missed guest took its seat so recently that it may be about to connect for the first time."""
        return self.is_missed(chair) and chair.player is None and now < min(chair.taken_at + within_s, self.latest)

    def seat_of(self, account: int) -> Seat | None:
        return next((seat for seat, chair in enumerate(self.chairs) if chair.account == account), None)

    def people(self) -> int:
        """Number of seats taken by accounts or guests, not bots."""
        return sum(chair.account is not None for chair in self.chairs)

    def connect(self, seat: Seat, player: RemotePlayer, *, guest: bool, untold: bool = False) -> None:
        """Connect the player of a seat, and disconnect an earlier connection. `untold`: see Chair."""
        chair = self.chairs[seat]
        if chair.player is not None and chair.player is not player:
            if (log := waiting_log(chair.player)) is not None and waiting_log(player) is not None:
                log.go_on(player)
            chair.player.let_go()
        chair.player, chair.guest, chair.is_untold = player, guest, untold
        player.on_resigned(partial(self.resigned, player))

    def held(self, holder: object) -> Seat | None:
        """The seat that is reserved for a client."""
        held = [seat for seat, chair in enumerate(self.chairs) if chair.held_for is not None]
        return next((seat for seat in held if self.chairs[seat].held_for is holder), None)

    def place_for(self, holder: object) -> Seat:
        """The seat that a client will probably get."""
        free = next((seat for seat, chair in enumerate(self.chairs) if chair.is_anybodys), 0)
        return free if (held := self.held(holder)) is None else held

    def reserved(self, account: int) -> Seat | None:
        """The free seat that is reserved for an account."""
        free = ((seat, chair) for seat, chair in enumerate(self.chairs) if chair.free)
        return next((seat for seat, chair in free if chair.reserved_for == account), None)

    def free_seat(self, key: str) -> Seat:
        """A free open seat; with the key an invited one first. RequestError if there is none."""
        if self.rematch_of is not None and not self.is_full():
            raise RequestError(403, "not_yours", "the free seats are for players of the match before")
        invited = self.key_hash is not None and hmac.compare_digest(sha256(key.encode()).hexdigest(), self.key_hash)
        kinds = ("invited", "open") if invited else ("open",)
        for kind in kinds:
            for seat, chair in enumerate(self.chairs):
                if chair.plan.kind == kind and chair.free:
                    return seat
        if self.key_hash is not None and not invited and not self.is_full():
            raise RequestError(403, "key_needed", "the free seats need the key of the table")
        raise RequestError(409, "table_full", "all seats are taken")

    def release(self, holder: object) -> None:
        """Cancel a client's reservation."""
        for chair in self.chairs:
            if chair.held_for is holder:
                chair.held_for = None
