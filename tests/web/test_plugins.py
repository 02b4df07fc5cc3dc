"""Plugins on a server: its host says which of them people can use."""

import os
from collections.abc import Callable

import pytest

from people import Person
from shutbox import plugins
from shutbox.web.errors import BadRequest
from shutbox.web.server.run import _allow_plugins


@pytest.mark.usefixtures("pig")
def test_the_server_has_only_those_that_its_host_lists(
    monkeypatch: pytest.MonkeyPatch, person: Callable[[], Person]
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
    assert ann.play_out(ann.open(game="acme.pig")["view"]["room"])["does"] == "over"
    for name in ("acme.pog", "1", "classic", "acme"):
        with pytest.raises(BadRequest, match=f"no package that works here has '{name}'"):
            _allow_plugins(name)
    _allow_plugins("")
    refused = person().post("/api/rooms", game="acme.pig")
    assert refused.json()["error"]["code"] == "unknown-game"


@pytest.mark.usefixtures("pig")
def test_a_player_of_a_plugin_stands_in_through_the_api(
    monkeypatch: pytest.MonkeyPatch, person: Callable[[], Person]
) -> None:
    monkeypatch.setenv(plugins.SETTING, "acme.pig,acme.hold")
    seats = [{"who": "me"}, {"who": "link"}]
    for about, kind in (({}, "acme.hold:15"), ({"stand_in": "acme.hold"}, "")):
        ann = person()
        opened = ann.open(game="acme.pig", seats=seats, **about)
        room = opened["view"]["room"]
        done = ann.post(f"/api/rooms/{room}/stand-in", seat=1, computer=kind)
        assert done.status_code == 200, done.text
        assert done.json()["view"]["seats"][1]["computer"] == (kind or "acme.hold")
