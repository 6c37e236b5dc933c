"""Play 250 matches of all games, with all built-in bots and with mishaps, and print a hash of each transcript.

    python -m tests.compiled.transcripts

Compiled or not, the output is the same. On stderr it says which form it is.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from parlour.core import Dice, Sitting
from parlour.core.dice import __file__ as dice_file
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.transcript import header
from parlour.testing.subject import Subject
from parlour.testing.walk import Case, Walk
from tests.contract.subjects import SUBJECTS

GAMES = ("colorfight", "dominion", "forsale", "maze", "tradecraft")
EACH = 25
"""So many matches of each game and of each kind."""


def bots_play(subject: Subject, number: int) -> list[bytes]:
    """A match of drawn bots. Every bot plays often."""
    dice = Dice(b"bots %d" % number)
    game, seats, options = subject.game, dice.pick([n for n in subject.seats if n]), dice.pick(subject.options)
    bots = [dice.pick(sorted(game.hosting.bots)) for _ in range(seats)]
    seed, log = b"%032d" % number, MemoryLog()
    match: Match[Any] = Match(game, header(game, [Sitting(bot) for bot in bots], seed, options=options), seed)
    makers = [game.hosting.bots[bot] for bot in bots]
    drive(match, [maker() if isinstance(maker, type) else maker for maker in makers], log)
    return [*log.lines, match.reveal()]


def mishaps_happen(subject: Subject, number: int) -> list[bytes]:
    """A match of random bots, with faults, departures and newcomers."""
    dice = Dice(b"mishaps %d" % number)
    case = Case(subject, dice.pick(subject.seats), dice.pick(subject.options), b"%d" % number, 0, rough=True)
    return Walk(case).begin().to_end().lines


def hashes() -> Iterator[str]:
    for name in GAMES:
        for number in range(EACH):
            for play in (bots_play, mishaps_happen):
                lines = play(SUBJECTS[name], number)
                yield f"{name} {number} {play.__name__} {len(lines)} {sha256(b'|'.join(lines)).hexdigest()}"


def main() -> None:
    print("pure" if dice_file.endswith(".py") else "compiled", file=sys.stderr)
    for line in hashes():
        print(line)


if __name__ == "__main__":
    main()
