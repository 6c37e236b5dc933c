"""API routes that show and check finished matches, frame by frame."""

import asyncio
from dataclasses import dataclass
from gzip import compress
from hashlib import sha256
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol.errors import RequestError
from parlour.referee.timeline import Example, Frames, Timeline
from parlour.server.api.app import AnyRequest
from parlour.server.api.forms import TranscriptVerdict
from parlour.server.api.lookups import HIDDEN, MOST_ID, check_over, found_game, found_match
from parlour.server.api.page import ALWAYS_ASK, ServedFile
from parlour.server.api.requests import Id, Routes, SeatNumber, address, refusals
from parlour.server.net.addresses import counted_address
from parlour.server.replays.jobs import ReplayJob
from parlour.server.replays.places import ReplayPlaces
from parlour.server.replays.processes import SentReplays, StoredReplays
from parlour.store.store import Store
from parlour.transports.limits import UPLOAD_BYTES, UPLOADS

MOST_STORED = 64 * 2**20
"""Bytes of a stored transcript that is replayed. Longer ones can be fetched and replayed elsewhere."""
First = Annotated[int, QueryParameter(name="from", ge=0, le=MOST_ID)]
Last = Annotated[int | None, QueryParameter(name="to", ge=0, le=MOST_ID)]
JSON = "application/json"
NDJSON = "application/x-ndjson"
STORED = (400, 404, 409, 429, 503)
SENT = (400, 409, 413, 415, 429, 503)
BODY_OF = RequestBody(
    required=True,
    description="A transcript: one record on each line",
    content={NDJSON: OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))},
)


@dataclass
class UploadOperation(Operation):
    """Describes the body, which the framework does not read itself."""

    def __post_init__(self) -> None:
        self.request_body = BODY_OF


def answers(form: type[Struct], *statuses: int) -> dict[int, ResponseSpec]:
    """The responses of a route whose answer is already encoded."""
    found = ResponseSpec(form, generate_examples=False, description="Request fulfilled, document follows")
    return {200: found, **refusals(*statuses)}


async def only_transcript(request: AnyRequest) -> None:
    """Refuse a body that does not claim to be a transcript, before it is read."""
    if request.content_type[0] != NDJSON:
        raise RequestError(415, "not_ndjson", f"the body must be a transcript, as {NDJSON}")


def _upload(path: str, form: type[Struct]) -> post:
    """A route whose body is a transcript."""
    return post(
        path,
        status_code=200,
        before_request=only_transcript,
        request_max_body_size=UPLOAD_BYTES,
        operation_class=UploadOperation,
        responses=answers(form, *SENT),
    )


class ReplayRoutes(Routes):
    """Routes for replays of stored matches and of transcripts that clients send."""

    def __init__(self, store: Store, stored: StoredReplays) -> None:
        self._store = store
        self._stored = stored
        self._sent = SentReplays()
        self._places = ReplayPlaces(UPLOADS, 1)
        self._examples: dict[str, ServedFile] = {}
        self._making_example = asyncio.Lock()

    @get("/matches/{match:str}/timeline", responses=answers(Timeline, *STORED))
    async def timeline(self, request: AnyRequest, match: Id, seat: SeatNumber = None) -> Response[bytes]:
        """A finished match at a glance: scores, marks, and the log of a seat or of a spectator."""
        return await self._answer(request, ReplayJob(kind="timeline", key=match, seat=seat))

    @get("/matches/{match:str}/frames", responses=answers(Frames, *STORED))
    async def frames(
        self, request: AnyRequest, match: Id, seat: SeatNumber = None, first: First = 0, last: Last = None
    ) -> Response[bytes]:
        """Some frames of a finished match, as a seat or a spectator saw them. `to` is exclusive."""
        return await self._answer(request, ReplayJob(kind="frames", key=match, seat=seat, first=first, last=last))

    @get("/matches/{match:str}/verdict", responses=answers(TranscriptVerdict, *STORED))
    async def verdict(self, request: AnyRequest, match: Id) -> Response[bytes]:
        """Whether the transcript of a finished match holds: hashes, seed and every move."""
        return await self._answer(request, ReplayJob(kind="verdict", key=match))

    @_upload("/replays/timeline", Timeline)
    async def sent_timeline(self, request: AnyRequest, seat: SeatNumber = None) -> Response[bytes]:
        """The timeline of a match whose transcript is the body. The server stores nothing of it."""
        return await self._answer_sent(request, ReplayJob(kind="timeline", key="", seat=seat))

    @_upload("/replays/frames", Frames)
    async def sent_frames(
        self, request: AnyRequest, seat: SeatNumber = None, first: First = 0, last: Last = None
    ) -> Response[bytes]:
        """Some frames of a match whose transcript is the body."""
        job = ReplayJob(kind="frames", key="", seat=seat, first=first, last=last)
        return await self._answer_sent(request, job)

    @_upload("/replays/verdict", TranscriptVerdict)
    async def sent_verdict(self, request: AnyRequest) -> Response[bytes]:
        """Whether the transcript in the body holds."""
        return await self._answer_sent(request, ReplayJob(kind="verdict", key=""))

    @get("/games/{name:str}/example", responses=answers(Example, 400, 404, 503))
    async def example(self, request: AnyRequest, name: Id) -> Response[bytes]:
        """A short match between built-in bots, the same for everybody."""
        found_game(name)
        async with self._making_example:  # an example is made and compressed once, also for simultaneous requests
            if name not in self._examples:
                body = await self._stored.ask(ReplayJob(kind="example", key=name), _no_transcript, "")
                packed = await asyncio.to_thread(compress, body, mtime=0)
                digest = sha256(body).hexdigest()[:32]
                self._examples[name] = ServedFile(JSON, {"": body, "gzip": packed}, digest)
        return self._examples[name].answer(request, ALWAYS_ASK)

    async def _answer_sent(self, request: AnyRequest, job: ReplayJob) -> Response[bytes]:
        """The answer about the transcript in the body. Places are limited before the body is read."""
        with self._places.taken(counted_address(address(request))):
            return encoded(await self._sent.ask(replace(job, data=await request.body())))

    async def _answer(self, request: AnyRequest, job: ReplayJob) -> Response[bytes]:
        if await self._store.leagues.hidden([job.key]):
            raise RequestError(*HIDDEN)
        return encoded(await self.ask(job, address(request)))

    async def ask(self, job: ReplayJob, where: str) -> bytes:
        """The answer about a stored match, which must be over, for a client at this address."""
        check_over(await found_match(self._store, job.key), "a match can be replayed when it is over")

        async def transcript() -> tuple[bytes, bytes | None]:
            lines = await self._store.lines(job.key)
            if sum(map(len, lines)) > MOST_STORED:
                raise RequestError(409, "not_replayed", f"the transcript has more than {MOST_STORED} bytes")
            return b"".join(line + b"\n" for line in lines), await self._store.seed(job.key)

        return await self._stored.ask(job, transcript, counted_address(where))


async def _no_transcript() -> tuple[bytes, bytes | None]:
    raise RequestError(404, "no_such_match", "there is no such match")


def encoded(body: bytes) -> Response[Any]:
    return Response(body, media_type=JSON)
