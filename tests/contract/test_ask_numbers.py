"""What the referee itself could give away."""

from parlour.core import BadMessage
from parlour.testing.walk import Case, walked
from tests.contract.subjects import SUBJECTS


def test_a_planted_leak_through_ask_numbers_is_caught() -> None:
    """A count of asks for the whole table would reveal which seats have acted; a count for each seat does not."""
    case = Case(SUBJECTS["forsale"], 3, SUBJECTS["forsale"].options[0], b"seed", 0, False)

    def numbers(leaky: bool) -> set[int]:
        """Seat 0's number after seat 1 needed one try or three, in a sale."""
        told = set()
        for tries in (0, 2):
            walk = walked(case)
            while not all(open.ask.sealed for open in walk.match.open.values()):
                walk.step()
            for _ in range(tries):
                walk.take(walk.match.answer(1, BadMessage("junk", "junk"), 0.0))
            open = walk.match.open[0]
            asked = walk.match._asked
            told.add(sum(asked.values()) if leaky else open.n)
        return told

    assert len(numbers(leaky=True)) > 1
    assert len(numbers(leaky=False)) == 1
