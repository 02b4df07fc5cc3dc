"""The path of one choice through the server's code: `python -m bench.choice`.

One player, and then two, play Classic in a room of a server in this process, without listeners.
After a first choice, one is sent to the API, and another by a form without script. For each, the
benchmark counts the files of shutbox that are entered, those of them in `web/`, and the changes of
file: the calls to another file than the call before. What other packages and C do does not count,
nor does what the server does by itself. `--pairs 30` lists the pairs of files with the most
changes, and `--files` the calls of each file.
"""

import argparse
import tempfile
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
from shutbox.web.storage.engine import Database

ROOT = f"{Path(shutbox.__file__).parent}/"
OF_SERVER = f"{ROOT}web/server/"
"""The folder of what the server does by itself."""
SEATS = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
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


def paths(folder: Path, seats: int) -> dict[str, list[str]]:
    """Return the files of the calls for one choice, by door; `folder` holds the database."""
    paths = dict[str, list[str]]()
    threading.setprofile(called)  # the server gets a thread of its own
    try:
        settings = Settings(
            database=f"sqlite:///{folder}/choice.db", unlimited=frozenset({"127.0.0.1"})
        )
        server = Server(settings, Database(settings.database))
        with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
            asked = {"action": "open-a-room", "game": "classic", "seats": SEATS[:seats]}
            view = client.post("/api/rooms", json=asked).json()["view"]
            table = chosen(client, view["room"], view["table"])  # a first choice is slower
            for door in ("api", "form"):
                table = chosen(client, view["room"], table, door)
                paths[door] = [*calls]
    finally:
        threading.setprofile(None)
    return paths


def changes_of(path: list[str]) -> Counter[tuple[str, str]]:
    """Return how often a path changes from one file to another, by pair of files."""
    return Counter(pair for pair in pairwise(path) if pair[0] != pair[1])


def main() -> None:
    """Print the figures of one choice through the API, and of one by a form."""
    parser = argparse.ArgumentParser(prog="python -m bench.choice", description=__doc__)
    parser.add_argument("--pairs", type=int, default=0, metavar="N", help="list N pairs of files")
    parser.add_argument("--files", action="store_true", help="list the calls of each file")
    options = parser.parse_args()
    for seats in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            for door, path in paths(Path(folder), seats).items():
                files, changes = {*path}, changes_of(path)
                in_web = sum(file.startswith("web/") for file in files)
                figures = f"{len(files)} files, {in_web} in web/, {changes.total()} changes of file"
                print(f"{seats} at the table, {door}: {figures}, {len(path)} calls")
                for file, number in sorted(Counter(path).items()) if options.files else ():
                    print(f"{number:>8} {file}")
                for (one, other), number in changes.most_common(options.pairs):
                    print(f"{number:>8} {one} -> {other}")


if __name__ == "__main__":
    main()
