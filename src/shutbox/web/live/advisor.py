"""Advice for people at a table, worked out by the pool."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from shutbox.analysis.advice.coach import Coach
from shutbox.errors import ShutboxError
from shutbox.game import Game
from shutbox.seats import Seat
from shutbox.table.setup import playable
from shutbox.web import limits
from shutbox.web.compute import tasks
from shutbox.web.compute.budget import check_solvers, is_quick, solves
from shutbox.web.compute.pool import Pool
from shutbox.web.compute.worker import Broken
from shutbox.web.errors import NotAllowed
from shutbox.web.live.live_room import LiveRoom


class Advisor:
    """That of all rooms of one process."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def hint(self, live: LiveRoom, who: str) -> tuple[tuple[str, ...], str]:
        """Advice for the player who is due, as the room allows it, and the best in a sentence.

        `who` asks, and waits for nobody but himself. Raises NotAllowed and Full.
        """
        level, table = live.room.opened.hints, live.room.table
        if level == "off" or table is None:
            raise NotAllowed("there are no hints at this table")
        game, position = table.game, table.position
        if level == "legal":
            return Coach(game).hint(position, level), ""
        return await self._pool.do(who, tasks.hint, game, position, level, quick=is_quick(game))

    async def check_players(self, game: Game[Any, Any], seats: Sequence[Seat], who: str) -> None:
        """Raise TooLarge where computer players cannot play that here, BadName, and Full."""
        if not solves(seats) or is_quick(game):
            playable(game, seats)
        else:
            await self._pool.do(who, check_solvers, game, tuple(seats))

    async def judged(self, live: LiveRoom, text: str, who: str) -> tuple[str, ...]:
        """What a choice is about to cost, where the room is coached and the coach has time."""
        table = live.room.table
        if table is None or not live.room.opened.coach:
            return ()
        game, position = table.game, table.position
        # What is refused is not judged: the table says why. No choice waits for long.
        with suppress(ShutboxError, TimeoutError, Broken):
            said = game.choice_text(game.parse_choice(position, text))
            async with asyncio.timeout(limits.JUDGE_SECONDS):
                return await self._pool.do(
                    who, tasks.judged, game, position, said, quick=is_quick(game)
                )
        return ()
