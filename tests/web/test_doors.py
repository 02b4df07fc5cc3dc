"""The door table: each action at each door, for each caller in each phase; see `doors/table.py`."""

import asyncio
from collections.abc import Iterator
from itertools import product

import pytest

from shutbox.web import limits
from shutbox.web.actions.registry import ACTIONS, BY_FORM
from shutbox.web.rooms.access import new_device
from shutbox.web.server.app import PAGES
from web.doors.form import PAGES as FORMS
from web.doors.table import DOORS, TABLE, Case
from web.doors.worlds import QUICK, Person, Site, ask

CASES = [
    (action, name)
    for action, sections in TABLE.items()
    for name, door in DOORS.items()
    if any(name in one.doors and door.has(one.action) for one in sections)
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Site]]:
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        for name, value in QUICK.items():
            patch.setattr(limits, name, value)
        patch.setattr("shutbox.web.device.device._OPENS_SECONDS", 3600.0)
        made = Site(tmp_path_factory.mktemp("doors"))
        yield runner, made
        runner.run(made.close())


@pytest.mark.parametrize(("action", "door"), CASES, ids=str)
def test_a_door(site: tuple[asyncio.Runner, Site], action: str, door: str) -> None:
    runner, made = site
    faults = runner.run(Case(made, action, door).run())
    assert not faults, "\n".join(faults)


def test_every_action_has_its_rows() -> None:
    assert {one.action for found in TABLE.values() for one in found} >= {a.name for a in ACTIONS}


def test_every_page_that_is_not_of_a_table_is_shown_to_everybody(
    site: tuple[asyncio.Runner, Site],
) -> None:
    runner, made = site
    paths = [path for method, path, _ in PAGES if method == "GET" and "{" not in path]
    stranger = Person(new_device()).cookie()
    for path, headers in product(paths, ({}, stranger, {"authorization": "Bearer x"})):
        answer = runner.run(ask(made.app, "GET", path, headers))
        wanted = 422 if path == "/challenge" else 200  # which needs its dice
        assert (path, answer.status) == (path, wanted)
        assert "set-cookie" not in answer.headers


def test_every_other_page_and_form_is_a_door() -> None:
    doors = {path.partition("?")[0] for _, path in FORMS.values()}
    doors |= {action.form for action in BY_FORM.values()}
    others = {path for method, path, _ in PAGES if method == "POST" or "{" in path}
    assert others - doors == {"/p/{text:path}"}  # a position, which everybody may look at


def test_what_has_no_form_is_for_programs_or_scripts() -> None:
    without = {action.name for action in ACTIONS if not DOORS["form"].has(action.name)}
    assert without == {
        *("games", "openapi", "events", "invitation", "review-record", "challenge"),
        *("word", "push-key", "subscribe", "unsubscribe"),
    }
