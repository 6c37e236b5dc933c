"""The address that limits count a client by."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

OWN_BITS = 64
"""An IPv6 client usually owns a network with this prefix length, and can use any address in it."""


@lru_cache(maxsize=4096)
def counted_address(address: str) -> str:
    """An IPv4 address unchanged, an IPv6 address as its network; any other text, such as a path, unchanged."""
    try:
        given = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(given, IPv6Address):
        if given.ipv4_mapped is not None:
            return str(given.ipv4_mapped)
        return str(ip_network((int(given), OWN_BITS), strict=False))
    return str(given)
