"""Web Push: short encrypted messages to browsers whose page is closed (RFC 8030, 8291 and 8292).

They tell players that it is their turn. Only the process that stored the event sends them, so that
each turn is announced once. It waits a moment first: the player may be reloading the page, and the
turn may be taken back. It knows only the pages that it serves; the browser drops a message while
the page is visible.

A subscription comes from a stranger and holds an address that this server will call. So only known
push services are called, only over https, no redirect is followed, and time is limited.
"""

import asyncio
import json
import os
import re
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException, HTTPSConnection
from time import time
from typing import NamedTuple

from sqlalchemy import delete, select, text

from shutbox.web.errors import one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.logs import log
from shutbox.web.storage.log import StoredLog
from shutbox.web.storage.schema import grants, subscriptions

SERVICES = (  # the push services of Chrome, Firefox, Safari and Edge
    *("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"),
    "*.notify.windows.com",
)
_SUBDOMAINS = r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+"
_SECONDS = 5.0  # for each step of a message: to connect, to send it, and to get the reply
_MOST_AT_ONCE = 8  # messages
_LASTS = 3 * 24 * 3600  # seconds that a push service keeps a message for a device that is off
_TOKEN_SECONDS = 12 * 3600
_GONE = (404, 410)  # the replies for a subscription that has expired
_MOST_PAUSING = 10_000  # turns; while so many pause or are sent, further ones are not announced
_MOST_OF_A_SEAT = 8  # devices of one seat that get messages; the newest subscriptions
_STORE = text(
    "INSERT INTO subscriptions (device, endpoint, key, auth, at) "
    "VALUES (:device, :endpoint, :key, :auth, :at) ON CONFLICT (device) DO UPDATE SET "
    "endpoint = excluded.endpoint, key = excluded.key, auth = excluded.auth, at = excluded.at"
)


def new_key() -> str:
    """Return a new private P-256 key in base64url. Raises ImportError without the extra `push`."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    key = generate_private_key(SECP256R1())  # the oldest py-vapid allowed cannot make one
    return _text(key.private_numbers().private_value.to_bytes(32, "big"))


class Subscription(NamedTuple):
    """The address of a browser at its push service, and the keys for messages to it."""

    endpoint: str  # the https address at the push service
    key: str  # the public key of the browser: 65 bytes in base64url
    auth: str  # the secret shared with the browser: 16 bytes in base64url


class WebPush:
    """The sender of push messages of one process. With an empty private key it is off."""

    def __init__(
        self, private_key: str, contact: str, services: tuple[str, ...] = SERVICES
    ) -> None:
        """Sign with a key of `new_key`; `contact` is the host's address, `https:` or `mailto:`.

        `services` are hosts, with a port unless it is 443; "*.example.net" means its subdomains.
        """
        self.key = ""  # the public key in base64url; empty if push is off
        hosts = "|".join(re.escape(host).replace(r"\*\.", _SUBDOMAINS) for host in services)
        self._endpoints = re.compile(rf"https://({hosts})(/[!-~]*)")
        self._contact = contact
        self._threads = ThreadPoolExecutor(_MOST_AT_ONCE, "push")
        self.tls = ssl.create_default_context()
        if private_key:
            from py_vapid import Vapid02

            self._vapid = Vapid02.from_raw(private_key.encode())
            numbers = self._vapid.public_key.public_numbers()
            self.key = _text(b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big"))

    def accepts(self, endpoint: str) -> bool:
        """Whether push is on and the address is that of a known service."""
        return bool(self.key and self._endpoints.fullmatch(endpoint))

    async def send(self, subscription: Subscription, message: dict[str, str], topic: str) -> bool:
        """Send `message`, which replaces an undelivered one of `topic`.

        Return False if the subscription has expired; True otherwise, even if sending failed.
        """
        loop = asyncio.get_running_loop()
        try:
            post = partial(self._post, subscription, message, topic)
            status = await loop.run_in_executor(self._threads, post)
        except (OSError, HTTPException, ValueError):  # a bad name, service, key or reply
            return True
        return status not in _GONE

    def _post(self, subscription: Subscription, message: dict[str, str], topic: str) -> int:
        """Send a message that only the browser can read; return the status of the reply."""
        import http_ece
        from cryptography.hazmat.primitives.asymmetric import ec

        if not (place := self._endpoints.fullmatch(subscription.endpoint)):
            raise ValueError(subscription.endpoint)
        host, path = place.groups()
        until = int(time()) + _TOKEN_SECONDS
        claims = {"aud": f"https://{host}", "sub": self._contact, "exp": until}
        head = {"TTL": str(_LASTS), "Topic": topic, "Content-Encoding": "aes128gcm"}
        body = http_ece.encrypt(
            json.dumps(message).encode(),
            salt=os.urandom(16),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=urlsafe_b64decode(f"{subscription.key}=="),  # more padding than needed is ignored
            auth_secret=urlsafe_b64decode(f"{subscription.auth}=="),
            version="aes128gcm",
        )
        with closing(HTTPSConnection(host, timeout=_SECONDS, context=self.tls)) as connection:
            connection.request("POST", path, body, head | self._vapid.sign(claims))
            return connection.getresponse().status


@dataclass
class TurnNotices:
    """The messages about turns in the rooms of one process, and the subscriptions to them.

    Devices are given by their hashes.
    """

    service: WebPush
    log: StoredLog
    seconds: float = 3.0  # before a turn is announced
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def store(self, device: str, now: float, endpoint: str, key: str, auth: str) -> None:
        """Store a subscription, with the fields of `Subscription`, as the only one of its device.

        Any other with its endpoint is deleted. `now` is in seconds since 1970. Raises NotKept.
        """
        # A browser whose cookie was lost subscribes as a new device, with its old endpoint.
        old = delete(subscriptions).where(subscriptions.c.endpoint == endpoint)
        facts = {"device": device, "endpoint": endpoint, "key": key, "auth": auth, "at": now}
        await self.log.write(old, _STORE.bindparams(**facts))

    async def forget(self, *, device: str = "", endpoint: str = "") -> None:
        """Delete the subscription of `device` or, if that is empty, the one with `endpoint`.

        Raises NotKept.
        """
        columns = subscriptions.c
        is_it = columns.device == device if device else columns.endpoint == endpoint
        await self.log.write(delete(subscriptions).where(is_it))

    async def _at_seat(self, room: str, seat: int) -> Sequence[Subscription]:
        mine = (grants.c.room == room) & (grants.c.seat == seat)
        columns = (subscriptions.c[name] for name in Subscription._fields)
        query = select(*columns).join(grants, grants.c.device == subscriptions.c.device).where(mine)
        newest = query.order_by(subscriptions.c.at.desc()).limit(_MOST_OF_A_SEAT)
        return [Subscription(*row) for row in await self.log.rows(newest)]

    def announce(self, live: LiveRoom) -> None:
        """Announce the turn that has just begun in a room, in the background; errors are logged.

        It waits `seconds`; if the turn is over then or the player's page is open, it does nothing.
        """
        turn = live.room.turn
        if turn and self.service.key and len(self._tasks) < _MOST_PAUSING:
            task = asyncio.create_task(self._announce(live, turn))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _announce(self, live: LiveRoom, turn: tuple[int, int]) -> None:
        await asyncio.sleep(self.seconds)
        room, (_, seat) = live.room, turn
        is_open = any(seat in listener.viewer.seats for listener in live.listeners)
        if room.turn != turn or is_open:
            return
        message = {"path": f"/r/{room.id}", "title": room.rule_card.title}
        try:
            for subscription in await self._at_seat(room.id, seat):
                if not await self.service.send(subscription, message, room.id):
                    await self.forget(endpoint=subscription.endpoint)
        except Exception as error:  # otherwise it would be lost with the task
            log.warning("turn not announced", reason=one_line(error))

    async def close(self) -> None:
        """Stop announcing; turns that are not announced yet never are."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
