"""Secrets: the keys of links, the cookie of a device, and ids that nobody guesses.

The key of a link is made of the server's own secret, so it is kept nowhere and can be shown again
to whoever may hand it on. It changes when the link is made anew.
"""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache, partial
from hashlib import sha256

SHORTEST_DEVICE = 43  # characters of the cookie of a device; a shorter one was not made here
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What an id is made of: letters and digits that are not mistaken for one another."""
_ID_LENGTH = 14
_KEPT = 20_000  # keys that are made once


class Keyring:
    """The keys that one server's secret makes.

    >>> keyring = Keyring(bytes(32))
    >>> key = keyring.key("kq3v9x2m7dxy", 0, 0)
    >>> len(key), key == keyring.key("kq3v9x2m7dxy", 0, 1)
    (22, False)
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        # A key is shown with every answer to whoever may hand it on.
        self.key: Callable[[str, int, int], str] = lru_cache(maxsize=_KEPT)(self._key)

    def _key(self, room: str, seat: int, links: int) -> str:
        """The key of a seat, once its links were made anew so many times: 132 bits."""
        digest = hmac.digest(self._secret, f"{room}/{seat}/{links}".encode(), sha256)
        return urlsafe_b64encode(digest).decode()[:22]

    def room_id(self, by: str, action: str) -> str:
        """The id of the room that an action opens: the same again for who asks again."""
        digest = hmac.digest(self._secret, f"open/{by}/{action}".encode(), sha256)
        return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_ID_LENGTH])


def is_same(key: str, other: str) -> bool:
    """Whether two keys are the same, told in the same time whatever they are."""
    return hmac.compare_digest(key.encode("utf-8", "replace"), other.encode())


new_device = partial(secrets.token_urlsafe, 32)
"""Return the cookie of a new device, 256 bits."""
new_key = partial(secrets.token_urlsafe, 18)
"""Return the key of a link that is good for a while, 144 bits."""
new_action = partial(secrets.token_urlsafe, 18)
"""Return an id for an action, for a page without script."""
new_secret = partial(secrets.token_hex, 32)
"""Return the secret of a server, 256 bits in base 16."""


def new_room_id() -> str:
    """An id for a room: 69 bits. It opens nothing by itself."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def is_room_id(text: str) -> bool:
    """Whether a room may have this id, in any release."""
    return re.fullmatch("[a-z0-9]{1,16}", text) is not None


def hashed(secret: str) -> str:
    """What is kept of a secret, to know it again.

    >>> hashed("x")[:8]
    '2d711642'
    """
    return sha256(secret.encode()).hexdigest()
