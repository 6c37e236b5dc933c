"""The contract of our own games, whose golden transcripts are in one folder."""

from pathlib import Path

from parlour.testing import GameContract


class OurContract(GameContract):
    golden_folder = Path(__file__).parent.parent / "golden"
