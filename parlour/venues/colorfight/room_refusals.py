"""Reasons for which requests about rooms are refused."""

from parlour.games.colorfight.wire import NOT_RUNNING, Refused


class RoomRefused(Refused):
    """A refusal that the API answers with a status and a code of its own.

    `words` are those that public clients of ColorfightII know; `detail` is for people.
    """

    def __init__(self, status: int, code: str, words: str, detail: str = "") -> None:
        super().__init__(words)
        self.status = status
        self.code = code
        self.detail = detail or words


NO_ROOM = (404, "no_such_room", "No such room", "there is no such room")
NO_ROOM_NAMED = (400, "bad_name", "You need to specify room id", "the room needs a name")
NO_GAME = (503, "parked", NOT_RUNNING, "the room has no game now; try again later")
NOT_NOW = (503, "closing", "Not now, try again later", "not now; try again later")
NOT_ALLOWED = (
    403,
    "not_yours",
    "You are not allowed to do this",
    "only its owner, an administrator, or the holder of its password may do this",
)
WRONG_PASSWORD = (403, "wrong_password", "Wrong password", "this is not the password of the room")
SAME_NAME = (409, "name_taken", "Same id exists", "there is a room of this name")
TOO_MANY_ROOMS = (409, "too_many_rooms", "Max room number reached", "the arena has as many rooms as it may have")
