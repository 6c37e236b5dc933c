"""The contract of every game, as tests that a class inherits."""

from parlour.testing.contract.asks import AsksContract
from parlour.testing.contract.definition import DefinitionContract
from parlour.testing.contract.encoding import EncodingContract
from parlour.testing.contract.endings import EndingsContract
from parlour.testing.contract.faults import FaultsContract
from parlour.testing.contract.golden import GoldenContract
from parlour.testing.contract.hidden import HiddenContract
from parlour.testing.contract.hosting import HostingContract
from parlour.testing.contract.options import OptionsContract
from parlour.testing.contract.sealed import SealedContract
from parlour.testing.contract.text import TextContract
from parlour.testing.contract.transcripts import TranscriptsContract
from parlour.testing.contract.values import ValuesContract
from parlour.testing.contract.words import WordsContract


class GameContract(
    DefinitionContract,
    HostingContract,
    OptionsContract,
    WordsContract,
    ValuesContract,
    AsksContract,
    FaultsContract,
    EndingsContract,
    SealedContract,
    HiddenContract,
    TranscriptsContract,
    EncodingContract,
    TextContract,
    GoldenContract,
):
    """All tests that every game must pass. A subclass whose name begins with `Test` states its `subject`."""


__all__ = ["GameContract"]
