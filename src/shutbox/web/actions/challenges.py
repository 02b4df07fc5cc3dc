"""Challenges by the dice of a finished sealed game: their links, and the tables that they open."""

from collections.abc import Sequence
from typing import Any

from shutbox.game import Game
from shutbox.play import Event, Play
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, key_of
from shutbox.web.actions.replays import is_short
from shutbox.web.actions.replies import ChallengeReply, OpenedReply
from shutbox.web.actions.tables import open_planned, plan_alone
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms.challenge import Challenge, read_challenge
from shutbox.web.rooms.permissions import Permission
from shutbox.web.rooms.requests import TakeChallenge


async def links(caller: RoomCaller, asked: None = None) -> ChallengeReply:
    """Return the links by which others throw the dice of the caller's seats in this game.

    Raises NotAllowed if the game is not over, its envelope is closed, its dice are not sealed, or
    it is too long, NotUnderstood if its turns cannot be played alone, TooOften and Full.
    """
    caller.check(Permission.SEES)
    who, room, found = caller.who, caller.live.room, dict[str, str]()
    if room.dice is None:
        raise NotAllowed("only the dice of a sealed game can be thrown by others")
    if room.phase != "over" or room.dice.opened is None:
        raise NotAllowed("this game is not over yet, or its envelope is still closed")
    table, name, gid = room.playing(), room.dice.names[0], bytes.fromhex(room.dice.gid)
    if len(table.log) > limits.VERDICT_EVENTS:
        raise NotAllowed("this game is too long for a link")
    await who.count(limits.HINTS_OF_ADDRESS, "records")
    for seat in sorted(caller.viewer.seats):
        about = table.game, table.log, table.start, name, seat, gid, room.dice.opened
        text = await who.do(written, *about, quick=is_short(caller), patient=True)
        found[str(seat)] = f"{who.origin}/challenge?dice={text}"
    return ChallengeReply(found)


def written(game: Game[Any, Any], log: Sequence[Event[Any]], start: Any, *about: Any) -> str:
    """Return the challenge of a play as the code for its link; `about` as in `Challenge.of`."""
    return Challenge.of(Play(game, log, start=start), *about).text


async def take(who: Caller, asked: TakeChallenge) -> OpenedReply:
    """Open a room with the dice of a challenge, or return the one that a retry has opened already.

    Raises NotUnderstood for a link that cannot be played, TooLarge, TooOften, Full and NotKept.
    """
    await who.count(limits.OPENINGS_OF_ADDRESS, "openings")
    found = await who.do(checked, asked.dice, patient=True)
    more = {"position": found.position, "challenge": asked.dice}
    plan = plan_alone(found.game, found.format, "challenge", **more)
    return await open_planned(who, key_of(who, "challenge", asked), plan)


def in_link(text: str) -> Challenge:
    """Return the challenge in the code of a link, the part after `dice=`.

    Raises NotUnderstood for any other text, and UnknownGame for a box in a file.
    """
    found = read_challenge(text)
    check_text(found.game)
    return found


def checked(text: str) -> Challenge:
    """Return the challenge in the code of a link, after playing its game again. Takes a while.

    Raises what `in_link`, `check_work` and `Challenge.played` raise.
    """
    found = in_link(text)
    check_work(found.plays)
    found.played()
    return found
