"""The vocabulary that games, referee and players share. It imports nothing of ours."""

from parlour.core.dialect import Answer, Brief, Dialect, Hello, Message, Place, Question, Scribe
from parlour.core.dice import Dice
from parlour.core.errors import BadMessage, BadOptions, IllegalAction, Inconsistent, Trouble
from parlour.core.game import (
    GONE,
    SHORT_BYTES,
    Ask,
    Board,
    By,
    Close,
    Event,
    Fault,
    Finding,
    Game,
    Join,
    Leave,
    Public,
    Result,
    State,
    Stop,
    Table,
)
from parlour.core.notices import Asked, Notice, Over, Refused, Replied, Took, Void
from parlour.core.options import legacy
from parlour.core.position import Position
from parlour.core.values import Seat, Sitting, Value

__all__ = [
    "GONE",
    "SHORT_BYTES",
    "Answer",
    "Ask",
    "Asked",
    "BadMessage",
    "BadOptions",
    "Board",
    "Brief",
    "By",
    "Close",
    "Dialect",
    "Dice",
    "Event",
    "Fault",
    "Finding",
    "Game",
    "Hello",
    "IllegalAction",
    "Inconsistent",
    "Join",
    "Leave",
    "Message",
    "Notice",
    "Over",
    "Place",
    "Position",
    "Public",
    "Question",
    "Refused",
    "Replied",
    "Result",
    "Scribe",
    "Seat",
    "Sitting",
    "State",
    "Stop",
    "Table",
    "Took",
    "Trouble",
    "Value",
    "Void",
    "legacy",
]
