"""The path of a press: the project's files that the server uses for one choice."""

import sys
import threading
from pathlib import Path
from types import FrameType

import pytest
from starlette.testclient import TestClient

import shutbox
from people import Person
from shutbox.web.server import background
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server

SOURCE = Path(shutbox.__file__).parent
MOST = 36
MOST_OF_THE_SERVER = 17


def test_a_press_passes_few_files(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    # What a server does by itself every now and then is no part of it.
    monkeypatch.setattr(background, "_LOOK_SECONDS", 3600.0)
    passed = set[str]()

    def called(frame: FrameType, event: str, arg: object) -> None:
        path = Path(frame.f_code.co_filename)
        # Templates are compiled at that time, in another thread.
        if event == "call" and path.suffix == ".py" and path.is_relative_to(SOURCE):
            passed.add(path.relative_to(SOURCE).as_posix())

    before = sys.getprofile()
    threading.setprofile(called)  # the server of a test is a thread of its own
    try:
        with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
            ann = Person(client)
            opened = ann.open(game="classic")
            room = opened["view"]["room"]
            table = ann.step(room, opened["view"]["table"])
            while table["does"] != "choose":
                table = ann.step(room, table)
            passed.clear()
            ann.act(room, table, "choose", choice=table["offers"][0]["text"])
            found = {name for name in passed if not name.startswith("web/server/")}
    finally:
        threading.setprofile(before)
    assert "web/actions/play.py" in found
    assert len(found) <= MOST, sorted(found)
    assert len([name for name in found if name.startswith("web/")]) <= MOST_OF_THE_SERVER
