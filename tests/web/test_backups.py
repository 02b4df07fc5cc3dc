"""Backup and restore with the commands of docs/hosting.md, followed by further play.

Only the paths and the database in the commands are replaced. The test does the system's part, such
as stopping the service.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kill_server.load import TABLES, Load
from kill_server.postgres import HOST, PORT, fresh_database
from kill_server.told import replayed, rows_of, shown_by
from people import Person, path_of
from serving import PATIENCE, ROOT, Served

TWO = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
NOT_OURS = ("systemctl", "chown", "service", "mkdir")
"""What belongs to the system: the test does it, or does without."""


def section(heading: str) -> str:
    """What the docs say under a heading."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {heading}\n(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def blocks() -> list[list[str]]:
    """The commands of each block, as whoever may do everything types them."""
    found = []
    text = section("Backup and restore")
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        typed = re.findall(r"^[$#] (.*)$", block.replace("\\\n", " "), re.MULTILINE)
        bare = [re.sub(r"^sudo( -[iu]( \S+)?)* ", "", line) for line in typed]
        found.append([line for line in bare if not line.startswith(NOT_OURS)])
    return found


def block_with(*words: str) -> list[str]:
    """The one block whose commands have all of these words."""
    [found] = [block for block in blocks() if all(word in "\n".join(block) for word in words)]
    return found


def run(commands: list[str], folder: Path, **places: str) -> None:
    """Run them in one shell, with other places for those in the docs."""
    script = "\n".join(["set -e", *commands, ""])
    for place, here in places.items():
        script = script.replace(place, here)
    # Nobody but ourselves is to own what is put in its place.
    script = re.sub(r" (-[og]|--owner|--group)[ =]\S+", "", script)
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "PGHOST": HOST, "PGPORT": PORT},
    )
    assert done.returncode == 0, f"{script}\n{done.stderr}"


def check_is_for_nobody_else(path: Path) -> None:
    """Whoever has a backup can enter every table in it."""
    assert path.stat().st_mode & 0o077 == 0


class Tables:
    """What somebody plays at a server before a backup, and after it."""

    def __init__(self, ann: Person) -> None:
        self.ann = ann
        matches = {"game": "pub", "format": "order=seats", "seats": TWO}
        bodies: list[dict[str, Any]] = [{"game": "classic"}, matches, {"game": "cargo"}]
        self.rooms = [ann.open(**body)["view"]["room"] for body in bodies]

    def play(self, times: int = 5) -> None:
        for room in self.rooms:
            table = self.ann.table(room)
            for _ in range(times):
                table = self.ann.step(room, table)
                if table["does"] == "over":  # left as it is, its envelope would soon open by itself
                    again = self.ann.post(path_of(room, "rematch"), game=table["game"])
                    table = again.json()["view"]["table"]

    def shown(self) -> list[dict[str, Any]]:
        """All that is shown of them."""
        return [self.ann.get(path_of(room)).json() for room in self.rooms]

    def check_goes_on(self, served: Served, before: list[dict[str, Any]]) -> None:
        """Everything is as it was, for the same cookie, and is played on."""
        assert self.shown() == before
        self.play()
        after = self.shown()
        for now, then in zip(after, before, strict=True):  # some with a seal before them
            assert now["view"]["number"] >= then["view"]["number"] + 5
        served.restart()
        assert self.shown() == after


@contextmanager
def tables(served: Served) -> Iterator[Tables]:
    with served, served.client() as client:
        found = Tables(Person(client))
        found.play()
        yield found


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the command sqlite3 is not there")
def test_sqlite_is_backed_up_while_it_is_played_on_and_put_back(tmp_path: Path) -> None:
    live, backups = tmp_path / "live", tmp_path / "backups"
    for folder in (live, backups):
        folder.mkdir()
    places = {"/var/lib/shutbox": str(live), "/var/backups": str(backups)}
    served = Served(live)
    with tables(served) as there:
        before = there.shown()
        load = Load(served.url, TABLES[:2])
        with load.playing():
            load.wait(20)
            acknowledged = list(load.told.acknowledged)
            run(block_with("sqlite3", ".backup"), tmp_path, **places)
            load.wait(10)
        assert load.failed == []
        [copy] = backups.iterdir()
        check_is_for_nobody_else(copy)
        there.play()
        # A power cut: what was in the files beside the database stays there.
        served.kill()
        assert (live / "tables.db-wal").stat().st_size > 0
        run(block_with("tables.db-wal", "tables.db-shm"), tmp_path, **places)
        assert not (live / "tables.db-wal").exists()
        rows = rows_of(live / "tables.db")
        kept = {(row.room, row.number): row.action for row in rows}
        assert all(kept[one.room, one.number] == one.action for one in acknowledged)
        served.start()
        ours = {id: shown_by(room) for id, room in replayed(rows).items() if id in there.rooms}
        assert ours == {room["view"]["room"]: room["view"] for room in before}
        there.check_goes_on(served, before)


@pytest.mark.skipif(
    not (shutil.which("pg_dump") and shutil.which("pg_restore")),
    reason="the commands pg_dump and pg_restore are not there",
)
def test_postgresql_is_backed_up_while_it_is_played_on_and_put_back(tmp_path: Path) -> None:
    with fresh_database() as url:
        places = {"/var/backups": str(tmp_path)}
        served = Served(tmp_path, database=url)
        with tables(served) as there:
            before = there.shown()
            load = Load(served.url, TABLES[:2])
            with load.playing():
                load.wait(20)
                run(of_database(block_with("pg_dump"), url), tmp_path, **places)
                load.wait(10)
            assert load.failed == []
            [copy] = [path for path in tmp_path.iterdir() if "dump" in path.name]
            check_is_for_nobody_else(copy)
            there.play()
            assert there.shown() != before
            served.stop()
            run(of_database(block_with("pg_restore"), url), tmp_path, **places)
            served.start()
            there.check_goes_on(served, before)


def of_database(commands: list[str], url: str) -> list[str]:
    """The commands about another database than `shutbox`."""
    name = url.rpartition("/")[2]
    return [re.sub(r"(^|[ =])shutbox(?=\s|$)", rf"\g<1>{name}", line) for line in commands]
