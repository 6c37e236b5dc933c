"""Send the seats of an open table to its spectators and players."""

import msgspec

from parlour.protocol.feed import FeedChat, FeedWaiting, WatchedSeat
from parlour.tables.match_feed import Watcher, Watchers
from parlour.tables.seat_keeper import SeatKeeper


class WaitingFeed:
    """Sends the seats of a table whenever they change, until its match begins or the table is dropped."""

    def __init__(self, game: str, seats: SeatKeeper) -> None:
        self._game = game
        self._seats = seats
        self._watchers: dict[int | None, Watchers] = {}
        """By account, players that watch their table; None: spectators."""
        self._has_ended = False

    def watch(self, account: int | None = None) -> Watcher:
        """Send the seats now, and whenever they change. A player, who gives its account, is also sent the chat."""
        self._watchers = {each: watchers for each, watchers in self._watchers.items() if watchers.all}
        watchers = self._watchers.setdefault(account, Watchers())
        watcher = watchers.add([self.message()])
        if self._has_ended:  # between the request and its first message
            watchers.end()
        return watcher

    def tell_seats(self) -> None:
        """Tell watchers that a seat was taken or freed."""
        if any(watchers.all for watchers in self._watchers.values()):
            message = self.message()
            for watchers in self._watchers.values():
                watchers.tell(message)

    def tell_chat(self, message: FeedChat) -> None:
        """Send a chat message to the accounts that have a seat now."""
        encoded = msgspec.json.encode(message)
        for account, watchers in self._watchers.items():
            if account is not None and self._seats.seat_of(account) is not None:
                watchers.tell(encoded)

    def end(self) -> None:
        self._has_ended = True
        for watchers in self._watchers.values():
            watchers.end()

    def message(self) -> bytes:
        """The game and its seats."""
        seats = tuple(WatchedSeat(chair.plan.kind, chair.name) for chair in self._seats.chairs)
        return msgspec.json.encode(FeedWaiting(self._game, seats))
