"""A server on loopback that speaks the APIs of OpenAI and Anthropic, with scripted models that behave and misbehave."""

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, field

KEY = "sk-planted-4f1b9c77e2d84e0a"
"""The key that the server takes. Nothing that anybody can read may have it."""

_EXAMPLE = re.compile(r"[Ww]rite(?: for example)?: (.+)$", re.MULTILINE)


class Reply(Struct, kw_only=True):
    """What a model does with a request."""

    text: str = ""
    calls: list[tuple[str, str]] = []
    """Names of functions, and arguments as JSON."""
    stop: str = "stop"
    """In the words of OpenAI: stop, length, content_filter."""
    status: int = 200
    headers: dict[str, str] = {}
    error: str = ""
    """The words of an error, if the status is one."""
    raw: bytes | None = None
    """Sent instead of all this."""
    wait_s: float = 0.0
    resets: bool = False
    """Whether the connection is cut instead."""
    usage: tuple[int, int] | None = (100, 10)


class Request(Struct):
    """A request that was received."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float

    @property
    def question(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def system(self) -> str:
        return str(self.body.get("system") or self.body["messages"][0]["content"])

    @property
    def model(self) -> str:
        return str(self.body["model"])

    def example(self) -> str:
        """An answer that the question names."""
        asked = [each["content"] for each in self.body["messages"] if "Your decision:" in each["content"]]
        return str(_EXAMPLE.findall(asked[-1])[-1])


Behaviour = Callable[[Request, int], Reply]
"""What a model replies to a request; the number of requests to this model before."""


def says_example(request: Request, count: int) -> Reply:
    """Answers with the example in the question; by a function call if there is a function."""
    verb, _, value = request.example().partition(" ")
    if "tools" not in request.body:
        return Reply(text=f"I think a little.\nAnswer: {verb} {value}")
    fields = {"bid": "amount", "sell": "estate"}
    arguments = {"action": verb, **({fields[verb]: int(value)} if value else {})}
    return Reply(text="I think a little.", calls=[("answer", json.dumps(arguments))])


class ModelServer(Struct):
    """The server, in a thread of its own."""

    models: dict[str, Behaviour] = field(default_factory=dict)
    """By name; others answer like `says_example`."""
    requests: list[Request] = field(default_factory=list)
    port: int = 0
    checks_key: bool = True
    most_open: int = 0
    """The most requests that were open at the same time."""
    is_open: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def of(self, model: str) -> list[Request]:
        return [request for request in self.requests if request.model == model]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False if there are no more."""
        first = await reader.readline()
        if not first:
            return False
        headers = {}
        while line := (await reader.readline()).decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))))
        request = Request(first.decode().split()[1], headers, body, asyncio.get_running_loop().time())
        before = len(self.of(request.model))
        self.requests.append(request)
        self.is_open += 1
        self.most_open = max(self.most_open, self.is_open)
        try:
            reply = self._reply(request, before)
            await asyncio.sleep(reply.wait_s)
        finally:
            self.is_open -= any(each is request for each in self.requests)  # not of an earlier test
        if reply.resets:
            writer.transport.abort()
            return False
        content = reply.raw if reply.raw is not None else self._content(request, reply)
        lines = [f"HTTP/1.1 {reply.status} X", "content-type: application/json", f"content-length: {len(content)}"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        await writer.drain()
        return True

    def _reply(self, request: Request, before: int) -> Reply:
        sent = request.headers.get("authorization", "").removeprefix("Bearer ") or request.headers.get("x-api-key", "")
        if self.checks_key and sent != KEY:
            return Reply(status=401, error=f"Incorrect API key provided: {sent}")
        return self.models.get(request.model, says_example)(request, before)

    def _content(self, request: Request, reply: Reply) -> bytes:
        if reply.status >= 400:
            return json.dumps({"error": {"message": reply.error, "type": "x", "code": None}}).encode()
        return json.dumps(_anthropic(reply) if request.path.endswith("/messages") else _openai(reply)).encode()


def _openai(reply: Reply) -> dict[str, Any]:
    calls = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(reply.calls)
    ]
    message = {"role": "assistant", "content": reply.text or None, **({"tool_calls": calls} if calls else {})}
    told: dict[str, Any] = {"id": "x", "object": "chat.completion", "model": "x", "created": 1}
    told["choices"] = [{"index": 0, "finish_reason": reply.stop, "message": message}]
    if reply.usage is not None:
        total = sum(reply.usage)
        told["usage"] = {"prompt_tokens": reply.usage[0], "completion_tokens": reply.usage[1], "total_tokens": total}
    return told


def _anthropic(reply: Reply) -> dict[str, Any]:
    stops = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
    text = [{"type": "text", "text": reply.text}] if reply.text else []
    calls = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": json.loads(arguments)}
        for n, (name, arguments) in enumerate(reply.calls)
    ]
    told: dict[str, Any] = {"id": "x", "type": "message", "role": "assistant", "model": "x", "content": [*text, *calls]}
    told["stop_reason"] = stops[reply.stop]
    if reply.usage is not None:
        told["usage"] = {"input_tokens": reply.usage[0], "output_tokens": reply.usage[1]}
    return told


@contextmanager
def model_server(**models: Behaviour) -> Iterator[ModelServer]:
    """A server that runs until the block ends."""
    server, loop, ready = ModelServer(models), asyncio.new_event_loop(), threading.Event()
    stop = asyncio.Event()

    async def run() -> None:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", server.port)
        server.port = listening.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        listening.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
