"""Secrets: the keys of links, the cookies of devices, and ids that cannot be guessed.

The key of a link is derived from the server's own secret. So it is stored nowhere, and can be shown
again to every viewer who may share the link. It changes when the link is renewed.
"""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache, partial
from hashlib import sha256

from shutbox.errors import NotUnderstood
from shutbox.sealed_dice import seal_words
from shutbox.web.limits import PHRASE_WORDS

SHORTEST_DEVICE = 43  # characters of a device's cookie; a shorter one was not made here
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of an id: letters and digits that are not mistaken for one another."""
_ID_LENGTH = 14
_CACHED = 20_000  # cached keys


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
        self.key: Callable[[str, int, int], str] = lru_cache(maxsize=_CACHED)(self._key)

    def _key(self, room: str, seat: int, links: int) -> str:
        """Return the key of a seat whose link has changed `links` times: 132 bits."""
        digest = hmac.digest(self._secret, f"{room}/{seat}/{links}".encode(), sha256)
        return urlsafe_b64encode(digest).decode()[:22]

    def room_id(self, by: str, action: str) -> str:
        """Return the id of the room that caller `by` opens by `action`, the same for a retry."""
        digest = hmac.digest(self._secret, f"open/{by}/{action}".encode(), sha256)
        return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_ID_LENGTH])

    def phrase_hash(self, phrase: str) -> str:
        """Return the slow hash that is stored in place of a recovery phrase.

        It takes 16 MB and some 40 ms, without the GIL. The same phrase always gives the same hash
        at this server, so that it can be looked up.
        """
        salt = hmac.digest(self._secret, b"phrase", sha256)
        return hashlib.scrypt(phrase.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32).hex()


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


def new_phrase() -> str:
    """Return a random recovery phrase, 88 bits."""
    return " ".join(secrets.choice(seal_words()) for _ in range(PHRASE_WORDS))


def read_phrase(text: str) -> str:
    """Return a recovery phrase as `new_phrase` writes it, from what a person typed.

    Raises NotUnderstood if it cannot be one.

    >>> read_phrase("1. Zoo 2. zoo, zoo zoo zoo zoo zoo zoo")
    'zoo zoo zoo zoo zoo zoo zoo zoo'
    """
    words = re.findall(r"[^\W\d_]+", text.lower())
    for word in words:
        if word not in seal_words():
            raise NotUnderstood("{word!r} is not a word of recovery phrases", word=word[:40])
    if len(words) != PHRASE_WORDS:
        raise NotUnderstood("a recovery phrase has {number} words", number=PHRASE_WORDS)
    return " ".join(words)


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
