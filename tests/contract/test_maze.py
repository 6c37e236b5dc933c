"""Maze keeps the contract."""

from tests.contract.ours import OurContract
from tests.contract.subjects import SUBJECTS


class TestMaze(OurContract):
    subject = SUBJECTS["maze"]
