"""What the model players of one match use."""

from msgspec import Struct

from parlour.players.models.budgets import FreePurse, Purse
from parlour.players.models.call_records import CallSink
from parlour.players.models.desk import ModelDesk, usual_desk


class ModelService(Struct, frozen=True):
    """What the model players of a match use."""

    desk: ModelDesk
    purse: Purse = FreePurse()
    """Pays for them, besides the ceiling of the desk."""
    sink: CallSink | None = None
    """Takes the record of every request."""


def usual_service(sink: CallSink | None = None) -> ModelService:
    """The service of this process, as the environment wants it."""
    return ModelService(usual_desk(), sink=sink)
