"""Access to the seats of rooms: by the keys of links, and by devices that were let in before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.commands import IdempotencyKey
from shutbox.web.rooms.events import Opened
from shutbox.web.rooms.link_keys import Keyring, hashed, is_same
from shutbox.web.rooms.permissions import Viewer
from shutbox.web.rooms.ports import Log
from shutbox.web.rooms.room import OPENER, WATCHERS, Room
from shutbox.web.rooms.table_view import LogLine

_SECONDS = 2.0
"""The time for which a device's seats stay cached if other processes can change them."""


@dataclass(kw_only=True)
class Access:
    """The lookup of the seats that keys and devices open, for all rooms of one process."""

    keyring: Keyring | None
    """None if there are no links, as on a page without a server."""
    log: Log
    now: Callable[[], float]

    async def viewer(self, live: LiveRoom, device: str | None, keys: Sequence[str]) -> Viewer:
        """Return the viewer that these keys, and the cookie `device` if not None, identify."""
        seats = await self._seats_of(live, hashed(device)) if device else frozenset()
        opened = {seat for key in keys if (seat := self.seat_of(live.room, key)) is not None}
        # The link of a free seat gives no other rights before its guest sits down.
        seats |= {seat for seat in opened if seat < 0 or live.room.seats[seat].taken}
        sits = frozenset(seat for seat in seats if seat >= 0)
        return Viewer(sits, opener=OPENER in seats, watcher=WATCHERS in seats)

    async def _seats_of(self, live: LiveRoom, device: str) -> frozenset[int]:
        since, known = live.devices.find(device) or (0.0, frozenset())
        if known and not (self.log.shared and self.now() - since > _SECONDS):
            return known
        while True:
            before = live.devices
            known = await self.log.seats_of(live.room.id, device)
            if live.devices is before:  # otherwise the seats may have changed during the read
                live.devices.put(device, (self.now(), known))
                return known

    def seat_of(self, room: Room, key: str) -> int | None:
        """Return the seat that a key opens, WATCHERS, OPENER or INVITATION; None if it is wrong."""
        # All keys are compared, so that the time reveals nothing.
        opened = [seat for seat in room.links if is_same(key, self.key(room, seat))]
        return opened[0] if opened else None

    def key(self, room: Room, seat: int, *, before: int = 0) -> str:
        """Return the key of a seat, or of a number below 0, as it was `before` changes ago."""
        assert self.keyring is not None  # without a keyring, no caller needs a key
        return self.keyring.key(room.id, seat, room.links[seat] - before)

    def phrase_hash(self, phrase: str) -> str:
        """Return the slow hash of a recovery phrase; see `Keyring.phrase_hash`."""
        assert self.keyring is not None  # only a server has recovery phrases
        return self.keyring.phrase_hash(phrase)

    def opener_keys(self, room: Room) -> tuple[str, ...]:
        """Return the keys that the opener was given first; those renewed since open nothing."""
        seats = opener_seats(room.opened)
        return tuple(self.key(room, seat, before=room.links[seat]) for seat in seats)

    # Retries by a client whose only key was valid for the first attempt

    def entered(self, live: LiveRoom, key: IdempotencyKey) -> int | None:
        """Return the seat that this action took; None if none, or if its link was renewed since."""
        done = _newest(live, key, "enter")
        return done.seat if done else None

    def renewed(
        self, live: LiveRoom, key: IdempotencyKey, seat: int, keys: Sequence[str]
    ) -> int | None:
        """Return the number of the event by which this action renewed a seat's link.

        None if it did not, if `keys` lack the old link's key, or if the link was renewed again.
        """
        done = _newest(live, key, "renew")
        if done is None or done.seat != seat:
            return None
        old = self.key(live.room, seat, before=1)
        return done.number if any(is_same(key, old) for key in keys) else None


def _newest(live: LiveRoom, key: IdempotencyKey, kind: str) -> LogLine | None:
    """Return an action's first event, if it is of this kind and no later event renewed its link."""
    by, outcome = live.done.get(key.action, (None, None))
    if outcome is None or by != key.by:
        return None
    done, *later = live.room.log[outcome.number - 1 :]
    renewed = any(line.kind == "renew" and line.seat == done.seat for line in later)
    return done if done.kind == kind and not renewed else None


def opener_seats(plan: Opened) -> tuple[int, ...]:
    """Return the seats not planned for guests or computer players, then OPENER and WATCHERS."""
    seats = (seat for seat, p in enumerate(plan.seats) if not p.by_link and not p.computer)
    return (*seats, OPENER, WATCHERS)


def openers(plan: Opened, device: str) -> tuple[tuple[int, str], ...]:
    """Return the opener's seats, each with the hash of the opener's device."""
    return tuple((seat, hashed(device)) for seat in opener_seats(plan))
