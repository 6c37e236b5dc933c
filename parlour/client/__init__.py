"""Play at an arena from Python.

    from parlour.client import Client

    Client("http://127.0.0.1:8000").play("GAME", my_bot)

A bot is a function of view, ask and dice, or a class whose instances are; or a command, as
`parlour.players.player_specs.load` returns it. It returns an action, or `Noted(action, "why")`. The client reconnects
after a lost connection and resumes the match.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import ssl
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from msgspec import UNSET
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus

from parlour import plugins
from parlour.client.api import ArenaApi, Refused, is_loopback, url_of
from parlour.client.leagues import LeagueApi, tables_of
from parlour.client.match import ClientMatch, Finished
from parlour.client.players import Playable, decider_for
from parlour.client.receipts import Receipts, ReceiptWriter
from parlour.core import Noted
from parlour.core.values import plain
from parlour.players.models.service import ModelService
from parlour.players.terms import CannotPlay
from parlour.protocol.v1 import PlayerHello

__all__ = ["CannotPlay", "Client", "Finished", "Noted", "Playable", "Refused"]

RETRY_S: tuple[float, ...] = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Delays between attempts to connect; the last one is repeated."""
TRIES = 60
AWAY = ("unreachable", "bug")
"""Codes after which a match of a league may be resumed, so that its player should return."""
MISSED = ("no_such_table", "dropped", "void", "not_playing", "begun", "parked", "over", *AWAY)
"""Codes that end a match of a league for its player, and not the league."""

_log = logging.getLogger(__name__)
"""Logs lost connections and invalid answers of the bot."""


class _Guest:
    """The token for one match, once it is known."""

    def __init__(self, token: str | None) -> None:
        self.token = token


class Client:
    """A client of the arena at this address; without a token it plays as a guest."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        name: str | None = None,
        watch: Callable[[Any], None] = lambda message: None,
        receipt: str | os.PathLike[str] | None = None,
        leaves: bool = False,
        models: ModelService | None = None,
    ) -> None:
        self._url = url_of(url)
        self._token = token
        self._name = name
        self._guests: list[str] = []
        """Unused guest tokens of earlier matches; the next match uses one of them."""
        self._watch = watch
        """Called with every received message of protocol 1, and with every answer."""
        self._receipt = receipt
        """The file for the receipt of the match, or a folder for the receipts of all matches."""
        self._leaves = leaves
        """Whether a match that is cancelled is left for good; otherwise its seat is kept for a while."""
        self._models = models
        """The service of a language model; None: the one that the environment sets."""

    def play(self, game_name: str, bot: Playable, *, table: str | None = None, key: str | None = None) -> Finished:
        """Play one match, at this table or at the next one. The key is for the table's invited seats.

        Raises Refused if the arena refuses, and CannotPlay if the bot cannot be started or leaves."""
        return asyncio.run(self.play_async(game_name, bot, table=table, key=key))

    async def play_async(
        self, game_name: str, bot: Playable, *, table: str | None = None, key: str | None = None
    ) -> Finished:
        """`play` for a running event loop. A bot runs in a thread, a command in its own process."""
        if table is None and key is not None:
            raise ValueError("a key needs a table")
        while True:
            known = self._guests.pop() if self._token is None and self._guests else None
            guest = _Guest(self._token or known)
            try:
                return await self._play_once(guest, game_name, bot, table, key)
            except Refused as e:
                if e.code != "bad_token":
                    raise
                guest.token = None
                if known is None:
                    raise
                _log.info("the arena does not know our guest token any more; connecting as a new guest")
            finally:  # the token is for the next match
                if self._token is None and guest.token is not None:
                    self._guests.append(guest.token)

    def play_league(
        self, league: str, bot: Playable, finished: Callable[[Finished], None] = lambda match: None
    ) -> None:
        """Play all matches of your entry in a league, one after the other, until the league has ended. `finished` is
        called after each. Needs the token of the account."""
        if self._token is None:
            raise ValueError("a league needs the token of an account")
        seen: set[str] = set()
        for where in tables_of(LeagueApi(self._url, self._token), league, seen):
            try:
                finished(self.play(where.game, bot, table=where.table))
            except Refused as e:
                if e.code not in MISSED:
                    raise
                _log.info("%s: %s", where.table, plain(str(e)))
                if e.code in AWAY and where.table is not None:
                    seen.discard(where.table)

    async def _play_once(
        self, guest: _Guest, game_name: str, bot: Playable, table: str | None, key: str | None
    ) -> Finished:
        game = plugins.game(game_name)
        decider = decider_for(game, bot, self._models)
        receipts = None if self._receipt is None else Receipts(self._receipt)
        salt = secrets.token_hex(16)
        salts: dict[str, str] | None = None
        if table is not None and key is not None:
            if guest.token is None:
                guest.token = await asyncio.to_thread(_patiently, partial(ArenaApi(self._url).guest, self._name))
            salts = await asyncio.to_thread(self._take_invited, guest.token, table, key, salt)
        token = guest.token
        own = PlayerHello(self._name or UNSET, token=token or UNSET)
        playing = ClientMatch(game, decider, own, salts, self._watch, ReceiptWriter(receipts, self._url))
        playing.leaves = self._leaves
        try:
            await decider.ready()
            retake = None if key is None else partial(self._retake, table or "", key, token, salt)
            return await self._play(playing, f"/play/{game_name}", table, retake)
        finally:
            guest.token = playing.token
            await decider.close()

    def _take_invited(self, token: str, table: str, key: str, salt: str) -> dict[str, str]:
        """Take an invited seat over HTTP before connecting; returns our salt by commitment."""
        try:
            return {_patiently(partial(ArenaApi(self._url, token).join, table, key, salt)): salt}
        except Refused as e:
            if e.code not in ("no_such_table", "begun"):  # in these cases we may already have our seat
                raise
        return {}

    def _retake(self, table: str, key: str, token: str | None, salt: str) -> None:
        """Take the seat again, because a guest that disconnects before the match may lose it. Errors are ignored: the
        next connection reports them."""
        with contextlib.suppress(Refused):
            ArenaApi(self._url, token).join(table, key, salt)

    async def _play(
        self, playing: ClientMatch, path: str, table: str | None, retake: Callable[[], None] | None
    ) -> Finished:
        tries = 0
        while tries < TRIES:
            where = playing.match or table
            finished = await self._connected(playing, path + (f"/{where}" if where else ""))
            if finished is not None:
                return finished
            if playing.sits_here:
                playing.sits_here, tries = False, 0
            await playing.pause(RETRY_S[min(tries, len(RETRY_S) - 1)])
            tries += 1
            if retake is not None and playing.match is None:
                await asyncio.to_thread(retake)
        raise Refused("unreachable", "no answer")

    async def _connected(self, playing: ClientMatch, path: str) -> Finished | None:
        """Play over one connection; None: reconnect."""
        proxy: Literal[True] | None = None if is_loopback(self._url) else True
        try:
            async with connect("ws" + self._url.removeprefix("http") + path, max_size=None, proxy=proxy) as line:
                return await playing.on(line)
        except (ConnectionClosed, InvalidHandshake, OSError) as e:
            if playing.match is None and (words := _no_arena(e)):
                raise Refused("no_arena", words) from None
            _log.info("%s: %s; trying again", self._url, plain(str(e)) or type(e).__name__)
        return None


def _patiently(ask: Callable[[], str]) -> str:
    """Ask the arena, and retry while it says that we ask too often."""
    for tries in range(TRIES):
        try:
            return ask()
        except Refused as e:
            if e.code != "too_many_tries":
                raise
        time.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
    return ask()


def _no_arena(error: Exception) -> str:
    """Why a retry is useless; empty if it is not."""
    if isinstance(error, InvalidStatus):
        status = error.response.status_code
        return "" if status >= 500 or status == 429 else f"not an arena (HTTP status {status})"
    if isinstance(error, InvalidMessage) and not isinstance(error.__cause__, EOFError):
        return "not an arena: it does not speak HTTP"
    if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError):
        return f"no secure connection: {plain(str(error.reason or error))}"
    return ""
