"""Plugins on a server: its host says which of them people can use."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from people import Person
from sealed_tables import at_two
from shutbox import find
from shutbox.engine import plugins
from shutbox.web.admin import listed_rooms
from shutbox.web.errors import BadRequest
from shutbox.web.server.run import _allow_plugins
from shutbox.web.server.services import Server
from shutbox.web.storage.log import events_of


@pytest.mark.usefixtures("pig")
def test_the_server_has_only_those_that_its_host_lists(
    monkeypatch: pytest.MonkeyPatch, person: Callable[[], Person], server: Server
) -> None:
    monkeypatch.setenv(plugins.SETTING, "1")  # so that it is put back
    seats = [{"who": "me"}, {"who": "computer:acme.hold"}]
    _allow_plugins("acme.pig")
    assert os.environ[plugins.SETTING] == "acme.pig"
    refused = person().post("/api/rooms", game="acme.pig", seats=seats)
    assert refused.json()["error"]["code"] == "bad-name"
    _allow_plugins("acme.pig,acme.hold")
    ann = person()
    assert ann.open(game="acme.pig", seats=seats)["view"]["seats"][1]["computer"] == "acme.hold"
    room = ann.open(game="acme.pig", seats=[{"who": "me"}, {"who": "link"}])["view"]["room"]
    assert ann.post(f"/api/rooms/{room}/stand-in", seat=1, computer="acme.hold:15").is_success
    assert ann.play_out(ann.open(game="acme.pig")["view"]["room"])["does"] == "over"
    for name in ("acme.pog", "1", "classic", "acme"):
        with pytest.raises(BadRequest, match=f"no package that works here has '{name}'"):
            _allow_plugins(name)
    _allow_plugins("")
    refused = person().post("/api/rooms", game="acme.pig")
    assert refused.json()["error"]["code"] == "unknown-game"
    # Tables of a game that is no longer allowed do not hide the others.
    person().open(game="classic")
    phases = [row.phase for row in listed_rooms(server.database)]  # where a computer acts is first
    assert sorted(phases) == ["playing", "unplayable", "unplayable", "unplayable"]


@pytest.fixture
def pig_class(pig: Path, monkeypatch: pytest.MonkeyPatch) -> type[Any]:
    """Return the class of the example's game, whose module has got a function that fails.

    A function that is defined in the module is code of the plugin.
    """
    monkeypatch.setenv(plugins.SETTING, "acme.pig,acme.hold")
    found: Any = type(find("acme.pig"))
    names = vars(sys.modules[found.__module__])
    exec("def out_of_order(*args):\n    raise KeyError('out of order')", names)
    found.bug = staticmethod(names["out_of_order"])
    pig_class: type[Any] = found
    return pig_class


def check_blamed(refused: httpx2.Response) -> None:
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (422, "plugin-failed")
    assert error["message"].startswith("The plugin acme.pig")


@pytest.mark.parametrize("method", ["rolled", "scene"])
def test_a_game_that_fails_is_refused_by_name_and_its_table_goes_on(
    method: str,
    pig_class: type[Any],
    monkeypatch: pytest.MonkeyPatch,
    ann: Person,
    bob: Person,
    server: Server,
    caplog: pytest.LogCaptureFixture,
) -> None:
    right, bug = getattr(pig_class, method), pig_class.bug

    def fails_after_a_throw(self: Any, position: Any, *roll: object) -> Any:
        return bug() if position.die or roll else right(self, position)

    room = at_two(ann, bob, game="acme.pig(target=20)", format="")
    table = ann.table(room)
    with monkeypatch.context() as faulty:
        faulty.setattr(pig_class, method, fails_after_a_throw)
        for _ in range(2):
            check_blamed(ann.act(room, table, "throw"))
        for says in ("plugin failed", "acme.pig", "KeyError: 'out of order'"):
            assert says in caplog.text
        assert bob.open(game="classic")["view"]["table"]["does"] == "throw"
        assert ann.table(room) == table
    assert not any("throws" in event.entry for event in events_of(server.database, room))
    assert ann.act(room, table, "throw").status_code == 200
    assert bob.table(room)["version"] == table["version"] + 1


def test_a_stored_table_whose_game_fails_is_kept_until_it_works(
    pig_class: type[Any], monkeypatch: pytest.MonkeyPatch, ann: Person, server: Server
) -> None:
    room = ann.open(game="acme.pig")["view"]["room"]
    table = ann.step(room, ann.table(room))
    server.rooms.drop_idle(-1)
    with monkeypatch.context() as faulty:
        faulty.setattr(pig_class, "rolled", pig_class.bug)
        check_blamed(ann.get(f"/api/rooms/{room}"))
        assert "plugin acme.pig" in ann.get(f"/r/{room}").text
        faulty.setattr(pig_class, "card", pig_class.bug)
        check_blamed(ann.post("/api/rooms", game="acme.pig"))
    assert ann.table(room) == table
