"""Check whether a receipt and a transcript are of the same match, and who signed the result."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from parlour.core import Game, Signature
from parlour.referee.fingerprint import Expected, Fingerprint, differences, fingerprint_of
from parlour.referee.receipt import Receipt, SeatEntry
from parlour.referee.receipt_answers import Comparison, part_of
from parlour.referee.replay import Verdict
from parlour.referee.signature import is_signed, statement
from parlour.referee.transcript import Reveal, read_record, split

NO_END = "the receipt ends before the match did, so it has no head and no signature"
NOT_SIGNED = "not signed: the server gave no signature, so the receipt can convince nobody but you"


class ReceiptCheck(Struct):
    """The findings about a receipt, alone or with a transcript."""

    troubles: list[str]
    """Reasons why the receipt does not prove its claim."""
    proved: list[str]
    notes: list[str]
    open: list[str]
    """Checks that were not possible."""


def check_receipt(receipt: Receipt, key: str | None) -> ReceiptCheck:
    """Check the signature of the receipt, against this key if one is given."""
    found = ReceiptCheck([], [], [], [])
    place, over = receipt.place, receipt.over
    if place is None:
        found.troubles.append("no match has begun in the receipt")
    elif over is None:
        found.open.append(NO_END)
    elif over.signed is None:
        (found.notes if key is None else found.troubles).append(NOT_SIGNED)
    else:
        check_signature(found, over.signed, statement(place.match, place.header, over.head, over.end), key)
    if key is not None and over is None:
        found.troubles.append("the receipt is not signed")
    return found


def check_signature(found: ReceiptCheck, signed: Signature, stated: bytes, key: str | None) -> None:
    """Check that the signature is valid and made with the given key."""
    if not is_signed(signed, stated):
        found.troubles.append(f"the signature does not hold for the key {signed.public_key}")
    elif key is not None and key != signed.public_key:
        found.troubles.append(f"the result is signed with the key {signed.public_key}, not {key}")
    else:
        whose = "the key given" if key is not None else "the key in the receipt: compare it with the server's"
        found.proved.append(f"signed: result and head, by {signed.public_key} ({whose})")


def compare_receipt(
    receipt: Receipt, data: bytes, verdict: Verdict, games: Callable[[str], Game[Any]], key: str | None
) -> ReceiptCheck:
    """Check the receipt against a transcript whose verdict is not "no"."""
    found, place, over = check_receipt(receipt, key), receipt.place, receipt.over
    if place is None:
        return found
    lines = split(data)
    fingerprint = fingerprint_of(lines)
    if other := _other_match(receipt, place, fingerprint):
        found.troubles += other
        return found
    if over is not None and fingerprint.head is not None:
        expected = Expected(head=over.head)
        found.troubles += differences(fingerprint, expected)
        if over.end != fingerprint.end:
            found.troubles.append(f"the result is {fingerprint.end}, not {over.end}")
    if verdict.holds != "yes":
        found.open.append("your answers were not compared, because the moves were not replayed")
        return found
    reveal = read_record(lines[-1], len(lines))
    assert isinstance(reveal, Reveal)
    game = games(fingerprint.game)
    part = part_of(game, lines, bytes.fromhex(reveal.seed), place.seat)
    compared = Comparison(game, receipt, part)
    found.troubles += compared.troubles
    found.notes += compared.notes
    if not found.troubles:
        found.proved.insert(0, _proof(compared.taken, place))
    return found


def _proof(taken: int, place: SeatEntry) -> str:
    answers = "1 answer" if taken == 1 else f"{taken} answers"
    return f"your match: {answers} of seat {place.seat} in it, in order, and no others"


def _other_match(receipt: Receipt, place: SeatEntry, fingerprint: Fingerprint) -> list[str]:
    """Reasons why the transcript is of another match; empty if it is of the same."""
    if fingerprint.match != place.match:
        return [f"the transcript is of match {fingerprint.match}, the receipt of match {place.match}"]
    if fingerprint.header != place.header:
        return differences(fingerprint, Expected(header=place.header))
    if not 0 <= place.seat < len(fingerprint.players):
        return [f"the transcript has no seat {place.seat}"]
    found = []
    player = fingerprint.players[place.seat]
    if place.seat >= len(place.players) or place.players[place.seat] != player.name:
        found.append(f"seat {place.seat} is {player.name!r} in the transcript, and not in the receipt")
    if receipt.hellos and all(hello.commit != fingerprint.commit for hello in receipt.hellos):
        found += differences(fingerprint, Expected(commit=receipt.hellos[-1].commit))
    salts = receipt.salts(fingerprint.commit)
    if salts and player.salt not in salts:
        found += differences(fingerprint, Expected(salts=((place.seat, salts[-1]),)))
    return found
