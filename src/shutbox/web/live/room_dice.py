"""The sealed dice of rooms: made ready for throws, and opened after the game.

The dice of a game are sealed with its first throw. Clients send words for that by themselves, and
a game does not wait long for those that do not.
"""

import asyncio
from contextlib import suppress

from shutbox.engine.cups import SealedCup
from shutbox.engine.sealed_dice import digest_words, envelope_of
from shutbox.web import limits
from shutbox.web.errors import DAMAGED, DamagedStore
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import RoomRepository
from shutbox.web.rooms import commands
from shutbox.web.rooms.sealing import ClosedCup


async def prepare_dice(
    rooms: RoomRepository, live: LiveRoom, *, for_computer: bool = False
) -> None:
    """Make sealed dice ready for the throw that is due: wait for the words, load the seed.

    A person's throw waits only if any client has given a word. Nothing waits longer than
    WORD_SECONDS from the beginning of the game. Raises what `load_dice` raises.
    """
    room, dice = live.room, live.room.dice
    if dice and room.needs_seal and room.missing_words and (for_computer or any(dice.given)):
        # Before the first throw, the last activity is the beginning of the game.
        waited = max(0.0, rooms.now() - room.last_activity)  # the clock may have been set back
        with suppress(TimeoutError):
            async with asyncio.timeout(limits.WORD_SECONDS - waited):
                while room.missing_words:
                    live.changed.clear()
                    await live.changed.wait()
    await load_dice(rooms, live)


async def load_dice(rooms: RoomRepository, live: LiveRoom) -> None:
    """Read the seed of sealed dice and put it into the table's cup, if it is not there.

    Raises NoAnswer, DamagedStore, and UnknownRoom if the room was deleted with its seed.
    """
    table, dice = live.room.table, live.room.dice
    if table and dice and isinstance(table.cup, ClosedCup):
        gid, seed = bytes.fromhex(dice.gid), await rooms.stored_log.seed_of(dice.gid)
        if not seed:
            await rooms.catch_up(live)  # raises UnknownRoom if the room was deleted with it
        if envelope_of(gid, seed).hex() != dice.envelope:
            raise DamagedStore(DAMAGED)
        table.cup = SealedCup(gid, seed, digest_words(dice.word_texts))


async def open_envelope(rooms: RoomRepository, live: LiveRoom) -> None:
    """Open the envelope of the dice if the current game is over.

    Raises what `load_dice` and `RoomRepository.change` raise.
    """
    await load_dice(rooms, live)
    await rooms.change(live, None, lambda room: commands.unseal(room) if room.needs_opening else ())


async def open_due_envelopes(rooms: RoomRepository) -> bool:
    """Open the envelopes of games whose end is final; return whether others still wait.

    Raises as `open_envelope`. If one fails, it is opened when its room is read again.
    """
    for id in tuple(rooms.unopened):
        if live := rooms.loaded_room(id):
            room, seconds = live.room, rooms.now() - live.room.last_activity
            is_open = not room.given_up and room.playing().taker_back is not None
            if is_open and seconds < limits.TAKE_BACK_SECONDS:
                continue  # its last choice can be taken back, and the game goes on
        rooms.unopened.discard(id)
        if live is not None:
            await open_envelope(rooms, live)
    return bool(rooms.unopened)
