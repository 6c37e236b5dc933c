"""For Sale keeps the contract."""

from tests.contract.ours import OurContract
from tests.contract.subjects import SUBJECTS


class TestForSale(OurContract):
    subject = SUBJECTS["forsale"]
