"""Records of games, which workers write and replay; links that let others throw a game's dice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from time import perf_counter
from typing import Any

from shutbox.engine.errors import PluginFailed, ShutboxError, UnknownRecord
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.narrator import Length, Narrator
from shutbox.engine.play import Corrected, Event, Play, Rolled
from shutbox.engine.scene import Piece
from shutbox.match import turn_game
from shutbox.record import Header, Reading, read
from shutbox.table.lookup import game_of
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, key_of
from shutbox.web.actions.tables import OpenedReply, open_planned, plan_alone
from shutbox.web.compute.tasks import check_text, check_work, is_quick
from shutbox.web.errors import DAMAGED, DamagedStore, NotAllowed
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.events import Begun, Numbered
from shutbox.web.rooms.links import find_challenge
from shutbox.web.rooms.requests import TakeChallenge
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.sealing import Challenge, read_challenge
from shutbox.web.rooms.shapes import encode

_HEADER = 30  # lines of a record before its events, at most


@dataclass
class StepView:
    """The start of a record, or one event of it."""

    says: tuple[str, ...]  # what happened, in sentences
    pieces: tuple[Piece, ...]  # the tiles and dice after it
    seat: int | None  # the seat that acted, if any
    brief: tuple[str, ...] | None = None  # the shortest form of `says`; None if it is no shorter
    full: tuple[str, ...] | None = None  # the longest form of `says`; None if it is no longer
    thrown_at: int = 0  # the event number of the last throw or correction so far; 0 before any


@dataclass
class ReplayView:
    """A record, replayed event by event."""

    title: str  # the title of the game
    players: tuple[str, ...]  # their names, by seat
    fault: str | None  # where it is damaged, or how much is shown, in a sentence; None if whole
    steps: tuple[StepView, ...]  # the start, then each event


async def fetch_record(caller: RoomCaller, game: int | None) -> bytes:
    """Return the record of a game of a room, by default of the current one.

    Raises NotAllowed, TooOften, UnknownRecord, Full if too much waits, and as `StoredLog.read`.
    """
    caller.check(Permission.SEES)
    client, live = caller.client, caller.live
    client.count(limits.HINTS_OF_ADDRESS, "records")
    history = await client.services.rooms.history(live)
    work = record_of, live.room.id, history, caller.game(game)
    return await client.do(*work, quick=has_short_record(caller))


def has_short_record(caller: RoomCaller) -> bool:
    """Whether writing and replaying the record of a room takes only a moment."""
    room = caller.live.room
    is_long = room.table is None or room.event_count >= limits.SHORT_RECORD
    return not is_long and is_quick(turn_game(room.game))


async def replay(caller: Caller, data: bytes) -> bytes:
    """Replay a record that the caller sends; return a `ReplayView` as JSON.

    Raises BadRecord and Full.
    """
    json: bytes = (await caller.do(replay_for_page, data))["json"]
    return json


def record_of(room: str, history: Sequence[Numbered], game: int) -> bytes:
    """Return the record of a game by its number, from 1. `room` is an id. Raises UnknownRecord."""
    for number, record in records_of(room, history):
        if number == game:
            return record
    raise UnknownRecord("there is no game {game} at this table", game=game)


def records_of(room: str, history: Sequence[Numbered]) -> Iterator[tuple[int, bytes]]:
    """Yield every game of a room, from its log: its number, and its record."""
    for state in after_each_game(room, history):
        if state.game_number:
            yield state.game_number, state.record


def after_each_game(room: str, history: Sequence[Numbered]) -> Iterator[Room]:
    """Replay a log; yield the same `Room` before each game, even the first, and at the end."""
    state = Room(room)
    for numbered in history:
        if isinstance(numbered[2], Begun):
            yield state
        try:
            state.apply(*numbered)
        except PluginFailed:
            raise
        except ShutboxError as error:
            raise DamagedStore(DAMAGED) from error
    yield state


def replay_record(data: bytes) -> ReplayView:
    """Replay a record up to damage or a limit, see `fault`. Takes a while. Raises BadRecord."""
    end = perf_counter() + limits.REPLAY_SECONDS
    reading, fault = read_up_to(data, limits.MOST_STEPS)
    game, players, start = reading.game, reading.header.names, reading.play.start
    play, narrator = Play(game, start=start), Narrator(game, players)
    steps = [StepView(narrator.begin(start), game.scene(play.position).pieces, None)]
    for event in reading.play.log[: limits.MOST_STEPS]:
        if perf_counter() > end:
            break
        applied = play.apply(play.prepare(event))
        scene = game.scene(play.position)
        is_throw = isinstance(event, Rolled | Corrected)
        ears = [(length, False) for length in (Length.NORMAL, Length.BRIEF, Length.FULL)]
        says, brief, full = narrator.after_at(applied, scene, ears)
        steps.append(
            StepView(
                says=says,
                pieces=scene.lying,
                seat=applied.seat,
                brief=brief if brief != says else None,
                full=full if full != says else None,
                thrown_at=len(steps) if is_throw else steps[-1].thrown_at,
            )
        )
    shown = len(steps) - 1
    too_long = not reading.fault and data.count(b"\n") > limits.MOST_STEPS + _HEADER
    if len(reading.play.log) > shown or too_long:
        fault = ngettext(
            "Only the first event is shown.",
            "Only the first {events} events are shown.",
            shown,
            events=f"{shown:,}",
        )
    return ReplayView(game.card().title, players, fault, tuple(steps))


def replay_for_page(data: bytes) -> dict[str, Any]:
    """Return the `replay_record` record as `json`, encoded by the worker that runs this, for pages.

    Beside it are the fields of the `ReplayView`, but its steps as `lines`: unpickling thousands of
    them would block the serving process for a tenth of a second. Slow. Raises BadRecord.
    """
    view = replay_record(data)
    lines = [" ".join(step.says) for step in view.steps]
    return {**vars(view), "steps": lines, "json": encode(view)}


def read_up_to(data: bytes, most: int) -> tuple[Reading[Any, Any], str | None]:
    """Return the content of a record, and a sentence about damage or None. Raises BadRecord.

    If it has more than `most` events, only a few more than `most` are read.
    """
    lines = data.splitlines(keepends=True)[: most + _HEADER]
    reading = read(BytesIO(b"".join(lines)), _find_playable)
    fault = gettext("It is damaged at {place}.", place=reading.fault) if reading.fault else None
    return reading, fault


def _find_playable(header: Header) -> Game[Any, Any]:
    """Return the game of a record, if playable here. Raises TooLarge and what `game_of` raises."""
    check_text(header.game)
    game = game_of(header)
    check_work(game)
    return game


@dataclass
class ChallengeReply:
    """Links to challenge others by the dice of a game that is over."""

    links: dict[str, str]  # the link of each seat of the caller, by the number of the seat


async def challenges(caller: RoomCaller, request: None = None) -> ChallengeReply:
    """Return the links by which others throw the dice of the caller's seats in this game.

    Raises NotAllowed if the caller may not see it, it is not over, has no open envelope, or is too
    long; NotUnderstood if its turns cannot be played alone or fit into no link; TooOften, Full.
    """
    caller.check(Permission.SEES)
    client, room, links = caller.client, caller.live.room, dict[str, str]()
    if room.dice is None:
        # Translators: other players can try the same dice again, as a challenge.
        raise NotAllowed("only the dice of a sealed game can be thrown by others")
    if room.phase != "over" or room.dice.opening is None:
        raise NotAllowed("this game is not over yet, or its envelope is still closed")
    table, name, gid = room.playing(), room.dice.names[0], bytes.fromhex(room.dice.gid)
    if len(table.log) > limits.VERDICT_EVENTS:
        raise NotAllowed("this game is too long for a link")
    client.count(limits.HINTS_OF_ADDRESS, "records")
    for seat in sorted(caller.viewer.seats):
        work = table.game, table.log, table.start, name, seat, gid, room.dice.opening
        text = await client.do(_challenge_text, *work, quick=has_short_record(caller))
        links[str(seat)] = f"{client.origin}/challenge?dice={text}"
    return ChallengeReply(links)


def _challenge_text(
    game: Game[Any, Any], log: Sequence[Event[Any]], start: Any, *details: Any
) -> str:
    """Return the code in a challenge's link; `details` and the errors are as in `Challenge.of`."""
    return Challenge.of(Play(game, log, start=start), *details).text


async def take_challenge(caller: Caller, request: TakeChallenge) -> OpenedReply:
    """Open a room with the dice of a challenge; for a retry, return the room already opened.

    Raises what `check_challenge` raises, TooOften, Full and NotKept.
    """
    caller.count(limits.OPENINGS_OF_ADDRESS, "openings")
    challenge = await caller.do(check_challenge, request.dice)
    more = {"position": challenge.position, "challenge": request.dice}
    plan = plan_alone(challenge.game, challenge.format, "challenge", **more)
    return await open_planned(caller, key_of(caller, "challenge", request), plan)


def challenge_in_link(text: str) -> Challenge:
    """Return the challenge in a link or its code. Raises NotUnderstood, UnknownGame for a file."""
    challenge = read_challenge(find_challenge(text))
    check_text(challenge.game)
    return challenge


def check_challenge(text: str) -> Challenge:
    """Return the challenge in the code of a link, after playing its game again. Takes a while.

    Raises what `challenge_in_link`, `check_work` and `Challenge.replay` raise.
    """
    challenge = challenge_in_link(text)
    check_work(challenge.solo_game)
    challenge.replay()
    return challenge
