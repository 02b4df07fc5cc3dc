"""The choice recommended by a hint, which the guide tells a newcomer to press."""

import asyncio
from typing import Any

import pytest

from shutbox import find, solve
from shutbox.engine.game import Choose, Throw
from shutbox.table.bots import bot
from shutbox.web.compute.tasks import can_advise
from web.doors.device import Disk
from web.test_device import ME, Page


async def advised(game: Any, position: Any, **settings: str) -> str:
    """The choice that is advised at a table that stands there, by the engine of a browser."""
    page = Page(Disk())
    await page.open(ME, game=game.name, position=game.position_id(position), **settings)
    status, hint = await page.ask("GET", "/hint")
    assert status == 200, hint
    choice: str = hint["choice"]
    return choice


def thrown(game: Any) -> list[Any]:
    """The positions after a first throw where something is to be chosen."""
    start, awaited = game.start(), game.awaits(game.start())
    assert isinstance(awaited, Throw)
    after = [game.rolled(start, roll) for roll, _ in awaited.dice.outcomes()]
    return [position for position in after if isinstance(game.awaits(position), Choose)]


@pytest.mark.parametrize("name", ["classic", "two-to-go"])
def test_after_every_first_throw_a_best_choice_is_advised(name: str) -> None:
    game = find(name)
    solution = solve(game)
    for position in thrown(game):
        options = solution.options(position)
        texts = {
            game.choice_text(choice)
            for choice, value in zip(options.choices, options.values, strict=True)
            if value == options.top
        }
        assert asyncio.run(advised(game, position)) in texts, game.position_id(position)


def test_where_no_box_is_solved_the_careful_player_advises() -> None:
    game = find("the-300")
    assert not can_advise(game)
    for position in thrown(game)[::9]:
        awaited = game.awaits(position)
        assert isinstance(awaited, Choose)
        careful = bot("careful").pick(game, position, awaited.choices)
        assert asyncio.run(advised(game, position)) == game.choice_text(careful)


def test_nothing_is_advised_before_a_throw_or_where_hints_tell_what_is_legal() -> None:
    game = find("classic")
    assert asyncio.run(advised(game, game.start())) == ""
    assert asyncio.run(advised(game, game.position_at("1-9/4+6"), hints="legal")) == ""
