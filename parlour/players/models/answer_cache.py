"""Answers of models on disk, by the whole request, so that a run can be repeated without asking again."""

import contextlib
import os
import tempfile
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from parlour.players.models.exchange import ModelReply, ModelRequest
from parlour.players.models.options import ModelTerms


class CachedAnswer(Struct, frozen=True):
    """A file of the cache."""

    api: str
    endpoint: str
    request: ModelRequest
    reply: ModelReply


class AnswerCache:
    """A folder with a file for each request. Several processes may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, terms: ModelTerms, request: ModelRequest) -> ModelReply | None:
        """The answer to the same request, if there is one. A file that is damaged, or of another request, is none."""
        try:
            known = msgspec.json.decode(self._file(terms, request).read_bytes(), type=CachedAnswer)
        except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
            return None
        asked = _whole(known.api, known.endpoint, known.request)
        return known.reply if asked == _whole(terms.endpoint.api, _address(terms), request) else None

    def keep(self, terms: ModelTerms, request: ModelRequest, reply: ModelReply) -> None:
        """Write an answer; a reader sees all of it or nothing. A full disk loses the answer for the next run only."""
        file = self._file(terms, request)
        entry = CachedAnswer(terms.endpoint.api, _address(terms), request, reply)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent, suffix=".new")
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(msgspec.json.encode(entry))
                os.replace(name, file)
            except OSError:
                os.unlink(name)
                raise

    def _file(self, terms: ModelTerms, request: ModelRequest) -> Path:
        key = sha256(_whole(terms.endpoint.api, _address(terms), request)).hexdigest()
        return self._folder / key[:2] / f"{key}.json"


def _whole(api: str, address: str, request: ModelRequest) -> bytes:
    return msgspec.json.encode((api, address, request), order="deterministic")


def _address(terms: ModelTerms) -> str:
    return terms.endpoint.base_url or terms.endpoint.provider
