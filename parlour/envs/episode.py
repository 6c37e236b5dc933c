"""One match, played step by step: the referee asks, and the caller of an environment answers."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from secrets import token_bytes
from typing import Any

from parlour.core import AnswerRefused, Asked, Result, Seat
from parlour.envs.setting import Reward, Setting
from parlour.referee.driver import SteppedMatch
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.player import Mind, place_of

SEED_BYTES = 32


class Episode:
    """One match, from the first ask to the last."""

    def __init__(
        self, setting: Setting, seed: bytes, opponents: Mapping[Seat, Mind] | None = None, watch: bool = False
    ) -> None:
        self.match = setting.match(seed)
        self.log = MemoryLog()
        self.outs: list[Out] = []
        """All outputs of the match, if it is watched."""
        self._answered = 0
        out = self.match.begin(0.0)
        minds = [None if opponents is None else opponents.get(seat) for seat in range(setting.seats)]
        for seat, mind in enumerate(minds):
            if mind is not None:
                mind.sit(place_of(self.match, seat))
        self._stepped = SteppedMatch(self.match, minds, out, self.log, self._keep if watch else None)

    @property
    def asked(self) -> Asked | None:
        """The ask to be answered next by one of the seats without an opponent; None at the end."""
        return self._stepped.asked

    def _keep(self, match: Match[Any], out: Out) -> None:
        self.outs.append(out)

    def answer(self, said: Any) -> Asked | None:
        """Answer the ask with an action or a BadMessage, and play on to the next ask, which is returned, or the end."""
        self._answered = len(self.outs)
        return self._stepped.answer(said)

    def copy(self) -> "Episode":
        """The same position, to play on from it without touching this one. Only without opponents."""
        twin = Episode.__new__(Episode)
        twin.log, twin.outs, twin._answered = MemoryLog(self.log.lines[:]), self.outs[:], self._answered
        twin._stepped = self._stepped.copy(twin.log)
        twin.match = twin._stepped.match
        return twin

    def refusal(self, seat: Seat) -> str:
        """Why the last answer of this seat was refused; empty if it was not. Known only if the match is watched."""
        notices = (notice for out in self.outs[self._answered :] for notice in out.notices)
        refused = (notice for notice in notices if isinstance(notice, AnswerRefused) and notice.seat == seat)
        return next((notice.fault.words for notice in refused), "")

    def ask(self, seat: Seat) -> Any | None:
        """The ask that is open for the seat, if any."""
        open = self.match.open.get(seat)
        return open.ask if open is not None and open.ask.waits else None

    def rewards(self, kind: Reward) -> list[float]:
        """By seat, after the end. RuntimeError if a bug of ours ended the match."""
        end = self.match.end
        if not isinstance(end, Result):
            raise RuntimeError(f"the match has ended without a result: {end}")
        return [float(score) for score in end.scores] if kind == "score" else by_rank(end.ranks)

    def transcript(self) -> bytes:
        """The transcript, as `parlour verify` reads it: complete after the end, before it without the seed."""
        if self.match.end is not None:
            self.log.end(self.match)
        return b"".join(line + b"\n" for line in self.log.lines)


def by_rank(ranks: Sequence[int]) -> list[float]:
    """The share of the other seats that a seat beats, minus the share that beat it: from -1 to 1, and 0 in sum."""
    others = max(1, len(ranks) - 1)
    return [sum((rank < other) - (rank > other) for other in ranks) / others for rank in ranks]


class Seeds:
    """A reproducible stream of seeds for matches; without a number it cannot be predicted."""

    def __init__(self, number: int | None = None) -> None:
        self._key = token_bytes(SEED_BYTES) if number is None else b"parlour environment %d" % number
        self._drawn = 0

    def next(self) -> bytes:
        self._drawn += 1
        return blake2b(b"%d" % self._drawn, key=blake2b(self._key).digest(), digest_size=SEED_BYTES).digest()
