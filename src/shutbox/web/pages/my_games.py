"""The games of a device: whose turn it is, the player's form, the boxes shut; and learn."""

from bisect import bisect
from datetime import UTC, datetime
from statistics import mode

from starlette.requests import Request
from starlette.responses import Response

from shutbox import find
from shutbox.output.picture import miniature
from shutbox.web import limits
from shutbox.web.actions.my_games import MyTable, my_games
from shutbox.web.http.requests import caller_of, services_of
from shutbox.web.http.responses import as_json
from shutbox.web.pages.gallery import classics, figures
from shutbox.web.pages.templates import render
from shutbox.web.rooms.requests import read_number
from shutbox.web.rooms.shapes import names_of

MOST_IN_FORM = 20  # of the last turns with one box, which the curve shows
_DARKER = (7, 25, 50, 75)  # the days after which the brass of a plate is a shade darker
_LAST_GAMES = 10
_DAY = 86_400  # seconds


async def games(request: Request) -> Response:
    """Show the list of the device's games, and its results."""
    mine, rooms = await my_games(caller_of(request)), services_of(request).rooms
    tables, now = sorted(mine, key=lambda table: -table.at), rooms.now()
    going = [table for table in tables if table.phase in ("waiting", "playing")]
    turns = [turn for table in tables[::-1] for turn in table.turns]
    most_played = mode(turn.game for turn in turns) if turns else ""
    form = [turn for turn in turns if turn.game == most_played][-MOST_IN_FORM:]
    shut = [
        (table.room, turn, str(datetime.fromtimestamp(turn.at, UTC).date()))
        for table in tables
        for turn in table.turns[::-1]
        if turn.shut
    ]
    pictures = {}
    for table in tables:
        if table not in going and table.turns:
            last = table.turns[-1]
            game = find(last.game)
            pictures[table.room] = miniature(game.scene(game.position_at(last.left)).pieces)
        elif (table in going or not table.others) and (live := rooms.loaded_room(table.room)):
            room, game = live.room, find(live.room.opened.game)
            scene = room.table.scene if room.table else game.scene(game.start())
            pictures[table.room] = miniature(scene.lying)
    return render(
        "games.html",
        now=now,
        going=sorted(going, key=lambda table: not table.due),
        over=[table for table in tables if table not in going],
        form=form,
        perfect=figures().get(form[0].game, {}).get("mean") if form else None,
        plates=[(*plate, bisect(_DARKER, (now - plate[1].at) / _DAY)) for plate in shut],
        pictures=pictures,
        counted=all(table.counted for table in tables),
        most=limits.MOST_LISTED_TABLES,
        came=read_number(request.query_params.get("came"), "came", limits.MOST_LISTED_TABLES),
    )


async def learn(request: Request) -> Response:
    """Show practice, analysis and review, and the device's last games as their boxes ended."""
    tables = sorted(await my_games(caller_of(request)), key=lambda table: -table.at)
    over = [(table, table.turns[-1]) for table in tables if table.phase == "over" and table.turns]
    ended = [(find(turn.game), turn.left) for _, turn in over[:_LAST_GAMES]]
    boxes = [miniature(game.scene(game.position_at(left)).pieces) for game, left in ended]
    pictures = classics("1-9/3+6 9", "1-3.6.7/5+6 2.3.6", "2.6/3+1")
    return render("learn.html", pictures=pictures, games=list(zip(over, boxes, strict=False)))


async def export(request: Request) -> Response:
    """Return the list of the device's games as a JSON file, for programs."""
    shown = [name for name in names_of(MyTable) if name != "view"]
    tables = await my_games(caller_of(request))
    answer = as_json({"tables": [{name: getattr(it, name) for name in shown} for it in tables]})
    answer.headers["Content-Disposition"] = 'attachment; filename="shutbox-games.json"'
    return answer
