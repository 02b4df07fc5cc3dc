"""Advice for the people at a table: hints, a coach and verdicts, which workers compute.

The rows of a hint are made as they are printed and spoken. A cost is the difference of two values
as they are printed, so the numbers on the page add up.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from shutbox.engine.english import capital, tenths
from shutbox.engine.errors import ShutboxError, TooLarge
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, gettext_noop, language, pgettext
from shutbox.engine.play import Play
from shutbox.engine.scene import Kind
from shutbox.engine.seats import Seat
from shutbox.match import Match
from shutbox.solving.advice.coach import Coach
from shutbox.solving.advice.ranking import AdviceFigures, ChoiceFigures, ChoiceJudged
from shutbox.solving.review.report import Verdict
from shutbox.table.bots import bots_of
from shutbox.table.setup import check_playable
from shutbox.web import limits
from shutbox.web.actions.accounts import AccountView, account
from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.compute import tasks
from shutbox.web.errors import Broken, NotAllowed
from shutbox.web.rooms import number_text
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.sealing import read_challenge
from shutbox.web.rooms.table_view import TableView

_POINTS, _SHARE = 20, 100
"""The cost, in tenths of a point or of a percent, that shortens the bar of a choice to a fifth; the
greatest cost does if it is more."""

_FROM_LINK = gettext_noop(
    "The figures of the challenger come from the link. Nobody has checked the game it tells of."
)


@dataclass
class Judged:
    """The luck and the skill in a game that is over."""

    game: int  # its number in the room, from 1
    says: tuple[str, ...]  # how luck and play made the result, or why there is no verdict
    verdict: Verdict | None  # None if there is none
    account: AccountView | None = None  # the figures as they are printed; None if there is none


async def hint(caller: RoomCaller, request: None = None) -> tasks.Hint:
    """Return advice for the player who is due. Raises NotAllowed, TooOften, Full and TooLarge."""
    caller.check(Permission.AT_TABLE)
    caller.client.count(limits.HINTS_OF_ADDRESS, "hints")
    level, table = caller.live.room.opened.hints, caller.live.room.table
    shown = caller.live.current_view().table
    if level == "off" or table is None or shown is None:
        raise NotAllowed("there are no hints at this table")
    game, position = table.game, table.position
    if level == "legal":
        return tasks.Hint(Coach(game).hint(position, level), "", None, "")
    work = tasks.hint, game, position, level, table.start
    advised = await caller.client.do(*work, quick=tasks.is_quick(game))
    if figures := advised.figures:
        advised.lead, advised.rows = _aim_words(figures), _hint_rows(figures, shown)
    return advised


async def coach(caller: RoomCaller, text: str) -> tuple[str | ChoiceJudged, ...]:
    """Return words and figures on a choice; () if illegal, forced, unranked or not in time."""
    if (table := caller.live.room.table) is None:
        return ()
    game, position = table.game, table.position
    # The coach ignores a choice that the table refuses, and delays none for long.
    with suppress(ShutboxError, TimeoutError, Broken):
        choice = game.choice_text(game.parse_choice(position, text))
        work = tasks.judge_choice, game, position, choice, table.start
        async with asyncio.timeout(limits.JUDGE_SECONDS):
            return await caller.client.do(*work, quick=tasks.is_quick(game))
    return ()


async def verdict(caller: RoomCaller, request: None = None) -> Judged:
    """Return the verdict on the current game, or the reason for none. Raises as `hint`."""
    caller.check(Permission.SEES)
    room, judged = caller.live.room, await _verdict(caller)
    if isinstance(judged, str):
        return Judged(room.game_number, (judged,), None)
    shown = account(judged, caller.you.seats)
    says = [gettext("{words}.", words=shown.heading), *shown.says]
    if room.opened.challenge:
        says.append(gettext(_FROM_LINK))
    return Judged(room.game_number, tuple(says), judged, shown)


async def _verdict(caller: RoomCaller) -> Verdict | str:
    """Return the verdict on a finished game from the cache or a worker, or why there is none.

    In a challenge, the challenger's figures follow, if they can be judged.
    """
    client, room, table = caller.client, caller.live.room, caller.live.room.table
    if room.phase == "ended":
        return gettext("This game was given up. Its review has every throw.")
    if table is None or room.phase != "over":
        return gettext("The review comes when the game is over.")
    key = f"{room.id}/{room.game_number}/{table.version}/{language()}"
    judged = await _judge(client, key, table, [seat.name for seat in room.seats])
    if room.opened.challenge and not isinstance(judged, str):
        challenge, link = read_challenge(room.opened.challenge), f"{key}/link"
        quick = tasks.is_quick(challenge.solo_game)
        played = await client.do_once(f"{link}/played", "", challenge.replay, quick=quick)
        theirs = await _judge(client, link, played, [pgettext("seat", "Challenger")])
        if not isinstance(theirs, str):
            judged = replace(judged, seats=(*judged.seats, replace(theirs.seats[0], seat=1)))
    return judged


async def _judge(
    caller: Caller, key: str, table: Play[Any, Any], names: Sequence[str]
) -> Verdict | str:
    game, log = table.game, table.log
    if game.scoring is None:
        return gettext("This game has no score, so there is nothing to review.")
    # The review of a match covers every turn, so it must not delay hints in the quick queue.
    quick = not isinstance(game, Match) and tasks.is_quick(game)
    with suppress(TooLarge):
        if len(log) <= limits.VERDICT_EVENTS:
            work = tasks.verdict, game, log, names, table.start
            return await caller.do_once(key, "verdicts", *work, quick=quick)
    return gettext("This game is too long to review here.")


async def check_players(caller: Caller, game: Game[Any, Any], seats: Sequence[Seat]) -> None:
    """Raise TooLarge or BadName if these computer players cannot play a game here.

    Raises Full if the workers are too busy to estimate that.
    """
    if not {seat.computer.partition(":")[0] for seat in seats} & {*tasks.SOLVERS}:
        check_playable(game, seats)
        return
    can_be_solved = tasks.is_quick(game)
    if not can_be_solved:  # an ordinary table must not wait for workers
        is_small, work = tasks.is_small(game), tasks.can_advise
        can_be_solved = work(game) if is_small else await caller.do(work, game)
    bots_of(seats)
    if not can_be_solved:
        raise TooLarge(
            "a computer player that solves its game would take too long with this box; "
            "choose another one"
        )


def _aim_words(figures: AdviceFigures) -> str:
    """Return the line above the rows of a hint, which names the aim of the advice."""
    if figures.aim == "row":
        return gettext("By this row alone, best first.")
    if not figures.chance:
        return gettext("Expected result, best first.")
    if figures.aim == "win":
        return gettext("Chance to win, best first.")
    return gettext("Chances, best first.")


def _hint_rows(figures: AdviceFigures, table: TableView) -> tuple[tasks.HintRow, ...]:
    """Return the rows of a hint, one for each ranked choice, the best first."""
    scale, chance = (100 if figures.chance else 1), figures.chance
    values = [tenths(choice.value * scale) for choice in figures.choices]
    longest = max(_SHARE if chance else _POINTS, *(abs(value - values[0]) for value in values))
    differs = len({_percent(choice.shut or 0) for choice in figures.choices}) > 1
    all_takes = {offer.text: offer.takes for offer in table.offers}
    tiles = {piece.key: piece for piece in table.pieces if piece.kind is Kind.TILE}
    # If the tiles are in two rows, a number alone does not identify a tile.
    in_rows = any(tile.row > 0 for tile in tiles.values())
    rows = []
    for choice, in_tenths in zip(figures.choices, values, strict=True):
        takes = all_takes.get(choice.text, ())
        takes = takes if tiles.keys() >= set(takes) else ()  # none if it takes anything else
        name = "" if in_rows else "+".join(tiles[key].face for key in takes)
        value = number_text.with_unit(number_text.tenth(in_tenths / 10), chance=chance)
        cost = _cost(choice, in_tenths - values[0], figures)
        shut = _shut(choice, figures, has_tiles=bool(tiles)) if differs else ""
        rows.append(
            tasks.HintRow(
                text=choice.text,
                name=name or capital(choice.says),
                value=value,
                cost=cost,
                shut=shut,
                takes=takes,
                length=1 - 0.8 * abs(in_tenths - values[0]) / longest,
                is_best=choice.best,
                is_wordy=not name,
            )
        )
    return tuple(rows)


def _percent(chance: float) -> str:
    """Return a chance in whole percent; a chance that is almost 0 or 1 is not rounded to it.

    >>> [_percent(chance).split() for chance in (0.117, 0.004, 0.999, 0.0)]
    [['12', '%'], ['under', '1', '%'], ['over', '99', '%'], ['0', '%']]
    """
    if 0 < chance < 0.005:
        return number_text.unbroken(gettext("under 1 %"))
    if 0.995 < chance < 1:
        return number_text.unbroken(gettext("over 99 %"))
    return number_text.with_unit(str(tenths(10 * chance)), chance=True)


def _cost(choice: ChoiceFigures, apart: int, figures: AdviceFigures) -> str:
    """Return the text for a row's cost: `best`, or a difference from the best such as `+0.4`.

    `apart` is the difference of the two figures as they are shown, in tenths. A real loss that
    rounds to nothing is `under +0.1`.
    """
    if choice.best:
        return pgettext("grade", "best")
    if apart or not choice.cost:
        return number_text.with_unit(number_text.signed(apart / 10), chance=figures.chance)
    least = number_text.signed(0.1 if figures.low_is_good else -0.1)
    return gettext("under {cost}", cost=number_text.with_unit(least, chance=figures.chance))


def _shut(choice: ChoiceFigures, figures: AdviceFigures, *, has_tiles: bool) -> str:
    chance = _percent(choice.shut or 0)
    if has_tiles:
        return gettext("shut {chance}", chance=chance)
    return gettext("{shuts} {chance}", shuts=figures.shuts, chance=chance)
