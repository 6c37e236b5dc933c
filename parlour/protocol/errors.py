"""The error with which an arena refuses a request, over HTTP and to players alike."""

STORE_FAILED = ("store_failed", "the store does not answer; try again later")
BUG = ("bug", "internal error; the server's log has the details")


class RequestError(Exception):
    """A refused request: a code for programs, words for people, and the HTTP status."""

    def __init__(self, status: int, code: str, words: str, name: str | None = None) -> None:
        super().__init__(words)
        self.status = status
        self.code = code
        self.words = words
        self.name = name
        """The account that was refused, if it is known. It is for administrators and is not sent."""
