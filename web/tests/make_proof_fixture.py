"""Write tests/fixtures/proof.json: signatures and receipts for transcripts of the first release, made by the referee.

    python web/tests/make_proof_fixture.py

The page's tests check that the browser's code agrees with them.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Raw

from parlour import plugins
from parlour.referee.fingerprint import fingerprint_of
from parlour.referee.receipt import AnswerEntry, AnyEntry, FaultEntry, HelloEntry, OverEntry, SeatEntry, written
from parlour.referee.receipt_answers import Said, part_of
from parlour.referee.signature import Signer
from parlour.referee.transcript import Reveal, read_record, split

HERE = Path(__file__).parent
RELEASE = HERE.parents[1] / "tests" / "fixtures" / "release-0.1.0"
SEATS = {"forsale/faults": 0, "forsale/protocol-1": 0, "dominion/faults": 0, "maze/plain": 1}
KEY = bytes(range(32))


def fixture(path: str, seat: int) -> dict[str, Any]:
    """The proof that a server gives, and the receipt of one seat."""
    lines = split((RELEASE / f"{path}.jsonl").read_bytes())
    marks = fingerprint_of(lines)
    assert marks.head is not None and marks.end is not None
    signed = Signer(KEY).sign(marks.match, marks.header, marks.head, marks.end)
    reveal = read_record(lines[-1], len(lines))
    assert isinstance(reveal, Reveal)
    part = part_of(plugins.game(marks.game), lines, bytes.fromhex(reveal.seed), seat)
    entries: list[AnyEntry] = [
        HelloEntry(
            receipt=1,
            url="http://localhost",
            server="parlour",
            game=marks.game,
            version=marks.version,
            commit=marks.commit,
            salt=marks.players[seat].salt,
        ),
        SeatEntry(marks.match, seat, tuple(player.name for player in marks.players), marks.header),
        *(entry for said in part.said for entry in entries_of(said)),
        OverEntry(marks.end, marks.head, signed.signature, signed.public_key),
    ]
    proof = {"header": marks.header, "head": marks.head, "signature": signed.signature, "public_key": signed.public_key}
    return {
        "seat": seat,
        "commit": marks.commit,
        "proof": proof,
        "receipt": [written(entry).decode().rstrip("\n") for entry in entries],
        "sha256": sha256(b"".join(line + b"\n" for line in lines)).hexdigest(),
    }


def entries_of(said: Said) -> list[AnyEntry]:
    """The seat's entries for one line of the transcript."""
    entries: list[AnyEntry] = []
    if said.action is not None:
        entries.append(AnswerEntry(said.ask, Raw(said.action)))
    elif said.kind == "unreadable":
        entries.append(AnswerEntry(said.ask, Raw(b'{"type":"Unknown"}')))
    if said.kind != "answer":
        entries.append(FaultEntry(said.ask, said.kind, said.code))
    return entries


def main() -> None:
    found = {path: fixture(path, seat) for path, seat in SEATS.items()}
    (HERE / "fixtures" / "proof.json").write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
