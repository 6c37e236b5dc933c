"""Sign results of finished matches, and check signatures. Keys are Ed25519; keys and signatures are hexadecimal."""

from functools import cached_property

from parlour.core import Result, Void
from parlour.core.notices import Signature
from parlour.referee.transcript import encode

# cryptography is imported inside functions: loading it takes 50 ms, and few commands need it.

FORM = "parlour result 1"
"""The first line of every statement. It keeps a signature from being valid for any other kind of text."""


def statement(match: str, header: str, head: str, end: Result | Void) -> bytes:
    """The bytes that are signed: match name, hashes of the header and of the end line, and result."""
    lines = [FORM, f"match {match}", f"header {header}", f"head {head}"]
    return "".join(f"{line}\n" for line in lines).encode() + b"result " + encode(end) + b"\n"


def new_key() -> bytes:
    """Generate a private key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes_raw()


class Signer:
    """Signs the results of one server. Only its public key can be read."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(key)

    @cached_property
    def public_key(self) -> str:
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, match: str, header: str, head: str, end: Result | Void) -> Signature:
        """Only for matches that have ended: until then the head is secret."""
        return Signature(self._key.sign(statement(match, header, head, end)).hex(), self.public_key)


def is_signed(signed: Signature, stated: bytes) -> bool:
    """Whether the signature is valid for this statement and its public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.public_key))
        key.verify(bytes.fromhex(signed.signature), stated)
    except (InvalidSignature, ValueError):
        return False
    return True
