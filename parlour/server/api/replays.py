"""API routes that show and check finished matches, frame by frame."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter
from msgspec import Struct

from parlour.protocol.errors import RequestError
from parlour.referee.timeline import Frames, Timeline
from parlour.server.api.forms import TranscriptVerdict
from parlour.server.api.requests import Id, refusals
from parlour.server.replays.jobs import ReplayJob
from parlour.server.replays.processes import StoredReplays
from parlour.store.store import Store

MOST_NUMBER = 2**31
SeatNumber = Annotated[int | None, QueryParameter(name="seat", ge=0, le=MOST_NUMBER)]
First = Annotated[int, QueryParameter(name="from", ge=0, le=MOST_NUMBER)]
Last = Annotated[int | None, QueryParameter(name="to", ge=0, le=MOST_NUMBER)]
JSON = "application/json"
STORED = (400, 404, 409, 503)


def answers(form: type[Struct], *statuses: int) -> dict[int, ResponseSpec]:
    """The responses of a route whose answer is already encoded."""
    found = ResponseSpec(form, generate_examples=False, description="Request fulfilled, document follows")
    return {200: found, **refusals(*statuses)}


class ReplayRoutes:
    """Routes for replays of stored matches and of transcripts that clients send."""

    def __init__(self, store: Store, stored: StoredReplays) -> None:
        self._store = store
        self._stored = stored

    def routes(self) -> list[HTTPRouteHandler]:
        return self._stored_routes()

    def _stored_routes(self) -> list[HTTPRouteHandler]:
        @get("/matches/{match:str}/timeline", responses=answers(Timeline, *STORED))
        async def timeline(match: Id, seat: SeatNumber = None) -> Response[bytes]:
            """A finished match at a glance: scores, marks, and the log of a seat or of a spectator."""
            return await self._answer(ReplayJob(kind="timeline", key=match, seat=seat))

        @get("/matches/{match:str}/frames", responses=answers(Frames, *STORED))
        async def frames(match: Id, seat: SeatNumber = None, first: First = 0, last: Last = None) -> Response[bytes]:
            """Some frames of a finished match, as a seat or a spectator saw them. `to` is exclusive."""
            return await self._answer(ReplayJob(kind="frames", key=match, seat=seat, first=first, last=last))

        @get("/matches/{match:str}/verdict", responses=answers(TranscriptVerdict, *STORED))
        async def verdict(match: Id) -> Response[bytes]:
            """Whether the transcript of a finished match holds: hashes, seed and every move."""
            return await self._answer(ReplayJob(kind="verdict", key=match))

        return [timeline, frames, verdict]

    async def _answer(self, job: ReplayJob) -> Response[bytes]:
        """The answer about a stored match, which must be over."""
        stored = await self._store.match(job.key)
        if stored is None:
            raise RequestError(404, "no_such_match", "there is no such match")
        if stored.state not in ("over", "void"):
            raise RequestError(409, "not_over", "a match can be replayed when it is over")

        async def transcript() -> tuple[bytes, bytes | None]:
            lines = await self._store.lines(job.key)
            return b"".join(line + b"\n" for line in lines), await self._store.seed(job.key)

        return encoded(await self._stored.ask(job, transcript))


def encoded(body: bytes) -> Response[Any]:
    return Response(body, media_type=JSON)
