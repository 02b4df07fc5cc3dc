"""How quickly addresses may connect: what costs next to nothing is refused at the door."""

from collections.abc import Callable
from ipaddress import ip_address, ip_network
from time import monotonic

from shutbox.web import limits
from shutbox.web.network import network

_SWEEP = 10_000
"""Addresses that are known before those that may connect as they like are forgotten."""


class ConnectionRate:
    """Counts the connections of each address, and of all where nobody sits at a table.

    Those of proxies and of `unlimited` are not counted.

    >>> rate = ConnectionRate("192.0.2.0/24", frozenset())
    >>> [rate.admits("198.51.100.7") for _ in range(limits.CONNECTIONS_AT_ONCE + 1)][-1]
    False
    >>> all(rate.admits("192.0.2.7") for _ in range(10_000))
    True
    """

    def __init__(
        self,
        proxies: str,
        unlimited: frozenset[str],
        now: Callable[[], float] = monotonic,
        is_seated: Callable[[str], bool] = lambda address: False,
    ) -> None:
        named = [*filter(None, map(str.strip, proxies.split(","))), *unlimited]
        self._everybody = "*" in named
        self._exempt = [ip_network(name) for name in named if name != "*"]
        self._now = now
        self._is_seated = is_seated
        self._of_all: tuple[float, float] = (limits.CONNECTIONS_OF_ALL, now())
        self._known: dict[str, tuple[float, float]] = {}
        """How many more each may make, and when that was reckoned."""

    def admits(self, address: str) -> bool:
        """Whether this address may connect once more."""
        if self._is_exempt(address):
            return True
        who, now = network(address), self._now()
        known = self._known.pop(who, (limits.CONNECTIONS_AT_ONCE, now))
        left = _filled(known, now, limits.CONNECTIONS_AT_ONCE, limits.CONNECTIONS_A_SECOND)
        self._known[who] = max(left - 1, 0), now
        if len(self._known) > _SWEEP:
            self._forget(now)
        if left < 1 or self._is_seated(address):
            return left >= 1
        most, a_second = limits.CONNECTIONS_OF_ALL, limits.CONNECTIONS_OF_ALL_A_SECOND
        left = _filled(self._of_all, now, most, a_second)
        self._of_all = max(left - 1, 0), now
        return left >= 1

    def _is_exempt(self, address: str) -> bool:
        if self._everybody:
            return True
        try:
            found = ip_address(address)
        except ValueError:  # a socket of this machine has no address
            return True
        return any(found in exempt for exempt in self._exempt)

    def _forget(self, now: float) -> None:
        """Forget those who have not connected for so long that they may as they like."""
        full = limits.CONNECTIONS_AT_ONCE / limits.CONNECTIONS_A_SECOND
        for who, (_, since) in [*self._known.items()]:
            if now - since < full and len(self._known) <= _SWEEP:
                break  # those behind it have connected later
            del self._known[who]


def _filled(known: tuple[float, float], now: float, most: int, a_second: float) -> float:
    """How many may be made by now: `known` is how many there were, and when."""
    left, since = known
    return min(most, left + (now - since) * a_second)
