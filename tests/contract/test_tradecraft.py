"""tradeCraft keeps the contract."""

from tests.contract.ours import OurContract
from tests.contract.subjects import SUBJECTS


class TestTradecraft(OurContract):
    subject = SUBJECTS["tradecraft"]
