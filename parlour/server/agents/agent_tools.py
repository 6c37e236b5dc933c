"""The tools of agents. They know nothing of MCP: arguments come in as JSON, and a report goes out."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from parlour.core import AnswerRefused, Asked, BadMessage, Game, Replied
from parlour.core.generated_text import text_of
from parlour.core.quoting import one_line, sentence
from parlour.core.values import any_of, why_not_a_name
from parlour.protocol.errors import RequestError
from parlour.protocol.reports import tell_bug
from parlour.protocol.v1 import shortened
from parlour.server.agents.agent_desk import AgentDesk, Caller, Wanted, Word
from parlour.server.agents.agent_errors import ToolFailed, UnknownTool
from parlour.server.agents.agent_reports import Report, refusal_words, seat_report, view_report
from parlour.server.agents.agent_seat import AgentSeat, AgentSession
from parlour.server.api.app import failure_of
from parlour.transports.depth import is_too_deep
from parlour.transports.limits import AGENT_WAIT_S, MESSAGE_DEPTH

PROGRESS_S = 5.0
"""How often an agent that waits is told so."""
CONFIRM_S = 10.0
"""How long an answer waits until it is known whether it was accepted."""
SHORT = 2000
"""Longer answers, in characters, are read in a thread, one at a time."""

T = TypeVar("T", bound=Struct)

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]
"""Tells a waiting agent how long it has waited, how long it will at most, and what for."""

Handle = Annotated[str, Meta(max_length=400)]
MySeat = Annotated[
    Handle | None, Meta(description="The seat, exactly as `sit` returned it. May be left out if you have only one.")
]
WaitS = Annotated[float, Meta(ge=0, le=AGENT_WAIT_S)]


class ListGamesCall(Struct, frozen=True, forbid_unknown_fields=True):
    """List the games, with the number of players and the built-in bots."""


class ReadRulesCall(Struct, frozen=True, forbid_unknown_fields=True):
    """Read the rules of a game. Do this before you play it for the first time."""

    game: Annotated[Word, Meta(description="The name of the game.")]
    table: Annotated[Word | None, Meta(description="A table or match, to read its house rules, too.")] = None


class SitCall(Wanted, frozen=True, forbid_unknown_fields=True):
    """Take a seat in a quick match of a game, or at a table. Bots fill the seats that nobody takes in time. Returns
    your seat; then call `wait`. Without a token you play as a guest."""

    seat: Annotated[Handle | None, Meta(description="A seat of yours, to take it back from another connection.")] = None


class WaitCall(Struct, frozen=True, forbid_unknown_fields=True):
    """Wait until it is your turn or the match is over. Returns what has happened since your last decision, the
    position, the question, the legal actions if they can be listed, a JSON Schema of the answer, and the time left. If
    nothing happens in time, it says that you are still waiting: call it again."""

    seat: MySeat = None
    seconds: Annotated[WaitS, Meta(description="How long to wait at most.")] = 25.0


class AnswerCall(Struct, frozen=True, forbid_unknown_fields=True):
    """Answer the question that you are asked. An answer that cannot be read costs only time; one that the rules forbid
    has the price that the rules say."""

    action: Annotated[
        dict[str, Any] | str | int,
        Meta(description='The action: an object that fits the schema, or text, such as {"action": "bid", ...}.'),
    ]
    ask: Annotated[
        int | None, Meta(description="The number of the ask that you answer. An answer to another one is refused.")
    ] = None
    seat: MySeat = None
    note: Annotated[str, Meta(description="Why, for your owner only.", max_length=4000)] = ""
    seconds: Annotated[WaitS, Meta(description="Afterwards wait this long for your next turn, as `wait` does.")] = 0.0


class ViewCall(Struct, frozen=True, forbid_unknown_fields=True):
    """Look at the position as you may see it now."""

    seat: MySeat = None


class AskCall(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask the referee a free question, in games that have some; the rules say which. It costs nothing."""

    question: Annotated[dict[str, Any] | str, Meta(description="The question, as the rules of the game describe it.")]
    seat: MySeat = None


class LeaveCall(Struct, frozen=True, forbid_unknown_fields=True):
    """Leave the match for good. The rules say what that costs. Before the match, your seat becomes free."""

    seat: MySeat = None


class AgentTool(Struct, frozen=True):
    """A tool, and what it does."""

    name: str
    arguments: type[Struct]
    only_reads: bool
    """Whether it changes nothing at the table."""

    @property
    def words(self) -> str:
        return " ".join((self.arguments.__doc__ or "").split())

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of its arguments."""
        return _schema(self.arguments)


TOOLS = (
    AgentTool("list_games", ListGamesCall, True),
    AgentTool("read_rules", ReadRulesCall, True),
    AgentTool("sit", SitCall, False),
    AgentTool("wait", WaitCall, True),
    AgentTool("answer", AnswerCall, False),
    AgentTool("view", ViewCall, True),
    AgentTool("ask", AskCall, True),
    AgentTool("leave", LeaveCall, False),
)


@cache
def _schema(arguments: type[Struct]) -> dict[str, Any]:
    _, definitions = msgspec.json.schema_components([arguments])
    made = definitions[arguments.__name__]
    return {name: made[name] for name in ("type", "properties", "required", "additionalProperties") if name in made}


class AgentTools:
    """Carries out the calls of agents."""

    def __init__(self, desk: AgentDesk, most_depth: int = MESSAGE_DEPTH) -> None:
        self.desk = desk
        self._most_depth = most_depth
        self._reading_long = asyncio.Lock()
        """Held while a long answer is read, which may take a while."""

    async def call(self, name: str, arguments: Mapping[str, Any], caller: Caller, progress: Progress) -> Report:
        """Call a tool; ToolFailed if it cannot do what it should."""
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        if tool is None:
            known = ", ".join(tool.name for tool in TOOLS)
            raise UnknownTool(f"there is no tool {one_line(name, 40)!r}. There is: {known}")
        try:
            return await self._done(_read(tool, arguments, self._most_depth), caller, progress)
        except (RequestError, BadMessage) as e:
            raise ToolFailed(e.code, _line(e.words)) from None
        except ToolFailed:
            raise
        except Exception as e:
            tell_bug("tool", e, tool=name)
            raise ToolFailed(*failure_of(e)) from None

    async def _done(self, call: Any, caller: Caller, progress: Progress) -> Report:
        match call:
            case ListGamesCall():
                return _games_report(self.desk.games())
            case ReadRulesCall(game=game, table=table):
                rules = await self.desk.rules(game, table)
                return Report({"game": self.desk.game(game).name, "rules": rules}, rules)
            case SitCall():
                return await self._sit(call, caller)
        session = await self.desk.find(caller, call.seat)
        with session.seat.in_use():
            try:
                return await self._at_seat(call, session, progress)
            finally:
                self.desk.used(session)

    async def _at_seat(self, call: Any, session: AgentSession, progress: Progress) -> Report:
        seat = session.seat
        match call:
            case WaitCall(seconds=seconds):
                return await self._wait(seat, seconds, progress)
            case AnswerCall():
                return await self._answer(call, session, progress)
            case ViewCall():
                return view_report(seat, await self.desk.view(seat)) if seat.place else self._report(seat)
            case AskCall(question=question):
                return await self._ask(session, question)
            case LeaveCall():
                return await self._leave(session)
        raise AssertionError(call)

    def _report(self, seat: AgentSeat, about: str = "") -> Report:
        return seat_report(seat, about, waiting=self.desk.waiting(seat))

    async def _sit(self, call: SitCall, caller: Caller) -> Report:
        if call.name is not None and (why := why_not_a_name(call.name)):
            raise ToolFailed("bad_name", f"name: {why}")
        if call.seat is not None:
            session = await self.desk.again(caller, call.seat)
        else:
            session = await self.desk.sit(caller, call)
        seat = session.seat
        return self._report(seat, f"You have a seat in a match of {seat.game.title}: {seat.handle}")

    async def _wait(self, seat: AgentSeat, seconds: float, progress: Progress, about: str = "") -> Report:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while not seat.is_settled and (rest_s := begun + seconds - loop.time()) > 0:
            await seat.changed(min(rest_s, PROGRESS_S))
            if not seat.is_settled:
                words = f"waiting for the others; {len(seat.news) + seat.untold} events so far"
                await progress(round(loop.time() - begun, 1), seconds, words)
        still = "" if seat.is_settled or not seconds else "Still waiting."
        return self._report(seat, " ".join(filter(None, (about, still))))

    # Answers

    async def _answer(self, call: AnswerCall, session: AgentSession, progress: Progress) -> Report:
        seat = session.seat
        async with seat.lock:
            n, action = await self._understood(seat, call)
            words = text_of(seat.game).render(action, seat.names)
            session.answer(n, action, shortened(call.note))
            await seat.until(lambda: seat.outcome is not None or seat.over is not None, CONFIRM_S)
            outcome = seat.outcome
        if isinstance(outcome, AnswerRefused):
            raise ToolFailed(outcome.fault.code, f"Understood {_line(words)}. {refusal_words(seat, outcome)}")
        known = "Accepted" if outcome is not None or seat.over is not None else "Sent, not yet confirmed"
        report = await self._wait(seat, call.seconds, progress, f"{known}: {words}")
        return Report({**report.facts, "accepted": known == "Accepted", "understood": words}, report.text)

    async def _understood(self, seat: AgentSeat, call: AnswerCall) -> tuple[int, Any]:
        """The number of the ask, and the action that the answer names."""
        asked = _open_ask(seat, call)
        text = call.action if isinstance(call.action, str) else msgspec.json.encode(call.action).decode()
        read = partial(text_of(seat.game).parse, text, asked.ask, seat.view, seat.names)
        if len(text) <= SHORT:
            return asked.n, read()
        async with self._reading_long:
            action = await asyncio.to_thread(read)
        if _open_ask(seat, call).n != asked.n:
            raise ToolFailed("stale", f"ask {asked.n} is not open any more; call wait")
        return asked.n, action

    async def _ask(self, session: AgentSession, said: dict[str, Any] | str) -> Report:
        seat = session.seat
        question = _question(seat.game, said)
        if seat.place is None or seat.over is not None or seat.closed is not None:
            raise ToolFailed("not_playing", "questions can be asked only while the match is running")
        async with seat.lock:
            session.ask(question)
            await seat.until(lambda: seat.reply is not None or seat.over is not None, CONFIRM_S)
            reply = seat.reply
        if isinstance(reply, AnswerRefused):
            raise ToolFailed(reply.fault.code, one_line(reply.fault.words))
        if not isinstance(reply, Replied):
            raise ToolFailed("no_reply", "the referee has not replied; try again")
        answer = msgspec.to_builtins(reply.answer)
        return Report({"seat": seat.handle, "reply": answer}, msgspec.json.encode(answer).decode())

    async def _leave(self, session: AgentSession) -> Report:
        seat = session.seat
        if seat.over is not None:
            return self._report(seat, "The match was over already.")
        if seat.closed is None:
            session.leave()
            await seat.until(lambda: seat.over is not None, 0.0 if seat.place else CONFIRM_S)
        self.desk.left(session)
        return Report({"seat": seat.handle, "game": seat.game.name, "match": seat.table, "state": "left"}, "You left.")


def _open_ask(seat: AgentSeat, call: AnswerCall) -> Asked:
    """The ask that the agent may answer now; ToolFailed if there is none."""
    asked = seat.asked
    if seat.over is not None:
        raise ToolFailed("over", "the match is over; there is nothing to answer")
    if seat.closed is not None:
        raise ToolFailed(seat.closed.code, f"the seat is disconnected: {seat.closed.words}")
    if asked is None or not seat.is_open(asked.n):
        raise ToolFailed("not_asked", "you are not asked anything now; call wait")
    if call.ask is not None and call.ask != asked.n:
        raise ToolFailed("stale", f"ask {call.ask} is not open; the open ask is {asked.n}")
    if asked.n == seat.accepted and asked.ask.waits:
        words = f"ask {asked.n} is answered already, and your answer stands unless the rules let you replace it"
        if call.ask is None:
            raise ToolFailed("answered", f"{words}; name the ask to try that")
    return asked


def _read(tool: AgentTool, arguments: Mapping[str, Any], most_depth: int) -> Any:
    """The arguments of a tool; ToolFailed says what is wrong with them."""
    try:
        if is_too_deep(msgspec.json.encode(arguments), most_depth):
            raise ToolFailed("too_deep", f"{tool.name}: at most {most_depth} levels")
        return msgspec.convert(arguments, tool.arguments, strict=False)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as e:
        raise ToolFailed("bad_arguments", f"{tool.name}: {one_line(str(e), 300)}") from None


def _line(words: str) -> str:
    """Words of ours in one line."""
    return " ".join(words.split())


def _question(game: Game[Any], said: dict[str, Any] | str) -> Any:
    """A free question, as an object or as the text of one."""
    kinds: Sequence[type[Any]] = game.rules.questions
    if not kinds:
        raise ToolFailed("no_queries", f"{game.title} has no free questions")
    try:
        given = msgspec.json.decode(said) if isinstance(said, str) else dict(said)
        if isinstance(given, dict) and len(kinds) == 1:
            given.setdefault("type", kinds[0].__name__)
        return msgspec.convert(given, any_of(kinds), strict=False)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as e:
        names = ", ".join(kind.__name__ for kind in kinds)
        words = f"not a question of {game.title}: {one_line(str(e), 300)}. The types are: {names}; see read_rules"
        raise ToolFailed("bad_query", words) from None


def _games_report(games: Sequence[Game[Any]]) -> Report:
    """All games, in words and with facts."""
    facts, lines = [], []
    for game in games:
        seats, bots = game.table_seats(), dict(game.hosting.strengths)
        facts.append(
            {
                "name": game.name,
                "title": game.title,
                "summary": game.summary,
                "fewest": seats[0],
                "most": seats[-1],
                "bots": bots,
                "rules": f"parlour://rules/{game.name}",
            }
        )
        told = ", ".join(f"{name} ({strength})" for name, strength in bots.items())
        lines.append(
            f"- {game.name}: {game.title}, {seats[0]} to {seats[-1]} players. {sentence(game.summary)} Bots: {told}."
        )
    return Report({"games": facts}, "\n".join(lines))
