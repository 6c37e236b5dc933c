"""Signatures of finished matches: the bytes that are signed, signing, and checking.

The key is Ed25519. Keys and signatures are written in hexadecimal, as hashes are.
"""

from functools import cached_property

from parlour.core import Result, Void
from parlour.core.notices import Signature
from parlour.referee.transcript import encode

# The cryptography package is imported where it is used: it takes 50 ms to load, and few commands need it.

FORM = "parlour result 1"
"""The first line of every statement: a key that signs this form signs nothing that another form could mean."""


def statement(match: str, header: str, head: str, end: Result | Void) -> bytes:
    """The bytes that are signed: which match, the hashes of its first line and of its end line, and its result."""
    lines = [FORM, f"match {match}", f"header {header}", f"head {head}"]
    return "".join(f"{line}\n" for line in lines).encode() + b"result " + encode(end) + b"\n"


def new_key() -> bytes:
    """A private key, to be kept secret."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes_raw()


class Signer:
    """Signs the results of one server. Only the public half of its key can be read from it."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(key)

    @cached_property
    def public_key(self) -> str:
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, match: str, header: str, head: str, end: Result | Void) -> Signature:
        """For matches that have ended, and no others: the head of a match under way is secret."""
        return Signature(self._key.sign(statement(match, header, head, end)).hex(), self.public_key)


def is_signed(signed: Signature, stated: bytes) -> bool:
    """Whether the signature is of this statement, made with the key that belongs to the public one."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.public_key))
        key.verify(bytes.fromhex(signed.signature), stated)
    except (InvalidSignature, ValueError):
        return False
    return True
