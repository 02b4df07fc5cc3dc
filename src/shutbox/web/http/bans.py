"""Addresses that the host has shut out."""

from collections.abc import Mapping
from time import time

from shutbox.web.network import network


class Bans:
    """Those that one process knows of.

    >>> bans = Bans()
    >>> bans.known = {"192.0.2.7": None, "192.0.2.8": 0.0}
    >>> [bans.has(address) for address in ("192.0.2.7", "::ffff:192.0.2.7", "192.0.2.8")]
    [True, True, False]
    """

    known: Mapping[str, float | None] = {}
    """The networks, and until when."""

    def has(self, address: str) -> bool:
        """Whether an address is shut out now."""
        if not self.known or (place := network(address)) not in self.known:
            return False
        until = self.known[place]
        return until is None or until > time()
