"""The player behind a client: a bot in this process, a command, or a language model."""

import asyncio
import inspect
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import UNSET

from parlour.client.stderr import StderrBuffer
from parlour.core import Again, Asked, Game, Hello, Notice, Place, Value
from parlour.players.local import LocalPlayer
from parlour.players.models.model_player import ModelPlayer
from parlour.players.models.service import ModelService
from parlour.players.player_specs import MODEL, ExecSpec, LocalSpec, ModelSpec
from parlour.players.remote import RemotePlayer
from parlour.players.starter import STATUS_S, complaint_in, connect_model, introduction, mind_of, start_command
from parlour.players.terms import CannotPlay, Terms
from parlour.protocol.v1 import PlayerHello, StderrMessage
from parlour.referee.player import Bot, Player, Post
from parlour.transports.process import ProcessPeer

Playable: TypeAlias = Bot | type[Any] | LocalSpec | ExecSpec | ModelSpec
"""A bot function, a class of such, or a result of `parlour.players.player_specs.load`."""
LOOKS_S = 0.5
"""How often to check that a waiting command still runs."""


class Decider(ABC):
    """The player that decides. It exists for the whole match, over all connections."""

    _player: Player

    async def ready(self) -> None:
        """Start it."""
        return

    @abstractmethod
    async def hello(self, told: Hello) -> PlayerHello:
        """Its introduction."""

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._player.sit(place, view, post)

    def tell(self, notice: Notice, view: Value | None) -> None:
        self._player.tell(notice, view)

    async def gone(self) -> None:
        """Return when it has ended."""
        await asyncio.Event().wait()

    @abstractmethod
    async def last_words(self) -> str:
        """Why it left."""

    @property
    def stderr(self) -> str:
        return ""

    def written(self) -> list[StderrMessage]:
        """Its stderr since the last call."""
        return []

    @property
    def answers_ahead(self) -> bool:
        """Whether it may answer the next ask before it is told of it."""
        return False

    @property
    def takes_again(self) -> bool:
        """Whether it can be asked in a position of another match. Known after its introduction."""
        return False

    async def again(self, again: Again) -> Any:
        """Its answer there. Its own match is not affected."""
        raise CannotPlay("this player is not asked again")

    @abstractmethod
    async def close(self) -> None: ...


def decider_for(game: Game[Any], bot: Playable, models: ModelService | None = None) -> Decider:
    """The decider of a player; `models` is for a language model."""
    if isinstance(bot, ExecSpec):
        return _Child(game, bot)
    if isinstance(bot, ModelSpec):
        return _Model(game, bot, models)
    if isinstance(bot, LocalSpec):
        return _Local(game, bot, bot.name)
    make: Callable[[], Any] = bot if inspect.isclass(bot) else lambda: bot
    return _Local(game, LocalSpec(getattr(bot, "__name__", type(bot).__name__), make), None)


class _Local(Decider):
    """A bot in this process."""

    def __init__(self, game: Game[Any], spec: LocalSpec, name: str | None) -> None:
        self._game = game.name
        self._name = name
        self._spec = spec
        self._mind = mind_of(spec, secrets.token_bytes(32), 0)
        self._player: LocalPlayer = LocalPlayer(self._mind)

    async def hello(self, told: Hello) -> PlayerHello:
        return PlayerHello(self._name or UNSET, _salt(told))

    async def last_words(self) -> str:
        return "the bot resigned"

    @property
    def takes_again(self) -> bool:
        """Not if the same object would have to remember two matches."""
        return inspect.isclass(self._spec.make) or not self._mind.has_hooks

    async def again(self, again: Again) -> Any:
        """Ask another bot of the same kind, so that this one does not notice."""
        mind = mind_of(self._spec, secrets.token_bytes(32), again.seat)
        player, answer = LocalPlayer(mind), asyncio.get_running_loop().create_future()
        place = Place(self._game, "", again.seat, again.players, again.options, "")
        player.sit(place, again.view, lambda said, n: None if answer.done() else answer.set_result(said))
        try:
            player.tell(Asked(again.seat, 1, again.ask, 1, None, None, None, None), again.view)
            return await answer
        finally:
            player.close()

    async def close(self) -> None:
        self._player.close()


class _Model(Decider):
    """A language model."""

    def __init__(self, game: Game[Any], spec: ModelSpec, service: ModelService | None) -> None:
        self._name = spec.name
        self._player: ModelPlayer = ModelPlayer(game, spec.terms, service)

    async def ready(self) -> None:
        await connect_model(self._player, self._name)

    async def hello(self, told: Hello) -> PlayerHello:
        return PlayerHello(self._name, _salt(told), MODEL)

    async def last_words(self) -> str:
        return "the model resigned"

    async def close(self) -> None:
        await self._player.close()


class _Child(Decider):
    """A command, with protocol 1 or a dialect of the game."""

    _player: RemotePlayer

    def __init__(self, game: Game[Any], spec: ExecSpec) -> None:
        if spec.dialect().follows:
            raise CannotPlay(
                f"{spec.name}: its protocol needs a view with every event, which protocol 1 does not send; "
                "let it connect to the arena's own port for that protocol"
            )
        self._game = game
        self._spec = spec
        self._peer: ProcessPeer | None = None
        self._greeted: Hello | None = None
        self._said = PlayerHello()
        self._written = StderrBuffer()

    async def ready(self) -> None:
        self._peer, self._player = await start_command(self._spec)
        self._peer.on_stderr = self._written.add
        self._player.log = self._written

    async def hello(self, told: Hello) -> PlayerHello:
        """Ask the command once for each match. It is restarted if the next table is another one."""
        if self._greeted is not None and self._greeted.commit != told.commit:
            await self.close()
            await self.ready()
            self._greeted = None
        if self._greeted is None:
            terms = Terms(game=self._game, salted=told.salted)
            sitting = await introduction(self._player, self._spec, told, terms)
            self._greeted = told
            self._said = PlayerHello(sitting.name, sitting.salt or _salt(told), sitting.about)
        return self._said

    async def gone(self) -> None:
        """Waits for a command that has introduced itself; before that, `hello` notices its end."""
        while self._greeted is None or self._peer is None or self._peer.gone is None:
            await asyncio.sleep(LOOKS_S)

    async def last_words(self) -> str:
        assert self._peer is not None
        await self._peer.exited(STATUS_S)
        why = "sent too many messages" if self._peer.gone == "flood" else self._peer.status
        return f"{self._spec.name}: {why} before the end{complaint_in(self.stderr)}"

    @property
    def stderr(self) -> str:
        return "" if self._peer is None else self._peer.stderr

    def written(self) -> list[StderrMessage]:
        return self._written.messages()

    @property
    def answers_ahead(self) -> bool:
        return self._player.dialect.answers_ahead

    @property
    def takes_again(self) -> bool:
        return self._player.dialect.takes_again

    async def again(self, again: Again) -> Any:
        return await self._player.ask_again(again)

    async def close(self) -> None:
        peer, self._peer = self._peer, None
        if peer is not None:
            await peer.close()


def _salt(told: Hello) -> str:
    return secrets.token_hex(16) if told.salted else ""
