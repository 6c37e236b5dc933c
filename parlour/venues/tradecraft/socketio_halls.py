"""Halls of tradeCraft for Socket.IO clients: a client logs in, gets a token, enters a hall, and plays when ready.

A name belongs to the holder of its token while that user is connected or has a seat. Only a page of the browser that
the user last connected with, known by a cookie, can take the name without the token.
State changes before anyone is told of the change, so two events of a client never interleave.
"""

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from typing import Any

import msgspec
from litestar.types import ASGIApp

from parlour.core.values import why_not_a_name
from parlour.games.tradecraft.events import IN_ROOM, Events
from parlour.games.tradecraft.nodes import crafting_items
from parlour.server.net import socketio_clients as clients
from parlour.server.net.browser_origins import is_same
from parlour.server.net.socketio_clients import Clients, Said
from parlour.transports.limits import MESSAGE_BYTES, MOST_USERS
from parlour.transports.queued import QueuedPeer
from parlour.venues.tradecraft.hall import Hall, NotGiven, Registry, Strangers

FULL = "there are too many already, or too many from your address"

Tell = Callable[[str, Any], Awaitable[None]]


class Seat:
    """A user's place at a table: events come in as messages of the dialect, and messages go out as events."""

    def __init__(self, tell: Tell) -> None:
        self.peer = QueuedPeer(self._send)
        self.peer.way = "socket.io"
        self.over = False
        """Whether the match has ended."""
        self.game = ""
        """The name of the match, once it has begun."""
        self._tell = tell

    def hear(self, event: str, said: Said) -> None:
        data = msgspec.json.encode({**said, "type": event})
        self.peer.took(data if len(data) <= MESSAGE_BYTES else None)

    def end(self) -> None:
        """Disconnect: the connection is lost or replaced by another."""
        self.peer.drop("dead")

    async def _send(self, message: bytes) -> None:
        event, body = msgspec.json.decode(message)
        self.over = self.over or event == "game_over"
        if event == "game_start":
            self.game = body["gamename"]
        await self._tell(event, body)


class User:
    """A user who has logged in: its connection, hall and seat, if it has them."""

    def __init__(self, name: str, token: str) -> None:
        self.name = name
        self.token = token
        self.address = ""
        """The address of its last connection."""
        self.page = ""
        """The cookie of the browser of its last connection."""
        self.client: str | None = None
        self.hall: str | None = None
        self.seat: Seat | None = None

    def proves(self, token: object) -> bool:
        return isinstance(token, str) and hmac.compare_digest(token.encode(), self.token.encode())


class Halls:
    """All halls and their users."""

    def __init__(
        self,
        halls: Mapping[str, Hall],
        registry: Registry | None = None,
        *,
        per_address: int = MOST_USERS,
        origins: Collection[str] = (),
    ) -> None:
        """`per_address` limits the users of one address. `origins` are other servers whose pages may connect."""
        self._halls = halls
        self._per_address = per_address
        self._registry = registry or Strangers()
        self._registry.on_ended(self._ended)
        self._addresses: dict[str, str] = {}
        """By connection, its address."""
        self._pages: dict[str, str] = {}
        """By connection, the cookie of its browser."""
        self._users: dict[str, User] = {}
        """By name."""
        self._here: dict[str, User] = {}
        """By connection."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._clients = Clients(self._came, self._heard, self._lost, self._here.__contains__, origins)

    def app(self, other: ASGIApp) -> ASGIApp:
        """Serve Socket.IO at its usual path, and `other` elsewhere."""
        return self._clients.app(other)

    async def close(self) -> None:
        """Disconnect all clients. To be called before the web server stops."""
        for user in self._users.values():
            if user.seat is not None:
                user.seat.end()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._clients.close()

    # Events of clients

    async def _came(self, client: str, address: str, page: str = "") -> None:
        """Ask a new connection for the token of an earlier session, which it may resume."""
        self._addresses[client], self._pages[client] = address, page
        await self._tell(client, "restored_proof_requested", {})

    async def _heard(self, client: str, event: str, said: Said) -> None:
        match event:
            case "login":
                await self._login(client, said)
            case "restored_proof":
                await self._restore(client, said)
            case "player__crafting_item_list":  # the original page asks for it before login
                await self._list_items(client)
            case clients.UNREADABLE:
                await self._refuse(client, "bad_message", "an event has a name, and an object that is not too deep")
            case _:
                await self._known(client, event, said)

    async def _list_items(self, client: str) -> None:
        user = self._here.get(client)
        seat = None if user is None else user.seat
        game = seat.game if seat is not None and seat.game else user.hall if user is not None and user.hall else ""
        body = {"game": game, "gamename": game, "crafting_item_list": crafting_items()}
        await self._tell(client, "crafting_item_list", body)

    async def _known(self, client: str, event: str, said: Said) -> None:
        """Handle the events that need the token of this connection's user."""
        user = self._here.get(client)
        if user is None or not user.proves(said.get("_token", said.get("token"))):
            await self._refuse(client, "bad_token", "log in first, and send your token")
            return
        match event:
            case "get_entry_info":
                await self._tell(client, "entry_info", {"halls": [self._described(hall) for hall in self._halls]})
            case "get_hall_info":
                await self._hall_info(client, said.get("_hallname"))
            case "enter_hall":
                await self._enter(user, client, said.get("_hallname"))
            case "player__ready_to_start":
                await self._ready(user, client)
            case _ if event.startswith("player__"):
                await self._play(user, client, event.removeprefix("player__"), said)
            case _:
                await self._refuse(client, "bad_event", "there is no such event")

    async def _login(self, client: str, said: Said) -> None:
        """Log in a guest under a free name, or a reloaded page under the name that it had."""
        name = said.get("username")
        self._tidy()
        if (here := self._here.get(client)) is not None:
            await self._tell(client, "session_conflict", _status(3, f"you are logged in as {here.name}"))
        elif why := why_not_a_name(name):
            await self._refuse(client, "bad_login", why)
        elif not isinstance(name, str) or name.strip() != name:
            await self._refuse(client, "bad_login", "a name neither begins nor ends with a space")
        elif (user := self._users.get(name)) is not None and is_same(user.page, self._pages.get(client, "")):
            await self._come_back(user, client)
        elif user is not None:
            await self._tell(client, "username_conflict", _status(2, "somebody has that name"))
        elif not self._has_room(self._addresses.get(client, "")):
            await self._refuse(client, "full", FULL)
        else:
            await self._register(client, name)

    def _has_room(self, address: str) -> bool:
        """Whether one more user of this address is allowed. Long polling escapes the limits on connections."""
        neighbours = sum(user.address == address for user in self._users.values())
        return len(self._users) < MOST_USERS and neighbours < self._per_address

    async def _register(self, client: str, name: str) -> None:
        try:
            token = await self._registry.token(name, self._addresses.get(client, ""))
        except NotGiven as e:
            await self._refuse(client, e.code, str(e))
            return
        if name in self._users or client in self._here:  # taken in the meantime
            self._registry.forget(token)
            await self._tell(client, "username_conflict", _status(2, "somebody has that name"))
        elif client not in self._addresses:
            self._registry.forget(token)
        elif not self._has_room(self._addresses[client]):
            self._registry.forget(token)
            await self._refuse(client, "full", FULL)
        else:
            user = self._users[name] = User(name, token)
            self._at(user, client)
            await self._tell(client, "login_success", _welcome(user, 0))

    async def _restore(self, client: str, said: Said) -> None:
        """Give the holder of a token its name, and its seat if there is one."""
        try:
            user = await self._remembered(said.get("_username"), said.get("_token"))
        except NotGiven as e:
            await self._tell(client, "restored_proof_invalid", _status(3, str(e)))
            return
        if client not in self._addresses:  # disconnected in the meantime
            return
        if (here := self._here.get(client)) is not None:
            await self._tell(client, "session_conflict", _status(3, f"you are logged in as {here.name}"))
        elif user is not None and user.proves(said.get("_token")):
            await self._come_back(user, client)
        elif not said.get("_username") and not said.get("_token") and (left := self._left_by(client)) is not None:
            await self._come_back(left, client)
        else:
            await self._tell(client, "restored_proof_invalid", _status(3, "no such name and token"))

    def _left_by(self, client: str) -> User | None:
        """The user of a reloaded page that has no token: the only disconnected user of its browser who has a seat."""
        page = self._pages.get(client, "")
        lost = [user for user in self._users.values() if user.client is None and is_same(user.page, page)]
        seated = [user for user in lost if self._is_seated(user)]
        return seated[0] if len(seated) == 1 else None

    def _at(self, user: User, client: str) -> None:
        """Note that the user is now connected there."""
        user.client, user.address, user.page = client, self._addresses.get(client, ""), self._pages.get(client, "")
        self._here[client] = user

    async def _remembered(self, name: object, token: object) -> User | None:
        """The user of that name, who may have a seat from before the server started."""
        if not isinstance(name, str) or not isinstance(token, str):
            return None
        if name not in self._users and (hall := await self._registry.hall(name, token)) is not None:
            user = self._users.setdefault(name, User(name, token))
            user.hall = user.hall or (hall if user.proves(token) else None)
        return self._users.get(name)

    async def _come_back(self, user: User, client: str) -> None:
        if user.client is not None:
            del self._here[user.client]
        self._at(user, client)
        before = self._seat(user)
        seated = self._is_seated(user)
        if before is not None:
            before.end()
        if seated:
            known = {"token": user.token} if self._keeps(user) else {"username": user.name}
            self._sit(user, client, known, returns=True)
        await self._tell(client, "login_success", _welcome(user, 1))
        where = {"gamename": user.hall, "gametype": "Game" if seated else "MainEntry"}
        await self._tell(client, "game_restored", where)

    async def _hall_info(self, client: str, hall: object) -> None:
        if isinstance(hall, str) and hall in self._halls:
            await self._tell(client, "hall_info", {"hallname": hall, "general_info": self._described(hall)})
        else:
            await self._refuse(client, "no_such_hall", "there is no such hall")

    async def _enter(self, user: User, client: str, hall: object) -> None:
        """Move the user to a hall. A user who is already there is told so again; the others are not."""
        if not isinstance(hall, str) or hall not in self._halls:
            await self._refuse(client, "no_such_hall", "there is no such hall")
        elif self._is_seated(user):
            await self._refuse(client, "not_now", "you have a seat")
        elif user.hall == hall:
            await self._tell(client, "player_enter_room", self._in_room(hall, user))
        else:
            before, user.hall = user.hall, hall
            if before is not None:
                await self._all(before, "player_leave_room", self._in_room(before, user))
            await self._all(hall, "player_enter_room", self._in_room(hall, user))

    async def _ready(self, user: User, client: str) -> None:
        if user.hall is None:
            await self._refuse(client, "not_now", "enter a hall first")
        elif user.seat is None and self._keeps(user):  # its match began while it was disconnected
            self._sit(user, client, {"token": user.token})
        elif self._is_seated(user):
            await self._refuse(client, "not_now", "you are ready already")
        else:
            self._sit(user, client, {"username": user.name})
            await self._all(user.hall, "player_ready_to_start", {"username": user.name, "gamename": user.hall})

    async def _play(self, user: User, client: str, event: str, said: Said) -> None:
        seat = self._seat(user)
        if seat is None or seat.over:
            told = {key: value for key, value in said.items() if key not in ("token", "_token")}
            told |= {"phase": "lobby", "incoming_event": f"player__{event}"}
            await self._tell(client, "phase_error", told)
        elif seat.peer.gone is not None:
            await self._refuse(client, "no_seat", "your seat is taken by another connection, or you have left it")
        else:
            seat.hear(event, said)

    # Seats

    def _seat(self, user: User) -> Seat | None:
        """The seat that the user has, or may return to."""
        seat = user.seat
        if seat is not None and (seat.over or seat.peer.gone is not None) and not self._keeps(user):
            user.seat = None
        return user.seat

    def _is_seated(self, user: User) -> bool:
        return self._seat(user) is not None or self._keeps(user)

    def _keeps(self, user: User) -> bool:
        return user.hall is not None and self._halls[user.hall].keeps(user.token)

    def _sit(self, user: User, client: str, introduction: Said, *, returns: bool = False) -> None:
        """Join the hall's table, or return to it."""
        assert user.hall is not None
        seat = user.seat = Seat(lambda event, body: self._tell(client, event, body))
        dialect = Events(returns=returns)
        dialect.token = user.token
        seat.hear("login", introduction)
        self._halls[user.hall].greet(seat.peer, dialect)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Connections

    async def _lost(self, client: str) -> None:
        self._addresses.pop(client, None)
        self._pages.pop(client, None)
        user = self._here.pop(client, None)
        if user is None:
            return
        user.client = None
        if user.seat is not None:
            user.seat.end()
        if user.hall is not None:
            await self._all(user.hall, "player_leave_room", self._in_room(user.hall, user))

    def _ended(self, token: str, code: str, words: str) -> None:
        """Take name and seat from the user of a token that is no longer valid."""
        for user in [user for user in self._users.values() if user.token == token]:
            del self._users[user.name]
            if user.client is not None:
                self._run(self._send_off(user.client, code, words))

    async def _send_off(self, client: str, code: str, words: str) -> None:
        await self._lost(client)
        await self._refuse(client, code, words)
        await self._clients.let_go(client)

    def _tidy(self) -> None:
        """Free the names of users who are disconnected and have no seat."""
        gone = [user for user in self._users.values() if user.client is None and not self._is_seated(user)]
        for user in gone:
            del self._users[user.name]
            self._registry.forget(user.token)

    async def _tell(self, client: str, event: str, body: Any) -> None:
        await self._clients.tell(client, f"server__{event}", body)

    async def _refuse(self, client: str, code: str, words: str) -> None:
        await self._tell(client, "error", {"code": code, "message": words})

    async def _all(self, hall: str, event: str, body: Any) -> None:
        for client, user in [*self._here.items()]:
            if user.hall == hall:
                await self._tell(client, event, body)

    # Bodies of events

    def _described(self, hall: str) -> list[Any]:
        host = self._halls[hall]
        inside = [user for user in self._here.values() if user.hall == hall]
        playing = sum(map(self._keeps, inside))
        counts = {
            "ongoing_games": host.playing,
            "ingame_players": playing,
            "available_players": len(inside) - playing,
        }
        return [hall, f"tradeCraft for {host.seats}", counts]

    def _in_room(self, hall: str, user: User) -> dict[str, Any]:
        names = [each.name for each in self._here.values() if each.hall == hall]
        return {**IN_ROOM, "gamename": hall, "playername": user.name, "player_list": names}


def _status(code: int, words: str) -> dict[str, Any]:
    return {"status_code": code, "message": words}


def _welcome(user: User, status: int) -> dict[str, Any]:
    return {**_status(status, f"you are {user.name}"), "username": user.name, "token": user.token}
