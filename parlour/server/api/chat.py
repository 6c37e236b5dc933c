"""API routes for the chat of tables, and for reports about it."""

import unicodedata
from typing import Annotated

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from parlour.protocol.errors import RequestError
from parlour.protocol.feed import FeedChat
from parlour.protocol.reports import tell
from parlour.server.api.app import AnyRequest
from parlour.server.api.lookups import MOST_ID
from parlour.server.api.requests import BODY, After, Id, Limit, Routes, with_token
from parlour.server.api.table_chat import ChatSeat, TableChat
from parlour.server.net.attempts import Attempts
from parlour.server.venue import Premises
from parlour.store.chat_messages import ChatMessage, ChatReport
from parlour.store.store import Token
from parlour.transports.limits import CHAT_BURST, CHAT_BURST_S, CHAT_LETTERS

SPOKEN = (
    r"[^\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]"
)
"""No control characters, none that change the direction or break the line, and none that cannot be seen, except the
joiners that some scripts and emoji need."""
UNSEEN = ("Cc", "Cf", "Me", "Mn", "Zl", "Zp", "Zs")
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Characters that show nothing by themselves: those of the Unicode categories `UNSEEN`, and these letters."""
Text = Annotated[str, Meta(min_length=1, max_length=CHAT_LETTERS, pattern=rf"^{SPOKEN}*$(?!\n)")]
Reason = Annotated[str, Meta(max_length=CHAT_LETTERS, pattern=rf"^{SPOKEN}*$(?!\n)")]


class NewMessage(Struct, frozen=True, forbid_unknown_fields=True):
    """A chat message to send."""

    text: Text


class Conversation(Struct, frozen=True):
    """The chat of a table."""

    messages: tuple[ChatMessage, ...]
    closed: str | None
    """Why you cannot write now; null: you can."""


class NewReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A report about a chat message."""

    why: Reason = ""


class ChatReports(Struct, frozen=True):
    reports: tuple[ChatReport, ...]
    next: int | None
    """The value of `after` for the next page."""


class ChatRoutes(Routes):
    """Write, read and report chat messages, and look at the reports."""

    def __init__(self, premises: Premises) -> None:
        self._store, self._door, self._tries = premises.store, premises.doorkeeper, premises.tries
        self._chat = TableChat(premises.store, premises.arena, is_allowed=premises.settings.chat)
        self._said = Attempts(CHAT_BURST, CHAT_BURST_S)

    @post("/matches/{match:str}/chat", **with_token(*BODY, 404, 409, 429))
    async def say(self, request: AnyRequest, match: Id, data: JSONBody[NewMessage]) -> ChatMessage:
        """Write to the players of a table at which you have a seat."""
        own, seat = await self._seat(request, match)
        if not _can_be_seen(data.text):
            raise RequestError(400, "bad_request", "text: a message needs a character that can be seen")
        self._said.count(str(own.account.id))
        return _message(await self._chat.say(seat, own.account, data.text.strip()))

    @get("/matches/{match:str}/chat", **with_token(400, 404))
    async def read(self, request: AnyRequest, match: Id, after: After = 0) -> Conversation:
        """The last 200 chat messages after a number, for players of the table."""
        _, seat = await self._seat(request, match)
        messages = await self._chat.read(seat, after)
        why = await self._chat.why_closed(seat)
        return Conversation(tuple(map(_message, messages)), None if why is None else why.words)

    @post("/matches/{match:str}/chat/{n:int}/report", status_code=204, **with_token(*BODY, 404, 409, 429))
    async def report(
        self, request: AnyRequest, match: Id, n: FromPath[int], data: JSONBody[NewReport | None] = None
    ) -> None:
        """Report a message of another player to the administrators. A second report changes nothing."""
        own, seat = await self._seat(request, match)
        self._tries.count(f"report {own.account.id}")
        why = "" if data is None else data.why.strip()
        if await self._chat.report(seat, own.account, n if 0 < n < MOST_ID else 0, why):
            tell("chat reported", match=match, n=n, account=own.account.id)

    @get("/admin/reports", **with_token(400))
    async def reports(self, request: AnyRequest, after: After = 0, limit: Limit = 50) -> ChatReports:
        """Reports about chat messages, oldest first, for administrators."""
        await self._allowed(request, "admin")
        found = await self._store.chat.reports(after, limit)
        return ChatReports(tuple(found), found[-1].id if len(found) == limit else None)

    @delete("/admin/reports/{report_id:int}", **with_token(400, 404))
    async def drop_report(self, request: AnyRequest, report_id: FromPath[int]) -> None:
        """Delete a report that is dealt with, for administrators. Its message stays."""
        await self._allowed(request, "admin")
        if not 0 < report_id < MOST_ID or not await self._store.chat.drop_report(report_id):
            raise RequestError(404, "no_such_report", "there is no such report")

    async def _seat(self, request: AnyRequest, match: str) -> tuple[Token, ChatSeat]:
        own = await self._allowed(request, "play")
        return own, await self._chat.seat(match, own.account)


def _can_be_seen(text: str) -> bool:
    return any(unicodedata.category(each) not in UNSEEN and each not in BLANK for each in text)


def _message(message: FeedChat) -> ChatMessage:
    return ChatMessage(message.n, message.ms, message.seat, message.name, message.text)
