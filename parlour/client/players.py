"""The player behind a client: a bot in this process, or a command."""

import asyncio
import inspect
import secrets
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from msgspec import UNSET

from parlour.core import Game, Hello, Notice, Place, Value
from parlour.core.values import plain
from parlour.players.local import LocalPlayer
from parlour.players.play import STATUS_S, CannotPlay, Terms, introduction, mind_of, start
from parlour.players.player_specs import ExecSpec, LocalSpec
from parlour.players.remote import RemotePlayer
from parlour.protocol.v1 import PlayerHello
from parlour.referee.player import Bot, Post
from parlour.transports.process import ProcessPeer

Playable: TypeAlias = Bot | type[Any] | LocalSpec | ExecSpec
"""A bot function, a class of such, or a result of `parlour.players.player_specs.load`."""
LOOKS_S = 0.5
"""How often to check that a waiting command still runs."""


class Fellow(Protocol):
    """The player that decides. It exists for the whole match, over all connections."""

    async def ready(self) -> None:
        """Start it."""

    async def hello(self, told: Hello) -> PlayerHello:
        """Its introduction."""

    def sit(self, place: Place, view: Value, post: Post) -> None: ...

    def tell(self, notice: Notice, view: Value | None) -> None: ...

    async def gone(self) -> None:
        """Return when it has ended."""

    async def last_words(self) -> str:
        """Why it left."""

    @property
    def stderr(self) -> str: ...

    async def close(self) -> None: ...


def fellow(game: Game[Any], bot: Playable) -> Fellow:
    if isinstance(bot, ExecSpec):
        return _Child(game, bot)
    if isinstance(bot, LocalSpec):
        return _Local(bot, bot.name)
    make: Callable[[], Any] = bot if inspect.isclass(bot) else lambda: bot
    return _Local(LocalSpec(getattr(bot, "__name__", type(bot).__name__), make), None)


class _Local:
    """A bot in this process."""

    stderr = ""

    def __init__(self, spec: LocalSpec, name: str | None) -> None:
        self._name = name
        self._mind = mind_of(spec, secrets.token_bytes(32), 0)
        self._player = LocalPlayer(self._mind)

    async def ready(self) -> None:
        pass

    async def hello(self, told: Hello) -> PlayerHello:
        return PlayerHello(self._name or UNSET, secrets.token_hex(16) if told.salted else "")

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._mind.sit(place)
        self._player.sit(place, view, post)

    def tell(self, notice: Notice, view: Value | None) -> None:
        self._player.tell(notice, view)

    async def gone(self) -> None:
        await asyncio.Event().wait()

    async def last_words(self) -> str:
        return "the bot resigned"

    async def close(self) -> None:
        self._player.close()


class _Child:
    """A command, with protocol 1 or a dialect of the game."""

    def __init__(self, game: Game[Any], spec: ExecSpec) -> None:
        if spec.dialect().follows:
            raise CannotPlay(
                f"{spec.name}: its protocol needs a view with every event, which protocol 1 does not send; "
                "let it connect to the arena's own port for that protocol"
            )
        self._game = game
        self._spec = spec
        self._peer: ProcessPeer | None = None
        self._player: RemotePlayer | None = None
        self._greeted: Hello | None = None
        self._said = PlayerHello()

    async def ready(self) -> None:
        dialect = self._spec.dialect()
        self._peer = await start(self._spec, dialect, None)
        self._player = RemotePlayer(self._peer, dialect)

    async def hello(self, told: Hello) -> PlayerHello:
        """Ask the command once for each match. It is restarted if the next table is another one."""
        if self._greeted is not None and self._greeted.commit != told.commit:
            await self.close()
            await self.ready()
            self._greeted = None
        if self._greeted is None:
            assert self._player is not None
            terms = Terms(game=self._game, salted=told.salted)
            sitting = await introduction(self._player, self._spec, told, terms)
            self._greeted = told
            salt = sitting.salt or (secrets.token_hex(16) if told.salted else "")
            self._said = PlayerHello(sitting.name, salt, sitting.about)
        return self._said

    def sit(self, place: Place, view: Value, post: Post) -> None:
        assert self._player is not None
        self._player.sit(place, view, post)

    def tell(self, notice: Notice, view: Value | None) -> None:
        assert self._player is not None
        self._player.tell(notice, view)

    async def gone(self) -> None:
        """Waits for a command that has introduced itself; before that, `hello` notices its end."""
        while self._greeted is None or self._peer is None or self._peer.gone is None:
            await asyncio.sleep(LOOKS_S)

    async def last_words(self) -> str:
        assert self._peer is not None
        await self._peer.exited(STATUS_S)
        why = "sent too many messages" if self._peer.gone == "flood" else self._peer.status
        complaint = self.stderr.strip().splitlines()[-1:]
        return f"{self._spec.name}: {why} before the end" + "".join(f", saying: {plain(line)}" for line in complaint)

    @property
    def stderr(self) -> str:
        return "" if self._peer is None else self._peer.stderr

    async def close(self) -> None:
        peer, self._peer = self._peer, None
        if peer is not None:
            await peer.close()
