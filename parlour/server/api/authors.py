"""API routes for authors of bots: their matches, messages, stderr and notes, and asking a bot again."""

import asyncio
from typing import Any

import msgspec
from litestar import get, post
from litestar.params import JSONBody
from msgspec import Raw, Struct

from parlour.core import Again, Seat
from parlour.players.remote import RemotePlayer
from parlour.protocol.errors import RequestError
from parlour.protocol.records import StoredMatch
from parlour.protocol.seat_log import AnsweredAgain, AskAgain, OwnSeats, SeatMessages, SeatNotes, SeatStderr
from parlour.referee.frames import Trial
from parlour.server.api.app import AnyRequest
from parlour.server.api.forms import OwnPart
from parlour.server.api.lookups import NOT_YOURS, check_over, own_seat
from parlour.server.api.replays import ReplayRoutes
from parlour.server.api.requests import BODY, TOKEN, Id, Routes, SeatNumber, address, bearer, refusals, with_token
from parlour.server.api.seat_owners import SeatOwners
from parlour.server.ops.seat_texts import TextKeeper
from parlour.server.replays.jobs import ReplayJob
from parlour.server.venue import Premises
from parlour.store.store import Token
from parlour.transports.limits import AGAIN_S

OWN = (401, 403, 503)


class FoundDecision(Struct, frozen=True):
    """The decision of a seat in a position, as a replay process found it. The game's values stay raw JSON."""

    seat: Seat
    players: tuple[str, ...]
    options: Raw
    ask: Raw
    view: Raw
    recorded: Raw


class AuthorRoutes(Routes):
    """Routes for the owners of seats. All need a token with the scope `play`."""

    def __init__(self, premises: Premises, owners: SeatOwners, keeper: TextKeeper, replays: ReplayRoutes) -> None:
        self._store, self._arena = premises.store, premises.arena
        self._owners = owners
        self._keeper = keeper
        self._replays = replays
        self._asking: set[int] = set()
        """Accounts whose bot is being asked again."""

    @get("/me/seats", **with_token())
    async def own_seats(self, request: AnyRequest) -> OwnSeats:
        """Your seats whose messages are kept: of tables that wait, of running matches, and of matches that ended
        within the hour."""
        known = await self._owners.known(bearer(request))
        return OwnSeats(tuple(self._owners.seats(known.account.id)))

    @get("/matches/{match:str}/messages", security=TOKEN, responses=refusals(400, 404, *OWN))
    async def messages(self, request: AnyRequest, match: Id) -> SeatMessages:
        """The last 200 messages between the server and the client at your seat. Empty if they are not kept."""
        log, _ = await self._owners.log(match, bearer(request))
        return SeatMessages((), 0) if log is None else log.shown()

    @get("/matches/{match:str}/stderr", security=TOKEN, responses=refusals(400, 404, *OWN))
    async def stderr(self, request: AnyRequest, match: Id, seat: SeatNumber = None) -> SeatStderr:
        """The stderr of your program. Administrators also see that of commands of the host, with `seat`."""
        stored, known = await self._owners.match(match, bearer(request), or_admin=seat is not None)
        owned = stored.seat_of(known.account.id) if "play" in known.scopes else None
        own = None if owned is None else owned.seat
        if seat is not None and seat != own and "admin" in known.scopes:
            return await self._command_stderr(stored, seat)
        if own is None or seat not in (None, own):
            raise RequestError(*NOT_YOURS)
        await self._keeper.save()
        return await self._store.texts.stderr(match, own, known.account.id)

    @get("/matches/{match:str}/notes", security=TOKEN, responses=refusals(400, 404, *OWN))
    async def notes(self, request: AnyRequest, match: Id) -> SeatNotes:
        """The notes that your client sent with its answers."""
        stored, known = await self._owners.match(match, bearer(request))
        seat = own_seat(stored, known.account.id)
        await self._keeper.save()
        return SeatNotes(tuple(await self._store.texts.notes(match, seat, known.account.id)))

    @get("/me/matches/{match:str}", security=TOKEN, responses=refusals(400, 404, *OWN))
    async def own_part(self, request: AnyRequest, match: Id) -> OwnPart:
        """Your part in a table or match: your seat, and whether you created it."""
        stored, known = await self._owners.match(match, bearer(request))
        own = stored.seat_of(known.account.id)
        return OwnPart(None if own is None else own.seat, stored.owner == known.account.id)

    async def _command_stderr(self, stored: StoredMatch, seat: Seat) -> SeatStderr:
        """For administrators: only commands of the host, never the program of an account."""
        if not any(each.seat == seat and each.kind == "command" for each in stored.seats):
            raise RequestError(403, "not_yours", "only the owner of a seat and administrators for commands of the host")
        await self._keeper.save()
        before = await self._store.texts.stderr(stored.id, seat, None)
        live = self._arena.playing.get(stored.id)
        now = None if live is None else live.command_stderr(seat)
        if now is None:
            return before
        return SeatStderr(before.text + now.stderr.decode("utf-8", "replace"), before.dropped + now.dropped)

    @post("/matches/{match:str}/again", status_code=200, **with_token(*BODY, 404, 409, 429, 504))
    async def again(self, request: AnyRequest, match: Id, data: JSONBody[AskAgain]) -> AnsweredAgain:
        """Ask your bot again in a position of a finished match. It must be connected, and have said that it takes
        `again`; it is asked while it has nothing else to decide. No match is changed."""
        stored, known = await self._owners.match(match, bearer(request))
        seat = own_seat(stored, known.account.id, data.seat)
        check_over(stored, "a bot can be asked again when the match is over")
        if known.account.id in self._asking:
            raise RequestError(429, "busy", "your bot is being asked already")
        self._asking.add(known.account.id)
        try:
            return await self._asked_again(stored, seat, data.frame, known, address(request))
        finally:
            self._asking.discard(known.account.id)

    async def _asked_again(
        self, stored: StoredMatch, seat: Seat, frame: int, known: Token, where: str
    ) -> AnsweredAgain:
        self._bot(known, stored)  # before the work of a replay
        job = ReplayJob(kind="decision", key=stored.id, seat=seat, first=frame)
        found = msgspec.json.decode(await self._replays.ask(job, where), type=FoundDecision)
        action, ms = await _answer(
            self._bot(known, stored), Again(0, seat, found.players, found.options, found.ask, found.view)
        )
        job = ReplayJob(kind="trial", key=stored.id, seat=seat, first=frame, action=bytes(action))
        trial = msgspec.json.decode(await self._replays.ask(job, where), type=Trial)
        return AnsweredAgain(
            action=_readable(action),
            words=trial.words,
            legal=trial.legal,
            why=trial.why,
            ms=ms,
            recorded=msgspec.json.decode(found.recorded),
        )

    def _bot(self, known: Token, stored: StoredMatch) -> RemotePlayer:
        bot = self._owners.idle_bot(known.account.id, stored.game)
        if bot is None:
            raise RequestError(409, "no_bot", "no bot of yours that takes `again` is connected and idle")
        return bot


async def _answer(bot: RemotePlayer, again: Again) -> tuple[Raw, int]:
    """The answer of a bot as raw JSON, and the milliseconds it took."""
    time = asyncio.get_running_loop().time
    asked_at = time()
    try:
        async with asyncio.timeout(AGAIN_S):
            action = await bot.ask_again(again)
    except TimeoutError:
        raise RequestError(504, "too_slow", f"the bot did not answer within {AGAIN_S:g} s") from None
    except ConnectionError:
        raise RequestError(409, "no_bot", "the bot has disconnected") from None
    return action, round((time() - asked_at) * 1000)


def _readable(action: Raw) -> Any:
    """The value of an action; None if it cannot be read, such as a number that is too large. The trial says why."""
    try:
        return msgspec.json.decode(action)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
