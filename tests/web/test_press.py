"""The path of a press: the project's files that the server uses for one choice.

One player plays Classic in a room of a server in this process, without listeners. After a first
choice, one is sent to the API, and another by a form without script. What other packages and C do
does not count, nor does what the server does by itself.
"""

import threading
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

from starlette.testclient import TestClient

import shutbox
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database

MOST = 40
MOST_OF_THE_SERVER = 22
MOST_CHANGES = 250
"""A choice at random takes up to 230: sentences differ."""
ROOT = f"{Path(shutbox.__file__).parent}/"
OF_SERVER = f"{ROOT}web/server/"
"""The folder of what the server does by itself."""
SEATS = [{"who": "me", "name": "Ann"}]
calls: list[str] = []
"""The file of each call of a function of shutbox, in order, while a choice is sent."""


def called(frame: FrameType, event: str, argument: object) -> None:
    """Record a call, if a function of shutbox is called; a generator's resumption counts as one."""
    name = frame.f_code.co_filename
    if event == "call" and name.startswith(ROOT) and name.endswith(".py"):
        caller: FrameType | None = frame
        while caller is not None and not caller.f_code.co_filename.startswith(OF_SERVER):
            caller = caller.f_back
        if caller is None:
            calls.append(name.removeprefix(ROOT))


def stepped(client: TestClient, room: str, table: dict[str, Any], door: str = "api") -> Any:
    """Throw, or take the first offer, through the API or a form; return the table afterwards."""
    fields = {"game": table["game"], "version": table["version"], "seat": table["seat"]}
    fields |= {"action": f"step-{table['version']:04}", "do": table["does"]}
    if table["does"] == "choose":
        fields["choice"] = table["offers"][0]["text"]
    calls.clear()
    if door == "form":
        response = client.post(f"/r/{room}/act", data=fields, follow_redirects=False)
    else:
        response = client.post(f"/api/rooms/{room}/act", json=fields)
    passed = [*calls]
    assert response.status_code < 400, response.text
    after = client.get(f"/api/rooms/{room}").json()["view"]["table"]
    calls[:] = passed
    return after


def chosen(client: TestClient, room: str, table: dict[str, Any], door: str = "api") -> Any:
    """Throw until a choice is due, and take the first offer; return the table afterwards."""
    while table["does"] != "choose":
        table = stepped(client, room, table)
    return stepped(client, room, table, door)


def paths(folder: Path) -> dict[str, list[str]]:
    """Return the files of the calls for one choice, by door; `folder` holds the database."""
    paths = dict[str, list[str]]()
    threading.setprofile(called)  # the server gets a thread of its own
    try:
        settings = Settings(
            database=f"sqlite:///{folder}/choice.db", unlimited=frozenset({"127.0.0.1"})
        )
        server = Server(settings, Database(settings.database))
        with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
            asked = {"action": "open-a-room", "game": "classic", "seats": SEATS}
            view = client.post("/api/rooms", json=asked).json()["view"]
            table = chosen(client, view["room"], view["table"])  # a first choice is slower
            for door in ("api", "form"):
                table = chosen(client, view["room"], table, door)
                paths[door] = [*calls]
    finally:
        threading.setprofile(None)
    return paths


def test_a_press_passes_few_files(tmp_path: Path) -> None:
    for path in paths(tmp_path).values():
        found = {*path}
        assert "web/actions/play.py" in found
        assert len(found) <= MOST, sorted(found)
        assert len([name for name in found if name.startswith("web/")]) <= MOST_OF_THE_SERVER
        changes = Counter(pair for pair in pairwise(path) if pair[0] != pair[1])
        assert changes.total() <= MOST_CHANGES, changes.most_common(30)
