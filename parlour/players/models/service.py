"""The resources of the model players of one match."""

from collections.abc import Awaitable, Callable

from msgspec import Struct, field

from parlour.players.models.budgets import FreePurse, Purse
from parlour.players.models.call_records import CallSink
from parlour.players.models.desk import ModelDesk, usual_desk
from parlour.players.models.exchange import ModelConnection
from parlour.players.models.options import ModelTerms


class ModelService(Struct, frozen=True):
    """The desk, the money and the sink for records that the model players of a match use."""

    desk: ModelDesk = field(default_factory=usual_desk)
    """By default, the desk that the environment of this process configures."""
    purse: Purse = FreePurse()
    """Pays for the requests, in addition to the ceiling of the desk."""
    sink: CallSink | None = None
    """Takes the record of every request."""
    connect: Callable[[ModelTerms], Awaitable[ModelConnection]] | None = None
    """Connects a model; None: the official client of its API."""
