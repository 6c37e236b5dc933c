"""Play on an arena from the command line."""

import logging
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from parlour.cli.arena_requests import asking
from parlour.cli.common import UserError, console, find_game, read_players, stderr
from parlour.cli.match_screen import result_table
from parlour.cli.model_runs import ModelRun
from parlour.cli.play_commands import COMPLAINT_LINES
from parlour.cli.serving import JoinFlags
from parlour.client import Client, Finished, Refused
from parlour.client.receipts import Receipts
from parlour.core import Game, Result
from parlour.core.values import plain, why_not_a_name
from parlour.players.player_specs import Spec
from parlour.protocol.v1 import FaultMessage, HelloMessage, SeatMessage
from parlour.referee.fault_words import cost_in_words

_log = logging.getLogger("parlour.client")
MANY = 1_000_000
"""As many matches as a league may have."""


def join_arena(flags: JoinFlags) -> None:
    """Play one or more matches, or all of a league, and print their results."""
    game = find_game(flags.game_name)
    [spec] = read_players(game, [flags.player])
    models = ModelRun([spec])
    if flags.model_log is not None and not models.has_models:
        raise UserError("--model-log: the player is no model")
    if flags.league is not None:
        _check_league(flags, game, flags.league)
    matches = flags.matches if flags.league is None else MANY
    _check_flags(flags, matches)
    _check_game(flags, game)
    news = _News(game, _awaited(game, flags), matches)
    service = models.begin_file(flags.model_log)
    leaves = flags.token is None  # a guest cannot return
    client = Client(
        flags.url, flags.token, name=flags.name, watch=news, receipt=flags.receipt, leaves=leaves, models=service
    )
    _log.setLevel(logging.INFO)
    _log.addHandler(news)
    try:
        if flags.league is not None:
            _play_league(client, flags.url, flags.league, spec, news)
        else:
            for _ in range(matches):
                _tell(_played(client, flags, game, spec), news)
    finally:
        _log.removeHandler(news)
        models.end(lambda seat: 0)  # the only player may have had any seat
        if matches > 1 and news.ranks:
            console.print(news.tally(), soft_wrap=True)
        models.tell(stderr)


def _awaited(game: Game[Any], flags: JoinFlags) -> str:
    """The event that the player waits for, in words."""
    if flags.league is not None:
        return f"the next match of the league {flags.league}"
    return f"the next table of {game.title}" if flags.table is None else f"the others at table {flags.table}"


def _check_flags(flags: JoinFlags, matches: int) -> None:
    """UserError if the flags do not go together."""
    if flags.key is not None and flags.table is None:
        raise UserError("--key: a key is for a table; say which with --table")
    if flags.table is not None and matches > 1:
        raise UserError("--matches: at a table one match is played; leave --table out for the next ones")
    if flags.name is not None and (why := why_not_a_name(flags.name)):
        raise UserError(f"--name: {why}")
    if flags.receipt is not None:
        _check_receipt(flags.receipt, matches)


def _check_receipt(receipt: str, matches: int) -> None:
    """UserError if no receipt can be written there. For several matches, create the folder."""
    try:
        Receipts(receipt, folder=matches > 1)
    except FileExistsError:
        raise UserError("--receipt: for several matches it must be a folder, and that is a file") from None
    except Refused as e:
        raise UserError(f"--receipt: {e}") from None


def _check_game(flags: JoinFlags, game: Game[Any]) -> None:
    """UserError if the arena cannot be used, or does not have the game."""
    with asking(flags.url, flags.token) as arena:
        if game.name not in [known.name for known in arena.games()]:
            raise UserError(f"{flags.url}: {game.title} is not played there")


def _check_league(flags: JoinFlags, game: Game[Any], league: str) -> None:
    """UserError if the account cannot play in the league."""
    if flags.table is not None:
        raise UserError("--league: the league has its own tables; leave --table out")
    if not flags.token:
        raise UserError("--league: it needs the token of your account: give it with --token or in PARLOUR_TOKEN")
    with asking(flags.url, flags.token, about=league) as arena:
        arena.own_entry(league)
        found = arena.league(league)
    if found.game != game.name:
        raise UserError(f"{league}: its game is {plain(found.game)}, not {game.name}")


def _played(client: Client, flags: JoinFlags, game: Game[Any], spec: Spec) -> Finished:
    try:
        return client.play(game.name, spec, table=flags.table, key=flags.key)
    except Refused as e:
        if e.code == "receipt":
            raise UserError(f"--receipt: {e}") from None
        words = "that key does not open its seats" if e.code == "key_needed" and flags.key is not None else str(e)
        raise UserError(f"{flags.url if flags.table is None else flags.table}: {words}") from None


def _play_league(client: Client, url: str, league: str, spec: Spec, news: "_News") -> None:
    try:
        client.play_league(league, spec, lambda finished: _tell(finished, news))
    except Refused as e:
        raise UserError(f"{url}: {e}") from None
    stderr.print(f"The league {league} has ended: parlour league show {url} {league}", soft_wrap=True)


def _tell(finished: Finished, news: "_News") -> None:
    for line in news.over(finished):
        console.print(line, soft_wrap=True)
    if finished.receipt is not None:
        signed = "not signed" if finished.signed_by is None else f"signed with the key {plain(finished.signed_by)}"
        stderr.print(f"Receipt: {finished.receipt}, {signed}", soft_wrap=True)
    if finished.faults and finished.stderr.strip():
        stderr.print(Text("it wrote to stderr:", "red"))
        for complaint in finished.stderr.strip().splitlines()[-COMPLAINT_LINES:]:
            stderr.print(Text(f"  {plain(complaint)}", "dim"), soft_wrap=True)


class _News(logging.Handler):
    """Prints the progress of matches on stderr, and counts their results."""

    def __init__(self, game: Game[Any], where: str, matches: int) -> None:
        super().__init__(logging.INFO)
        self._game = game
        self._where = where
        self._greeted = False
        self._matches = matches
        self._of = "" if matches == MANY else f"/{matches}"
        self._match: str | None = None
        self.ranks: Counter[str] = Counter()
        self._scores: list[int] = []
        self._faults: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno == logging.INFO:  # mistakes of the bot are reported as faults
            stderr.print(Text(record.getMessage(), "yellow"), soft_wrap=True)

    def __call__(self, message: Any) -> None:
        """Report a message of the server."""
        if isinstance(message, HelloMessage) and not self._greeted:
            self._greeted = True
            stderr.print(f"Waiting for {self._where}; Ctrl-C leaves", soft_wrap=True)
        elif isinstance(message, SeatMessage) and message.match != self._match:
            self._match = message.match
            players = ", ".join(map(plain, message.players))
            stderr.print(f"Match {message.match} begins: {players}; yours is seat {message.seat}", soft_wrap=True)
        elif isinstance(message, FaultMessage):
            words = [f"  {message.kind} {message.code}: {plain(message.words)}", cost_in_words(message.cost)]
            stderr.print(Text("; ".join(filter(None, words)), "red"), soft_wrap=True)

    def over(self, finished: Finished) -> Iterator[RenderableType]:
        """The result of a match: a table if it is the only one, and one line."""
        end = finished.end
        self._faults.update(finished.faults)
        if isinstance(end, Result):
            rank = end.ranks[finished.seat]
            self.ranks[f"rank {rank}"] += 1
            self._scores.append(end.scores[finished.seat])
            told = f"rank {rank} of {len(end.ranks)} with {self._scores[-1]}"
        else:
            self.ranks["void"] += 1
            told = f"void: {plain(end.words)}"
        if self._matches == 1:
            yield result_table(self._game, finished.match, [plain(name) for name in finished.players], end)
        faults = f"; faults: {_counted(finished.faults)}" if finished.faults else ""
        number = "" if self._matches == 1 else f"{self.ranks.total()}{self._of}  "
        yield Text(f"{number}{finished.match}: {told}, seat {finished.seat}{faults}")

    def tally(self) -> Text:
        """The results of all matches, in one line."""
        parts = [f"{self.ranks.total()} matches: {_counted(self.ranks, ': ')}"]
        if self._scores:
            parts.append(f"mean score {sum(self._scores) / len(self._scores):.1f}")
        if self._faults:
            parts.append(f"faults: {_counted(self._faults)}")
        return Text("; ".join(parts), "bold")


def _counted(times: dict[str, int], between: str = " ") -> str:
    return ", ".join(f"{what}{between}{count}" for what, count in sorted(times.items()))
