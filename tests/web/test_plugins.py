"""Plugins on a server: its host says which of them people can use."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from people import Person
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
    """Return the class of the example's game, whose module has got a function that fails."""
    monkeypatch.setenv(plugins.SETTING, "acme.pig,acme.hold")
    found = type(find("acme.pig"))
    exec("def out_of_order(*args):\n    raise KeyError('out of order')", of_module(found))
    return found


def of_module(pig_class: type[Any]) -> dict[str, Any]:
    """The names of the game's module; a function that is defined there is code of the plugin."""
    return vars(sys.modules[pig_class.__module__])


@pytest.mark.parametrize("method", ["rolled", "scene"])
def test_a_game_that_fails_is_refused_by_name_and_its_table_goes_on(
    method: str,
    pig_class: type[Any],
    monkeypatch: pytest.MonkeyPatch,
    person: Callable[[], Person],
    server: Server,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ann, bob, right = person(), person(), getattr(pig_class, method)
    bug = of_module(pig_class)["out_of_order"]

    def fails_after_a_throw(self: Any, position: Any, *roll: object) -> Any:
        return bug() if position.die or roll else right(self, position)

    opened = ann.open(game="acme.pig(target=20)", seats=[{"who": "me"}, {"who": "link"}])
    room, key = opened["view"]["room"], opened["keys"]["1"]
    bob.enter(room, key, "Bob")
    table = ann.table(room)
    with monkeypatch.context() as faulty:
        faulty.setattr(pig_class, method, fails_after_a_throw)
        for _ in range(2):
            refused = ann.act(room, table, "throw")
            assert refused.status_code == 422, refused.text
            error = refused.json()["error"]
            assert error["code"] == "plugin-failed"
            assert error["message"].startswith("The plugin acme.pig")
        assert "plugin failed" in caplog.text
        assert "acme.pig" in caplog.text
        assert "KeyError: 'out of order'" in caplog.text
        assert bob.open(game="classic")["view"]["table"]["does"] == "throw"
        assert ann.table(room) == table
    assert not any("throws" in event.entry for event in events_of(server.database, room))
    assert ann.act(room, table, "throw").status_code == 200
    assert bob.table(room)["version"] == table["version"] + 1


def test_a_stored_table_whose_game_fails_is_kept_until_it_works(
    pig_class: type[Any],
    monkeypatch: pytest.MonkeyPatch,
    person: Callable[[], Person],
    server: Server,
) -> None:
    ann = person()
    room = ann.open(game="acme.pig")["view"]["room"]
    table = ann.step(room, ann.table(room))
    server.rooms.drop_idle(-1)
    with monkeypatch.context() as faulty:
        faulty.setattr(pig_class, "rolled", of_module(pig_class)["out_of_order"])
        refused = ann.get(f"/api/rooms/{room}")
        assert refused.json()["error"]["code"] == "plugin-failed"
        assert "plugin acme.pig" in ann.get(f"/r/{room}").text
        faulty.setattr(pig_class, "card", of_module(pig_class)["out_of_order"])
        refused = ann.post("/api/rooms", game="acme.pig")
        assert refused.json()["error"]["code"] == "plugin-failed"
    assert ann.table(room) == table
