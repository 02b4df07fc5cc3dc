"""The seats of a room that a caller's keys and device open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.access import Keyring, Viewer, hashed, is_same
from shutbox.web.rooms.changes import Devices, IdempotencyKey
from shutbox.web.rooms.events import Opened
from shutbox.web.rooms.log_line import LogLine
from shutbox.web.rooms.room import OPENER, WATCHERS, Room

if TYPE_CHECKING:  # what only a server has
    from shutbox.web.storage.log import StoredLog


@dataclass(kw_only=True)
class Access:
    """The maker of links' keys in one process; it finds the seats that keys and devices open."""

    keyring: Keyring | None  # None if there are no links, as on a page without a server
    log: "StoredLog"

    async def viewer(self, live: LiveRoom, device: str | None, keys: Sequence[str]) -> Viewer:
        """Return the viewer with these keys and this cookie; a free seat's key gives nothing.

        Raises NoAnswer.
        """
        seats = await self._seats_of(live, hashed(device)) if device else frozenset()
        seats_of_keys = {seat for key in keys if (seat := self.seat_of(live.room, key)) is not None}
        # The link of a free seat gives no other rights before its guest sits down.
        seats |= {seat for seat in seats_of_keys if seat < 0 or live.room.seats[seat].taken}
        sits = frozenset(seat for seat in seats if seat >= 0)
        return Viewer(sits, opener=OPENER in seats, watcher=WATCHERS in seats)

    async def _seats_of(self, live: LiveRoom, device: str) -> frozenset[int]:
        if (known := live.devices.find(device)) is not None:
            return known
        while True:
            before = live.devices
            known = await self.log.seats_of(live.room.id, device)
            if live.devices is before:  # otherwise the seats may have changed during the read
                live.devices.put(device, known)
                return known

    def seat_of(self, room: Room, key: str) -> int | None:
        """Return the seat of a key, or WATCHERS, OPENER or INVITATION; None for a wrong key."""
        # All keys are compared, so that the time reveals nothing.
        matching = [seat for seat in room.links if is_same(key, self.key(room, seat))]
        return matching[0] if matching else None

    def key(self, room: Room, seat: int, *, before: int = 0) -> str:
        """Return the key of a seat, WATCHERS, OPENER or INVITATION of `before` changes ago."""
        assert self.keyring is not None  # without a keyring, no caller needs a key
        return self.keyring.key(room.id, seat, room.links[seat] - before)

    # Retries by a client whose only key was valid for the first attempt

    def entered_seat(self, live: LiveRoom, key: IdempotencyKey) -> int | None:
        """Return the seat that an action took; None if none, or if its link was renewed since."""
        done = _event_of(live, key, "enter")
        return done.seat if done else None

    def renewal_number(
        self, live: LiveRoom, key: IdempotencyKey, seat: int, keys: Sequence[str]
    ) -> int | None:
        """Return the number of the event by which this action renewed a seat's link.

        None if it did not, if `keys` lack the old link's key, or if the link was renewed again.
        """
        done = _event_of(live, key, "renew")
        if done is None or done.seat != seat:
            return None
        old = self.key(live.room, seat, before=1)
        return done.number if any(is_same(key, old) for key in keys) else None


def _event_of(live: LiveRoom, key: IdempotencyKey, kind: str) -> LogLine | None:
    """Return an action's event; None if of another kind, or its seat's link was renewed since."""
    by, outcome = live.done.get(key.action, (None, None))
    if outcome is None or by != key.by:
        return None
    done, *later = live.room.log.lines[outcome.number - 1 :]
    is_renewed = any(line.kind == "renew" and line.seat == done.seat for line in later)
    return done if done.kind == kind and not is_renewed else None


def opener_seats(plan: Opened) -> tuple[int, ...]:
    """Return the seats not planned for guests or computer players, then OPENER and WATCHERS."""
    seats = (seat for seat, p in enumerate(plan.seats) if not p.by_link and not p.computer)
    return (*seats, OPENER, WATCHERS)


def opener_grants(plan: Opened, device: str | None) -> Devices:
    """Return `opener_seats`, each with the hash of the cookie `device`; () without a cookie."""
    return tuple((seat, hashed(device)) for seat in opener_seats(plan)) if device else ()
