"""What counts as one address."""

from contextlib import suppress
from ipaddress import IPv6Address


def network(address: str) -> str:
    """What counts as one address: of IPv6 the first 64 bits, which one household has.

    >>> network("2001:db8::1"), network("192.0.2.7"), network("table 7")
    ('2001:db8::/64', '192.0.2.7', 'table 7')
    """
    with suppress(ValueError):
        return f"{IPv6Address(int(IPv6Address(address)) >> 64 << 64)}/64"
    return address
