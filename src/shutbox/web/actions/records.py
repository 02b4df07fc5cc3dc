"""Records: of the games of a room, and those that are opened to be looked at."""

import asyncio
from io import BytesIO
from time import perf_counter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from shutbox.errors import UnknownRecord
from shutbox.game import Game
from shutbox.lookup import game_of
from shutbox.narrator import Narrator
from shutbox.play import Play
from shutbox.record import Header, read, written
from shutbox.web.api.schemas import Replay, Step
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.http.identity import Visit
from shutbox.web.http.requests import read_number
from shutbox.web.limits import HINTS_OF_ADDRESS, MOST_STEPS, REPLAY_SECONDS
from shutbox.web.rooms.events import Begun, decoded
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.view import pieces_view
from shutbox.web.storage.reader import Archive


async def record_of_visit(visiting: Visit, request: Request) -> Response:
    """The record of the game that the address names, or of the one that is played."""
    room = visiting.live.room
    game = read_number(request.query_params.get("game"), "game")
    number = room.game if game is None else game
    data = await recorded(visiting, number)
    name = f"shutbox-{room.id}-{number}.shutbox"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=headers)


async def recorded(visiting: Visit, game: int) -> bytes:
    """The record of a game of a room. Raises TooOften and UnknownRecord."""
    who = visiting.caller
    await who.server.rates.check(HINTS_OF_ADDRESS, "records", who.address)
    async with who.server.recording:
        rooms = who.server.rooms
        return await asyncio.to_thread(record_of, rooms.archive, visiting.live.room.id, game)


def record_of(archive: Archive, room: str, game: int) -> bytes:
    """The record of a game of a room, from 1. Raises UnknownRecord. Waits for the database."""
    replayed = Room(room)
    for row in archive.entries(room):
        entry = decoded(row.entry)
        if isinstance(entry, Begun) and replayed.game == game:
            break
        replayed.apply(row.number, row.at, entry)
    sitting, table = replayed.sitting, replayed.table
    if sitting is None or table is None or replayed.game != game:
        raise UnknownRecord(f"there is no game {game} at this table")
    return written(sitting.header, sitting.game, table.log)


def replayed(data: bytes) -> Replay:
    """A record, event by event, as far as it is sound. Raises BadRecord. Takes a while."""
    end = perf_counter() + REPLAY_SECONDS
    lines = data.splitlines(keepends=True)
    reading = read(BytesIO(b"".join(lines[: MOST_STEPS + 30])), _game)
    game, log = reading.game, reading.play.log[:MOST_STEPS]
    players = tuple(seat.name for seat in reading.header.players)
    play, narrator = Play(game), Narrator(game, players, names_throws=True)
    steps = [Step(narrator.begin(), pieces_view(game.scene(play.position).pieces), None)]
    for event in log:
        if perf_counter() > end:
            break
        before, seat = play.position, play.actor(event) or 0
        play.happen(event)
        scene = game.scene(play.position)
        says = narrator.after(before, event, seat, play.position, scene=scene)
        steps.append(Step(says, pieces_view(scene.pieces), seat))
    fault = f"It is damaged at {reading.fault}." if reading.fault else None
    shown = len(steps) - 1
    if len(reading.play.log) > shown or len(lines) > MOST_STEPS + 30:
        fault = f"Only the first {shown:,} events are shown."
    return Replay(game.card().title, players, fault, tuple(steps))


def _game(header: Header) -> Game[Any, Any]:
    check_text(header.game)
    game = game_of(header)
    check_work(game, ())
    return game
