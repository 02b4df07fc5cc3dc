"""Advice for the people at a table, and the computer players, who act when they are due.

The calculations run elsewhere: on a server, in its workers.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from shutbox.engine.errors import OutOfDate, ShutboxError, TooLarge, blaming
from shutbox.engine.game import Choose, Game
from shutbox.engine.messages import gettext, language, pgettext, speaking
from shutbox.engine.play import Play
from shutbox.engine.seats import Seat
from shutbox.match import Match
from shutbox.solving.advice.adviser import Coach
from shutbox.solving.advice.ranking import ChoiceJudged
from shutbox.solving.review.report import Verdict
from shutbox.table import Table
from shutbox.table.bots import bots_of
from shutbox.table.setup import playable
from shutbox.web import limits
from shutbox.web.compute import tasks
from shutbox.web.errors import Broken, Full, NoAnswer, NotAllowed, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.logs import log
from shutbox.web.rooms.commands import computer_acts
from shutbox.web.rooms.ports import Works
from shutbox.web.rooms.sealing import Challenge, read_challenge

_THINK = (*tasks.SOLVERS, "careful")  # the slow kinds of computer players, which need the pool
_TRIES = 2  # attempts to get a choice from the pool
_SLOW_SECONDS = 0.25  # the pause between two events in a long run of computer players
_ALONE_SECONDS = 60.0  # without a request or a listener, after which a long run stops


class Advisor:
    """The advisor for all rooms of one process. `who` is the caller, as in `Pool.do`."""

    def __init__(self, pool: Works) -> None:
        self._pool = pool

    async def hint(self, live: LiveRoom, who: str) -> tasks.Advised:
        """Return advice for the player due; at level "legal" it names no choice.

        Raises NotAllowed if the room has no hints or no game yet, and as `Pool.do`.
        """
        level, table = live.room.opened.hints, live.room.table
        if level == "off" or table is None:
            raise NotAllowed("there are no hints at this table")
        game, position = table.game, table.position
        if level == "legal":
            return tasks.Advised(Coach(game).hint(position, level))
        request = game, position, level, table.start
        return await self._pool.do(who, tasks.hint, *request, quick=tasks.is_quick(game))

    async def verdict(self, live: LiveRoom, who: str) -> Verdict | str:
        """Return the verdict on a finished game, or a sentence why there is none.

        In a challenge, the challenger's figures follow. It is cached. Raises as `Pool.do`.
        """
        room, table = live.room, live.room.table
        if room.phase == "ended":
            return gettext("This game was given up. Its review has every throw.")
        if table is None or room.phase != "over":
            return gettext("The review comes when the game is over.")
        about, spoken = (room.game_number, table.version), language()
        if live.verdict is None or live.verdict[0] not in ((*about, ""), (*about, spoken)):
            found = await self._judge(table, [s.name for s in room.seats], who)
            challenge = room.opened.challenge
            if challenge and not isinstance(found, str):
                found = await self._beside(found, read_challenge(challenge), who)
            live.verdict = (*about, spoken if challenge or isinstance(found, str) else ""), found
        return live.verdict[1]

    async def _beside(self, own: Verdict, challenge: Challenge, who: str) -> Verdict:
        """Return the verdict `own`, followed by the challenger's figures if they can be judged."""
        quick = tasks.is_quick(challenge.plays)
        play = await self._pool.do(who, challenge.played, quick=quick)
        verdict = await self._judge(play, [pgettext("seat", "Challenger")], who)
        if isinstance(verdict, str):
            return own
        return replace(own, seats=(*own.seats, replace(verdict.seats[0], seat=1)))

    async def _judge(self, table: Play[Any, Any], names: Sequence[str], who: str) -> Verdict | str:
        game, log = table.game, table.log
        if game.scoring is None:
            return gettext("This game has no score, so there is nothing to review.")
        # The review of a match covers every turn, so it must not delay hints in the quick queue.
        quick = not isinstance(game, Match) and tasks.is_quick(game)
        request = game, log, names, table.start
        with suppress(TooLarge):
            if len(log) <= limits.VERDICT_EVENTS:
                return await self._pool.do(who, tasks.verdict, *request, quick=quick)
        return gettext("This game is too long to review here.")

    async def check_players(self, game: Game[Any, Any], seats: Sequence[Seat], who: str) -> None:
        """Raise TooLarge or BadName if these computer players cannot play a game here.

        Raises Full if the workers are too busy to estimate that.
        """
        if not tasks.solvers_of(seats):
            playable(game, seats)
            return
        can_be_solved = tasks.is_quick(game)
        if not can_be_solved and tasks.is_small(game):
            can_be_solved = tasks.can_advise(game)  # an ordinary table must not wait for workers
        elif not can_be_solved:
            can_be_solved = await self._pool.do(who, tasks.can_advise, game)
        bots_of(seats)
        if not can_be_solved:
            raise TooLarge(
                "a computer player that solves its game would take too long with this box; "
                "choose another one"
            )

    async def judged(self, live: LiveRoom, text: str, who: str) -> tuple[str | ChoiceJudged, ...]:
        """Return words and figures on a choice; () if illegal, forced, unranked or not in time."""
        if (table := live.room.table) is None:
            return ()
        game, position = table.game, table.position
        # The coach ignores a choice that the table refuses, and delays none for long.
        with suppress(ShutboxError, TimeoutError, Broken):
            choice = game.choice_text(game.parse_choice(position, text))
            request = game, position, choice, table.start
            async with asyncio.timeout(limits.JUDGE_SECONDS):
                return await self._pool.do(who, tasks.judged, *request, quick=tasks.is_quick(game))
        return ()


@dataclass
class BotRunner:
    """The runner of the computer players in all rooms of this process."""

    rooms: Rooms
    pool: Works
    count: Callable[[str, int], None] | None = None
    """Called after an event is stored, with the address that it counts for and its bytes."""
    refused: Callable[[LiveRoom, ShutboxError], None] | None = None
    """Called with the error that stopped a computer player; without it the error is logged."""

    def __post_init__(self) -> None:
        self._lane, self._among_themselves = asyncio.Lock(), asyncio.Lock()
        self._acting = set[asyncio.Task[None]]()
        self.rooms.on_bots_due = self.start

    def start(self, live: LiveRoom) -> None:
        """Start the computer player who is due, and then those after it, in the background."""
        live.driven = True
        with speaking():  # not the language of the visitor whose request this is
            task = asyncio.create_task(self._act(live))
        self._acting.add(task)
        task.add_done_callback(self._acting.discard)

    async def _act(self, live: LiveRoom) -> None:
        acted = 0
        try:
            while live.room.computer_due and not live.closing:
                if live.room.to_seal:
                    await self.rooms.prepare_dice(live, for_computer=True)
                await self._turn(live)
                try:
                    async with live.lock:  # while it is held, the room does not change
                        stored = await self._act_once(live)
                except Full as busy:
                    if not busy.seconds or self.pool.closed:
                        raise
                    await asyncio.sleep(busy.seconds)
                    continue
                if stored and live.address and self.count:
                    self.count(live.address, stored)
                acted += 1
                if acted > limits.FREE_EVENTS:
                    await asyncio.sleep(_SLOW_SECONDS)
                    alone = self.rooms.now() - live.asked > _ALONE_SECONDS
                    if alone and not live.listeners:
                        break  # they go on at the next request for the room
        except (ShutboxError, NoAnswer) as error:
            if self.refused and isinstance(error, ShutboxError):
                self.refused(live, error)
            elif not self.pool.closed:  # otherwise this process is stopping
                why = one_line(error)
                log.error("computer player stopped", reason=why, exc_info=error.__cause__)
        except Exception as error:  # otherwise the error would be lost with the task
            log.error("computer player broken", exc_info=error)
        finally:
            live.driven = False

    async def _turn(self, live: LiveRoom) -> None:
        """Wait for a turn in the lane of all computer players, who move one by one with pauses.

        Otherwise the moves of many tables would be stored and shown together, and everybody's
        requests would wait for all of them. Of the tables without people, one at a time waits here.
        """
        alone = all(player.computer for player in live.room.seats)
        async with self._among_themselves if alone else nullcontext(), self._lane:
            await asyncio.sleep(limits.COMPUTER_PAUSE)

    async def _act_once(self, live: LiveRoom) -> int:
        """Make the due move, with the lock held; return the bytes stored, or 0 if none was made."""
        if not live.room.computer_due or live.room.to_seal:
            return 0
        table = live.room.playing()
        kind = live.room.seats[table.due or 0].computer
        thinks = kind.startswith(_THINK) and isinstance(table.awaits, Choose)
        thought = await self._thought(live, table, kind) if thinks else None
        with blaming(live.room.opened.game):
            made = computer_acts(live.room, thought)
        try:
            return (await self.rooms.commit(live, None, made)).stored
        except OutOfDate:
            await self.rooms.sync_from_log(live)
            return 0

    async def _thought(self, live: LiveRoom, table: Table[Any, Any], kind: str) -> str:
        """Return a computer player's choice in notation.

        If the pool fails twice, it is the first one offered. Raises Full if it can be had later.
        """
        # The careful player limits its own work, and a sheet is made for the turn alone.
        solved = tasks.inner_of(table.game) if kind == "sheet" else table.game
        quick = kind == "careful" or tasks.is_quick(solved)
        # Slow ones share one queue, no matter who opened their tables.
        who = f"table {live.room.id}" if quick else "computers"
        work = partial(tasks.chosen, table.game, kind, table.position)
        for _ in range(_TRIES):
            try:
                return await self.pool.do(who, work, quick=quick, background=True)
            except (Full, TooLarge, Broken) as error:
                if isinstance(error, Full) and error.seconds:
                    raise
                log.warning("computer player refused", reason=one_line(error))
        return table.scene.offers[0].text

    async def close(self) -> None:
        """Wait until all running computer players have finished; `start` still starts others."""
        await asyncio.gather(*self._acting, return_exceptions=True)
