"""Seals, by which what was changed since it was stored is found when it is read.

The log of a room is a hash chain: the seal of an event is a hash of the event and of the seal
before it, and the room keeps how many events there are and the last seal. So a byte that a disk has
changed, an event that is gone and one that was put in are found. Rows beside the logs have a seal
of their own. Seals are no secret, and keep nobody out: who may write to the database may seal.
They are read for ever, so what is hashed stays as it is.
"""

from collections.abc import Sequence
from hashlib import blake2b

from shutbox.web.rooms.link_keys import new_secret
from shutbox.web.rooms.shapes import json_text
from shutbox.web.storage.schema import StoredEvent

_BYTES = 16
LINKS = "links"
"""The name of the secret from which the keys of links are made."""


def seal(*values: str | float | None) -> str:
    """The seal of some values, 32 hexadecimal digits.

    >>> seal("links", "2b"), seal("links", None) == seal("links", "")
    ('e3dabcad35b5c3064479cd603176aff8', False)
    """
    return blake2b(
        json_text(values).encode("utf-8", "surrogatepass"), digest_size=_BYTES
    ).hexdigest()


def sealed(before: str, events: Sequence[StoredEvent]) -> tuple[StoredEvent, ...]:
    """Events as they are stored, after the seal of the one before them; "" at the beginning."""
    found = []
    for event in events:
        before = seal(before, *event[:-1])
        found.append(event._replace(seal=before))
    return tuple(found)


def is_whole(before: str, events: Sequence[StoredEvent]) -> bool:
    """Whether events that were read are those that were stored, in order, after that seal."""
    try:
        return sealed(before, events) == tuple(events)
    except (AttributeError, TypeError):  # bytes where text was, say
        return False


def sealed_secret() -> dict[str, str]:
    """Return the row of a new secret, from which the keys of links are made."""
    value = new_secret()
    return {"name": LINKS, "value": value, "seal": seal(LINKS, value)}
