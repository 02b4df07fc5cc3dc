"""Secrets: the keys of links, the cookies of devices, and ids that cannot be guessed.

The key of a link is derived from the server's own secret. So it is stored nowhere, and can be shown
again to every viewer who may share the link. It changes when the link is renewed.
"""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache, partial
from hashlib import sha256

SHORTEST_DEVICE = 43  # characters of a device's cookie; a shorter one was not made here
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of an id: letters and digits that are not mistaken for one another."""
_ID_LENGTH = 14
_KEPT = 20_000  # cached keys


class Keyring:
    """The keys derived from one server's secret.

    >>> keyring = Keyring(bytes(32))
    >>> key = keyring.key("kq3v9x2m7dxy", 0, 0)
    >>> len(key), key == keyring.key("kq3v9x2m7dxy", 0, 1)
    (22, False)
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        # Cached, since every reply shows the keys of the links that its viewer may share.
        self.key: Callable[[str, int, int], str] = lru_cache(maxsize=_KEPT)(self._key)

    def _key(self, room: str, seat: int, links: int) -> str:
        """Return the key of a seat whose link has changed `links` times: 132 bits."""
        digest = hmac.digest(self._secret, f"{room}/{seat}/{links}".encode(), sha256)
        return urlsafe_b64encode(digest).decode()[:22]

    def room_id(self, by: str, action: str) -> str:
        """Return the id of the room that caller `by` opens by `action`, the same for a retry."""
        digest = hmac.digest(self._secret, f"open/{by}/{action}".encode(), sha256)
        return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_ID_LENGTH])


def is_same(key: str, other: str) -> bool:
    """Whether a client's `key` equals our key `other`, compared in constant time."""
    return hmac.compare_digest(key.encode("utf-8", "replace"), other.encode())


new_device = partial(secrets.token_urlsafe, 32)
"""Return the cookie of a new device, 256 bits."""
new_key = partial(secrets.token_urlsafe, 18)
"""Return the key of a temporary link, 144 bits."""
new_action = partial(secrets.token_urlsafe, 18)
"""Return an id for an action, for a page without script."""
new_secret = partial(secrets.token_hex, 32)
"""Return the secret of a server, 256 bits in base 16."""


def new_room_id() -> str:
    """Return a random id for a room, 69 bits. An id alone opens nothing."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def is_room_id(text: str) -> bool:
    """Whether a text has the form of a room's id, in any release."""
    return re.fullmatch("[a-z0-9]{1,16}", text) is not None


def hashed(secret: str) -> str:
    """Return the hash that is stored in place of a secret, to recognise it later.

    >>> hashed("x")[:8]
    '2d711642'
    """
    return sha256(secret.encode()).hexdigest()
