"""Dominion keeps the contract."""

from tests.contract.ours import OurContract
from tests.contract.subjects import SUBJECTS


class TestDominion(OurContract):
    subject = SUBJECTS["dominion"]
