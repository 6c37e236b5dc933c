"""Reasons for which requests about rooms are refused."""

from parlour.games.colorfight.wire import Refused


class RoomRefused(Refused):
    """A refusal that the API answers with a status and a code of its own.

    `words` are those that public clients of ColorfightII know; `detail` is for people.
    """

    def __init__(self, status: int, code: str, words: str, detail: str = "") -> None:
        super().__init__(words)
        self.status = status
        self.code = code
        self.detail = detail or words


def no_room() -> RoomRefused:
    return RoomRefused(404, "no_such_room", "No such room", "there is no such room")


def no_room_named() -> RoomRefused:
    return RoomRefused(400, "bad_name", "You need to specify room id", "the room needs a name")


def not_now() -> RoomRefused:
    return RoomRefused(503, "closing", "Not now, try again later", "not now; try again later")


def not_allowed() -> RoomRefused:
    words = "only its owner, an administrator, or the holder of its password may do this"
    return RoomRefused(403, "not_yours", "You are not allowed to do this", words)


def wrong_password() -> RoomRefused:
    return RoomRefused(403, "wrong_password", "Wrong password", "this is not the password of the room")


def same_name() -> RoomRefused:
    return RoomRefused(409, "name_taken", "Same id exists", "there is a room of this name")


def too_many_rooms() -> RoomRefused:
    return RoomRefused(409, "too_many_rooms", "Max room number reached", "the arena has as many rooms as it may have")
