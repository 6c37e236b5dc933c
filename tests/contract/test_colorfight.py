"""ColorfightII keeps the contract."""

from tests.contract.ours import OurContract
from tests.contract.subjects import SUBJECTS


class TestColorfight(OurContract):
    subject = SUBJECTS["colorfight"]
