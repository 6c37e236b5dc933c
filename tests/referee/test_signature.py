"""Signatures: the exact bytes that are signed, and what a changed byte does to them."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from parlour.core import Result, Signature, Void
from parlour.referee.signature import Signer, is_signed, new_key, statement

HEADER, HEAD = "1" * 64, "2" * 64
END = Result((75, 93, 60), (2, 1, 3))
STATED = (
    b"parlour result 1\n"
    b"match fbe5488021c70215\n"
    b"header " + HEADER.encode() + b"\n"
    b"head " + HEAD.encode() + b"\n"
    b'result {"type":"Result","scores":[75,93,60],"ranks":[2,1,3]}\n'
)


def test_the_statement_is_five_lines_and_names_its_own_form() -> None:
    assert statement("fbe5488021c70215", HEADER, HEAD, END) == STATED


def test_a_void_match_is_signed_with_its_reason() -> None:
    assert statement("m", HEADER, HEAD, Void("bug", "a\nb", {"seat": 1})).endswith(
        b'result {"type":"Void","code":"bug","words":"a\\nb","facts":{"seat":1}}\n'
    )


def test_a_signature_is_ed25519_and_is_checked_by_any_library() -> None:
    signed = Signer(new_key()).sign("fbe5488021c70215", HEADER, HEAD, END)
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.public_key))
    key.verify(bytes.fromhex(signed.signature), STATED)
    assert is_signed(signed, STATED)


def test_the_same_key_signs_the_same_end_alike() -> None:
    key = new_key()
    assert Signer(key).sign("m", HEADER, HEAD, END) == Signer(key).sign("m", HEADER, HEAD, END)
    assert Signer(new_key()).public_key != Signer(new_key()).public_key


@pytest.mark.parametrize(
    "other",
    [
        statement("m2", HEADER, HEAD, END),
        statement("m", HEAD, HEADER, END),
        statement("m", HEADER, HEADER, END),
        statement("m", HEADER, HEAD, Result((75, 93, 61), (2, 1, 3))),
        statement("m", HEADER, HEAD, Void("bug", "")),
        b"",
    ],
)
def test_another_statement_is_not_signed(other: bytes) -> None:
    assert not is_signed(Signer(new_key()).sign("m", HEADER, HEAD, END), other)


def test_an_altered_signature_or_key_does_not_hold() -> None:
    signed = Signer(new_key()).sign("m", HEADER, HEAD, END)
    stated = statement("m", HEADER, HEAD, END)
    flipped = f"{int(signed.signature[0], 16) ^ 1:x}{signed.signature[1:]}"
    for bad in [
        Signature(flipped, signed.public_key),
        Signature(signed.signature, Signer(new_key()).public_key),
        Signature(signed.signature[:-2], signed.public_key),
        Signature("", signed.public_key),
        Signature(signed.signature, ""),
        Signature(signed.signature, "no key"),
    ]:
        assert not is_signed(bad, stated)


def test_a_signer_does_not_show_its_key() -> None:
    key = new_key()
    signer = Signer(key)
    shown = repr(signer) + repr(vars(signer)) + str(signer)
    assert key.hex() not in shown and repr(key) not in shown
