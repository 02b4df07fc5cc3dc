"""Advice for people at a table. The calculations run elsewhere: on a server, in its workers."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from shutbox.analysis.advice.coach import ChoiceJudged, Coach
from shutbox.analysis.review.verdict import Verdict
from shutbox.bots.registry import bots_of
from shutbox.english import capital
from shutbox.errors import ShutboxError, TooLarge
from shutbox.game import Choose, Game, position_text
from shutbox.lru import LruCache
from shutbox.match import Match
from shutbox.messages import gettext, language, pgettext
from shutbox.play import Play
from shutbox.seats import Seat
from shutbox.table.setup import playable
from shutbox.web import limits
from shutbox.web.compute import tasks
from shutbox.web.compute.budget import (
    can_advise,
    can_solve_from,
    inner_of,
    is_quick,
    is_small,
    queue_of,
    solvers_of,
)
from shutbox.web.errors import Broken, NotAllowed, OutOfMemory
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.challenge import Challenge, read_challenge
from shutbox.web.rooms.ports import Works


class Advisor:
    """The advisor for all rooms of one process. `who` is the caller, as in `Pool.do`."""

    def __init__(self, pool: Works) -> None:
        self._pool = pool
        self._known = LruCache[str, bool](limits.MOST_ESTIMATES)
        """Whether a game or a position is solved here, by its text."""

    async def hint(self, live: LiveRoom, who: str) -> tuple[*tasks.Advised, str]:
        """Return advice for the player due: sentences, the best choice in words, figures, a choice.

        Figures are None if nothing is ranked. The choice, as text, is the best one, or the careful
        player's if the best is not worked out. It is empty if the room shows only legal choices, or
        if no choice is due. Raises NotAllowed if the room has no hints, and Full.
        """
        level, table = live.room.opened.hints, live.room.table
        if level == "off" or table is None:
            raise NotAllowed("there are no hints at this table")
        game, position = table.game, table.position
        if level == "legal":
            return Coach(game).hint(position, level), "", None, ""
        queue = queue_of(game)
        whole = await self._solves_whole(table, who, queue)
        advised: tasks.Advised
        if whole is not None:
            work = partial(tasks.hint, whole=whole)
            advised = await self._pool.do(who, work, game, position, level, **queue)
            if figures := advised[2]:
                return *advised, figures.choices[0].text
        else:
            why = gettext("There is no advice here: it would take too long to work out.")
            advised = (why,), "", None
        if not isinstance(game.awaits(position), Choose):
            return *advised, ""
        chosen = self._pool.do(who, tasks.chosen, game, "careful", position, **queue)
        return *advised, await chosen

    async def verdict(self, live: LiveRoom, who: str) -> Verdict | str:
        """Return the review of luck and skill in a finished game, or the reason for having none.

        Raises Full.
        """
        room, table = live.room, live.room.table
        if table is None or room.phase != "over":
            return gettext("The review comes when the game is over.")
        about, spoken = (room.game, table.version), language()
        if live.verdict is None or live.verdict[0] not in ((*about, ""), (*about, spoken)):
            found = await self._judge(table, [s.name for s in room.seats], who)
            challenge = room.opened.challenge
            if challenge and not isinstance(found, str):
                found = await self._beside(found, read_challenge(challenge), who)
            live.verdict = (*about, spoken if challenge or isinstance(found, str) else ""), found
        return live.verdict[1]

    async def _beside(self, own: Verdict, challenge: Challenge, who: str) -> Verdict:
        """Return a verdict with the figures of the challenger after those of the caller."""
        play = await self._pool.do(who, challenge.played, **queue_of(challenge.plays))
        found = await self._judge(play, [pgettext("seat", "Challenger")], who)
        if isinstance(found, str):
            return own
        return replace(own, seats=(*own.seats, replace(found.seats[0], seat=1)))

    async def _judge(self, table: Play[Any, Any], names: Sequence[str], who: str) -> Verdict | str:
        game, log = table.game, table.log
        if game.scoring is None:
            return gettext("This game has no score, so there is nothing to review.")
        # The review of a match covers every turn, so it must not delay hints in the quick queue.
        queue = {**queue_of(game), "quick": not isinstance(game, Match) and is_quick(game)}
        short = len(log) <= limits.VERDICT_EVENTS
        if not short or await self._solves_whole(table, who, queue) is None:
            return gettext("This game is too long to review here.")
        try:
            return await self._pool.do(who, tasks.verdict, game, log, names, table.start, **queue)
        except (TooLarge, OutOfMemory) as error:
            reason = capital(str(error))
            return gettext("This game cannot be reviewed here. {reason}.", reason=reason)

    async def check_players(self, game: Game[Any, Any], seats: Sequence[Seat], who: str) -> None:
        """Raise TooLarge or BadName if these computer players cannot play a game here.

        Raises Full if the workers are too busy to estimate that.
        """
        if not (solvers := solvers_of(seats)):
            playable(game, seats)
            return
        can_be_solved = await self._advises(game, who, queue_of(game))
        bots_of(seats)
        if not can_be_solved:
            raise TooLarge(
                "the computer player {kind} needs more than {seconds:g} seconds and "
                "{memory} MB to solve {game}; that is too much here",
                game=inner_of(game).name,
                kind=solvers[0],
                seconds=limits.HINT_SECONDS,
                memory=limits.HINT_MEMORY >> 20,
            )

    async def judged(self, live: LiveRoom, text: str, who: str) -> tuple[str | ChoiceJudged, ...]:
        """Return the coach's lines and figures on the choice `text`.

        Empty if it is illegal or not judged in time.
        """
        table = live.room.table
        if table is None:
            return ()
        game, position, queue = table.game, table.position, queue_of(table.game)
        # The coach ignores a choice that the table refuses, and delays none for long.
        with suppress(ShutboxError, TimeoutError, Broken):
            choice = game.choice_text(game.parse_choice(position, text))
            async with asyncio.timeout(limits.JUDGE_SECONDS):
                whole = await self._solves_whole(table, who, queue)
                if whole is not None:
                    work = partial(tasks.judged, whole=whole)
                    return await self._pool.do(who, work, game, position, choice, **queue)
        return ()

    async def _solves_whole(
        self, table: Play[Any, Any], who: str, queue: dict[str, bool]
    ) -> bool | None:
        """Whether a game is solved here as a whole, or only from where its table began (False).

        None if neither is possible.
        """
        game, start = table.game, table.start
        if await self._advises(game, who, queue):
            return True
        if isinstance(game, Match) or start == game.start():
            return None
        text = position_text(game, start)
        if (known := self._known.find(text)) is None:
            known = await self._pool.do(who, can_solve_from, game, start, **queue)
            self._known.put(text, known)
        return False if known else None

    async def _advises(self, game: Game[Any, Any], who: str, queue: dict[str, bool]) -> bool:
        """Whether a game is quick enough to solve here; the estimate is cached by its name."""
        name = inner_of(game).name
        if (known := self._known.find(name)) is None:
            if queue["quick"]:
                return True
            if is_small(inner_of(game)):  # opening an ordinary table must not wait for workers
                known = can_advise(game)
            else:
                known = await self._pool.do(who, can_advise, game, **queue)
            self._known.put(name, known)
        return known
