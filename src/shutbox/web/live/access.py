"""Who may sit where: the keys of links, and the devices that they have let in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.commands import IdempotencyKey
from shutbox.web.rooms.events import Opened
from shutbox.web.rooms.link_keys import Keyring, hashed, is_same
from shutbox.web.rooms.permissions import Viewer
from shutbox.web.rooms.ports import Log
from shutbox.web.rooms.room import HOST, WATCHERS, LogLine, Room

_SECONDS = 2.0
"""How long it is believed where a device may sit, where other processes may change it."""


@dataclass(kw_only=True)
class Access:
    """That of all rooms of one process."""

    keyring: Keyring | None
    """None where nobody comes by a link."""
    log: Log
    now: Callable[[], float]

    async def viewer(self, live: LiveRoom, device: str | None, keys: Sequence[str]) -> Viewer:
        """Who it is that has the cookie of this device, and these keys."""
        seats = await self._seats_of(live, hashed(device)) if device else frozenset()
        opened = {seat for key in keys if (seat := self.seat_of(live.room, key)) is not None}
        # The link of a free seat is good for sitting down, and for nothing before that.
        seats |= {seat for seat in opened if seat < 0 or live.room.seats[seat].taken}
        sits = frozenset(seat for seat in seats if seat >= 0)
        return Viewer(sits, host=HOST in seats, watcher=WATCHERS in seats)

    async def _seats_of(self, live: LiveRoom, device: str) -> frozenset[int]:
        since, known = live.devices.find(device) or (0.0, frozenset())
        if known and not (self.log.shared and self.now() - since > _SECONDS):
            return known
        while True:
            before = live.devices
            known = await self.log.seats_of(live.room.id, device)
            if live.devices is before:  # or else it may be void by now
                live.devices.keep(device, (self.now(), known))
                return known

    def seat_of(self, room: Room, key: str) -> int | None:
        """The seat that a key opens, WATCHERS, HOST, INVITATION, or nothing."""
        # All of them are looked at, so that the time tells nothing.
        opened = [seat for seat in room.links if is_same(key, self.key(room, seat))]
        return opened[0] if opened else None

    def key(self, room: Room, seat: int, *, before: int = 0) -> str:
        """The key of a seat or of a number below 0, as it was `before` so many times made anew."""
        assert self.keyring is not None  # or else nobody has a key, nor asks for one
        return self.keyring.key(room.id, seat, room.links[seat] - before)

    def opener_keys(self, room: Room) -> tuple[str, ...]:
        """Return the keys that the opener of a room was given; what was renewed opens nothing."""
        seats = opener_seats(room.opened)
        return tuple(self.key(room, seat, before=room.links[seat]) for seat in seats)

    # What is asked for again, by whoever has only a key that was good for it the first time

    def entered(self, live: LiveRoom, key: IdempotencyKey) -> int | None:
        """The seat that was taken by this action, if its link was not made anew since."""
        done = _newest(live, key, "enter")
        return done.seat if done else None

    def renewed(
        self, live: LiveRoom, key: IdempotencyKey, seat: int, keys: Sequence[str]
    ) -> int | None:
        """The number under which this action made a seat's link anew, asked for by the old link.

        None where it did not, or where the link was made anew once more since.
        """
        done = _newest(live, key, "renew")
        if done is None or done.seat != seat:
            return None
        old = self.key(live.room, seat, before=1)
        return done.number if any(is_same(key, old) for key in keys) else None


def _newest(live: LiveRoom, key: IdempotencyKey, kind: str) -> LogLine | None:
    """The event of this kind that an action led to, if no later one made its link anew."""
    by, outcome = live.done.get(key.action, (None, None))
    if outcome is None or by != key.by:
        return None
    done, *later = live.room.log[outcome.number - 1 :]
    anew = any(line.kind == "renew" and line.seat == done.seat for line in later)
    return done if done.kind == kind and not anew else None


def opener_seats(plan: Opened) -> tuple[int, ...]:
    """Return where the opener of a room may sit: at the seats that are not given to others."""
    seats = (seat for seat, p in enumerate(plan.seats) if not p.by_link and not p.computer)
    return (*seats, HOST, WATCHERS)


def openers(plan: Opened, device: str) -> tuple[tuple[int, str], ...]:
    """Return those seats, each with the opener's device."""
    return tuple((seat, hashed(device)) for seat in opener_seats(plan))
