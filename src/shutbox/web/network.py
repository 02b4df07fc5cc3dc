"""The network by which the addresses of one client are counted."""

from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address


@lru_cache(maxsize=4096)  # called several times for each request
def network(address: str) -> str:
    """Return the text by which an address is counted: for IPv6, its /64 network, a household's.

    >>> network("2001:db8::1"), network("192.0.2.7"), network("::ffff:192.0.2.7")
    ('2001:db8::/64', '192.0.2.7', '192.0.2.7')
    """
    with suppress(ValueError):
        found = IPv6Address(address)
        return str(found.ipv4_mapped or f"{IPv6Address(int(found) >> 64 << 64)}/64")
    return address
