"""Halls of tradeCraft for Socket.IO clients: a client logs in, gets a token, enters a hall, and plays when ready.

A name belongs to the holder of its token while that user is connected or has a seat. Only a page of the browser that
the user last connected with, known by a cookie, can take the name without the token.
State changes before anyone is told of the change, so two events of a client never interleave.
"""

import asyncio
import hmac
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from litestar.types import ASGIApp
from sqlalchemy.exc import SQLAlchemyError

from parlour.core.values import why_not_a_name
from parlour.games.tradecraft.events import IN_ROOM, Events
from parlour.games.tradecraft.nodes import crafting_items
from parlour.players.remote import REPLACED
from parlour.protocol.errors import RequestError
from parlour.server.accounts import ChosenVisits, visit_of
from parlour.server.api.app import tell_failure
from parlour.server.net import socketio_clients as clients
from parlour.server.net.attempts import Attempts
from parlour.server.net.browser_origins import is_same
from parlour.server.net.socketio_clients import Clients, EventClient, Said
from parlour.store.store import Token
from parlour.transports.limits import MESSAGE_BYTES, MOST_USERS, MOVES_A_MINUTE
from parlour.transports.peer import Peer
from parlour.venues.tradecraft.hall import Guests

FULL = "there are too many already, or too many from your address"


class HallSeat(Peer):
    """A user's place at a table: events come in as messages of the dialect, and messages go out as events."""

    def __init__(self, client: EventClient) -> None:
        super().__init__()
        self.over = False
        """Whether the match has ended."""
        self.game = ""
        """The name of the match, once it has begun."""
        self._client = client
        self._is_leaving = False

    def hear(self, event: str, said: Said) -> None:
        data = msgspec.json.encode({**said, "type": event})
        self.receive(data if len(data) <= MESSAGE_BYTES else None)

    def send(self, messages: Iterable[bytes]) -> None:
        for message in messages if self.gone is None and not self._is_leaving else ():
            event, body = msgspec.json.decode(message)
            self.over = self.over or event == "game_over"
            if event == "game_start":
                self.game = body["gamename"]
            _tell(self._client, event, body)

    @property
    def is_played(self) -> bool:
        """Whether the user waits or plays at the table, even if over another connection."""
        return not self.over and self.gone in (None, REPLACED)

    def hang_up(self) -> None:
        """Leave the table; the client stays connected."""
        self._is_leaving = True
        asyncio.get_running_loop().call_soon(self.drop, "dead")


class User:
    """A user who has logged in: its connection, hall and seat, if it has them."""

    def __init__(self, name: str, token: str, known: Token) -> None:
        """`known` is the row of the token in the store."""
        self.name = name
        self.token = token
        self.known = known
        self.address = ""
        """The address of its last connection."""
        self.page = ""
        """The cookie of the browser of its last connection."""
        self.client: EventClient | None = None
        self.hall: str | None = None
        self.seat: HallSeat | None = None

    def proves(self, token: object) -> bool:
        return isinstance(token, str) and hmac.compare_digest(token.encode(), self.token.encode())


class Halls:
    """All halls and their users."""

    def __init__(
        self,
        halls: Mapping[str, int],
        guests: Guests,
        *,
        per_address: int = MOST_USERS,
        origins: Collection[str] = (),
    ) -> None:
        """`halls` are the seats of tables by the names of their halls. `per_address` limits the users of one address.
        `origins` are other servers whose pages may connect."""
        self._halls = halls
        self._per_address = per_address
        self._guests = guests
        self._guests.watch(self._on_ended)
        self._moves = Attempts(MOVES_A_MINUTE)
        """Changes of halls, by account."""
        self._users: dict[str, User] = {}
        """By name."""
        self._here: dict[EventClient, User] = {}
        """By connection."""
        self._clients = Clients(
            self._on_connected, self._heard, self._on_lost, self._here.__contains__, _error, origins
        )

    def app(self, other: ASGIApp) -> ASGIApp:
        """Serve Socket.IO at its usual path, and `other` elsewhere."""
        return self._clients.app(other)

    async def close(self) -> None:
        """Disconnect all clients. To be called before the web server stops."""
        for user in self._users.values():
            if user.seat is not None:
                user.seat.drop("dead")
        await self._clients.close()

    # Events of clients

    def _on_connected(self, client: EventClient) -> None:
        """Ask a new connection for the token of an earlier session, which it may resume."""
        _tell(client, "restored_proof_requested", {})

    async def _heard(self, client: EventClient, event: str, said: Said) -> None:
        try:
            await self._handle(client, event, said)
        except (SQLAlchemyError, OSError) as e:
            client.tell(*tell_failure(e))

    async def _handle(self, client: EventClient, event: str, said: Said) -> None:
        match event:
            case "login":
                await self._login(client, said)
            case "restored_proof":
                await self._restore(client, said)
            case "player__crafting_item_list":  # the original page asks for it before login
                self._list_items(client)
            case clients.UNREADABLE:
                client.tell("bad_message", "an event has a name, and an object that is not too deep")
            case _:
                await self._known(client, event, said)

    def _list_items(self, client: EventClient) -> None:
        user = self._here.get(client)
        seat = None if user is None else user.seat
        game = seat.game if seat is not None and seat.game else user.hall if user is not None and user.hall else ""
        body = {"game": game, "gamename": game, "crafting_item_list": crafting_items()}
        _tell(client, "crafting_item_list", body)

    async def _known(self, client: EventClient, event: str, said: Said) -> None:
        """Handle the events that need the token of this connection's user."""
        user = self._here.get(client)
        if user is None or not user.proves(said.get("_token", said.get("token"))):
            client.tell("bad_token", "log in first, and send your token")
            return
        hall = said.get("_hallname", "")
        match event:
            case "get_entry_info":
                _tell(client, "entry_info", {"halls": [self._described(hall) for hall in self._halls]})
            case "get_hall_info" | "enter_hall" if not isinstance(hall, str) or hall not in self._halls:
                client.tell("no_such_hall", "there is no such hall")
            case "get_hall_info":
                _tell(client, "hall_info", {"hallname": hall, "general_info": self._described(hall)})
            case "enter_hall":
                self._enter(user, client, hall)
            case "player__ready_to_start":
                self._ready(user, client)
            case _ if event.startswith("player__"):
                self._play(user, client, event.removeprefix("player__"), said)
            case _:
                client.tell("bad_event", "there is no such event")

    async def _login(self, client: EventClient, said: Said) -> None:
        """Log in a guest under a free name, or a reloaded page under the name that it had."""
        name = said.get("username")
        self._tidy()
        if (here := self._here.get(client)) is not None:
            _tell(client, "session_conflict", _status(3, f"you are logged in as {here.name}"))
        elif why := why_not_a_name(name):
            client.tell("bad_login", why)
        elif not isinstance(name, str) or name.strip() != name:
            client.tell("bad_login", "a name neither begins nor ends with a space")
        elif (user := self._users.get(name)) is not None and is_same(user.page, client.page):
            self._reconnect(user, client)
        elif user is not None:
            _tell(client, "username_conflict", _status(2, "somebody has that name"))
        elif not self._has_room(client.address):
            client.tell("full", FULL)
        else:
            await self._register(client, name)

    def _has_room(self, address: str) -> bool:
        """Whether one more user of this address is allowed. Long polling escapes the limits on connections."""
        neighbours = sum(user.address == address for user in self._users.values())
        return len(self._users) < MOST_USERS and neighbours < self._per_address

    async def _register(self, client: EventClient, name: str) -> None:
        try:
            token, known = await self._guests.token(name, client.address)
        except RequestError as e:
            client.tell(e.code, e.words)
            return
        if name in self._users or client in self._here:  # taken in the meantime
            _tell(client, "username_conflict", _status(2, "somebody has that name"))
        elif not self._has_room(client.address):
            client.tell("full", FULL)
        elif client.is_here:
            user = self._users[name] = User(name, token, known)
            self._connected_at(user, client)
            _tell(client, "login_success", _welcome(user, 0))

    async def _restore(self, client: EventClient, said: Said) -> None:
        """Give the holder of a token its name, and its seat if there is one."""
        try:
            user = await self._remembered(said.get("_username"), said.get("_token"))
        except RequestError as e:
            _tell(client, "restored_proof_invalid", _status(3, e.words))
            return
        if not client.is_here:  # disconnected in the meantime
            return
        if (here := self._here.get(client)) is not None:
            _tell(client, "session_conflict", _status(3, f"you are logged in as {here.name}"))
        elif user is not None and user.proves(said.get("_token")):
            self._reconnect(user, client)
        elif not said.get("_username") and not said.get("_token") and (left := self._user_of_page(client)) is not None:
            self._reconnect(left, client)
        else:
            _tell(client, "restored_proof_invalid", _status(3, "no such name and token"))

    def _user_of_page(self, client: EventClient) -> User | None:
        """The user of a reloaded page that has no token: the only disconnected user of its browser who has a seat."""
        page = client.page
        lost = [user for user in self._users.values() if user.client is None and is_same(user.page, page)]
        seated = [user for user in lost if self._is_seated(user)]
        return seated[0] if len(seated) == 1 else None

    def _connected_at(self, user: User, client: EventClient) -> None:
        """Note the connection of the user."""
        user.client, user.address, user.page = client, client.address, client.page
        self._here[client] = user

    async def _remembered(self, name: object, token: object) -> User | None:
        """The user of that name, who may have a seat from before the server started."""
        if not isinstance(name, str) or not isinstance(token, str):
            return None
        if name not in self._users and (found := await self._guests.hall(name, token)) is not None:
            hall, known = found
            user = self._users.setdefault(name, User(name, token, known))
            user.hall = user.hall or (hall if user.proves(token) else None)
        return self._users.get(name)

    def _reconnect(self, user: User, client: EventClient) -> None:
        if user.client is not None:
            del self._here[user.client]
        self._connected_at(user, client)
        before = self._seat(user)
        seated = self._is_seated(user)
        if before is not None:
            before.drop("dead")
        if seated:
            known = {"token": user.token} if self._may_return(user) else {"username": user.name}
            self._sit(user, client, known, returns=True)
        _tell(client, "login_success", _welcome(user, 1))
        where = {"gamename": user.hall, "gametype": "Game" if seated else "MainEntry"}
        _tell(client, "game_restored", where)

    def _enter(self, user: User, client: EventClient, hall: str) -> None:
        """Move the user to a hall. If the user is there already, only the user is told so again, and returns by being
        ready if its match has begun."""
        seat = self._seat(user)
        if user.hall == hall and (seat is None or not seat.is_played):
            _tell(client, "player_enter_room", self._in_room(hall, user))
        elif self._is_seated(user):
            client.tell("not_now", "you have a seat")
        elif user.hall is None or self._may_move(user, client):
            before, user.hall = user.hall, hall
            if before is not None:
                self._tell_hall(before, "player_leave_room", self._in_room(before, user))
            self._tell_hall(hall, "player_enter_room", self._in_room(hall, user))

    def _may_move(self, user: User, client: EventClient) -> bool:
        """Count a change of halls; a client that makes too many is told so."""
        try:
            self._moves.count(str(user.known.account.id))
        except RequestError as e:
            client.tell(e.code, e.words)
            return False
        return True

    def _ready(self, user: User, client: EventClient) -> None:
        seat = self._seat(user)
        if user.hall is None:
            client.tell("not_now", "enter a hall first")
        elif seat is not None and seat.is_played:
            client.tell("not_now", "you are ready already")
        elif self._may_return(user):  # the match began while the user was disconnected, or its return was refused
            self._sit(user, client, {"token": user.token})
        else:
            self._sit(user, client, {"username": user.name})
            self._tell_hall(user.hall, "player_ready_to_start", {"username": user.name, "gamename": user.hall})

    def _play(self, user: User, client: EventClient, event: str, said: Said) -> None:
        seat = self._seat(user)
        has_begun = seat is not None and (bool(seat.game) or self._may_return(user))
        if seat is None or seat.over or not has_begun:
            told = {key: value for key, value in said.items() if key not in ("token", "_token")}
            told |= {"phase": "lobby", "incoming_event": f"player__{event}"}
            _tell(client, "phase_error", told)
        elif seat.gone is not None:
            client.tell("no_seat", "your seat is taken by another connection, or you have left it")
        else:
            seat.hear(event, said)

    # Seats

    def _seat(self, user: User) -> HallSeat | None:
        """The seat that the user has or may return to; None if there is none."""
        seat = user.seat
        if seat is not None and (seat.over or seat.gone is not None) and not self._may_return(user):
            user.seat = None
        return user.seat

    def _is_seated(self, user: User) -> bool:
        return self._seat(user) is not None or self._may_return(user)

    def _may_return(self, user: User) -> bool:
        return user.hall is not None and self._guests.plays(user.known.account.id, self._halls[user.hall])

    def _sit(self, user: User, client: EventClient, introduction: Said, *, returns: bool = False) -> None:
        """Join the hall's table, or return to it."""
        assert user.hall is not None
        seat = user.seat = HallSeat(client)
        dialect = Events(returns=returns)
        dialect.token = user.token
        seat.hear("login", introduction)
        self._guests.greet(seat, dialect, self._halls[user.hall])

    # Connections

    def _on_lost(self, client: EventClient) -> None:
        user = self._here.pop(client, None)
        if user is None:
            return
        user.client = None
        if user.seat is not None:
            user.seat.drop("dead")
        if user.hall is not None:
            self._tell_hall(user.hall, "player_leave_room", self._in_room(user.hall, user))

    def _on_ended(self, chosen: ChosenVisits, code: str, words: str) -> None:
        """Take name and seat from users whose tokens have ended."""
        for user in [user for user in self._users.values() if chosen(visit_of(user.known))]:
            del self._users[user.name]
            if user.client is not None:
                asyncio.get_running_loop().call_soon(self._disconnect, user.client, code, words)

    def _disconnect(self, client: EventClient, code: str, words: str) -> None:
        self._on_lost(client)
        client.end(code, words)

    def _tidy(self) -> None:
        """Free the names of users who are disconnected and have no seat."""
        gone = [user for user in self._users.values() if user.client is None and not self._is_seated(user)]
        for user in gone:
            del self._users[user.name]

    def _tell_hall(self, hall: str, event: str, body: Any) -> None:
        for client, user in [*self._here.items()]:
            if user.hall == hall:
                _tell(client, event, body)

    # Bodies of events

    def _described(self, hall: str) -> list[Any]:
        seats = self._halls[hall]
        inside = [user for user in self._here.values() if user.hall == hall]
        playing = sum(map(self._may_return, inside))
        counts = {
            "ongoing_games": self._guests.playing(seats),
            "ingame_players": playing,
            "available_players": len(inside) - playing,
        }
        return [hall, f"tradeCraft for {seats}", counts]

    def _in_room(self, hall: str, user: User) -> dict[str, Any]:
        names = [each.name for each in self._here.values() if each.hall == hall]
        return {**IN_ROOM, "gamename": hall, "playername": user.name, "player_list": names}


def _tell(client: EventClient, event: str, body: Any) -> None:
    client.peer.send([clients.packed(f"server__{event}", body)])


def _error(code: str, words: str) -> list[bytes]:
    return [clients.packed("server__error", {"code": code, "message": words})]


def _status(code: int, words: str) -> dict[str, Any]:
    return {"status_code": code, "message": words}


def _welcome(user: User, status: int) -> dict[str, Any]:
    return {**_status(status, f"you are {user.name}"), "username": user.name, "token": user.token}
