"""Seals the dice in the rooms of one process before the first throw, and opens their envelopes.

Clients promise and send words by themselves. A game does not wait long for those that do not.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from shutbox.cups import SealedCup
from shutbox.sealed_dice import digest_of, envelope_of
from shutbox.web import limits
from shutbox.web.errors import DAMAGED, DamagedStore
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.rooms import commands
from shutbox.web.rooms.sealing import ClosedCup


@dataclass
class Sealing:
    """The sealed dice of one process."""

    rooms: Rooms
    _ended: set[str] = field(default_factory=set)
    """The ids of rooms whose game has ended with a closed envelope."""
    _changed: dict[str, asyncio.Event] = field(default_factory=dict)
    """By room id, what the throws that wait for words there wait for."""

    async def ready(self, live: LiveRoom, *, for_computer: bool = False) -> None:
        """Make the dice ready for the throw that is due. Raises DamagedStore, NotKept and Full.

        A person who throws has had time to promise a word; a computer waits for the promises.
        """
        room, dice = live.room, live.room.dice
        if dice and room.to_seal and not dice.seal:
            if for_computer:
                await self._wait(live, lambda: all(dice.promises[seat] for seat in room.clients))
            await self.rooms.change(live, None, lambda it: commands.seal(it, "promises"))
            await self._wait(live, lambda: not dice.missing)
            if not dice.seal:
                await self.rooms.change(live, None, lambda it: commands.seal(it, "words"))
        await self.load(live)

    async def load(self, live: LiveRoom) -> None:
        """Put the seed of sealed dice into the cup, if it is not there. Raises DamagedStore."""
        table, dice, seed_of = live.room.table, live.room.dice, self.rooms.seed_of
        if table and dice and dice.seal and isinstance(table.cup, ClosedCup) and seed_of:
            gid, seed = bytes.fromhex(dice.gid), await seed_of(dice.gid)
            if envelope_of(gid, seed).hex() != dice.envelope:
                raise DamagedStore(DAMAGED)
            table.cup = SealedCup(gid, seed, digest_of(dice.given))

    def note(self, live: LiveRoom) -> None:
        """Wake whoever waits for a change of a room; remember it for `open_ended` if it is over.

        Only a room whose game has ended with a closed envelope is remembered.
        """
        if changed := self._changed.pop(live.room.id, None):
            changed.set()
        if live.room.to_open:
            self._ended.add(live.room.id)

    @property
    def waits(self) -> bool:
        """Whether the envelope of any room must be opened soon."""
        return bool(self._ended)

    async def open_ended(self) -> None:
        """Open the envelopes of games that have ended, once nothing can be taken back any more."""
        for id in tuple(self._ended):
            live = self.rooms.cached_room(id)
            late = live is None or self.rooms.now() - live.room.at >= limits.TAKE_BACK_SECONDS
            if live is None or late or live.room.given_up or live.room.playing().taker_back is None:
                self._ended.discard(id)  # if it fails, it is opened when the room is read again
                if live is not None:
                    await self.open(live)

    async def open(self, live: LiveRoom) -> None:
        """Open the envelope of a game, if that has ended."""
        await self.load(live)
        await self.rooms.change(live, None, lambda it: commands.unseal(it, it.to_open))

    async def _wait(self, live: LiveRoom, done: Callable[[], bool]) -> None:
        """Return once something is done in a room, or after WORD_SECONDS."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limits.WORD_SECONDS):
                while not done():
                    await self._changed.setdefault(live.room.id, asyncio.Event()).wait()
