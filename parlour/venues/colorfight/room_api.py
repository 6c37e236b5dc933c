"""API routes for ColorfightII's rooms: the same rooms that public clients use, administered with tokens."""

from collections.abc import Callable
from functools import partial

from litestar import Response, Router, delete, get, post
from litestar.params import JSONBody
from msgspec import UNSET

from parlour.games.colorfight.wire import Refused
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Problem
from parlour.protocol.reports import tell
from parlour.server.api.app import AnyRequest
from parlour.server.api.requests import (
    BODY,
    Id,
    Routes,
    address,
    bearer,
    on_request_error,
    only_json,
    refusals,
    with_token,
)
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import MOST_DEPTH
from parlour.server.venue import Premises
from parlour.store.store import Token
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_config import CONFIGS, for_new_room
from parlour.venues.colorfight.room_forms import (
    BOUNDS,
    NewRoom,
    RestartedRoom,
    RoomInfo,
    RoomList,
    RoomOrder,
    fields_of,
)
from parlour.venues.colorfight.room_refusals import NO_ROOM, RoomRefused
from parlour.venues.colorfight.room_rights import Requester
from parlour.venues.colorfight.rooms import Rooms, WantedRoom

OF_ROOM = with_token(*BODY, 404, 409, 429)
"""Options of the routes that administer a room."""


class RoomRoutes(Routes):
    """The routes under `/api/rooms`."""

    def __init__(self, premises: Premises, rooms: Rooms | None) -> None:
        """Without rooms the routes can only be described."""
        self._door = premises.doorkeeper
        self._metrics = premises.metrics
        self._most_depth = min(premises.settings.message_depth, MOST_DEPTH)
        self._opened = rooms

    @property
    def _rooms(self) -> Rooms:
        assert self._opened is not None, "the rooms are not open"
        return self._opened

    def router(self) -> Router:
        return Router(
            "/api/rooms",
            route_handlers=self.routes(),
            before_request=partial(only_json, most_depth=self._most_depth),
            exception_handlers={Refused: _on_refused(self._metrics)},
        )

    @get("/", responses=refusals(401, 403, 503))
    async def all_rooms(self, request: AnyRequest) -> RoomList:
        """All rooms of ColorfightII. A token is optional."""
        rooms, own = self._rooms, await self._viewer(request)
        await rooms.forget_idle()
        infos = [_info(rooms, room, own) for room in rooms.all()]
        presets = {name: fields_of(for_new_room(name, {}, rooms.house)) for name in CONFIGS}
        return RoomList(rooms=tuple(infos), most=rooms.most, presets=presets, bounds=BOUNDS)

    @get("/{name:str}", responses=refusals(400, 401, 403, 404, 503))
    async def one_room(self, request: AnyRequest, name: Id) -> RoomInfo:
        """A room. A token is optional. A room that is looked at is not deleted for being empty."""
        rooms, own = self._rooms, await self._viewer(request)
        if (room := rooms.get(name)) is None:
            raise RoomRefused(*NO_ROOM)
        with room.visited():
            return _info(rooms, room, own)

    @post("/", **with_token(*BODY, 409))
    async def new_room(self, request: AnyRequest, data: JSONBody[NewRoom]) -> RoomInfo:
        """Create a room, which then belongs to your account."""
        own, rooms = await self._allowed(request, "host"), self._rooms
        wanted = WantedRoom(
            name=data.name,
            config=data.preset,
            fields=data.settings.fields(),
            password=data.admin_password,
            join_key=data.join_key,
            owner=own.account,
            address=address(request),
        )
        room = await rooms.create(wanted)
        tell("room", room=room.name)
        return _info(rooms, room, own)

    @post("/{name:str}/start", status_code=200, **OF_ROOM)
    async def start(self, request: AnyRequest, name: Id, data: JSONBody[RoomOrder | None] = None) -> RoomInfo:
        """Begin the first round of the current game now."""
        rooms, own = self._rooms, await self._viewer(request)
        room = await rooms.administered(name, _requester(request, own, data))
        must_wait(room)
        room.start()
        return _info(rooms, room, own)

    @post("/{name:str}/restart", status_code=200, **OF_ROOM)
    async def restart(self, request: AnyRequest, name: Id, data: JSONBody[RestartedRoom | None] = None) -> RoomInfo:
        """End the current game as it stands and begin another, with other settings if some are given."""
        rooms, own = self._rooms, await self._viewer(request)
        fields = {} if data is None else data.settings.fields()
        room = await rooms.restart(name, _requester(request, own, data), fields)
        return _info(rooms, room, own)

    @delete("/{name:str}", status_code=204, **OF_ROOM)
    async def remove(self, request: AnyRequest, name: Id, data: JSONBody[RoomOrder | None] = None) -> None:
        """Delete a room. Its game ends as it stands."""
        own = await self._viewer(request)
        await self._rooms.delete(name, _requester(request, own, data))
        tell("room deleted", room=name)

    async def _viewer(self, request: AnyRequest) -> Token | None:
        """The token in the request, if there is one; RequestError if it is not valid."""
        token = bearer(request)
        return None if token is None else await self._door.valid_token(token)


def _requester(request: AnyRequest, own: Token | None, order: RoomOrder | None) -> Requester:
    """A token administers the rooms of its account only with the scope `host`."""
    scopes = frozenset() if own is None else own.scopes
    password = None if order is None else order.admin_password
    return Requester(
        address=address(request),
        account=None if own is None or "host" not in scopes else own.account.id,
        is_admin="admin" in scopes,
        password=UNSET if password is None else password,
    )


def must_wait(room: Room) -> None:
    """RequestError if the game of the room does not wait for its first round."""
    if (game := room.game) is None or room.is_restarting:
        raise RequestError(503, "parked", "the room has no game now; try again later")
    if game.match.end is not None:
        raise RequestError(409, "over", "the game is over; restart the room to begin another")
    if not game.state.waiting:
        raise RequestError(409, "begun", "the first round has begun already")


def _on_refused(metrics: Metrics) -> Callable[[AnyRequest, Refused], Response[Problem]]:
    """A handler for refusals of rooms, which are answered and counted like those of other requests."""
    answer = on_request_error(metrics)

    def refused(request: AnyRequest, error: Refused) -> Response[Problem]:
        if isinstance(error, RoomRefused):
            return answer(request, RequestError(error.status, error.code, error.detail))
        return answer(request, RequestError(400, "bad_request", error.words))

    return refused


def _info(rooms: Rooms, room: Room, own: Token | None) -> RoomInfo:
    game = room.game
    config = room.config if game is None else game.config
    options = config.options
    return RoomInfo(
        name=room.name,
        description=room.config.room_description,
        match=None if game is None else game.id,
        turn=0 if game is None else game.state.turn,
        max_turn=options.max_turn,
        players=0 if game is None else len(game.match.names),
        max_player=config.most,
        has_key=bool(room.record.join_key),
        has_password=rooms.rights.has_password(room),
        ruleset=options.ruleset,
        width=options.width,
        height=options.height,
        round_time=options.round_time,
        is_waiting=game is not None and game.match.end is None and game.state.waiting,
        is_over=game is not None and game.match.end is not None,
        is_standing=rooms.is_standing(room),
        is_yours=own is not None and own.account.id == room.record.owner,
        settings=fields_of(room.config),
        not_resumed=room.not_resumed,
    )
