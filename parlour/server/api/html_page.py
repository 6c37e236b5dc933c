"""The template of the server's own pages."""

from base64 import b64encode
from hashlib import sha256

STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:3rem auto;padding:0 1rem}"
    "td{padding:0 1rem 0 0}dd{margin:0 0 .6rem}"
)
STYLE_HASH = f"sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}"
"""For the content security policy, which allows only this style."""


def page(title: str, body: str) -> str:
    """A complete page, which loads nothing else."""
    return f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>{body}</html>"
