"""Seals: checksums that reveal, on reading, what has changed since it was stored.

The log of a room is a hash chain: the seal of an event is a hash of the event and of the seal
before it, and the room stores the number of events and the last seal. So changed bytes, missing
events and inserted events are detected. Other rows have seals of their own. Seals are not secret
and do not protect against attackers: anyone who can write to the database can compute them. Old
seals must stay valid, so the hashed values never change.
"""

from collections.abc import Sequence
from hashlib import blake2b

from shutbox.web.rooms.link_keys import new_secret
from shutbox.web.rooms.shapes import json_text
from shutbox.web.storage.schema import StoredEvent

_BYTES = 16
LINKS = "links"
"""The name of the secret from which the keys of links are made."""
PUSH = "push"
"""The name of the server's private key for Web Push."""


def seal(*values: str | float | None) -> str:
    """Return the seal of some values, 32 hexadecimal digits.

    >>> seal("links", "2b"), seal("links", None) == seal("links", "")
    ('e3dabcad35b5c3064479cd603176aff8', False)
    """
    return blake2b(
        json_text(values).encode("utf-8", "surrogatepass"), digest_size=_BYTES
    ).hexdigest()


def sealed(before: str, events: Sequence[StoredEvent]) -> tuple[StoredEvent, ...]:
    """Return events with their seals, chained to the seal `before` them ("" for a new room)."""
    found = []
    for event in events:
        before = seal(before, *event[:-1])
        found.append(event._replace(seal=before))
    return tuple(found)


def is_whole(before: str, events: Sequence[StoredEvent]) -> bool:
    """Whether the seals of events, chained to the seal `before` them, are right."""
    try:
        return sealed(before, events) == tuple(events)
    except (AttributeError, TypeError):  # for example bytes instead of text
        return False


def sealed_secret(name: str = LINKS, value: str = "") -> dict[str, str]:
    """Return the row of a secret with its seal; if `value` is empty, of a new secret."""
    value = value or new_secret()
    return {"name": name, "value": value, "seal": seal(name, value)}
