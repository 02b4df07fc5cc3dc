"""Web Push: short encrypted messages to browsers whose page is closed (RFC 8030, 8291 and 8292).

A subscription comes from a stranger and holds an address that this server will call. So only hosts
of known push services are called, only over https and at public addresses; each name is resolved
once, no redirect is followed, and time and length are limited.
"""

import asyncio
import json
import os
import re
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from socket import SOCK_STREAM, getaddrinfo
from time import time
from urllib.parse import SplitResult, urlsplit

from shutbox.web.rooms.ports import Subscription

SERVICES = (  # the push services of Chrome, Firefox, Safari and Edge
    *("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"),
    "*.notify.windows.com",
)
_SUBDOMAINS = r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+"
_SECONDS = 5.0  # for one message, from the name to the reply
_REPLY_BYTES = 4096  # of a reply that are read
_MOST_AT_ONCE = 16  # messages
_MOST_WAITING = 20_000  # messages; beyond that, they are dropped
_LASTS = 3 * 24 * 3600  # seconds that a push service keeps a message for a device that is off
_TOKEN_SECONDS = 12 * 3600.0
_IPV6 = ip_network("2000::/3")  # the addresses that are given to networks
_GONE = (404, 410)  # the replies for a subscription that has expired


def new_key() -> str:
    """Return a new private P-256 key in base64url. Raises ImportError without the extra `push`."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    made = generate_private_key(SECP256R1())  # the oldest py-vapid allowed cannot make one
    return _text(made.private_numbers().private_value.to_bytes(32, "big"))


def is_public(address: str) -> bool:
    """Whether an IP address can be reached from everywhere. Raises ValueError for any other text.

    >>> [is_public(one) for one in ("8.8.8.8", "10.0.0.1", "::1", "::ffff:127.0.0.1", "fe80::1%2")]
    [True, False, False, False, False]
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address) and (
        found not in _IPV6 or found.sixtofour or found.teredo  # the last two lead to IPv4 addresses
    ):
        return False
    return found.is_global and not found.is_multicast


class WebPush:
    """The sender of push messages of one process. With an empty private key it is off."""

    def __init__(
        self,
        private_key: str,
        contact: str,
        services: tuple[str, ...] = SERVICES,
    ) -> None:
        """Sign with a key of `new_key`; `contact` is the host's address, `https:` or `mailto:`.

        `services` are hosts, with a port unless it is 443; "*.example.net" means its subdomains.
        """
        self.key = ""
        patterns = (re.escape(one).replace(r"\*\.", _SUBDOMAINS) for one in services)
        self._hosts = re.compile("|".join(patterns))
        self._contact = contact
        self._tokens: dict[str, tuple[float, str]] = {}
        self._at_once = asyncio.Semaphore(_MOST_AT_ONCE)
        self._names = ThreadPoolExecutor(_MOST_AT_ONCE, "names")
        self._waiting = 0
        self.tls = ssl.create_default_context()
        if private_key:
            from py_vapid import Vapid02

            self._vapid = Vapid02.from_raw(private_key.encode())
            numbers = self._vapid.public_key.public_numbers()
            self.key = _text(b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big"))

    def accepts(self, found: Subscription) -> bool:
        """Whether push is on and a subscription has a known service and keys of the right size."""
        with suppress(ValueError):
            self._place(found.endpoint)
            return bool(self.key) and (len(_bytes(found.key)), len(_bytes(found.auth))) == (65, 16)
        return False

    def _place(self, endpoint: str) -> SplitResult:
        """Return an endpoint's parts. Raises ValueError if it is not https at a known service."""
        parts = urlsplit(endpoint)
        host = (parts.hostname or "") + (f":{parts.port}" if parts.port not in (None, 443) else "")
        if parts.scheme != "https" or parts.username is not None or not self._hosts.fullmatch(host):
            raise ValueError(endpoint)
        return parts

    async def send(self, found: Subscription, about: dict[str, str], topic: str) -> bool:
        """Send `about`, replacing an undelivered one of `topic`; False only if `found` expired."""
        if self._waiting >= _MOST_WAITING:
            return True
        self._waiting += 1
        try:
            async with self._at_once, asyncio.timeout(_SECONDS):
                status = await self._post(found, json.dumps(about).encode(), topic)
        except (OSError, ValueError, TimeoutError):  # a bad name, address, key or reply
            status = 0
        finally:
            self._waiting -= 1
        return status not in _GONE

    async def _post(self, found: Subscription, payload: bytes, topic: str) -> int:
        parts = self._place(found.endpoint)
        host, port = parts.hostname or "", parts.port or 443
        loop = asyncio.get_running_loop()
        found_at = await loop.run_in_executor(self._names, getaddrinfo, host, port, 0, SOCK_STREAM)
        addresses = [str(info[4][0]) for info in found_at]
        if not all(map(is_public, addresses)):
            raise ValueError(host)
        body = _encrypted(payload, found)
        head = (
            f"POST {parts.path or '/'}{f'?{parts.query}' if parts.query else ''} HTTP/1.1\r\n"
            f"Host: {parts.netloc}\r\nConnection: close\r\nTTL: {_LASTS}\r\nTopic: {topic}\r\n"
            f"Authorization: {self._token(f'https://{parts.netloc}')}\r\n"
            f"Content-Encoding: aes128gcm\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection(
            addresses[0], port, ssl=self.tls, server_hostname=host, limit=_REPLY_BYTES
        )
        try:
            writer.write(head.encode("ascii") + body)
            await writer.drain()
            status = (await reader.readline()).split()
        finally:
            writer.transport.abort()
        return int(status[1]) if len(status) > 1 else 0

    def _token(self, service: str) -> str:
        """Return the Authorization header for a push service's URL, signed again every 12 hours."""
        until, token = self._tokens.get(service, (0.0, ""))
        if until < time():
            until = time() + _TOKEN_SECONDS
            claims = {"aud": service, "sub": self._contact, "exp": int(until + 3600)}
            token = self._vapid.sign(claims)["Authorization"]
            self._tokens = {**dict([*self._tokens.items()][-9:]), service: (until, token)}
        return token


def _encrypted(payload: bytes, found: Subscription) -> bytes:
    """Return a payload that only the browser of a subscription can read."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    mine = ec.generate_private_key(ec.SECP256R1())
    sealed: bytes = http_ece.encrypt(
        payload,
        salt=os.urandom(16),
        private_key=mine,
        dh=_bytes(found.key),
        auth_secret=_bytes(found.auth),
        version="aes128gcm",
    )
    return sealed


def _bytes(text: str) -> bytes:
    """Decode base64url, with or without padding. Raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
