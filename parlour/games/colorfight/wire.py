"""Messages of the game's own channels, and their error messages (RULES 10)."""

from typing import Any

import msgspec
from msgspec import Struct

from parlour.core import Fault, Seat
from parlour.core.values import Name
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import MOST_LETTERS, MOST_ORDERS, MOST_RECORDED, Command, Odd

MOST_NAME = 15
"""A name must be shorter than this, as on today's servers."""
MOST_PASSWORD = 128

Reply = dict[str, Any]


class Refused(Exception):
    """A request is refused. `words` is the `err_msg` of the reply."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


MAP_FULL = "Map is full"
NAME_TAKEN = "Username exists"
NOT_JOINED = "You need to join the game first"
NO_SUCH_UID = "Wrong uid"
NOT_RUNNING = "The game has not started or it ended already."
NO_LATE_JOIN = "You are not allowed to join after the game starts"
WRONG_JOIN_KEY = "You need the correct join key for the room"
DEAD = "You have no cells left"
TOO_MANY_LISTS = "You have sent too many lists in this round"
TOO_MUCH = f"At most {MOST_RECORDED} bytes of commands in a round"


class Register(Struct, frozen=True):
    """Join with a name and a password, or return with the same pair."""

    username: str
    password: str
    join_key: str = ""


def done(**more: Any) -> Reply:
    return {"success": True, **more}


def refused(words: str) -> Reply:
    return {"success": False, "err_msg": words}


def decode(text: str | bytes) -> Any:
    """Decode JSON; raises Refused."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Refused("This is not a valid json") from None


def read(text: str | bytes) -> Register | Command:
    """Read a message of the action channel; raises Refused, with checks in the order of RULES 10.3."""
    said = decode(text)
    if not isinstance(said, dict) or "action" not in said:
        raise Refused("You have to specify an action")
    match said["action"]:
        case "register":
            return _register(said)
        case "command":
            return _command(_argument(said, "cmd_list"))
        case _:
            raise Refused("Not a valid action")


def _argument(said: dict[str, Any], name: str) -> Any:
    try:
        return said[name]
    except KeyError:
        raise Refused(f"{name} is missing") from None


def _register(said: dict[str, Any]) -> Register:
    name, password = _argument(said, "username"), _argument(said, "password")
    key = said.get("join_key", "")
    if not isinstance(name, str) or not isinstance(password, str):
        raise Refused("Username and Password needs to be strings")
    if not name:
        raise Refused("Username has to be at least 1 characters")
    if len(name) >= MOST_NAME:
        raise Refused(f"Username can't exceed {MOST_NAME} characters.")
    if len(password) > MOST_PASSWORD:
        raise Refused(f"Password can't exceed {MOST_PASSWORD} characters.")
    try:
        msgspec.convert(name, Name)
    except msgspec.ValidationError:
        raise Refused("Username has characters that can not be shown") from None
    return Register(name, password, key if isinstance(key, str) else "")


def _command(orders: Any) -> Command:
    if not isinstance(orders, list):
        raise Refused("Wrong type")
    if len(orders) > MOST_ORDERS:
        raise Refused(f"At most {MOST_ORDERS} commands in a list")
    if any(isinstance(order, str) and len(order) > MOST_LETTERS for order in orders):
        raise Refused(f"At most {MOST_LETTERS} letters in a command")
    return Command(tuple([order if isinstance(order, str) else Odd(str(order)[:MOST_LETTERS]) for order in orders]))


def why_not(state: State, seat: Seat, fault: Fault | None) -> str:
    """The error message for a readable list that the referee refused. No fault: the connection has no seat any more."""
    if state.is_over():
        return NOT_RUNNING
    if fault is None:
        return NOT_JOINED
    if fault.code in ("too_much", "too_big"):
        return TOO_MUCH
    return DEAD if state.players[seat].dead else TOO_MANY_LISTS
