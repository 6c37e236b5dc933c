"""The address that limits count a client by."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

OWN_BITS = 64
"""An IPv6 client usually owns a network of this prefix, and may use any address within it."""


@lru_cache(maxsize=4096)
def counted_address(address: str) -> str:
    """An IPv4 address as it is, an IPv6 address as its network; anything else, such as a path, unchanged."""
    try:
        given = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(given, IPv6Address):
        if given.ipv4_mapped is not None:
            return str(given.ipv4_mapped)
        return str(ip_network((int(given), OWN_BITS), strict=False))
    return str(given)
