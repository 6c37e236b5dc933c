"""The games that other tests play keep the contract, too. Their only bot is the random one."""

from tests.contract.ours import OurContract
from tests.contract.subjects import SUBJECTS


class TestLotto(OurContract):
    subject = SUBJECTS["lotto"]
