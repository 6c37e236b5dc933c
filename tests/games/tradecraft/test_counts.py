"""What an evaluation counts in tradeCraft."""

from collections import Counter

from parlour.games.tradecraft import GAME
from parlour.games.tradecraft.values import Accepted, Proposed
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.replay import replay
from parlour.tournament.blunders import judged_match

SEEDS = [b"counts %d" % number * 4 for number in range(6)]


def test_offers_trades_and_gains_are_counted_for_the_seats_that_made_them() -> None:
    counted: list[Counter[str]] = [Counter(), Counter()]
    told: Counter[tuple[str, int]] = Counter()
    for seed in SEEDS:
        log = MemoryLog()
        play(Terms(game=GAME), [load(GAME, "planner"), load(GAME, "negotiator")], seed, log)
        transcript = b"".join(line + b"\n" for line in log.lines)
        for seat in (0, 1):
            counted[seat].update(judged_match(GAME, transcript, 0, [seat], None).counts)
        for step in replay(GAME, log.lines, seed):
            for event in step.out.notices:
                if isinstance(event, Proposed) and (event.offer or event.request):
                    told["offers made", event.proposer] += 1
                if isinstance(event, Accepted) and (event.offer or event.request):
                    told["offers accepted", event.proposer] += 1
                    told["offers taken", event.partner] += 1
    for seat in (0, 1):
        own = {words: counted[seat][words] for words in ("offers made", "offers accepted", "offers taken")}
        assert own == {words: told[words, seat] for words in own} and own["offers made"] > own["offers accepted"] > 0
        trades = own["offers accepted"] + own["offers taken"]
        changes = ("trades it gained by", "trades it lost by", "trades of no effect")
        assert sum(counted[seat][words] for words in changes) == trades
        assert counted[seat]["trades it gained by"] > trades / 2  # both bots trade to come nearer
